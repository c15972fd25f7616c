//! Where tokens come together: the edits of a change, with separators where two tokens would be read as one.
//!
//! A token owns the hidden text after it. Tokens that go take theirs along; tokens that come are put before the hidden
//! text of the last one that goes. At each seam the recognizer says what must be between the token on the left and what
//! is on the right (a blank, for most texts). Hidden text on the left is read again together with the token on the
//! right. Where the recognizer has states (modes of a lexer), the state before the token on the right must be the one
//! that it was read in, and what is read again is the text as a whole.

use std::ops::Range;

use polysmith_tree::TokenText;

use super::cut::{Cut, Piece};
use super::session::{Separator, Session};
use crate::edit::{Edit, Edits};
use crate::text::Text;

/// The edits of a change.
pub(super) struct Seams {
    pub(super) edits: Edits,
    /// What comes after live tokens where something is only deleted.
    pub(super) separators: Vec<Separator>,
    /// Whether the tokens on both sides are surely read as before.
    pub(super) is_sure: bool,
}

/// What is on the left of a seam.
struct Left<'t> {
    token: TokenText<'t>,
    /// Whether no hidden text follows.
    is_bare: bool,
}

impl Session<'_> {
    /// Finds out where separators are needed; `None` if tokens cannot be kept apart.
    pub(super) fn seams(&mut self, text: &Text, cuts: &[Cut]) -> Option<Seams> {
        let mut separators = Vec::new();
        let mut edits = Vec::new();
        let mut is_sure = true;
        for cut in cuts {
            if cut.new.is_empty() {
                edits.push(self.closing(text, cut, &mut separators, &mut is_sure)?);
            } else {
                is_sure &= self.states.is_empty();
                edits.push(self.filling(text, cut, &mut is_sure)?);
            }
        }
        Some(Seams { edits: Edits::new(edits)?, separators, is_sure })
    }

    /// Deletes: the two sides come together.
    fn closing(
        &mut self,
        text: &Text,
        cut: &Cut,
        separators: &mut Vec<Separator>,
        is_sure: &mut bool,
    ) -> Option<Edit> {
        let bytes = self.live.bytes(&cut.range);
        let (left, right) = (self.live.last_before(cut.range.start), self.live.first_from(cut.range.end));
        let Some(right) = right else { return Some(Edit::delete(bytes)) };
        if !self.same_state(left.map_or(0, |left| left + 1), right) {
            return None;
        }
        let next = self.token_text(text, right);
        if !self.hidden_ends(text, &self.hidden_before(text, cut), next, is_sure) {
            return None;
        }
        let Some(left) = left.filter(|left| self.live.is_bare(*left)) else {
            return Some(Edit::delete(bytes));
        };
        let between = self.language.recognizer.between(self.token_text(text, left), next.text)?;
        if !between.is_empty() {
            separators.push(Separator { token: left, len: between.len() as u32 });
        }
        Some(Edit::replace(bytes, between))
    }

    /// Replaces: new tokens are put before the hidden text of the last one that goes.
    fn filling(&mut self, text: &Text, cut: &Cut, is_sure: &mut bool) -> Option<Edit> {
        let last = self.live.last_before(cut.range.end)?;
        let mut left = self.live.last_before(cut.range.start).map(|left| self.left(text, left));
        let mut new = Vec::new();
        for piece in &cut.new {
            let (first, copied, last) = match piece {
                Piece::Word(kind, word) => {
                    let token = TokenText { kind: *kind, text: word };
                    (token, &**word, token)
                }
                Piece::Tokens(range) => {
                    let (from, to) = (self.live.first_from(range.start)?, self.live.last_before(range.end)?);
                    if from > to {
                        continue;
                    }
                    let bytes = self.live.position(from)..self.live.own_bytes(to).end;
                    (self.token_text(text, from), text.slice(&bytes), self.token_text(text, to))
                }
            };
            if new.is_empty() && !self.hidden_ends(text, &self.hidden_before(text, cut), first, is_sure) {
                return None;
            }
            self.push(&mut new, left.as_ref(), first.text, copied)?;
            left = Some(Left { token: last, is_bare: true });
        }
        let end = self.live.own_bytes(last).end;
        // What follows decides, be it hidden text or a token.
        let following = text.slice(&(end..text.parts()[self.file].range.end));
        if self.live.is_bare(last) || !self.language.recognizer.separates(following) {
            self.push(&mut new, left.as_ref(), following, b"")?;
        }
        Some(Edit::replace(self.live.position(cut.range.start)..end, new))
    }

    /// Adds a text after what is on the left, with a separator if its first token would be read with it.
    fn push(
        &mut self,
        new: &mut Vec<u8>,
        left: Option<&Left<'_>>,
        first: &[u8],
        copied: &[u8],
    ) -> Option<()> {
        if let Some(left) = left.filter(|left| left.is_bare) {
            new.extend_from_slice(self.language.recognizer.between(left.token, first)?);
        }
        new.extend_from_slice(copied);
        Some(())
    }

    fn left<'t>(&self, text: &'t Text, token: u32) -> Left<'t> {
        Left { token: self.token_text(text, token), is_bare: self.live.is_bare(token) }
    }

    /// The hidden text before a cut: after the token before it, or at the beginning of the file.
    fn hidden_before(&self, text: &Text, cut: &Cut) -> Range<u32> {
        let left = self.live.last_before(cut.range.start);
        let start = left.map_or(text.parts()[self.file].range.start, |left| self.live.own_bytes(left).end);
        start..self.live.position(cut.range.start)
    }

    /// Whether hidden text ends before a token that comes after it: a comment up to the end of the line does not, where
    /// the end of the line is a token that went.
    fn hidden_ends(
        &mut self,
        text: &Text,
        hidden: &Range<u32>,
        next: TokenText<'_>,
        is_sure: &mut bool,
    ) -> bool {
        let answer = self.language.recognizer.reads_after(text.slice(hidden), next);
        *is_sure &= answer.is_some();
        answer.unwrap_or(true)
    }

    /// Whether the recognizer is in the same state before two tokens.
    fn same_state(&self, one: u32, other: u32) -> bool {
        let of = |token: u32| self.states.get(token as usize);
        self.states.is_empty() || of(one) == of(other)
    }
}
