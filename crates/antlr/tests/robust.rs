//! Bad files give a clear error, no panic, no hang.

use polysmith_antlr::{MAX_NESTING, Read, ReadOptions, read, read_str};
use polysmith_source::Memory;
use std::path::Path;

fn codes(read: &Read) -> Vec<String> {
    read.diagnostics.iter().map(|problem| problem.code.to_string()).collect()
}

#[test]
fn deep_nesting_is_refused_with_the_limit() {
    let nested = |depth: usize| format!("grammar T; a : {}'x'{} EOF ;", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(codes(&read_str("T", &nested(MAX_NESTING))), [""; 0]);
    for depth in [MAX_NESTING + 1, 100_000] {
        let read = read_str("T", &nested(depth));
        assert_eq!(codes(&read)[0], "PS-A001", "{depth}");
        assert!(read.diagnostics.iter().next().unwrap().message.contains("256"));
    }
    // The same without an end, and in code, where nesting is only counted.
    assert!(read_str("T", &format!("grammar T; a : {}", "(".repeat(100_000))).diagnostics.has_errors());
    let braces = format!("grammar T; a : {{{}{}}} 'x' EOF ;", "{".repeat(100_000), "}".repeat(100_000));
    assert!(!read_str("T", &braces).diagnostics.has_errors());
}

#[test]
fn a_grammar_may_import_itself() {
    let own = "grammar T; import T; a : 'x' EOF ;";
    assert_eq!(codes(&read_str("T", own)), [""; 0]);
    let a = ("A.g4", "grammar A; import B; a : b EOF ;");
    let b = ("B.g4", "grammar B; import A; b : 'x' ; a : 'y' ;");
    let files = Memory::default().with(a.0, a.1).with(b.0, b.1);
    let read = read(&files, Path::new("A.g4"), &ReadOptions::default());
    assert_eq!(codes(&read), [""; 0]);
    assert_eq!(read.grammar.parser_rules().count(), 2);
}

#[test]
fn a_missing_file_and_bytes_that_are_no_text() {
    let missing = read(&Memory::default(), Path::new("T.g4"), &ReadOptions::default());
    assert_eq!(codes(&missing), ["PS-S001"]);
    let latin = Memory::default().with("T.g4", b"grammar T; a : '\xe4' ;".to_vec());
    assert_eq!(codes(&read(&latin, Path::new("T.g4"), &ReadOptions::default())), ["PS-S002"]);
}

/// Prefixes of a grammar, and the grammar with a byte changed or left out.
#[test]
fn broken_grammars_never_panic() {
    let text = "grammar T;\noptions { caseInsensitive = true; }\nimport T;\ntokens { X }\n@members { a(\"}\") }\n\
        e[int x] returns [int y] locals [int z] @init { } : <assoc=right> e '^' e # Pow | l=e op=('*'|'/') r+=e # Mul\n\
        | '(' e ')' # Par | {true}?<fail='no'> ~('a'|X) . # Other ; catch [E f] { } finally { }\n\
        A options { caseInsensitive = false; } : ('a'..'z' | [\\p{Lu}\\u{41}-Z_])+? -> type(X), channel(HIDDEN) ;\n\
        fragment F : 'f' { code } ;\nB : F* EOF // end\n/* c */ ;\n";
    for end in (0..=text.len()).step_by(3) {
        read_str("T", &text[..end]);
    }
    let replacements = ["", "'", "[", "{", "(", ";", "\\", "é", "\0", "\r\n", "->", "T "];
    for (at, with) in (0..text.len()).zip(replacements.iter().cycle()) {
        read_str("T", &format!("{}{with}{}", &text[..at], &text[at + 1..]));
    }
}

#[test]
fn garbage_is_reported() {
    for garbage in
        ["", "\0\0\0\0", "%PDF-1.4", "\u{feff}", "{", "'", "[", "grammar", "grammar T", "((((", "🦀"]
    {
        let read = read_str("T", garbage);
        assert!(read.diagnostics.has_errors(), "{garbage:?}");
    }
}

#[test]
fn text_may_have_a_mark_and_line_ends_of_any_kind() {
    let read = read_str("T", "\u{feff}grammar T;\r\na : 'x'\r\n EOF ;\r\n// end");
    assert_eq!(codes(&read), [""; 0]);
}
