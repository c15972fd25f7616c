//! Languages in which a subtree depends on its context: every text parses back to its tree, and a test depends on seed
//! and index only.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use polysmith_antlr::read_str;
use polysmith_engine::{Engine, Test, Worker};
use polysmith_generate::{Generator, Options};
use polysmith_parse::{Limits, Parser};
use polysmith_random::Draw;
use polysmith_tree::show;

const TAIL: &str = "ID : [a-z]+ ; NUM : [0-9]+ ; WS : [ \\n]+ -> skip ;";

/// Languages in which the parser's reading of a subtree depends on what surrounds it.
const LANGUAGES: [&str; 5] = [
    // Operands end where the next operator says; a call is told from a name by what follows.
    "s : (e ';')+ EOF ; e : e '^' e | e '*' e | e '+' e | '-' e | '(' e ')' | f ; f : ID | ID '(' (e (',' e)*)? ')' | NUM ;",
    // Levels of operators, each in its own rule, and declarations that begin as expressions do.
    "s : i* EOF ; i : d ';' | a ';' | '{' i* '}' ; d : t ID ('=' a)? ; t : ID ('<' t '>')? ; a : b ('=' a)? ; b : c ('<' c)* ; c : g ('+' g)* ; g : ID | NUM | '(' a ')' ;",
    // A dangling else, and parts that may be left out.
    "s : i+ EOF ; i : 'if' c i ('else' i)? | 'do' i 'while' c ';' | c? ';' ; c : '(' ID (',' ID)* ','? ')' ;",
    // Words that need something between them, inside of a subtree and at its borders.
    "s : p (p)* ; p : q q | 'let' q 'be' q | 'not' p ; q : 'a' r? | ID ; r : 'of' NUM NUM | 'of' q ;",
    // Alternatives that only their end tells apart.
    "s : x+ EOF ; x : y 'p' | y 'q' ; y : ID y | '[' y ']' | NUM ;",
];

fn generator(language: &str) -> Generator {
    let read = read_str("T", &format!("grammar T; {language} {TAIL}"));
    assert!(!read.diagnostics.has_errors(), "{language}");
    Generator::new(read.grammar, &Options::default()).unwrap()
}

fn make(worker: &mut (dyn Worker + '_), seed: u64, index: u64) -> Test {
    let mut test = Test::default();
    worker.make(Draw::new(seed, index), &mut test).unwrap();
    test
}

#[test]
fn every_text_parses_back_to_its_tree() {
    for language in LANGUAGES {
        let generator = generator(language);
        let mut parser = Parser::new(generator.grammar().clone()).unwrap();
        let mut worker = generator.worker();
        for index in 0..400 {
            let test = make(&mut *worker, 3, index);
            let text = String::from_utf8(test.text).unwrap();
            let parsed = parser.parse(generator.start().unwrap(), &text, &Limits::default()).unwrap();
            assert!(parsed.accepted(), "{index} {text:?}");
            let sexpr = |tree| show::sexpr(tree, generator.grammar());
            assert_eq!(sexpr(&test.tree), sexpr(&parsed.tree), "{index} {text:?}");
            assert_eq!(test.tree.to_bytes(), text.as_bytes());
        }
    }
}

/// A worker that has made other tests before, of other seeds and of indices far away, makes the same ones.
#[test]
fn earlier_tests_make_no_difference() {
    for language in LANGUAGES {
        let generator = generator(language);
        let mut busy = generator.worker();
        for round in 0..20 {
            for (seed, index) in [(1, round), (2, round), (1, 1_000_000 + round), (1, 40 - round)] {
                let alone = make(&mut *generator.worker(), seed, index);
                assert_eq!(make(&mut *busy, seed, index).text, alone.text, "{language} {seed} {index}");
            }
        }
    }
}

/// Alternatives of equal weight occur equally often.
#[test]
fn alternatives_get_their_shares() {
    let generator = generator("s : w w w w w w w w EOF ; w : 'a' | 'b' | 'c' | 'd' ;");
    let mut worker = generator.worker();
    let texts: Vec<u8> = (0..500).flat_map(|index| make(&mut *worker, 11, index).text).collect();
    for letter in *b"abcd" {
        let count = texts.iter().filter(|byte| **byte == letter).count();
        assert!((800..1200).contains(&count), "{} {count}", char::from(letter));
    }
}
