//! Our parser against ANTLR's on random grammars and inputs.
//!
//! Each case is a grammar that the tool accepts, with ten inputs: five sentences, five mutants. Verdict, first
//! error, all parser errors, number of tokens and tree must be those of a generated parser. Rates: `soak-load`
//! (we accept the grammar too), `soak-parse`. The shares of what was tried are printed, so that nobody mistakes
//! five thousand trivial grammars for a test. A miss is printed with the grammar and the input, and the seed
//! and number of the case find it again (`--seed S --from N -n 1`). Cases go to the oracle in batches, so that it never
//! waits for us.

use super::Args;
use super::random_grammar::{Case, case};
use crate::conformance::antlr_error;
use crate::oracle::Oracle;
use crate::rates::Tally;
use anyhow::Context as _;
use polysmith_antlr::ReadOptions;
use polysmith_parse::{ErrorKind, Limits, Parsed, Parser, Positions, SyntaxError};
use polysmith_random::Stream;
use polysmith_source::Disk;
use serde_json::Value;
use std::path::{Path, PathBuf};

const GRAMMARS: u64 = 5_000;
const INPUTS: usize = 10;
const BATCH: u64 = 16;
const REPORT_EVERY: u64 = 100;
/// ANTLR takes minutes for some random grammars. Its time for one input, in milliseconds; beyond, nothing is compared.
const LIMIT_MS: u64 = 1_000;

/// What the cases were like.
#[derive(Default)]
struct Shares {
    grammars: u64,
    refused: u64,
    left_recursive: u64,
    modes_or_lazy: u64,
    inputs: u64,
    rejected: u64,
    different: u64,
    unanswered: u64,
}

impl Shares {
    /// What was tried so far; cases from `next` on were not.
    fn print(&self, next: u64) {
        let percent = |part: u64, of: u64| 100 * part / of.max(1);
        println!(
            "grammars {} (and {} that ANTLR refuses): {} ({} %) left-recursive, {} ({} %) with modes or lazy loops; \
             {} ({} %) of {} inputs rejected, {} without an answer; {} differences; the next piece: --from {next}",
            self.grammars,
            self.refused,
            self.left_recursive,
            percent(self.left_recursive, self.grammars),
            self.modes_or_lazy,
            percent(self.modes_or_lazy, self.grammars),
            self.rejected,
            percent(self.rejected, self.inputs),
            self.inputs,
            self.unanswered,
            self.different,
        );
    }
}

pub(crate) fn run(args: &Args, tally: &mut Tally) -> anyhow::Result<()> {
    let script = args.oracle.clone().unwrap_or_else(Oracle::usual_script);
    let mut oracle = Oracle::start_with_limit(&script, LIMIT_MS)?;
    let folder = tempfile::tempdir()?;
    let mut shares = Shares::default();
    let (count, mut number, mut reported) = (args.count.unwrap_or(GRAMMARS), args.from, 0);
    while shares.grammars < count {
        let until = number + BATCH.min(count - shares.grammars);
        let prepared = (number..until).map(|number| Prepared::new(folder.path(), args.seed, number));
        let batch = prepared.collect::<anyhow::Result<Vec<Prepared>>>()?;
        number = until;
        for Prepared { work, case, files, inputs, .. } in &batch {
            oracle.send_case(work, case.start, files, inputs)?;
        }
        for prepared in &batch {
            let loaded = oracle.answer()?;
            let answers = prepared.inputs.iter().map(|_| oracle.answer());
            let answers = answers.collect::<anyhow::Result<Vec<Value>>>()?;
            let messages = loaded["msgs"].as_array().cloned().unwrap_or_default();
            if loaded["ok"] != true || messages.iter().any(|message| message["sev"] == "error") {
                shares.refused += 1;
                continue;
            }
            shares.grammars += 1;
            shares.left_recursive += u64::from(prepared.case.left_recursive);
            shares.modes_or_lazy += u64::from(prepared.case.modes_or_lazy);
            check(prepared, &answers, &mut shares, tally)?;
            std::fs::remove_dir_all(&prepared.work)?;
        }
        // A run that is cut off has said how far it came.
        if shares.grammars / REPORT_EVERY != reported {
            reported = shares.grammars / REPORT_EVERY;
            shares.print(number);
        }
    }
    shares.print(number);
    Ok(())
}

/// A case with its files, in a folder of its own.
struct Prepared {
    name: String,
    case: Case,
    work: PathBuf,
    files: Vec<PathBuf>,
    inputs: Vec<PathBuf>,
}

impl Prepared {
    fn new(folder: &Path, seed: u64, number: u64) -> anyhow::Result<Prepared> {
        let case = case(&mut Stream::keyed(&[seed, number]), INPUTS);
        let work = folder.join(number.to_string());
        std::fs::create_dir(&work)?;
        let files = write(&work, &case)?;
        let mut inputs = Vec::new();
        for (at, input) in case.inputs.iter().enumerate() {
            inputs.push(work.join(format!("input-{at}.txt")));
            std::fs::write(&inputs[at], input)?;
        }
        Ok(Prepared { name: format!("seed {seed} case {number}"), case, work, files, inputs })
    }
}

fn write(folder: &Path, case: &Case) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for (name, text) in &case.files {
        let path = folder.join(name);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        files.push(path);
    }
    Ok(files)
}

fn check(
    prepared: &Prepared,
    answers: &[Value],
    shares: &mut Shares,
    tally: &mut Tally,
) -> anyhow::Result<()> {
    let Prepared { name, case, files, .. } = prepared;
    let shown: String = case.files.iter().map(|(_, text)| text.as_str()).collect();
    let mut parser = match parser_of(files) {
        Ok(parser) => parser,
        Err(why) => {
            shares.different += 1;
            tally.miss("soak-load", name, &format!("{why}\n{shown}"));
            return Ok(());
        }
    };
    tally.hit("soak-load");
    let start = parser.grammar().rule_named(case.start).context("the start rule is always there")?;
    for (input, answer) in case.inputs.iter().zip(answers) {
        if answer["ok"] != true {
            shares.unanswered += 1; // ANTLR died or took too long: there is nothing to compare with
            continue;
        }
        shares.inputs += 1;
        shares.rejected += u64::from(answer["gen"]["accepted"] != true);
        let problem = match parser.parse(start, input, &Limits::default()) {
            Ok(parsed) => difference(&answer["gen"], &parsed, &parser, input),
            Err(error) => Some(error.to_string()),
        };
        shares.different += u64::from(problem.is_some());
        tally.record("soak-parse", name, problem.map(|why| format!("{why}\n{shown}input: {input:?}")));
    }
    Ok(())
}

fn parser_of(files: &[PathBuf]) -> Result<Parser, String> {
    let options = ReadOptions { lexer: files.get(1).cloned(), ..ReadOptions::default() };
    let read = polysmith_antlr::read(&Disk, &files[0], &options);
    // Ours are stricter: ANTLR takes a grammar without any finite text.
    if let Some(error) = antlr_error(&read.diagnostics) {
        return Err(error);
    }
    Parser::new(&read.grammar).map_err(|error| error.to_string())
}

/// What ANTLR says and we do not.
fn difference(expected: &Value, parsed: &Parsed, parser: &Parser, text: &str) -> Option<String> {
    let positions = Positions::new(text);
    let place = |start| positions.antlr(start);
    let count = |kind| parsed.errors.iter().filter(|error| error.kind == kind).count();
    let first = first(parsed).map(|error| {
        let (line, column) = place(error.start);
        let message = if error.kind == ErrorKind::Trailing { "" } else { error.message.as_str() };
        serde_json::json!([error.kind.name(), line, column, message])
    });
    let all: String = parsed
        .parser_errors
        .iter()
        .filter(|error| error.kind == ErrorKind::Parser)
        .map(|error| {
            let (line, column) = place(error.start);
            format!("{line}:{column} {}\n", error.message)
        })
        .collect();
    let missing = |token| parser.token_name(token);
    let tree = polysmith_tree::show::sexpr_with(&parsed.tree, parser.grammar(), &missing);
    let ours = serde_json::json!({
        "accepted": parsed.accepted(),
        "ntok": parsed.lexed.tokens.len(),
        "lex": count(ErrorKind::Lexer),
        "par": count(ErrorKind::Parser),
        "first": first,
        "errhash": java_hash(&all),
        "treehash": format!("{}-{}", java_hash(&tree), tree.encode_utf16().count()),
    });
    let differs = |(key, value): &(&String, &Value)| expected[key.as_str()] != **value;
    let keys: Vec<String> = ours.as_object()?.iter().filter(differs).map(|(key, _)| key.clone()).collect();
    (!keys.is_empty()).then(|| {
        format!("differs in {}\nANTLR {expected}\nwe    {ours}\ntree {tree}\nerrors {all}", keys.join(", "))
    })
}

/// The first error as the oracle tells it: of the first lexer error and the parser error reported first, the one
/// that stands before the other; input left over where there is neither.
fn first(parsed: &Parsed) -> Option<&SyntaxError> {
    let lexer = parsed.errors.iter().find(|error| error.kind == ErrorKind::Lexer);
    let parser = parsed.parser_errors.iter().find(|error| error.kind == ErrorKind::Parser);
    let reported = lexer.into_iter().chain(parser).min_by_key(|error| error.start);
    reported.or(parsed.errors.first())
}

/// `String.hashCode` of Java, in hexadecimal: the oracle sends no more of long texts.
fn java_hash(text: &str) -> String {
    let hash = text.encode_utf16().fold(0_u32, |hash, unit| hash.wrapping_mul(31).wrapping_add(unit.into()));
    format!("{hash:x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_that_of_java() {
        assert_eq!(java_hash(""), "0");
        assert_eq!(java_hash("hello"), "5e918d2");
    }
}
