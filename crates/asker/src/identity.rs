//! What a question is made of: two runs with the same identity get the same answers.

use std::fmt;
use std::path::Path;

/// Identifies a question: the input and everything that an answer depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Hash of the files under reduction, with their names.
    input: String,
    /// Hash of the test, the options that change answers, and the files beside the candidate.
    question: String,
}

/// The first line of the file; its number changes with the format of the answers.
const HEADER: &str = "polysmith reduce 2";

/// Hashes a list of values of any length.
#[derive(Default)]
struct Hasher(blake3::Hasher);

impl Hasher {
    fn add(&mut self, bytes: &[u8]) {
        self.0.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
    }

    fn finish(&self) -> String {
        self.0.finalize().to_hex()[..32].to_owned()
    }
}

impl Identity {
    /// Hashes what the answers of a reduction depend on. A file is a name and its content.
    #[must_use]
    pub fn new<'a>(
        input: impl IntoIterator<Item = (&'a Path, &'a [u8])>,
        test: &[u8],
        options: &[String],
        side_files: impl IntoIterator<Item = (&'a Path, &'a [u8])>,
    ) -> Self {
        let mut inputs = Hasher::default();
        for (name, content) in input {
            inputs.add(name.as_os_str().as_encoded_bytes());
            inputs.add(content);
        }
        let mut question = Hasher::default();
        question.add(test);
        question.add(&(options.len() as u64).to_le_bytes());
        options.iter().for_each(|option| question.add(option.as_bytes()));
        for (name, content) in side_files {
            question.add(name.as_os_str().as_encoded_bytes());
            question.add(content);
        }
        Self { input: inputs.finish(), question: question.finish() }
    }

    /// The name of the question's folder.
    pub(crate) fn folder_name(&self) -> String {
        format!("{}-{}", &self.input[..8], &self.question[..8])
    }

    /// Whether the text of an identity file has the same input.
    pub(crate) fn has_input_of(&self, text: &str) -> bool {
        text.starts_with(HEADER) && text.lines().any(|line| line.strip_prefix("input ") == Some(&self.input))
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADER}\ninput {}\nquestion {}", self.input, self.question)
    }
}
