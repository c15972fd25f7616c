//! Where tokens come together: the edits of a change, with blanks where two tokens would be read as one.
//!
//! A token owns the hidden text behind it. Tokens that go take theirs along; tokens that come stand before the hidden
//! text of the last one that goes. At each seam the lexer's automaton is run over the token on the left: if it could
//! go on with what is on the right, a blank is put between them. Hidden text on the left that is more than blanks is
//! read again together with the token on the right. Where the lexer has modes, the stack of modes before the token on
//! the right must be the one that it was read with, and what is read again is the text as a whole.

use std::ops::Range;

use polysmith_grammar::TokenType;

use super::check::Joint;
use super::cut::{Cut, Piece};
use super::session::Session;
use crate::edit::{Edit, Edits};
use crate::text::Text;

/// The edits of a change.
pub(super) struct Seams {
    pub(super) edits: Edits,
    /// Live tokens that get a blank behind them where something is only deleted.
    pub(super) blanks: Vec<u32>,
    /// Whether the tokens on both sides are surely read as before.
    pub(super) is_sure: bool,
}

/// What stands on the left of a seam: the text of a token, its type, and whether nothing hidden follows.
struct Left<'t> {
    text: &'t str,
    kind: TokenType,
    bare: bool,
}

impl Session<'_> {
    /// Finds out where blanks are needed; `None` if tokens cannot be kept apart.
    pub(super) fn seams(&mut self, text: &Text, cuts: &[Cut]) -> Option<Seams> {
        let mut blanks = Vec::new();
        let mut edits = Vec::new();
        let mut is_sure = true;
        for cut in cuts {
            if cut.new.is_empty() {
                edits.push(self.closing(text, cut, &mut blanks, &mut is_sure)?);
            } else {
                is_sure &= self.stacks.is_empty();
                edits.push(self.filling(text, cut, &mut is_sure)?);
            }
        }
        Some(Seams { edits: Edits::new(edits)?, blanks, is_sure })
    }

    /// Deletes: the two sides come together.
    fn closing(&mut self, text: &Text, cut: &Cut, blanks: &mut Vec<u32>, is_sure: &mut bool) -> Option<Edit> {
        let bytes = self.live.bytes(&cut.gone);
        let (left, right) = (self.live.last_before(cut.gone.start), self.live.first_from(cut.gone.end));
        let Some(right) = right else { return Some(Edit::delete(bytes)) };
        if !self.same_stack(left.map_or(0, |left| left + 1), right) {
            return None;
        }
        let next = (self.show(text, right), self.token_type(right));
        if !self.hidden_ends(text, &self.hidden_before(text, cut), next, is_sure) {
            return None;
        }
        let Some(left) = left.filter(|left| self.live.is_bare(*left)) else {
            return Some(Edit::delete(bytes));
        };
        let joint = self.language.joint(self.show(text, left), self.token_type(left), self.show(text, right));
        match joint {
            Joint::Fits => Some(Edit::delete(bytes)),
            Joint::Blank => {
                blanks.push(left);
                Some(Edit::replace(bytes, " "))
            }
            Joint::Never => None,
        }
    }

    /// Replaces: new tokens stand before the hidden text of the last one that goes.
    fn filling(&mut self, text: &Text, cut: &Cut, is_sure: &mut bool) -> Option<Edit> {
        let last = self.live.last_before(cut.gone.end)?;
        let mut left = self.live.last_before(cut.gone.start).map(|left| self.left(text, left));
        let mut new = String::new();
        for piece in &cut.new {
            let (first, copied, next) = match piece {
                Piece::Word(kind, word) => {
                    ((&**word, *kind), &**word, Left { text: word, kind: *kind, bare: true })
                }
                Piece::Tokens(range) => {
                    let (from, to) = (self.live.first_from(range.start)?, self.live.last_before(range.end)?);
                    if from > to {
                        continue;
                    }
                    let bytes = self.live.position(from)..self.live.own_bytes(to).end;
                    let copied = std::str::from_utf8(text.slice(&bytes)).ok()?;
                    let first = (self.show(text, from), self.token_type(from));
                    (first, copied, Left { bare: true, ..self.left(text, to) })
                }
            };
            if new.is_empty() && !self.hidden_ends(text, &self.hidden_before(text, cut), first, is_sure) {
                return None;
            }
            self.push(&mut new, left.as_ref(), first.0, copied)?;
            left = Some(next);
        }
        let end = self.live.own_bytes(last).end;
        // The first character behind decides, be it of hidden text or of a token; blanks keep apart.
        let behind = end..text.parts()[self.file].range.end.min(end + 4);
        let behind = String::from_utf8_lossy(text.slice(&behind));
        if self.live.is_bare(last) || !behind.starts_with(|c: char| c.is_ascii_whitespace()) {
            self.push(&mut new, left.as_ref(), &behind, "")?;
        }
        Some(Edit::replace(self.live.position(cut.gone.start)..end, new))
    }

    /// Adds a text behind what stands on the left, with a blank if its first token would be read with it.
    fn push(&mut self, new: &mut String, left: Option<&Left<'_>>, first: &str, copied: &str) -> Option<()> {
        if let Some(left) = left.filter(|left| left.bare) {
            match self.language.joint(left.text, left.kind, first) {
                Joint::Fits => {}
                Joint::Blank => new.push(' '),
                Joint::Never => return None,
            }
        }
        new.push_str(copied);
        Some(())
    }

    fn left<'t>(&self, text: &'t Text, token: u32) -> Left<'t> {
        Left { text: self.show(text, token), kind: self.token_type(token), bare: self.live.is_bare(token) }
    }

    /// The hidden text before a cut: behind the token before it, or at the beginning of the file.
    fn hidden_before(&self, text: &Text, cut: &Cut) -> Range<u32> {
        let left = self.live.last_before(cut.gone.start);
        let start = left.map_or(text.parts()[self.file].range.start, |left| self.live.own_bytes(left).end);
        start..self.live.position(cut.gone.start)
    }

    /// Whether hidden text ends before a token that comes behind it: a comment up to the end of the line does not,
    /// where the end of the line is a token that went.
    fn hidden_ends(
        &mut self,
        text: &Text,
        hidden: &Range<u32>,
        (next, kind): (&str, TokenType),
        is_sure: &mut bool,
    ) -> bool {
        let hidden = text.slice(hidden);
        let is_blank = hidden.iter().all(u8::is_ascii_whitespace);
        if hidden.is_empty() || is_blank && !next.starts_with(|c: char| c.is_ascii_whitespace()) {
            return true;
        }
        *is_sure &= self.stacks.is_empty();
        let joined = [hidden, next.as_bytes()].concat();
        let Ok(joined) = std::str::from_utf8(&joined) else { return false };
        !self.stacks.is_empty() || self.language.reads_as(joined, hidden.len(), kind)
    }

    /// Whether the lexer stands before two tokens in the same modes.
    fn same_stack(&self, one: u32, other: u32) -> bool {
        let of = |token: u32| self.stacks.get(token as usize);
        self.stacks.is_empty() || of(one) == of(other)
    }
}
