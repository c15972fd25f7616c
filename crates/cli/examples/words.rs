//! The smallest engine with the whole face of `generate`: `cargo run --example words -- -n 3 -o -`.
//!
//! It makes a greeting for a random number of random names. `--max-names N` is an option of its own;
//! `--fail-at I` and `--complain-at I` show how trouble is told. The tests of the frame run this program.

use clap::Parser;
use polysmith::generate::{GenerateOptions, run};
use polysmith::talk::{Talk, Verbosity};
use polysmith_engine::{Draw, Engine, GenerateError, Test, Worker};
use polysmith_grammar::{Alt, BlockId, Builder, Grammar, Quantifier, RuleId, TokenType};
use polysmith_random::Purpose;
use polysmith_tree::{Gap, Kind, TreeBuilder};
use std::process::ExitCode;

/// Greet a random number of random names
#[derive(Debug, Parser)]
struct Args {
    #[command(flatten)]
    frame: GenerateOptions,
    /// So many names at most; 0 makes every test impossible
    #[arg(long, value_name = "N", default_value_t = 4)]
    max_names: u64,
    /// There is no test with this index
    #[arg(long, value_name = "I")]
    fail_at: Option<u64>,
    /// The test with this index has something wrong inside
    #[arg(long, value_name = "I")]
    complain_at: Option<u64>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let talk = Talk::new(Verbosity::Normal);
    polysmith::exit_code(run(&Greeting::new(&args), "txt", &args.frame, talk), talk)
}

/// `greeting : 'hello' (NAME | STAR)+ ;`
struct Greeting<'a> {
    args: &'a Args,
    grammar: Grammar,
    greeting: RuleId,
    names: BlockId,
    hello: TokenType,
    name: TokenType,
    star: TokenType,
}

impl Greeting<'_> {
    fn new(args: &Args) -> Greeting<'_> {
        let mut b = Builder::new("Words");
        let (hello, name, star) = (b.literal("'hello'", "hello"), b.token("NAME"), b.token("STAR"));
        let greeting = b.rule("greeting");
        let names = b.block(Quantifier::PLUS, [Alt::of([name.into()]), Alt::of([star.into()])]);
        b.body(greeting, [Alt::of([hello.into(), names.into()])]);
        let grammar = b.finish();
        let names = grammar.block_numbered(greeting, 0).expect("the rule has one group");
        Greeting { args, grammar, greeting, names, hello, name, star }
    }
}

impl Engine for Greeting<'_> {
    fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Hands { engine: self, builder: TreeBuilder::new() })
    }

    fn measures(&self) -> &[&'static str] {
        &["names"]
    }
}

struct Hands<'a> {
    engine: &'a Greeting<'a>,
    builder: TreeBuilder,
}

impl Worker for Hands<'_> {
    fn make(&mut self, draw: Draw, test: &mut Test) -> Result<(), GenerateError> {
        let engine = self.engine;
        if engine.args.max_names == 0 {
            return Err(GenerateError::Never(
                "a greeting needs a name: --max-names must be 1 or more".into(),
            ));
        }
        if engine.args.fail_at == Some(draw.index) {
            return Err(GenerateError::Failed("there is no such greeting".into()));
        }
        if engine.args.complain_at == Some(draw.index) {
            test.complaints.push("a name was lost".into());
        }
        let mut structure = draw.stream(Purpose::Structure);
        let mut text = draw.stream(Purpose::Text);
        let n_names = structure.between(1, engine.args.max_names);
        self.builder.open_rule(engine.greeting, 1);
        self.builder.token(engine.hello, b"hello");
        self.builder.open_list(engine.names);
        for _ in 0..n_names {
            let is_star = structure.chance(1, 8);
            self.builder.open_item(if is_star { 2 } else { 1 });
            self.builder.leaf(Kind::Gap(Gap::Skipped), b" ");
            let name: Vec<u8> = (0..=text.below(5)).map(|_| b'a' + text.below(26) as u8).collect();
            match is_star {
                true => self.builder.token(engine.star, b"*"),
                false => self.builder.token(engine.name, &name),
            }
            self.builder.close();
        }
        self.builder.close();
        self.builder.close();
        test.take(&mut self.builder);
        test.measures.push(n_names);
        Ok(())
    }
}
