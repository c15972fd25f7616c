//! The lexer with hooks: predicates in the middle of a match, actions at its end, an event after each token.
//!
//! The loop is that of [`Lexing::run`], once more: a lexer without hooks does not pay for this one.

use super::actions::LexerAction;
use super::asked::AskPlace;
use super::automaton::{Accept, Automaton, LexId, LexStep};
use super::network::own_type;
use super::{Dropped, Lexed, Lexing, MAX_EMPTY_MATCHES, Matched, ModeStack, ReportedError, token};
use crate::error::ParseError;
use crate::hooks::{HookError, Hooks, InsertedToken, LexerEffect, LexerOutcome, MatchView};
use crate::position::Positions;
use polysmith_grammar::{CodeId, Grammar, ModeId, TokenType};
use polysmith_value::Value;
use std::sync::Arc;

/// The running lexer.
pub(super) struct HookedLexer<'a> {
    lexing: &'a Lexing<'a>,
    hooks: &'a dyn Hooks,
    automaton: &'a mut Automaton,
    state: Value,
    modes: ModeStack,
    lexed: Lexed,
    at: usize,
    /// Matches of the empty text since the last character.
    empty: usize,
}

/// The token that is being made.
pub(super) struct Draft {
    start: usize,
    becomes: Matched,
    channel: u32,
    before: Vec<InsertedToken>,
    after: Vec<InsertedToken>,
}

impl<'a> Lexing<'a> {
    /// All tokens of the text, with hooks.
    pub(crate) fn run_hooked(
        &'a self,
        automaton: &'a mut Automaton,
        hooks: &'a dyn Hooks,
    ) -> Result<Lexed, ParseError> {
        let state = hooks.start().map_err(|error| ParseError::HookStart { message: error.message })?;
        let modes = ModeStack { mode: 0, below: Vec::new() };
        let lexed = Lexed::default();
        let mut lexer = HookedLexer { lexing: self, hooks, automaton, state, modes, lexed, at: 0, empty: 0 };
        lexer.run()?;
        let lexed = lexer.lexed;
        if hooks.has_stream_hook() { self.rewrite(hooks, &lexed) } else { Ok(lexed) }
    }

    pub(super) fn hook_failed(&self, code: &str, at: usize, error: HookError) -> ParseError {
        let (line, column) = Positions::new(self.text).human(at);
        ParseError::Hook { code: code.to_owned(), message: error.message, line, column }
    }
}

impl HookedLexer<'_> {
    fn run(&mut self) -> Result<(), ParseError> {
        let end = self.lexing.text.len();
        let mut hit_end = false;
        loop {
            self.automaton.forget_beyond(self.lexing.limits.max_memory, self.lexing.network);
            if hit_end {
                self.lexed.tokens.push(token(self.at, end, TokenType::EOF, 0));
                return Ok(());
            }
            let mut draft = self.next_draft(&mut hit_end)?;
            if let Matched::Token(_) = draft.becomes {
                self.token_event(&mut draft)?;
                hit_end |= self.at >= end;
            }
            if let Matched::Token(kind) = draft.becomes {
                self.finish_token(&draft, kind)?;
                if kind == TokenType::EOF {
                    return Ok(());
                }
            }
        }
    }

    /// Matches until a token ends or is skipped.
    fn next_draft(&mut self, hit_end: &mut bool) -> Result<Draft, ParseError> {
        let start = self.at;
        let end = self.lexing.text.len();
        let becomes = Matched::Skip;
        let mut draft = Draft { start, becomes, channel: 0, before: Vec::new(), after: Vec::new() };
        loop {
            let (to, matched) = self.longest(start)?;
            match matched {
                Some(state) => {
                    self.empty = if to == self.at { self.empty + 1 } else { 0 };
                    self.at = to;
                    let accept = self.automaton.accept(state).expect("it matched in this state");
                    self.run_actions(accept, &mut draft)?;
                }
                None if self.at == end => draft.becomes = Matched::Token(TokenType::EOF),
                None => {
                    self.at = to;
                    self.lexed.dropped.push(Dropped { start: start as u32, end: to as u32 });
                    draft.becomes = Matched::Skip;
                }
            }
            *hit_end |= self.at >= end;
            if draft.becomes != Matched::More {
                return Ok(draft);
            }
        }
    }

    /// The longest match, as [`Lexing::longest`] finds it.
    fn longest(&mut self, start: usize) -> Result<(usize, Option<LexId>), ParseError> {
        let lexing = self.lexing;
        let mut at = self.at;
        let mut step = self.step(AskPlace::Start(self.modes.mode), start, at)?;
        let mut best = None;
        loop {
            if step == LexStep::DEAD {
                return Ok(best.map_or((at, None), |(after, state)| (after, Some(state))));
            }
            let state = step.state();
            if step.accepts() {
                best = Some((at, state));
            }
            if step.stops() {
                return Ok((at, Some(state)));
            }
            let Some(byte) = lexing.text.as_bytes().get(at) else {
                let at_end = self.longest_at_end(start, state)?;
                let best = at_end.map(|state| (at, state)).or(best);
                return Ok(best.map_or((at, None), |(after, state)| (after, Some(state))));
            };
            let (class, len) = match lexing.network.classes.of_byte(*byte) {
                Some(class) => (class, 1),
                None => lexing.wide_class(at),
            };
            at += len;
            step = self.step(AskPlace::Edge(state, class), start, at)?;
        }
    }

    fn longest_at_end(&mut self, start: usize, mut state: LexId) -> Result<Option<LexId>, ParseError> {
        loop {
            let place = AskPlace::Edge(state, self.automaton.end_of_input());
            let step = self.step(place, start, self.lexing.text.len())?;
            if step == LexStep::DEAD || step.state() == state {
                return Ok(None);
            }
            state = step.state();
            if step.accepts() {
                return Ok(Some(state));
            }
        }
    }

    /// An edge. The predicates that it depends on are asked after its character, which ends at `at`.
    #[inline]
    fn step(&mut self, place: AskPlace, start: usize, at: usize) -> Result<LexStep, ParseError> {
        let network = self.lexing.network;
        match self.automaton.unanswered(network, place) {
            LexStep::ASK => {}
            step => return Ok(step),
        }
        let codes = self.automaton.asked(place);
        let answers: Result<Vec<bool>, ParseError> = codes
            .iter()
            .map(|code| {
                let view = self.view(start, at);
                let answer = self.hooks.lexer_predicate(*code, &self.state, &view);
                answer.map_err(|error| self.code_failed(*code, at, error))
            })
            .collect();
        Ok(self.automaton.answered(network, place, &answers?))
    }

    fn code_failed(&self, code: CodeId, at: usize, error: HookError) -> ParseError {
        self.lexing.hook_failed(self.lexing.grammar.code(code).text.trim(), at, error)
    }

    fn view(&self, start: usize, at: usize) -> MatchView<'_> {
        let Lexing { grammar, text, .. } = *self.lexing;
        MatchView { grammar, text, start, at, lexed: &self.lexed, modes: &self.modes, token: None }
    }

    /// Runs the commands and actions of a match.
    fn run_actions(&mut self, accept: Accept, draft: &mut Draft) -> Result<(), ParseError> {
        let lexing = self.lexing;
        if self.empty > MAX_EMPTY_MATCHES && self.at < lexing.text.len() {
            return Err(lexing.empty_token(accept.rule, self.at));
        }
        draft.becomes = Matched::Token(own_type(lexing.grammar, accept.rule));
        let actions = match (accept.list, accept.commands) {
            (Some(list), _) => self.automaton.lists.actions(list),
            (None, Some(alt)) => vec![LexerAction::Commands(alt)],
            (None, None) => return Ok(()),
        };
        for action in actions {
            match action {
                LexerAction::Commands(alt) => {
                    let parts = (&mut self.modes, &mut draft.channel, &mut draft.becomes);
                    lexing.run_alternative(accept.rule, alt, parts, draft.start)?;
                }
                LexerAction::Code(code) => {
                    let state = std::mem::take(&mut self.state);
                    let outcome = self.hooks.lexer_action(code, state, &self.view(draft.start, self.at));
                    let outcome = outcome.map_err(|error| self.code_failed(code, draft.start, error))?;
                    self.apply(outcome, lexing.grammar.code(code).text.trim(), draft)?;
                }
            }
        }
        Ok(())
    }

    fn token_event(&mut self, draft: &mut Draft) -> Result<(), ParseError> {
        let Matched::Token(kind) = draft.becomes else { return Ok(()) };
        if !self.hooks.has_token_hook() {
            return Ok(());
        }
        let state = std::mem::take(&mut self.state);
        let view = MatchView {
            token: Some(token(draft.start, self.at, kind, draft.channel)),
            ..self.view(draft.start, self.at)
        };
        let outcome = self.hooks.token(state, &view);
        let outcome = outcome.map_err(|error| self.lexing.hook_failed("token", draft.start, error))?;
        self.apply(outcome, "token", draft)
    }

    /// Does what a hook wants.
    fn apply(&mut self, outcome: LexerOutcome, hook: &str, draft: &mut Draft) -> Result<(), ParseError> {
        self.state = outcome.state;
        let text = self.lexing.text;
        for effect in outcome.effects {
            match effect {
                LexerEffect::Type(kind) => draft.becomes = Matched::Token(kind),
                LexerEffect::Channel(channel) => draft.channel = channel,
                LexerEffect::Skip => draft.becomes = Matched::Skip,
                LexerEffect::More => draft.becomes = Matched::More,
                LexerEffect::Mode(mode) => self.modes.mode = self.checked(mode, hook, draft)?,
                LexerEffect::PushMode(mode) => {
                    let mode = self.checked(mode, hook, draft)?;
                    self.modes.below.push(std::mem::replace(&mut self.modes.mode, mode));
                }
                LexerEffect::PopMode => {
                    let below = self.modes.below.pop();
                    self.modes.mode = below.ok_or_else(|| {
                        let message = "it pops a mode, but no mode was pushed".to_owned();
                        self.lexing.hook_failed(hook, draft.start, HookError { message })
                    })?;
                }
                LexerEffect::Consume(count) => {
                    self.at += text[self.at..].chars().take(count).map(char::len_utf8).sum::<usize>();
                }
                LexerEffect::GiveBack(count) => {
                    let matched = &text[draft.start..self.at];
                    self.at -= matched.chars().rev().take(count).map(char::len_utf8).sum::<usize>();
                }
                LexerEffect::Before(inserted) => draft.before.push(inserted),
                LexerEffect::After(inserted) => draft.after.push(inserted),
                LexerEffect::Error(message) => self.lexed.reported.push(ReportedError {
                    start: draft.start as u32,
                    end: self.at as u32,
                    message,
                }),
            }
        }
        Ok(())
    }

    fn checked(&self, mode: ModeId, hook: &str, draft: &Draft) -> Result<usize, ParseError> {
        if mode.index() < self.lexing.network.modes.len() {
            return Ok(mode.index());
        }
        let message = format!("there is no mode {}", mode.index());
        Err(self.lexing.hook_failed(hook, draft.start, HookError { message }))
    }

    fn finish_token(&mut self, draft: &Draft, kind: TokenType) -> Result<(), ParseError> {
        let (limit, grammar) = (self.lexing.limits.max_tokens, self.lexing.grammar);
        let token = token(draft.start, self.at, kind, draft.channel);
        self.lexed.push_with(grammar, self.lexing.text, token, &draft.before, &draft.after);
        if self.lexed.tokens.len() > limit {
            return Err(ParseError::Tokens { limit });
        }
        Ok(())
    }
}

impl Lexed {
    /// Adds a token with those that were inserted around it. They take their characters from it.
    pub(super) fn push_with(
        &mut self,
        grammar: &Grammar,
        text: &str,
        mut token: super::Token,
        before: &[InsertedToken],
        after: &[InsertedToken],
    ) {
        for inserted in before {
            let characters = text[token.start as usize..token.end as usize].chars().take(inserted.characters);
            let middle = token.start + characters.map(char::len_utf8).sum::<usize>() as u32;
            self.insert(grammar, token.start, middle, inserted);
            token.start = middle;
        }
        let whole = token.end;
        let own = &text[token.start as usize..token.end as usize];
        let taken = after.iter().map(|inserted| inserted.characters).sum();
        token.end -= own.chars().rev().take(taken).map(char::len_utf8).sum::<usize>() as u32;
        self.tokens.push(token);
        let mut start = token.end;
        for inserted in after {
            let characters = text[start as usize..whole as usize].chars().take(inserted.characters);
            let end = start + characters.map(char::len_utf8).sum::<usize>() as u32;
            self.insert(grammar, start, end, inserted);
            start = end;
        }
    }

    fn insert(&mut self, grammar: &Grammar, start: u32, end: u32, inserted: &InsertedToken) {
        if start == end {
            let shown: Arc<str> = format!("<{}>", crate::show::type_name(grammar, inserted.kind)).into();
            self.inserted.push((self.tokens.len() as u32, shown));
        }
        self.tokens.push(super::Token { start, end, kind: inserted.kind, channel: inserted.channel });
    }
}
