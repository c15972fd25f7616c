//! What people who embed the library can put in: models, listeners, transformers, serializers.
//!
//! A [`Model`] is asked at every choice and may leave it to chance; a [`Listener`] hears of rules as they are
//! entered; a [`Transformer`] changes finished trees; a [`Serializer`] turns a tree into bytes. All of them are
//! optional and independent. What a model answers never breaks a limit: answers outside of what is open are
//! replaced by a draw. Models and listeners belong to one worker ([`crate::GeneratorWorker`]); transformers and serializers
//! to the engine ([`crate::Generator`]), which applies them to every test.

use polysmith_grammar::{BlockId, CharSet, Grammar, RuleId};
use polysmith_tree::{NodeId, Tree};

/// Makes choices. Every question may be answered with "as you like".
pub trait Model: Send {
    /// The number of an alternative of a group or a rule's body, from 0. `weights` has one entry for each, 0 for
    /// what is not open here; `None`, or an answer that is not open, leaves it to chance.
    fn alternative(&mut self, block: BlockId, weights: &[u64]) -> Option<usize> {
        let _ = (block, weights);
        None
    }

    /// How often to repeat a group, from `least` to `most`. `suggested` was drawn to suit the size of the test.
    fn repeat(&mut self, block: BlockId, least: u32, most: u32, suggested: u32) -> u32 {
        let _ = (block, least, most);
        suggested
    }

    /// Whether [`Model::character`] is to be asked. Each text is then drawn anew for its token, and none is taken from
    /// those that were found when the grammar was compiled: that is slower.
    fn wants_characters(&self) -> bool {
        false
    }

    /// A character of a set in a token rule; `suggested` was drawn by the usual policy. An answer that is not in the set
    /// is replaced by it, and a text that the lexer would not read as its token is drawn again.
    fn character(&mut self, rule: RuleId, set: &CharSet, suggested: char) -> char {
        let _ = (rule, set);
        suggested
    }
}

/// Hears what is drawn, in the order of the text. A draft may be thrown away: [`Listener::begin`] says that the next
/// one starts.
pub trait Listener: Send {
    /// A draft begins.
    fn begin(&mut self) {}

    /// A rule is entered by the alternative with this number, from 1.
    fn enter_rule(&mut self, rule: RuleId, alternative: u32) {
        let _ = (rule, alternative);
    }
}

/// Changes a finished tree.
pub trait Transformer: Send + Sync {
    /// The tree that replaces it; `None` if it stays.
    fn transform(&self, grammar: &Grammar, tree: &Tree) -> Option<Tree>;
}

/// Turns a tree into the bytes of a test.
pub trait Serializer: Send + Sync {
    /// Appends the bytes.
    fn serialize(&self, grammar: &Grammar, tree: &Tree, out: &mut Vec<u8>);
}

/// The tree's own text: tokens and separators as they are.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlainText;

impl Serializer for PlainText {
    fn serialize(&self, _: &Grammar, tree: &Tree, out: &mut Vec<u8>) {
        tree.write_text(NodeId::ROOT, out);
    }
}
