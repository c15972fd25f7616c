//! The leaves of the tree: tokens, and all text between them.
//!
//! Text before a token goes into the tree together with it, inside the innermost rule that has it, so that
//! everything prints back byte for byte.

use super::Input;
use polysmith_grammar::TokenType;
use polysmith_tree::{Gap, Kind, Preorder, Tree};

/// Builds the tree and keeps count of the text that is in it.
pub(super) struct Leaves<'a> {
    input: Input<'a>,
    pub(super) nodes: Preorder,
    /// Tokens before this one are in the tree.
    next: usize,
    /// Text before this byte is in the tree.
    done: usize,
    /// Dropped texts before this one are in the tree.
    dropped: usize,
}

impl<'a> Leaves<'a> {
    /// `nodes` has none yet.
    pub(super) fn new(input: Input<'a>, nodes: Preorder) -> Leaves<'a> {
        Leaves { input, nodes, next: 0, done: input.span.0, dropped: 0 }
    }

    /// A token that is missing.
    pub(super) fn missing(&mut self, token: TokenType) {
        self.nodes.leaf(Kind::Missing(token), self.done, 0);
    }

    /// A token, with the text before it. The end of the input can come several times.
    #[inline(always)]
    pub(super) fn token(&mut self, index: u32, error: bool) {
        let index = index as usize;
        if index != self.next {
            self.hidden_before(index);
        }
        self.next = index + 1;
        let token = self.input.lexed.tokens[index];
        let (mut start, mut end) = (token.start as usize, token.end as usize);
        if start != self.done {
            self.gap(start);
            (start, end) = (start.max(self.done), end.max(self.done));
        }
        let kind = if error { Kind::Error(token.kind) } else { Kind::Token(token.kind) };
        self.nodes.leaf(kind, start, end - start);
        self.done = end;
    }

    #[inline(never)]
    fn hidden_before(&mut self, index: usize) {
        while self.next < index {
            let token = self.input.lexed.tokens[self.next];
            self.next += 1;
            self.gap(token.start as usize);
            let len = token.end as usize - token.start as usize;
            self.nodes.leaf(Kind::Hidden(token.kind), token.start as usize, len);
            self.done = token.end as usize;
        }
    }

    /// Text up to `end` that is no token: dropped where the lexer failed, else skipped.
    #[inline(never)]
    fn gap(&mut self, end: usize) {
        while self.done < end {
            let next = self.input.lexed.dropped.get(self.dropped);
            let (kind, to) = match next {
                Some(dropped) if dropped.end as usize <= self.done => {
                    self.dropped += 1;
                    continue;
                }
                Some(dropped) if dropped.start as usize <= self.done => (Gap::Dropped, dropped.end as usize),
                Some(dropped) => (Gap::Skipped, dropped.start as usize),
                None => (Gap::Skipped, end),
            };
            let to = to.min(end);
            self.nodes.leaf(Kind::Gap(kind), self.done, to - self.done);
            self.done = to;
        }
    }

    /// Everything after the last token that was consumed: hidden text, then what is left over.
    pub(super) fn rest(&mut self, at: usize) {
        let index = self.input.visible[at] as usize;
        self.hidden_before(index);
        let token = self.input.lexed.tokens[index];
        let end = self.input.span.1;
        if token.kind == TokenType::EOF {
            self.gap(token.end as usize);
        } else {
            self.gap(token.start as usize);
        }
        if self.done < end {
            self.nodes.leaf(Kind::Gap(Gap::Rest), self.done, end - self.done);
            self.done = end;
        }
    }

    pub(super) fn finish(self) -> Tree {
        self.nodes.finish(self.input.text.as_bytes())
    }
}
