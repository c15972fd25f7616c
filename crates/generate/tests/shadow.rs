//! What is shown to be never taken is never taken: all short texts of small random grammars are parsed, and no tree
//! may have an alternative that [`Shadow`] calls dead or [`Modes`] does not allow. The parser is the one that agrees
//! with ANTLR.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod small;

use polysmith_antlr::ReadOptions;
use polysmith_grammar::analysis::{Modes, Shadow, Uses};
use polysmith_grammar::coverage::{Goal, Goals};
use polysmith_grammar::{AltId, Grammar};
use polysmith_parse::{Limits, Parser};
use polysmith_random::Stream;
use small::{TOKENS, random_grammar};

const LONGEST: usize = 6;
/// Grammars that are tried.
const GRAMMARS: u64 = 400;

fn all_texts() -> Vec<String> {
    let mut texts = vec![String::new()];
    let mut from = 0;
    for _ in 0..LONGEST {
        let to = texts.len();
        for at in from..to {
            texts.extend(TOKENS.map(|token| format!("{}{token}", texts[at])));
        }
        from = to;
    }
    texts
}

/// How many alternatives of the parser are dead, and how many of the others some short text takes.
fn check(grammar: &Grammar, source: &str, texts: &[String]) -> (usize, usize) {
    let start = grammar.start().unwrap();
    let uses = Uses::of(grammar);
    let goals = Goals::new(grammar, start, 2, &|_| true).unwrap();
    let suspects: Vec<AltId> = goals
        .all()
        .filter_map(|goal| match goals.goal(goal) {
            Goal::Alternative(alt) => Some(alt),
            _ => None,
        })
        .collect();
    let modes = Modes::of(grammar);
    let mut shadow = Shadow::new(grammar, &uses, start, &|_| false);
    suspects.iter().filter(|alt| !modes.allow(start, **alt, &|_| false)).for_each(|alt| shadow.bury(*alt));
    shadow.show(&suspects);
    let mut parser = Parser::new(grammar.clone()).unwrap();
    let mut taken = vec![false; grammar.n_alternatives()];
    for text in texts {
        let Ok(parsed) = parser.parse(start, text, &Limits::default()) else { continue };
        if !parsed.accepted() {
            continue;
        }
        parsed.tree.cover(grammar, &goals, |goal| {
            if let Goal::Alternative(alt) = goals.goal(goal) {
                assert!(!shadow.is_dead(alt), "{text:?} takes {} of\n{source}", goals.show(grammar, goal));
                taken[alt.index()] = true;
            }
        });
    }
    let dead = suspects.iter().filter(|alt| shadow.is_dead(**alt)).count();
    (dead, taken.iter().filter(|taken| **taken).count())
}

fn read(source: &str) -> Grammar {
    let read = polysmith_antlr::read_str("T", source);
    assert!(!read.diagnostics.has_errors(), "{source}");
    read.grammar
}

#[test]
fn no_short_text_takes_what_is_shown_to_be_dead() {
    let texts = all_texts();
    let (mut dead, mut seen) = (0, 0);
    for number in 0..GRAMMARS {
        let source = random_grammar(&mut Stream::keyed(&[0x5348, number]));
        let read = polysmith_antlr::read_str("T", &source);
        if !read.diagnostics.has_errors() {
            let (more_dead, more_seen) = check(&read.grammar, &source, &texts);
            (dead, seen) = (dead + more_dead, seen + more_seen);
        }
    }
    assert!(dead > 100 && seen > 1_000, "{dead} dead, {seen} taken");
}

/// Modes that make the same two tokens, or hide them, and wander among themselves.
fn random_lexer(stream: &mut Stream) -> String {
    let mut text = String::from("lexer grammar L; tokens { A, B }\n");
    for mode in 0..3 {
        if mode > 0 {
            text += &format!("mode M{mode};\n");
        }
        for token in TOKENS {
            let outcome = match stream.below(4) {
                0 => "skip".to_owned(),
                1 => format!("type({})", ["A", "B"][stream.index(2)]),
                _ => format!("type({})", token.to_ascii_uppercase()),
            };
            let target = ["DEFAULT_MODE", "M1", "M2"][stream.index(3)];
            let wanders = match stream.below(4) {
                0 => format!(", pushMode({target})"),
                1 => ", popMode".to_owned(),
                2 => format!(", mode({target})"),
                _ => String::new(),
            };
            text += &format!("T{token}{mode} : '{token}' -> {outcome}{wanders} ;\n");
        }
    }
    text
}

#[test]
fn no_short_text_has_what_the_modes_keep_out() {
    let texts = all_texts();
    let (mut dead, mut seen) = (0, 0);
    for number in 0..GRAMMARS {
        let mut stream = Stream::keyed(&[0x4D4F, number]);
        let lexer = random_lexer(&mut stream);
        let parser = random_grammar(&mut stream).replace("'a'", "A").replace("'b'", "B");
        let parser = parser.replace("grammar T;", "parser grammar T; options { tokenVocab = L; }");
        let files =
            polysmith_source::Memory::default().with("L.g4", lexer.as_str()).with("T.g4", parser.as_str());
        let read = polysmith_antlr::read(&files, "T.g4".as_ref(), &ReadOptions::default());
        if !read.diagnostics.has_errors() {
            let (more_dead, more_seen) = check(&read.grammar, &format!("{lexer}{parser}"), &texts);
            (dead, seen) = (dead + more_dead, seen + more_seen);
        }
    }
    assert!(dead > 300 && seen > 700, "{dead} dead, {seen} taken");
}

/// The alternatives of a rule that are shown to be dead, by number, groups from the outside in.
fn dead_in(source: &str, rule: &str) -> Vec<String> {
    let grammar = read(source);
    let uses = Uses::of(&grammar);
    let start = grammar.start().unwrap();
    let goals = Goals::new(&grammar, start, 2, &|_| true).unwrap();
    let all: Vec<AltId> =
        (0..grammar.n_alternatives()).map(AltId::new).filter(|alt| goals.contains(alt.index())).collect();
    let mut shadow = Shadow::new(&grammar, &uses, start, &|_| false);
    shadow.show(&all);
    let of_rule = |alt: &&AltId| {
        grammar.block(grammar.alternative(**alt).block).rule == grammar.rule_named(rule).unwrap()
    };
    let dead = all.iter().filter(of_rule).filter(|alt| shadow.is_dead(**alt));
    dead.map(|alt| goals.show(&grammar, alt.index())).collect()
}

#[test]
fn what_stands_before_takes_it() {
    // Line breaks belong to the end of the block, if there is one, and else to those before it.
    let blocks = "grammar T; s : 'do' NL* b? NL* 'end' EOF ; b : ID (e ID)* e? ; e : (';' | NL)+ ; NL : 'n' ; ID : 'x' ;";
    assert_eq!(dead_in(blocks, "s"), ["`s`, group 'n'*, alternative 1"]);
    // An operand with a sign ends with an expression that takes every operator that the signed one has.
    let signs = "grammar T; s : e EOF ; e : u | n ; u : '-' e | u '+' e | u '*' e ; n : ID | n '+' e | n '*' e ; ID : 'x' ;";
    assert_eq!(dead_in(signs, "u"), ["`u`, alternative 2", "`u`, alternative 3"]);
    // After an operator of its own, which ends with a token, the other one is left over.
    let mixed = signs.replace("u '*' e", "u '!'");
    assert_eq!(dead_in(&mixed, "u"), [""; 0]);
    // Each iteration of the second list is one of the first.
    let lists =
        "grammar T; s : ('(' a* ')' | '(' b* ')') EOF ; a : ID | '-' ID ; b : '-' c ; c : ID ; ID : 'x' ;";
    let second = ["`s`, group ('(' a* ')' | '(' b* ')'), alternative 2", "`s`, group b*, alternative 1"];
    assert_eq!(dead_in(lists, "s"), second);
}
