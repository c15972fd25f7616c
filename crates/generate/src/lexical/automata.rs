//! The lexer's automata, walked by hand.

use crate::lexical::lexicon::CheckedText;
use crate::lexical::producers::{Producer, Product};
use polysmith_grammar::{ModeId, RuleId};
use polysmith_parse::{LexState, LexWalk, Parser};

/// A live state: the lexer may still be inside a token there.
pub(crate) type LiveState = LexState;

/// Automata of all modes, with what was learned of them. Each worker has its own.
#[derive(Debug, Clone)]
pub(crate) struct LexerAutomata {
    /// Used for its lexer states only: they stay valid because it never reads a text.
    parser: Parser,
}

impl LexerAutomata {
    pub(crate) fn new(parser: Parser) -> LexerAutomata {
        LexerAutomata { parser }
    }

    /// Reads a whole text in a mode; the rule that accepts all of it, and the state after it.
    pub(crate) fn read(&mut self, mode: ModeId, text: &str) -> Option<(RuleId, LiveState)> {
        let mut lexer = self.parser.lexer();
        let mut state = lexer.start(mode);
        for c in text.chars() {
            state = lexer.step(state, c)?;
        }
        Some((lexer.accepts(state)?, state))
    }

    /// Walks a live state over a text: if it dies, the border before the text is right.
    #[inline]
    pub(crate) fn walk(&mut self, live_state: LiveState, text: &str) -> LexWalk {
        self.parser.lexer().walk(live_state, text)
    }

    /// Reads the pieces of a producer, one text each, and fills the entry with them; false if they make something else.
    pub(crate) fn read_producer(
        &mut self,
        producer: &Producer,
        texts: &[String],
        entry: &mut CheckedText,
    ) -> bool {
        entry.text.clear();
        entry.live_states.clear();
        if texts.len() != producer.pieces.len() {
            return false;
        }
        for ((mode, rule), text) in producer.pieces.iter().zip(texts) {
            let mut n_alive = 0;
            for at in 0..entry.live_states.len() {
                match self.walk(entry.live_states[at], text) {
                    LexWalk::Died => {}
                    LexWalk::Accepts => return false,
                    LexWalk::Alive(next) => {
                        entry.live_states[n_alive] = next;
                        n_alive += 1;
                    }
                }
            }
            entry.live_states.truncate(n_alive);
            let Some((found, live_state)) = self.read(*mode, text) else { return false };
            // Only hidden text that changes the mode may be empty: it makes no token and the lexer goes on.
            let may_be_empty =
                !matches!(producer.product, Product::Token(_)) && !producer.mode_changes.is_empty();
            if found != *rule || (text.is_empty() && !may_be_empty) {
                return false;
            }
            entry.live_states.push(live_state);
            entry.text.push_str(text);
        }
        true
    }
}
