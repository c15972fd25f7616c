//! Memory for the next parse.
//!
//! A system hands out large pieces of memory page by page, as they are first touched, and takes them back when they
//! are freed: on an input of megabytes that costs as much as lexing. So what a parse needs only while it runs is kept,
//! and what it returns can be given back ([`crate::Parser::reuse`]).

use crate::lexer::{Lexed, Token};
use crate::parser::Parsed;
use polysmith_grammar::TokenType;
use polysmith_tree::Preorder;

/// Vectors without content. A clone has no memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spare {
    tokens: Vec<Token>,
    nodes: Preorder,
    visible: Visible,
    /// The largest number of nodes per token of a tree so far, to reserve memory before parsing.
    nodes_per_token: usize,
}

/// The tokens on the parser's channel: their places and types.
#[derive(Debug, Clone, Default)]
pub(crate) struct Visible {
    pub(crate) places: Vec<u32>,
    pub(crate) types: Vec<u32>,
}

/// Trees of fewer tokens say little about the next one.
const MANY_TOKENS: usize = 100;

impl Spare {
    /// Room for tokens.
    pub(crate) fn tokens(&mut self) -> Vec<Token> {
        std::mem::take(&mut self.tokens)
    }

    /// Room for the nodes of a tree over `n_tokens` tokens: an estimate, good enough to allocate once.
    pub(crate) fn nodes(&mut self, n_tokens: usize) -> Preorder {
        let mut nodes = std::mem::take(&mut self.nodes);
        nodes.reserve(n_tokens.saturating_mul(self.nodes_per_token.max(1)));
        nodes
    }

    pub(crate) fn saw_nodes(&mut self, nodes: usize, n_tokens: usize) {
        if n_tokens > MANY_TOKENS {
            self.nodes_per_token = self.nodes_per_token.max(nodes / n_tokens + 1);
        }
    }

    /// What the parser sees of the tokens. Types from `unknown` on, which the grammar does not have, are one.
    pub(crate) fn visible(&mut self, lexed: &Lexed, unknown: usize) -> Visible {
        let mut visible = std::mem::take(&mut self.visible);
        let is_visible = |token: &Token| token.channel == 0 || token.kind == TokenType::EOF;
        if lexed.tokens.iter().all(is_visible) {
            visible.places.extend(0..lexed.tokens.len() as u32);
            visible.types.extend(lexed.tokens.iter().map(|token| token.kind.index().min(unknown) as u32));
            return visible;
        }
        visible.places.reserve(lexed.tokens.len());
        visible.types.reserve(lexed.tokens.len());
        for (at, token) in lexed.tokens.iter().enumerate() {
            if is_visible(token) {
                visible.places.push(at as u32);
                visible.types.push(token.kind.index().min(unknown) as u32);
            }
        }
        visible
    }

    /// Takes back what [`Self::visible`] gave.
    pub(crate) fn keep_visible(&mut self, mut visible: Visible) {
        visible.places.clear();
        visible.types.clear();
        self.visible = visible;
    }

    /// Takes back room for tokens.
    pub(crate) fn keep_tokens(&mut self, mut tokens: Vec<Token>) {
        tokens.clear();
        if tokens.capacity() > self.tokens.capacity() {
            self.tokens = tokens;
        }
    }

    /// Bytes kept.
    pub(crate) fn memory(&self) -> usize {
        let Spare { tokens, nodes, visible, .. } = self;
        let numbers = visible.places.capacity() + visible.types.capacity();
        tokens.capacity() * size_of::<Token>() + nodes.memory() + numbers * size_of::<u32>()
    }

    /// Takes back all that a parse returned.
    pub(crate) fn keep(&mut self, parsed: Parsed) {
        self.keep_tokens(parsed.lexed.tokens);
        self.nodes = Preorder::reusing(parsed.tree);
    }
}
