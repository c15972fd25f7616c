//! Every grammar that can be read is printed to files that read to the same grammar.

use polysmith_antlr::{ReadOptions, print_files, read, read_str};
use polysmith_grammar::Grammar;
use polysmith_source::Memory;
use proptest::prelude::*;
use std::path::Path;

/// Prints, reads again, and compares.
fn check(grammar: &Grammar) -> Result<(), String> {
    let printed = print_files(grammar);
    let memory =
        printed.files.iter().fold(Memory::default(), |memory, (name, text)| memory.with(name, text.as_str()));
    let again = read(&memory, Path::new(&printed.files[0].0), &ReadOptions::default());
    if again.diagnostics.has_errors() || again.grammar != *grammar {
        let problems: Vec<String> =
            again.diagnostics.iter().map(|d| format!("{} {}", d.code, d.message)).collect();
        return Err(format!("{printed:#?}\n{problems:?}\n{grammar}\n---\n{}", again.grammar));
    }
    Ok(())
}

#[test]
fn by_hand() {
    for text in [
        "grammar T; a : b* 'x' EOF ; b : x=B y+=('p'|'q')+ {act}? {2.5}? # One | <assoc=right> ~B # Two ; B : [a-z]+ ;",
        "grammar T; tokens { Z, Y } a : A Z Q 'lit' 'it\\'s' ; A : '\\u0041' ; B : ('A') ; C : 'c' {x} ; D : 'd' -> skip ;",
        "lexer grammar T; channels { C, D } tokens { X } A : 'a' -> channel(D), pushMode(M) ; mode M; B : 'b' -> popMode ; \
         C2 : . -> more ; mode DEFAULT_MODE; E : ~[\\]\\-x] EOF ; fragment F : 'f' ;",
        "grammar T; options { caseInsensitive = true; } a : 'select' A ; A : 'ab+' [x-z] ; B options { caseInsensitive = false; } : '+' ;",
        "grammar T; e : e '*' e | <assoc=right> e '^' e | '-' e | e '!' | ID ; ID : [a-z] ; K : 'k' ; L : 'k' ;",
        "lexer grammar T; options { caseInsensitive = true; } A : 'select' ; B : '?' ; C : '?' -> type(A) ; D : 'from' ; \
         E : 'from' -> type(A) ; F : [xX] ; G : [kK] -> type(A) ; H : 'k' {x} ; I : 'SELECT' ; J : 'Select' {x} ;",
        "grammar T; options { caseInsensitive = true; } a : EOF ; A : '+' ; B : 'ab' ; C : 'ab' ; fragment F : 'f' ;",
        "grammar T; options { caseInsensitive = true; } a : EOF ; A : [+] ; B : 'ab' ; C : [+] ; D : 'ab+' ;",
        "grammar T; options { caseInsensitive = true; } a : EOF ; A : 'AB' -> type(T) ; B : 'ab' ; C : 'AB' ; T : 't' ;",
        "grammar T; a : EOF ; A : [aA] [bB] ; B : [aA] [bB] ; C : 'x' -> type(D) ; D : 'x' ;",
        "grammar T; a : EOF ; A : 'ab' -> type(D) ; B : 'ab' ; C : [xX] ; D : [xX] ;",
        "grammar T; options { caseInsensitive = true; } a : EOF ; A : 'ab' -> more ; B : 'ab' ; C options { caseInsensitive = false; } : 'x' ; \
         D options { caseInsensitive = false; } : 'x' ;",
        "grammar T; a : ((A | ) B?)? ((A))+ (A B)*? ; A : 'a' ; B : 'b'??; ",
    ] {
        let read = read_str("T", text);
        assert!(!read.diagnostics.has_errors(), "{text}: {:?}", read.diagnostics.iter().collect::<Vec<_>>());
        check(&read.grammar).unwrap_or_else(|why| panic!("{why}"));
    }
}

#[test]
fn a_split_grammar_keeps_its_token_types() {
    let lexer = "lexer grammar L; tokens { FIRST } A : 'a' ; B : 'b' -> mode(M) ; mode M; C : 'c' ;";
    let parser = "parser grammar P; options { tokenVocab = L; } tokens { LAST } s : A 'b' C FIRST LAST EOF ;";
    let files = Memory::default().with("L.g4", lexer).with("P.g4", parser);
    let read = read(&files, Path::new("P.g4"), &ReadOptions::default());
    assert_eq!(read.tokens, "FIRST=1\nA=2\nB=3\nC=4\nLAST=5\n'a'=2\n'b'=3\n'c'=4\n");
    check(&read.grammar).unwrap_or_else(|why| panic!("{why}"));
}

/// Texts of random grammars: rules `r0`…, tokens `T0`…, elements nested up to three deep.
fn element(lexer: bool) -> impl Strategy<Value = String> {
    let leaf = if lexer {
        prop::sample::select(vec![
            "'ab'",
            "'x'",
            "[a-f\\-]",
            "~[x]",
            ".",
            "'0'..'9'",
            "F0",
            "{act}",
            "EOF",
            "~('a'|[b])",
        ])
        .boxed()
    } else {
        prop::sample::select(vec![
            "'lit'", "'+'", "T0", "T1", "r0", "r1", ".", "~T0", "{p}?", "l=T0", "ls+=r1", "{false}?",
        ])
        .boxed()
    };
    leaf.prop_map(str::to_owned).prop_recursive(3, 12, 3, |inner| {
        let alternatives = prop::collection::vec(prop::collection::vec(inner, 0..3), 1..3);
        (alternatives, prop::sample::select(vec!["", "?", "*", "+", "??", "*?", "+?"])).prop_map(
            |(alts, suffix)| {
                let alts: Vec<String> = alts.iter().map(|alt| alt.join(" ")).collect();
                format!("({}){suffix}", alts.join(" | "))
            },
        )
    })
}

fn rule(lexer: bool) -> impl Strategy<Value = String> {
    let alternative = prop::collection::vec(element(lexer), 0..4).prop_map(|elements| elements.join(" "));
    prop::collection::vec(alternative, 1..4).prop_map(|alternatives| alternatives.join(" | "))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn random_grammars(
        r0 in rule(false), r1 in rule(false), t0 in rule(true), t1 in rule(true),
        command in prop::sample::select(vec!["", " -> skip", " -> type(T0)", " -> more", " -> channel(HIDDEN)"]),
        literals in prop::collection::vec(prop::sample::select(vec!["'ab'", "'x'", "'AB'", "'+'", "[xX]", "[+]"]), 3),
        commands in prop::collection::vec(prop::sample::select(vec!["", " -> skip", " -> type(T0)", " -> more"]), 3),
        fold in any::<bool>(),
    ) {
        let options = if fold { "options { caseInsensitive = true; }" } else { "" };
        let aliases = literals.iter().zip(&commands).enumerate();
        let aliases: String = aliases.map(|(at, (literal, command))| format!(" L{at} : {literal}{command} ;")).collect();
        let text = format!(
            "grammar T; {options} r0 : {r0} EOF ; r1 : {r1} ; T0 : {t0} ; T1 : ({t1}){command} ;{aliases} fragment F0 : 'f' ;"
        );
        let read = read_str("T", &text);
        if !read.diagnostics.has_errors() {
            check(&read.grammar).map_err(|why| TestCaseError::fail(format!("{text}\n{why}")))?;
        }
    }
}
