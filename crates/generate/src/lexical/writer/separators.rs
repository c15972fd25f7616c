//! Separators between two tokens: where the lexer needs one, and where the layout wants one.

use super::{Joint, LexicalTables, Style, Writer, leaf_kind};
use crate::lexical::lexicon::{Separator, separator};
use polysmith_parse::LexWalk;
use polysmith_tree::TreeBuilder;

impl Writer {
    pub(super) fn wants_separator(&self, text: &str) -> bool {
        if self.lexical.separator.is_some() {
            return true;
        }
        match self.lexical.style {
            Style::Varied | Style::Compact => false,
            Style::Spaced | Style::Lines => true,
            Style::Pretty => {
                !(matches!(self.last, b'(' | b'[' | b'.')
                    || text.starts_with(['(', '[', ')', ']', ',', ';', '.']))
            }
        }
    }

    /// Writes a separator that fits on both sides.
    pub(super) fn separate(
        &mut self,
        lexical: &LexicalTables,
        builder: &mut TreeBuilder,
        text: &str,
    ) -> bool {
        let own = self.own_separator(lexical, text);
        if let Some(own) = &own
            && self.try_separator(builder, own, text)
        {
            return true;
        }
        let list = &lexical.lexicon.separators[self.mode.index()];
        if list.is_empty() {
            return false;
        }
        let first = match lexical.style {
            Style::Varied if self.layout_stream.below(8) == 0 => self.layout_stream.index(list.len()),
            Style::Lines => list.iter().position(|sep| sep.entry.text == "\n").unwrap_or(0),
            _ => 0,
        };
        (0..list.len()).any(|at| self.try_separator(builder, &list[(first + at) % list.len()], text))
    }

    /// The user's separator, or a line break with indentation.
    fn own_separator(&mut self, lexical: &LexicalTables, text: &str) -> Option<Separator> {
        if let Some(own) = &lexical.separator {
            return separator(&lexical.grammar, &mut self.automata, self.mode, own);
        }
        if lexical.style != Style::Pretty {
            return None;
        }
        if text.starts_with('}') {
            self.indent = self.indent.saturating_sub(1);
        }
        let breaks = matches!(self.last, b'{' | b'}' | b';') || text.starts_with('}');
        if !breaks {
            return None;
        }
        let line = format!("\n{}", "  ".repeat(self.indent.min(20)));
        separator(&lexical.grammar, &mut self.automata, self.mode, &line)
    }

    fn try_separator(&mut self, builder: &mut TreeBuilder, separator: &Separator, text: &str) -> bool {
        if self.follows(&separator.entry.text) != Joint::Clean {
            return false;
        }
        let after = *separator.entry.live_states.last().expect("a text has a live state");
        if self.automata.walk(after, text) != LexWalk::Died {
            return false;
        }
        self.append(builder, leaf_kind(separator.product), separator.entry.text_ref());
        true
    }
}
