//! Hidden text where tokens go or come: a comment up to the end of its line, where that end is a token, swallows
//! whatever comes after it when the end goes.

use polysmith_naive::Checker;
use polysmith_parse::TextRecognizer;
use polysmith_reduce::passes::{PASSES, Pass};
use polysmith_reduce::tree::Language;
use polysmith_reduce::{Memory, Reducer, Text, ask};
use polysmith_source::Memory as Files;
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::path::Path;

/// Reduces by all passes by tree for several questions that say yes to some texts, as if by chance; everything that is
/// asked is in the language.
fn check(lexer: &str, input: &str) {
    let path = Path::new("P.g4");
    let files = Files::default().with(path, PARSER.as_bytes()).with(Path::new("L.g4"), lexer.as_bytes());
    let read = polysmith_antlr::read(&files, path, &polysmith_antlr::ReadOptions::default());
    assert!(!read.diagnostics.has_errors(), "{:?}", read.diagnostics);
    let mut checker = Checker::new(&read.grammar);
    assert!(checker.accepts(input), "the input is in the language");
    let start = read.grammar.start().expect("a start rule");
    let mut language =
        Language::new(TextRecognizer::new(read.grammar, start).expect("a grammar to parse with"));
    let by_tree: Vec<&Pass> = PASSES.iter().copied().filter(|pass| pass.is_by_tree()).collect();
    let chance = BuildHasherDefault::<DefaultHasher>::default();
    for seed in 0..40u32 {
        let mut question = ask(|candidate| {
            let text = String::from_utf8_lossy(&candidate.bytes()).into_owned();
            assert!(text.is_empty() || checker.accepts(&text), "seed {seed}: asked about {text:?}");
            text == input || !text.is_empty() && chance.hash_one((seed, &text)) % 4 == 0
        });
        let reducer = Reducer::default().with_passes(by_tree.clone());
        let text = Text::new(&[input]).expect("short enough");
        reducer
            .run_by(Some(&mut language), text, &mut question, &mut Memory::default())
            .expect("the original is interesting");
    }
    // Some were built and not asked: that is what keeps the others in the language.
    let counts = language.counts();
    assert!(counts.built > 500 && counts.filtered > 50, "{counts:?}");
}

/// Statements end with a line or a semicolon; a comment ends before the end of its line.
const PARSER: &str = r"parser grammar P; options { tokenVocab = L; }
    s : NL* (stmt NL*)* EOF ;
    stmt : e (NL | ';') | '{' NL* (stmt NL*)* '}' (NL | ';') | 'if' e NL* stmt ;
    e : e '/' e | e '*' e | ID '(' (e (',' e)*)? ')' | ID | NUM | OPEN (PART | INTO e CLOSE)* END ;";

const LEXER: &str = r"lexer grammar L;
    IF : 'if' ; ID : [a-z]+ ; NUM : [0-9]+ ; NL : '\n' ; SEMI : ';' ; LEFT : '{' ; RIGHT : '}' ;
    DIV : '/' ; MUL : '*' ; LP : '(' ; RP : ')' ; COMMA : ',' ;
    C : '#' ~[\n]* -> skip ; D : '/*' .*? '*/' -> channel(HIDDEN) ; WS : [ \t]+ -> skip ;";

const INPUT: &str = "# start\n\nif a # why\n { b # one\n c(d, /* two */ e) ; f / g /* three */ # four\n # five\n\
     \n h # six\n } # seven\n i(j) # eight\n k * 1 / /* nine */ 2 # ten\n l; # eleven\n";

#[test]
fn comments_swallow_nothing() {
    check(&format!("{LEXER} OPEN : '<' ; PART : '.' ; INTO : '[' ; CLOSE : ']' ; END : '>' ;"), INPUT);
}

#[test]
fn comments_swallow_nothing_where_the_lexer_has_modes() {
    let strings = r#"OPEN : '"' -> pushMode(TEXT) ; CLOSE : ']' -> popMode ;
        mode TEXT; PART : ~["[\n]+ ; INTO : '[' -> pushMode(DEFAULT_MODE) ; END : '"' -> popMode ;"#;
    let input = INPUT.replace("i(j)", r#""x [m /* twelve */ * n] # no comment""#);
    check(&format!("{LEXER} {strings}"), &input);
}
