//! Trees on disk: compact ([`to_pst`]) or as JSON ([`to_json`]), read back by [`load`].
//!
//! A tree over several buffers, or one that is not printed in preorder, has format 2; all others have format 1.
//! Both name the description by name and hash, so that a tree is not read with another grammar by mistake.
//! Nothing that is read is trusted: numbers are checked against the grammar, and nesting costs no stack.

mod json_read;
mod json_write;
mod layout;
mod pst;

use crate::tree::Tree;
use polysmith_grammar::Grammar;

pub use json_write::{to_json, write_json, write_json_tree};
pub use pst::to_pst;

/// Which description a saved tree belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Its name.
    pub language: String,
    /// A digest of its rules: sixteen hexadecimal digits. Comments and layout of the description do not count.
    pub hash: String,
}

impl Header {
    /// The header of trees of this grammar.
    pub fn of(grammar: &Grammar) -> Header {
        let digest = blake3::hash(grammar.to_string().as_bytes());
        Header { language: grammar.name().into(), hash: digest.to_hex()[..16].into() }
    }
}

/// Why a saved tree cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// Neither of the two forms.
    #[error(
        "this is not a saved tree: it begins neither with a `.pst` mark nor with a `polysmith_tree` line"
    )]
    NotATree,
    /// A form of a later version.
    #[error(
        "the tree was saved by a later version of Polysmith (format {0}); this one reads formats 1 and 2"
    )]
    Version(u64),
    /// The bytes are not what the form asks for.
    #[error("the saved tree is damaged at byte {offset}: {what}")]
    Damaged {
        /// Where.
        offset: usize,
        /// What was expected.
        what: String,
    },
    /// It speaks of something that the grammar does not have.
    #[error(
        "the saved tree does not fit grammar `{grammar}`: {what}; was it saved with another version of the description?"
    )]
    Unfit {
        /// The grammar's name.
        grammar: String,
        /// What is missing.
        what: String,
    },
}

/// The header of a saved tree in either form.
pub fn header(bytes: &[u8]) -> Result<Header, LoadError> {
    if pst::is_pst(bytes) { pst::header(bytes) } else { json_read::header(bytes) }
}

/// Reads a tree in either form.
pub fn load(bytes: &[u8], grammar: &Grammar) -> Result<(Header, Tree), LoadError> {
    if pst::is_pst(bytes) { pst::load(bytes, grammar) } else { json_read::load(bytes, grammar) }
}

fn unfit(grammar: &Grammar, what: String) -> LoadError {
    LoadError::Unfit { grammar: grammar.name().into(), what }
}

#[cfg(test)]
mod tests;
