//! ANTLR's answers, kept in a file: the same cases again take seconds instead of hours.
//!
//! A line for each case, `{"case": DIGEST, "answers": [...]}`, with `null` for a grammar that the tool refuses. The digest
//! is of the grammar and its inputs, so that answers never outlive a change of how cases are drawn. Lines are appended
//! as the answers come; a line that was cut off by the end of the run is overlooked, and the case asked again.

use super::super::random_grammar::Case;
use anyhow::Context as _;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// What ANTLR said of the inputs of a grammar; nothing if its tool refuses the grammar.
pub(super) type Said = Option<Vec<Value>>;

/// The answers of earlier runs, and where those of this one go. Several threads share it.
pub(super) struct Kept {
    known: HashMap<String, Said>,
    file: Mutex<File>,
}

impl Kept {
    /// Reads what there is; the file begins to exist.
    pub(super) fn open(path: &Path) -> anyhow::Result<Kept> {
        let context = || format!("cannot keep answers in {}", path.display());
        let mut file =
            OpenOptions::new().read(true).append(true).create(true).open(path).with_context(context)?;
        let mut text = String::new();
        file.read_to_string(&mut text).with_context(context)?;
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n").with_context(context)?;
        }
        Ok(Kept { known: text.lines().filter_map(read).collect(), file: Mutex::new(file) })
    }

    /// What was said of a case in an earlier run.
    pub(super) fn of(&self, case: &Case) -> Option<&Said> {
        self.known.get(&digest(case))
    }

    pub(super) fn keep(&self, case: &Case, said: &Said) -> anyhow::Result<()> {
        let line = format!("{}\n", json!({ "case": digest(case), "answers": said }));
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(file.write_all(line.as_bytes())?)
    }
}

fn read(line: &str) -> Option<(String, Said)> {
    let mut line: Value = serde_json::from_str(line).ok()?;
    let said = match line.get_mut("answers")?.take() {
        Value::Null => None,
        Value::Array(answers) => Some(answers),
        _ => return None,
    };
    Some((line["case"].as_str()?.to_owned(), said))
}

/// A name for all that ANTLR is told of a case.
fn digest(case: &Case) -> String {
    let told = json!([case.start, case.files, case.inputs]).to_string();
    blake3::hash(told.as_bytes()).to_hex()[..32].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use polysmith_random::Stream;

    #[test]
    fn answers_are_found_again_and_a_torn_line_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers");
        let case = |number| super::super::super::random_grammar::case(&mut Stream::keyed(&[7, number]), 2);
        let kept = Kept::open(&path).unwrap();
        kept.keep(&case(0), &Some(vec![json!({ "ok": true })])).unwrap();
        kept.keep(&case(1), &None).unwrap();
        kept.keep(&case(2), &None).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &text[..text.len() - 9]).unwrap();

        let again = Kept::open(&path).unwrap();
        assert_eq!(again.of(&case(0)), Some(&Some(vec![json!({ "ok": true })])));
        assert_eq!(again.of(&case(1)), Some(&None));
        assert_eq!(again.of(&case(2)), None);
        again.keep(&case(2), &None).unwrap();
        assert_eq!(Kept::open(&path).unwrap().of(&case(2)), Some(&None));
    }
}
