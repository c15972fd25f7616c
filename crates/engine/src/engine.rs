//! The small trait behind which all engines stand, and what they make.

use polysmith_grammar::{Grammar, RuleId};
use polysmith_random::Draw;
use polysmith_tree::{Tree, TreeBuilder};

/// A description that is ready to make tests.
pub trait Engine: Sync {
    /// The grammar that the trees belong to.
    fn grammar(&self) -> &Grammar;

    /// Where its trees begin; else the grammar's own start rule.
    fn start(&self) -> Option<RuleId> {
        self.grammar().start()
    }

    /// The hands of one thread. Costs as much as its arenas; the driver makes one per thread.
    fn worker(&self) -> Box<dyn Worker + '_>;

    /// How many tests in a row one worker must make because they depend on each other: test `i` may depend on
    /// those from `i - i % chunk` on. To make one, the driver makes the ones before it first.
    fn chunk(&self) -> u64 {
        1
    }

    /// What the worker measures of each test, beside size and height: the names of [`Test::measures`].
    fn measures(&self) -> &[&'static str] {
        &[]
    }

    /// How many of the measures, from the first, say of what kind a test is: one of them is 1, the others are 0.
    fn n_kinds(&self) -> usize {
        0
    }

    /// What to tell when a run has ended, beside the tests: lines for people.
    fn conclusion(&self) -> Vec<String> {
        Vec::new()
    }
}

/// What one thread uses to make tests, one after the other.
pub trait Worker: Send {
    /// Called before the first test of a chunk: forget what came before.
    fn begin_chunk(&mut self) {}

    /// Makes a test: tree and text, and the measures if there are any. Must follow from the engine and `draw`
    /// (and the tests before it in its chunk), never from what this worker did earlier. `test` comes empty but
    /// for the memory that it keeps.
    ///
    /// # Errors
    /// A [`Trouble`] if there is no test for this draw.
    fn make(&mut self, draw: Draw, test: &mut Test) -> Result<(), Trouble>;
}

/// Why there is no test for an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// Something went wrong; the next index may be fine. Messages are compared, so leave the index out.
    Failed(String),
    /// A limit or budget was spent; the message names it. The next index may be fine.
    GaveUp(String),
    /// No index can ever work, and why.
    Never(String),
    /// There is no test for this index nor for any behind it: all is done. No mistake.
    Done,
}

impl Trouble {
    /// What to tell the user.
    pub fn message(&self) -> &str {
        match self {
            Trouble::Failed(message) | Trouble::GaveUp(message) | Trouble::Never(message) => message,
            Trouble::Done => "there are no more tests",
        }
    }
}

/// One generated test.
#[derive(Debug, Clone)]
pub struct Test {
    /// Its derivation.
    pub tree: Tree,
    /// What is written: usually the tree's text.
    pub text: Vec<u8>,
    /// One number for each of [`Engine::measures`].
    pub measures: Vec<u64>,
    /// What went wrong inside although there is a test; the run then ends with exit 1.
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
    /// Takes a finished tree out of a builder, and its text.
    pub fn take(&mut self, builder: &mut TreeBuilder) {
        builder.finish_with_text(&mut self.tree, &mut self.text);
    }

    /// Empty again, with the memory kept. The tree is whatever it was: the worker replaces it.
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.measures.clear();
        self.complaints.clear();
    }
}
