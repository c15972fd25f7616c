//! One random grammar with its inputs: what ANTLR answered against what our parser says.

use super::Prepared;
use crate::conformance::antlr_error;
use polysmith_antlr::ReadOptions;
use polysmith_parse::{ErrorKind, Limits, Parsed, Parser, Positions, SyntaxError};
use polysmith_source::Disk;
use serde_json::Value;
use std::path::PathBuf;

/// What came out for a grammar.
pub(super) enum Compared {
    /// ANTLR's tool refuses it.
    Refused,
    /// We refuse it, and ANTLR does not.
    NotLoaded(String),
    /// Both take it; for each input:
    Loaded(Vec<Answered>),
}

/// What came out for an input.
pub(super) enum Answered {
    /// ANTLR died or took too long: there is nothing to compare with.
    Not,
    By {
        /// ANTLR accepts it.
        accepted: bool,
        /// What differs.
        problem: Option<String>,
    },
}

/// Compares ANTLR's answers for the inputs of a grammar that its tool accepts with our own.
pub(super) fn compare(prepared: &Prepared, answers: &[Value]) -> Compared {
    let case = &prepared.case;
    let shown: String = case.files.iter().map(|(_, text)| text.as_str()).collect();
    let mut parser = match parser_of(&prepared.files) {
        Ok(parser) => parser,
        Err(why) => return Compared::NotLoaded(format!("{why}\n{shown}")),
    };
    let Some(start) = parser.grammar().rule_named(case.start) else {
        return Compared::NotLoaded(format!("there is no rule {}\n{shown}", case.start));
    };
    let inputs = case.inputs.iter().zip(answers).map(|(input, answer)| {
        if answer["ok"] != true {
            return Answered::Not;
        }
        let problem = match parser.parse(start, input, &Limits::default()) {
            Ok(parsed) => difference(&answer["gen"], &parsed, &parser, input),
            Err(error) => Some(error.to_string()),
        };
        let problem = problem.map(|why| format!("{why}\n{shown}input: {input:?}"));
        Answered::By { accepted: answer["gen"]["accepted"] == true, problem }
    });
    Compared::Loaded(inputs.collect())
}

fn parser_of(files: &[PathBuf]) -> Result<Parser, String> {
    let options = ReadOptions { lexer: files.get(1).cloned(), ..ReadOptions::default() };
    let read = polysmith_antlr::read(&Disk, &files[0], &options);
    // Ours are stricter: ANTLR takes a grammar without any finite text.
    if let Some(error) = antlr_error(&read.diagnostics) {
        return Err(error);
    }
    Parser::new(read.grammar).map_err(|error| error.to_string())
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
        .reported()
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
/// that is further to the left; input left over where there is neither.
fn first(parsed: &Parsed) -> Option<&SyntaxError> {
    let lexer = parsed.errors.iter().find(|error| error.kind == ErrorKind::Lexer);
    let parser = parsed.reported().find(|error| error.kind == ErrorKind::Parser);
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
