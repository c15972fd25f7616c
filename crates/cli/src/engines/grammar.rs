//! The generator for grammars: converts options to a [`Generator`].

use super::options::{CommonOptions, EngineOptions};
use super::{Opened, Ready};
use crate::failure::Failure;
use crate::generate::setup_message;
use crate::input::read_text;
use crate::load::start_rule;
use crate::talk::Talk;
use polysmith_description::Description;
use polysmith_engine::Engine;
use polysmith_generate::{Charset, Cover, Generator, Options, Style, Uniform};
use polysmith_grammar::{Grammar, RuleId};
use polysmith_source::nearest;

/// Options of the generator for grammars.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "ANTLR grammars")]
pub(super) struct GrammarOptions {
    /// Nested rule calls, at most [default: so that every alternative can occur]
    #[arg(long, value_name = "N")]
    max_depth: Option<u32>,
    /// Tokens, at most [default: 200]
    #[arg(long, value_name = "N")]
    max_tokens: Option<u32>,
    /// Tokens, at least
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_tokens: u32,
    /// Which characters are drawn from sets
    #[arg(long, value_name = "WHICH")]
    charset: Option<CharsetWord>,
    /// The layout; never changes the tree [default: separators only where needed]
    #[arg(long, value_name = "STYLE")]
    style: Option<StyleWord>,
    /// A text to put between all tokens where the lexer skips it
    #[arg(long, value_name = "TEXT", hide = true)]
    separator: Option<String>,
    /// A rule that every test must contain
    #[arg(long, value_name = "RULE")]
    require: Option<String>,
    /// Choose less what was chosen lately: the factor of each choice, for example 0.9
    #[arg(long, value_name = "FACTOR", hide = true)]
    cooldown: Option<f64>,
    /// Go for what is not covered yet, in few tests: alternatives, repetition counts, then k-paths
    #[arg(long, conflicts_with_all = ["cooldown", "require"])]
    cover: bool,
    /// Draw trees of --size tokens, every one as likely
    #[arg(long, requires = "size", conflicts_with_all =
        ["cover", "cooldown", "require", "max_depth", "max_tokens", "min_tokens"])]
    uniform: bool,
    /// Tokens of each tree for --uniform
    #[arg(long, value_name = "N", requires = "uniform")]
    size: Option<u32>,
    /// Write the weights file of the grammar, with the values of --weights, and end
    #[arg(long)]
    print_weights: bool,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum CharsetWord {
    /// ASCII wherever a set has some
    Ascii,
    /// Mostly ASCII, other characters sometimes (the default)
    Unicode,
    /// Mostly the ends of ranges and other special characters
    Edge,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum StyleWord {
    /// Separators only where needed, as short as possible
    Compact,
    /// A separator between all tokens that can have one
    Spaced,
    /// A line for each token that can have one
    Lines,
    /// Lines and indentation by brackets and semicolons
    Pretty,
}

/// Creates the engine.
///
/// # Errors
/// The grammar has errors, a name does not exist, or a limit is too small.
pub(super) fn open(
    description: &Description,
    options: &EngineOptions,
    k: usize,
    talk: Talk,
) -> anyhow::Result<Opened> {
    let extension = description.extension().to_owned();
    let grammar = description.tree_grammar();
    let chosen = choose(description, &options.grammar, &options.common)?;
    if options.grammar.print_weights {
        return Ok(Opened::Text(chosen.write_weights(grammar)));
    }
    let generator = Generator::new(grammar.clone(), &chosen).map_err(|error| {
        let message = setup_message(&error);
        if error.is_wrong_use() { Failure::usage(message) } else { Failure::unusable(message) }
    })?;
    let left_out = generator.left_out();
    if !left_out.is_empty() {
        let grammar = generator.grammar();
        let mut names: Vec<String> =
            left_out.iter().take(5).map(|token| grammar.tokens().display(*token)).collect();
        if left_out.len() > names.len() {
            names.push(format!("{} more", left_out.len() - names.len()));
        }
        talk.warning(format_args!(
            "alternatives that need {} are left out: no token rule makes them; texts for them can be given in \
             the side file's [tokens]",
            names.join(", ")
        ));
    }
    let engine: Box<dyn Engine> = match options.grammar.size.filter(|_| options.grammar.uniform) {
        Some(size) => {
            Box::new(Uniform::new(generator, size).map_err(|error| Failure::usage(error.to_string()))?)
        }
        None if options.grammar.cover => {
            Box::new(Cover::new(generator, k).map_err(|error| Failure::usage(error.to_string()))?)
        }
        None => Box::new(generator),
    };
    Ok(Opened::Engine(Ready { engine, extension, report: None, until_done: options.grammar.cover }))
}

fn choose(
    description: &Description,
    given: &GrammarOptions,
    common: &CommonOptions,
) -> anyhow::Result<Options> {
    let grammar = description.tree_grammar();
    let mut options = Options {
        start: Some(start_rule(description)?),
        max_depth: given.max_depth,
        max_tokens: given.max_tokens,
        min_tokens: given.min_tokens,
        charset: match given.charset {
            Some(CharsetWord::Ascii) => Charset::Ascii,
            Some(CharsetWord::Edge) => Charset::Edge,
            Some(CharsetWord::Unicode) | None => Charset::Unicode,
        },
        style: match given.style {
            None => Style::Varied,
            Some(StyleWord::Compact) => Style::Compact,
            Some(StyleWord::Spaced) => Style::Spaced,
            Some(StyleWord::Lines) => Style::Lines,
            Some(StyleWord::Pretty) => Style::Pretty,
        },
        separator: given.separator.clone(),
        cooldown: given.cooldown,
        dictionary: description.side_file().tokens.iter().cloned().collect(),
        ..Options::default()
    };
    if let Some(rate) = given.cooldown.filter(|rate| !(0.0..=1.0).contains(rate)) {
        return Err(Failure::usage(format!("--cooldown {rate} is not between 0 and 1")).into());
    }
    if let Some(name) = &given.require {
        options.require = Some(rule(grammar, name)?);
    }
    for word in &common.without {
        exclude(grammar, word, &mut options)?;
    }
    if let Some(path) = &common.weights {
        let text = read_text(path)?;
        options.read_weights(grammar, &text).map_err(|errors| {
            let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
            Failure::unusable(format!("`{}`: {}", path.display(), errors.join("; ")))
        })?;
    }
    Ok(options)
}

fn rule(grammar: &Grammar, name: &str) -> Result<RuleId, Failure> {
    grammar.rule_named(name).ok_or_else(|| {
        let failure = Failure::usage(format!("grammar `{}` has no rule `{name}`", grammar.name()));
        match nearest(name, grammar.rules().map(|rule| grammar.rule(rule).name.as_str())) {
            Some(close) => failure.help(format!("did you mean `{close}`?")),
            None => failure,
        }
    })
}

/// `RULE` or `RULE.ALT`, alternatives counted from 1.
fn exclude(grammar: &Grammar, word: &str, options: &mut Options) -> Result<(), Failure> {
    let Some((name, number)) = word.split_once('.') else {
        options.without.push(rule(grammar, word)?);
        return Ok(());
    };
    let body = grammar.rule(rule(grammar, name)?).body();
    let mut alternatives = grammar.alternatives(body);
    let n = alternatives.len();
    let chosen = number.parse::<usize>().ok().and_then(|number| alternatives.nth(number.checked_sub(1)?));
    let missing = || Failure::usage(format!("rule `{name}` has no alternative {number}: it has {n}, from 1"));
    options.without_alternatives.push(chosen.ok_or_else(missing)?);
    Ok(())
}
