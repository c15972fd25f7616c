//! The texts of most tokens, side by side.
//!
//! Nearly all types of a grammar are made by one rule that leaves the mode as it is. Their checked texts are here once
//! more, in one string, so that writing such a token reads three places of memory.

use crate::lexical::automata::LiveState;
use crate::lexical::lexicon::{ProducerTexts, TextRef};
use polysmith_grammar::{ModeId, TokenType};
use polysmith_random::Stream;

/// Texts by mode and type.
#[derive(Debug, Default)]
pub(crate) struct TextTable {
    n_types: usize,
    rows: Vec<Row>,
    words: Vec<TextSpan>,
    live_states: Vec<LiveState>,
    texts: String,
}

/// The texts of one type: a range of the words. Empty if the type is not here.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Row {
    from: u32,
    len: u32,
}

/// The range of a text in [`TextTable::texts`].
#[derive(Debug, Clone, Copy)]
struct TextSpan {
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

impl TextTable {
    /// From all producers by mode, and their numbers by mode and type.
    pub(crate) fn new(known: &[Vec<ProducerTexts>], by_type: &[Vec<Vec<u32>>]) -> TextTable {
        let mut text_table =
            TextTable { n_types: by_type.first().map_or(0, Vec::len), ..TextTable::default() };
        for (known, by_type) in known.iter().zip(by_type) {
            for producers in by_type {
                let row = match producers[..] {
                    [only] => text_table.put(&known[only as usize]),
                    _ => Row::default(),
                };
                text_table.rows.push(row);
            }
        }
        text_table
    }

    fn put(&mut self, known: &ProducerTexts) -> Row {
        let is_plain = known.producer.mode_changes.is_empty()
            && known.dictionary.is_empty()
            && known.pool.iter().all(|entry| entry.live_states.len() == 1);
        if !is_plain {
            return Row::default();
        }
        let from = self.words.len() as u32;
        for entry in &known.pool {
            let start = self.texts.len() as u32;
            self.texts.push_str(&entry.text);
            self.words.push(TextSpan { from: start, to: self.texts.len() as u32 });
            self.live_states.extend_from_slice(&entry.live_states);
        }
        Row { from, len: known.pool.len() as u32 }
    }

    #[inline]
    pub(crate) fn row(&self, mode: ModeId, token: TokenType) -> Row {
        self.rows[mode.index() * self.n_types + token.index()]
    }

    /// One of a row's words.
    #[inline]
    pub(crate) fn pick(&self, row: Row, stream: &mut Stream) -> TextRef<'_> {
        let number = if row.len == 1 { 0 } else { stream.below(row.len.into()) as u32 };
        let at = (row.from + number) as usize;
        let TextSpan { from, to } = self.words[at];
        TextRef { text: &self.texts[from as usize..to as usize], live_states: &self.live_states[at..=at] }
    }
}
