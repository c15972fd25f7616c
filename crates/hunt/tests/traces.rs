//! Recorded outputs of crashing programs, each with the trace and the signature that are expected of it.
//!
//! A case is a pair `tests/traces/NAME.txt` and `NAME.expected`. `UPDATE=1 cargo test -p polysmith-hunt --test traces` writes
//! what is recognized now; review the difference.

use std::fs;
use std::path::Path;

use polysmith_hunt::trace::Trace;

#[test]
fn recorded_outputs_are_recognized() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/traces");
    let mut cases: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    cases.sort();
    assert!(cases.len() >= 15, "{cases:?}");
    for case in cases {
        let trace = Trace::find(&fs::read_to_string(&case).unwrap());
        let found = trace.map_or("no trace\n".to_owned(), |trace| {
            format!("{trace}place: {}\n", trace.place().unwrap_or_default())
        });
        let expected = case.with_extension("expected");
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&expected, &found).unwrap();
        }
        assert_eq!(found, fs::read_to_string(&expected).unwrap_or_default(), "{}", case.display());
    }
}
