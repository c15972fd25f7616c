//! A caller that only uses a grammar gets the same grammar and the same errors, without the extra warnings.

use polysmith_antlr::{ExtraChecks, Read, ReadOptions, read};
use polysmith_source::Memory;
use std::path::Path;

fn read_with(text: &str, extra_checks: ExtraChecks, no_target_code: bool) -> Read {
    let files = Memory::default().with("T.g4", text);
    read(&files, Path::new("T.g4"), &ReadOptions { extra_checks, no_target_code, ..ReadOptions::default() })
}

fn codes(read: &Read) -> Vec<String> {
    read.diagnostics.iter().map(|diagnostic| diagnostic.code.to_string()).collect()
}

#[test]
fn warnings_are_left_out_if_nobody_asks() {
    let text = "grammar T; a : A {act} ; b : A ; A : 'a' ;";
    let (all, few) = (read_with(text, ExtraChecks::All, false), read_with(text, ExtraChecks::Errors, false));
    assert_eq!(codes(&all).len(), 3, "{:?}", codes(&all));
    assert_eq!(codes(&few), [] as [&str; 0]);
    assert_eq!(all.grammar, few.grammar);
}

#[test]
fn errors_stay() {
    for (text, no_target_code) in
        [("grammar T; a : 'x' b ;", false), ("grammar T; a : A {act} EOF ; A : 'a' ;", true)]
    {
        let (all, few) = (
            read_with(text, ExtraChecks::All, no_target_code),
            read_with(text, ExtraChecks::Errors, no_target_code),
        );
        assert!(few.diagnostics.has_errors(), "{text}");
        assert_eq!(codes(&all).iter().filter(|code| codes(&few).contains(code)).count(), codes(&few).len());
    }
}

/// Nothing can be generated from such a grammar, and ANTLR's parser of it runs.
#[test]
fn a_start_rule_without_text_is_a_warning() {
    for text in ["grammar T; a : 'x' a ;", "grammar T; a : b b ; b : {false}? A ; A : 'a' ;"] {
        let all = read_with(text, ExtraChecks::All, false);
        assert!(codes(&all).contains(&"PS-A105".to_owned()), "{text}");
        assert!(!all.diagnostics.has_errors(), "{text}");
    }
}
