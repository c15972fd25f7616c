//! Bytes to trees, whatever kind of description says how.
//!
//! Reduction, mutation and checking work on trees and never ask how a tree came about. What they need of a language is a
//! [`Recognizer`]: it reads a whole text, and it says in advance whether a change near some tokens keeps the text in the
//! language. Everything but reading has a default that is right for every format, if slow: "only the whole text can
//! tell". Encodings and what keeps two tokens apart (a blank) are properties of an implementation.

use crate::node::{Kind, NodeId};
use crate::tree::Tree;
use polysmith_grammar::{Grammar, RuleId, TokenType};
use std::fmt;
use std::sync::Arc;

/// Reads texts of one language. What it learns while reading never changes an answer.
pub trait Recognizer: fmt::Debug + Send + Sync {
    /// The grammar that the nodes of its trees name.
    fn grammar(&self) -> &Arc<Grammar>;

    /// The rule at the root of its trees.
    fn start(&self) -> RuleId;

    /// Reads a whole text. A text with errors may have a tree nevertheless ([`Reading::errors`]).
    ///
    /// # Errors
    /// There is no tree at all.
    fn read(&mut self, text: &[u8]) -> Result<Reading, ReadError>;

    /// The number of errors of a whole text; `None` if it has no tree.
    fn count_errors(&mut self, text: &[u8]) -> Option<usize> {
        self.read(text).ok().map(|reading| reading.errors.len())
    }

    /// Whether tokens of these types are a text of a rule. `None` if more than their types decides.
    fn accepts(&mut self, rule: RuleId, types: &[TokenType]) -> Option<bool> {
        let _ = (rule, types);
        None
    }

    /// What must be between a token and the bytes that come after it, so that the token is read as before. `None` if
    /// nothing keeps them apart.
    fn between(&mut self, left: TokenText<'_>, right: &[u8]) -> Option<&[u8]> {
        let _ = (left, right);
        Some(b"")
    }

    /// Whether hidden text separates any two tokens around it.
    fn separates(&self, hidden: &[u8]) -> bool {
        let _ = hidden;
        false
    }

    /// Whether a token that comes after hidden text is read as this token. `None` if only the whole text can tell.
    fn reads_after(&mut self, hidden: &[u8], token: TokenText<'_>) -> Option<bool> {
        let _ = token;
        hidden.is_empty().then_some(true)
    }

    /// The visible tokens of a piece of text. `None` if it is not made of tokens.
    fn tokens<'t>(&mut self, text: &'t [u8]) -> Option<Vec<TokenText<'t>>> {
        let _ = text;
        None
    }

    /// A short text of a token type.
    fn short_text(&mut self, kind: TokenType) -> Option<Vec<u8>> {
        let _ = kind;
        None
    }

    /// A copy for another thread or another run.
    fn boxed_clone(&self) -> Box<dyn Recognizer>;
}

impl Clone for Box<dyn Recognizer> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}

/// The type and the text of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenText<'t> {
    /// Its type.
    pub kind: TokenType,
    /// Its bytes.
    pub text: &'t [u8],
}

/// The result of reading a text.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The whole text as a tree, also after errors.
    pub tree: Tree,
    /// All errors, in the order of the text.
    pub errors: Vec<ReadError>,
    /// Visible tokens of the text, those outside the tree too.
    pub token_count: usize,
    /// The number of the reader's state (a stack of lexer modes) before each of the tree's [visible
    /// tokens](Tree::visible_tokens): a token is read as before only after the same state. Empty if there is one state.
    pub states: Vec<u32>,
}

/// Why a text, or a part of it, could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ReadError {
    /// What is wrong.
    pub message: String,
    /// The byte at which it is wrong; `None` if it is wrong as a whole.
    pub offset: Option<usize>,
}

impl Tree {
    /// Whether a node is a token with text that the rules saw: neither hidden nor missing.
    pub fn is_visible_token(&self, node: NodeId) -> bool {
        matches!(self.kind(node), Kind::Token(_) | Kind::Error(_)) && !self.leaf_range(node).is_empty()
    }

    /// The tokens with text that the rules saw, in preorder.
    pub fn visible_tokens(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.subtree(NodeId::ROOT).filter(|node| self.is_visible_token(*node))
    }
}
