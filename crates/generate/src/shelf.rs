//! The texts of most tokens, side by side.
//!
//! Nearly all types of a grammar are made by one rule that leaves the mode as it is. Their tried texts stand here once
//! more, in one string, so that writing such a token reads three places of memory.

use crate::lexicon::{Known, Word};
use crate::scan::Thread;
use polysmith_grammar::{ModeId, TokenType};
use polysmith_random::Stream;

/// Texts by mode and type.
#[derive(Debug, Default)]
pub(crate) struct Shelf {
    n_types: usize,
    rows: Vec<Row>,
    words: Vec<Place>,
    threads: Vec<Thread>,
    texts: String,
}

/// The texts of one type: so many words from a place on. None if the type is not here.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Row {
    from: u32,
    len: u32,
}

/// Where a word's text stands.
#[derive(Debug, Clone, Copy)]
struct Place {
    from: u32,
    to: u32,
}

impl Row {
    pub(crate) fn is_empty(self) -> bool {
        self.len == 0
    }

    /// There is no other text.
    pub(crate) fn is_fixed(self) -> bool {
        self.len == 1
    }
}

impl Shelf {
    /// From all makers by mode, and their numbers by mode and type.
    pub(crate) fn new(known: &[Vec<Known>], by_type: &[Vec<Vec<u32>>]) -> Shelf {
        let mut shelf = Shelf { n_types: by_type.first().map_or(0, Vec::len), ..Shelf::default() };
        for (known, by_type) in known.iter().zip(by_type) {
            for makers in by_type {
                let row = match makers[..] {
                    [only] => shelf.put(&known[only as usize]),
                    _ => Row::default(),
                };
                shelf.rows.push(row);
            }
        }
        shelf
    }

    fn put(&mut self, known: &Known) -> Row {
        let is_plain = known.maker.moves.is_empty()
            && known.dictionary.is_empty()
            && known.pool.iter().all(|entry| entry.threads.len() == 1);
        if !is_plain {
            return Row::default();
        }
        let from = self.words.len() as u32;
        for entry in &known.pool {
            let start = self.texts.len() as u32;
            self.texts.push_str(&entry.text);
            self.words.push(Place { from: start, to: self.texts.len() as u32 });
            self.threads.extend_from_slice(&entry.threads);
        }
        Row { from, len: known.pool.len() as u32 }
    }

    #[inline]
    pub(crate) fn row(&self, mode: ModeId, token: TokenType) -> Row {
        self.rows[mode.index() * self.n_types + token.index()]
    }

    /// One of a row's words.
    #[inline]
    pub(crate) fn pick(&self, row: Row, stream: &mut Stream) -> Word<'_> {
        let number = if row.len == 1 { 0 } else { stream.below(row.len.into()) as u32 };
        let at = (row.from + number) as usize;
        let Place { from, to } = self.words[at];
        Word { text: &self.texts[from as usize..to as usize], threads: &self.threads[at..=at] }
    }
}
