//! Texts of small random grammars, in which nearly every decision is in doubt, parse back to their own trees.
//!
//! `GRAMMARS=100000 SEED=5 cargo test --release -p polysmith-generate --test random_grammars` looks at more of them.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod small;

use polysmith_engine::{Engine, Test};
use polysmith_generate::{Generator, Options};
use polysmith_parse::{Limits, Parser};
use polysmith_random::{Draw, Stream};
use polysmith_tree::show;
use small::{TOKENS, random_grammar};

const TEXTS: u64 = 12;

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// How many texts there were: none if the grammar has none, or none that the parser takes as meant.
fn check(source: &str) -> u64 {
    let read = polysmith_antlr::read_str("T", source);
    if read.diagnostics.has_errors() {
        return 0; // a loop over nothing
    }
    let options = Options { max_tokens: Some(24), ..Options::default() };
    let Ok(generator) = Generator::new(read.grammar.clone(), &options) else { return 0 };
    let mut parser = Parser::new(read.grammar.clone()).unwrap();
    let (mut worker, mut test, mut n) = (generator.worker(), Test::default(), 0);
    for index in 0..TEXTS {
        test.measures.clear();
        if worker.make(Draw::new(6, index), &mut test).is_err() {
            continue;
        }
        let text = std::str::from_utf8(&test.text).unwrap();
        assert!(text.chars().all(|c| TOKENS.contains(&c)));
        let parsed = parser.parse(generator.start().unwrap(), text, &Limits::default()).unwrap();
        assert!(parsed.accepted(), "{text:?} is not a text of\n{source}");
        let sexpr = |tree| show::sexpr(tree, &read.grammar);
        assert_eq!(sexpr(&test.tree), sexpr(&parsed.tree), "{text:?} of\n{source}");
        n += 1;
    }
    n
}

#[test]
fn their_texts_parse_back() {
    let mut stream = Stream::keyed(&[0x0072_6F75_6E64, number("SEED", 1)]);
    let grammars = number("GRAMMARS", if cfg!(debug_assertions) { 16 } else { 200 });
    let mut made = 0;
    for _ in 0..grammars {
        made += check(&random_grammar(&mut stream));
    }
    assert!(made * 2 > grammars * TEXTS, "{made} texts only");
}

/// A test depends on seed and index alone, not on the tests that its worker made before.
#[test]
fn a_worker_keeps_nothing_from_test_to_test() {
    let mut stream = Stream::keyed(&[41]);
    let options = Options { max_tokens: Some(24), ..Options::default() };
    let mut n_compared = 0;
    for _ in 0..number("GRAMMARS", 12) {
        let source = random_grammar(&mut stream);
        let read = polysmith_antlr::read_str("T", &source);
        if read.diagnostics.has_errors() {
            continue;
        }
        let Ok(generator) = Generator::new(read.grammar, &options) else { continue };
        let mut reused = generator.worker();
        for index in 0..TEXTS {
            let (mut test, mut alone) = (Test::default(), Test::default());
            let made = reused.make(Draw::new(5, index), &mut test);
            assert_eq!(generator.worker().make(Draw::new(5, index), &mut alone), made);
            assert_eq!(test.text, alone.text, "index {index} of\n{source}");
            n_compared += 1;
        }
    }
    assert!(n_compared > 50, "{n_compared}");
}
