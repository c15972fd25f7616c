//! Who only wants to use a grammar gets the same grammar and the same errors, without our own warnings.

use polysmith_antlr::{Own, Read, ReadOptions, read};
use polysmith_source::Memory;
use std::path::Path;

fn read_with(text: &str, own: Own, no_target_code: bool) -> Read {
    let files = Memory::default().with("T.g4", text);
    read(&files, Path::new("T.g4"), &ReadOptions { own, no_target_code, ..ReadOptions::default() })
}

fn codes(read: &Read) -> Vec<String> {
    read.diagnostics.iter().map(|diagnostic| diagnostic.code.to_string()).collect()
}

#[test]
fn warnings_are_left_out_if_nobody_asks() {
    let text = "grammar T; a : A {act} ; b : A ; A : 'a' ;";
    let (all, few) = (read_with(text, Own::All, false), read_with(text, Own::Errors, false));
    assert_eq!(codes(&all).len(), 3, "{:?}", codes(&all));
    assert_eq!(codes(&few), [] as [&str; 0]);
    assert_eq!(all.grammar, few.grammar);
}

#[test]
fn errors_stay() {
    for (text, no_target_code) in
        [("grammar T; a : 'x' a ;", false), ("grammar T; a : A {act} EOF ; A : 'a' ;", true)]
    {
        let (all, few) =
            (read_with(text, Own::All, no_target_code), read_with(text, Own::Errors, no_target_code));
        assert!(few.diagnostics.has_errors(), "{text}");
        assert_eq!(codes(&all).iter().filter(|code| codes(&few).contains(code)).count(), codes(&few).len());
    }
}
