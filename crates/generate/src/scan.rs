//! The lexer's automata, walked by hand.

use crate::lexicon::Entry;
use crate::makers::{Maker, Outcome};
use polysmith_grammar::{ModeId, RuleId};
use polysmith_parse::{LexState, LexWalk, Parser};

/// A live state: the lexer may still be inside a token there.
pub(crate) type Thread = LexState;

/// Automata of all modes, with what was learned of them. Each worker has its own.
#[derive(Debug, Clone)]
pub(crate) struct Scan {
    /// Used for its lexer states only: they stay valid because it never reads a text.
    parser: Parser,
}

impl Scan {
    pub(crate) fn new(parser: Parser) -> Scan {
        Scan { parser }
    }

    /// Reads a whole text in a mode; the rule that accepts all of it, and the state behind it.
    pub(crate) fn read(&mut self, mode: ModeId, text: &str) -> Option<(RuleId, Thread)> {
        let mut lexer = self.parser.lexer();
        let mut state = lexer.start(mode);
        for c in text.chars() {
            state = lexer.step(state, c)?;
        }
        Some((lexer.accepts(state)?, state))
    }

    /// Walks a thread over a text: if it dies, the border before the text is right.
    #[inline]
    pub(crate) fn walk(&mut self, thread: Thread, text: &str) -> LexWalk {
        self.parser.lexer().walk(thread, text)
    }

    /// Reads the pieces of a maker, one text each, and fills the entry with them; false if they make something else.
    pub(crate) fn read_maker(&mut self, maker: &Maker, texts: &[String], entry: &mut Entry) -> bool {
        entry.text.clear();
        entry.threads.clear();
        if texts.len() != maker.pieces.len() {
            return false;
        }
        for ((mode, rule), text) in maker.pieces.iter().zip(texts) {
            let mut n_alive = 0;
            for at in 0..entry.threads.len() {
                match self.walk(entry.threads[at], text) {
                    LexWalk::Died => {}
                    LexWalk::Accepts => return false,
                    LexWalk::Alive(next) => {
                        entry.threads[n_alive] = next;
                        n_alive += 1;
                    }
                }
            }
            entry.threads.truncate(n_alive);
            let Some((found, thread)) = self.read(*mode, text) else { return false };
            // Only hidden text that changes the mode may be empty: it makes no token and the lexer goes on.
            let may_be_empty = !matches!(maker.outcome, Outcome::Token(_)) && !maker.moves.is_empty();
            if found != *rule || (text.is_empty() && !may_be_empty) {
                return false;
            }
            entry.threads.push(thread);
            entry.text.push_str(text);
        }
        true
    }
}
