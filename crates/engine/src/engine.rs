//! The trait that all generating engines implement, and the test that they make.

use polysmith_grammar::{Grammar, RuleId};
use polysmith_random::Draw;
use polysmith_tree::{Tree, TreeBuilder};

/// A compiled description that makes tests.
pub trait Engine: Sync {
    /// The grammar that the trees belong to.
    fn grammar(&self) -> &Grammar;

    /// The rule of the root of every tree. By default the start rule of the grammar.
    fn start(&self) -> Option<RuleId> {
        self.grammar().start()
    }

    /// Creates the state of one thread. Costs as much as its arenas; the driver creates one per thread.
    fn worker(&self) -> Box<dyn Worker + '_>;

    /// How many tests in a row one worker must make because they depend on each other: test `i` may depend on
    /// those from `i - i % chunk` on. To make one, the driver makes the ones before it first.
    fn chunk(&self) -> u64 {
        1
    }

    /// The names of [`Test::measures`]: what a worker measures of each test besides its size and height.
    fn measures(&self) -> &[&'static str] {
        &[]
    }

    /// The number of leading measures that classify a test: exactly one of them is 1, the others are 0.
    fn n_kinds(&self) -> usize {
        0
    }

    /// Lines for people that are printed when a run has ended.
    fn conclusion(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The state with which one thread makes tests, one after the other.
pub trait Worker: Send {
    /// Called before the first test of a chunk. Forgets all earlier tests.
    fn begin_chunk(&mut self) {}

    /// Makes a test: tree, text and measures. The result must depend only on the engine, `draw` and the earlier tests
    /// of the same chunk, never on anything else that this worker did. `test` is empty, but keeps its allocations.
    ///
    /// # Errors
    /// Returns a [`GenerateError`] if there is no test for this draw.
    fn make(&mut self, draw: Draw, test: &mut Test) -> Result<(), GenerateError>;
}

/// Why there is no test for an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GenerateError {
    /// This test failed; the next index may succeed. Equal messages are shown once, so they leave the index out.
    Failed(String),
    /// A limit was reached; the message names it. The next index may succeed.
    GaveUp(String),
    /// No index can succeed; the message says why.
    Never(String),
    /// There is no test for this index or any later one: the run is complete. This is not an error.
    Done,
}

impl GenerateError {
    /// The message for the user.
    pub fn message(&self) -> &str {
        match self {
            GenerateError::Failed(message)
            | GenerateError::GaveUp(message)
            | GenerateError::Never(message) => message,
            GenerateError::Done => "there are no more tests",
        }
    }
}

/// One generated test.
#[derive(Debug, Clone)]
pub struct Test {
    /// The derivation.
    pub tree: Tree,
    /// The bytes to write, usually the text of the tree.
    pub text: Vec<u8>,
    /// One number for each of [`Engine::measures`].
    pub measures: Vec<u64>,
    /// What went wrong although there is a test. A run with complaints counts as failed.
    pub complaints: Vec<String>,
}

impl Default for Test {
    fn default() -> Test {
        let mut builder = TreeBuilder::new();
        builder.open_item(1);
        builder.close();
        Test { tree: builder.finish(), text: Vec::new(), measures: Vec::new(), complaints: Vec::new() }
    }
}

impl Test {
    /// Takes the finished tree and its text from a builder.
    pub fn take(&mut self, builder: &mut TreeBuilder) {
        builder.finish_with_text(&mut self.tree, &mut self.text);
    }

    /// Clears everything but the tree, which the worker replaces. Keeps the allocations.
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.measures.clear();
        self.complaints.clear();
    }
}
