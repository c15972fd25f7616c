//! The lexer and the parser, over our own languages and over grammars that are part of the input.

use polysmith_antlr::{ReadOptions, read};
use polysmith_parse::{Limits, Parser};
use polysmith_source::Memory;
use std::cell::RefCell;
use std::path::Path;

/// A text that wants more is cut off with a clear error.
const MAX_STEPS: u64 = 5_000_000;

thread_local! {
    static PARSERS: RefCell<Vec<Parser>> = RefCell::new(parsers());
}

fn parsers() -> Vec<Parser> {
    let arithmetic =
        Memory::default().with("T.g4", include_bytes!("../../languages/arithmetic/Arithmetic.g4"));
    let csv = Memory::default().with("T.g4", include_bytes!("../../languages/csv/CSV.g4"));
    let json = Memory::default().with("T.g4", include_bytes!("../../languages/json/JSON.g4"));
    let mc = Memory::default().with("T.g4", include_bytes!("../../languages/mc/MC.g4"));
    let xml = Memory::default()
        .with("T.g4", include_bytes!("../../languages/xml/XMLParser.g4"))
        .with("XMLLexer.g4", include_bytes!("../../languages/xml/XMLLexer.g4"));
    let parser = |files| {
        let read = read(&files, Path::new("T.g4"), &ReadOptions::default());
        Parser::new(read.grammar).expect("a language of ours compiles")
    };
    [arithmetic, csv, json, mc, xml].map(parser).into()
}

/// The first byte chooses the language, the rest is the text: tokens stand in order and inside it.
pub fn lexer(bytes: &[u8]) {
    with_language(bytes, |parser, text| {
        let Ok(lexed) = parser.lex(text, &limits()) else { return };
        let mut done = 0;
        for token in &lexed.tokens {
            assert!(token.start >= done && token.end >= token.start, "tokens stand in order");
            done = token.end;
        }
        assert_eq!(done as usize, text.len(), "the last token is the end of the text");
    });
}

/// The first byte chooses the language, the rest is the text: it prints back.
pub fn parser(bytes: &[u8]) {
    with_language(bytes, parse);
}

/// A grammar, a NUL, a text.
pub fn grammar_and_text(bytes: &[u8]) {
    let mut parts = bytes.splitn(2, |byte| *byte == 0);
    let grammar = parts.next().unwrap_or_default();
    let files = Memory::default().with("T.g4", [&b"grammar T; s : a ;"[..], grammar].concat());
    let read = read(&files, Path::new("T.g4"), &ReadOptions::default());
    if read.diagnostics.has_errors() {
        return;
    }
    let Ok(mut parser) = Parser::new(read.grammar) else { return };
    parse(&mut parser, &latin_1(parts.next().unwrap_or_default()));
}

fn parse(parser: &mut Parser, text: &str) {
    let Some(start) = parser.grammar().start() else { return };
    if let Ok(parsed) = parser.parse(start, text, &limits()) {
        assert_eq!(parsed.tree.to_bytes(), text.as_bytes(), "everything prints back");
    }
}

fn with_language(bytes: &[u8], work: impl FnOnce(&mut Parser, &str)) {
    let Some((choice, text)) = bytes.split_first() else { return };
    PARSERS.with_borrow_mut(|parsers| {
        let at = usize::from(*choice) % parsers.len();
        work(&mut parsers[at], &latin_1(text));
    });
}

fn latin_1(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

fn limits() -> Limits {
    Limits { max_steps: MAX_STEPS, ..Limits::default() }
}
