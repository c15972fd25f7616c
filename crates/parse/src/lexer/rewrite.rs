//! The second pass of hooks over the tokens of a text, for what depends on later tokens.

use super::{Lexed, Lexing, ReportedError};
use crate::error::ParseError;
use crate::hooks::{HookError, Hooks, InsertedToken, LexerEffect, StreamView};
use polysmith_grammar::TokenType;

impl Lexing<'_> {
    /// Gives each token to [`Hooks::stream`].
    pub(super) fn rewrite(&self, hooks: &dyn Hooks, raw: &Lexed) -> Result<Lexed, ParseError> {
        let mut state = hooks.start().map_err(|error| ParseError::HookStart { message: error.message })?;
        let mut made = Lexed {
            tokens: Vec::with_capacity(raw.tokens.len()),
            dropped: raw.dropped.clone(),
            inserted: Vec::new(),
            reported: raw.reported.clone(),
        };
        for at in 0..raw.tokens.len() {
            let view = StreamView { grammar: self.grammar, text: self.text, raw, at, made: &made };
            let start = raw.tokens[at].start as usize;
            let outcome =
                hooks.stream(state, &view).map_err(|error| self.hook_failed("stream", start, error))?;
            state = outcome.state;
            self.rewrite_one(raw, at, outcome.effects, &mut made)?;
            if made.tokens.len() > self.limits.max_tokens {
                return Err(ParseError::Tokens { limit: self.limits.max_tokens });
            }
        }
        Ok(made)
    }

    fn rewrite_one(
        &self,
        raw: &Lexed,
        at: usize,
        effects: Vec<LexerEffect>,
        made: &mut Lexed,
    ) -> Result<(), ParseError> {
        let mut token = raw.tokens[at];
        let (mut before, mut after): (Vec<InsertedToken>, Vec<InsertedToken>) = (Vec::new(), Vec::new());
        let mut skipped = false;
        for effect in effects {
            match effect {
                LexerEffect::Type(kind) if token.kind != TokenType::EOF => token.kind = kind,
                LexerEffect::Channel(channel) if token.kind != TokenType::EOF => token.channel = channel,
                LexerEffect::Skip if token.kind != TokenType::EOF => skipped = true,
                LexerEffect::Before(inserted) => before.push(inserted),
                LexerEffect::After(inserted) if token.kind != TokenType::EOF => after.push(inserted),
                LexerEffect::Error(message) => {
                    made.reported.push(ReportedError { start: token.start, end: token.end, message });
                }
                other => {
                    let message = format!("it cannot do this with a token of the stream: {other:?}");
                    return Err(self.hook_failed("stream", token.start as usize, HookError { message }));
                }
            }
        }
        if skipped {
            token.end = token.start;
            before.append(&mut after);
        }
        if let (Some(shown), true) = (raw.inserted_text(at), before.is_empty()) {
            made.inserted.push((made.tokens.len() as u32, shown.into()));
        }
        made.push_with(self.grammar, self.text, token, &before, &after);
        if skipped {
            made.tokens.pop();
        }
        Ok(())
    }
}
