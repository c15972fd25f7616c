//! The parser as a [`Recognizer`]: texts are UTF-8, and a blank keeps two tokens apart if the lexer skips blanks.

use crate::error::{CompileError, Limits, ParseError};
use crate::lexer::{LexState, Token};
use crate::parser::{Parsed, Parser};
use polysmith_grammar::{Grammar, ModeId, RuleId, RuleKind, TokenType};
use polysmith_tree::{ReadError, Reading, Recognizer, TokenText};
use std::sync::Arc;

/// Steps of the search for the text of a token. Most tokens that are found at all take fewer than 200.
const MAX_SEARCH_STEPS: usize = 4_000;

/// The longest text of a token that is looked for: longer ones make no text smaller.
const MAX_SEARCH_LENGTH: usize = 3;

/// Recognizes UTF-8 texts by an ANTLR grammar.
#[derive(Debug, Clone)]
pub struct TextRecognizer {
    parser: Parser,
    start: RuleId,
    limits: Limits,
    skips_blanks: bool,
}

impl TextRecognizer {
    /// Compiles a grammar.
    ///
    /// # Errors
    /// [`CompileError`] if the grammar cannot be parsed with.
    pub fn new(grammar: impl Into<Arc<Grammar>>, start: RuleId) -> Result<TextRecognizer, CompileError> {
        Parser::new(grammar).map(|parser| TextRecognizer::with_parser(parser, start))
    }

    /// Reads with a parser from a rule on, within the default limits.
    pub fn with_parser(mut parser: Parser, start: RuleId) -> TextRecognizer {
        let limits = Limits::default();
        let skips_blanks = parser.lex(" ", &limits).is_ok_and(|lexed| {
            lexed.dropped.is_empty()
                && lexed.tokens.iter().all(|token| token.kind == TokenType::EOF || token.channel != 0)
        });
        TextRecognizer { parser, start, limits, skips_blanks }
    }

    fn parse(&mut self, text: &[u8]) -> Result<Parsed, ReadError> {
        let text = std::str::from_utf8(text)
            .map_err(|error| ReadError { message: error.to_string(), offset: Some(error.valid_up_to()) })?;
        self.parser
            .parse(self.start, text, &self.limits)
            .map_err(|error: ParseError| ReadError { message: error.to_string(), offset: None })
    }

    fn n_modes(&self) -> usize {
        self.parser.grammar().lexer().modes.len()
    }

    /// The numbers of the stacks of lexer modes before each visible token of a tree.
    fn states(&mut self, text: &[u8], parsed: &Parsed) -> Vec<u32> {
        if self.n_modes() <= 1 {
            return Vec::new();
        }
        let Ok(text) = std::str::from_utf8(text) else { return Vec::new() };
        let Ok(stacks) = self.parser.lexer().mode_stacks(text, &self.limits) else { return Vec::new() };
        let tokens = &parsed.lexed.tokens;
        let mut at = 0;
        let before = |start: usize| {
            while at + 1 < tokens.len() && (tokens[at].start as usize) < start {
                at += 1;
            }
            stacks.get(at).copied().unwrap_or(0)
        };
        let tree = &parsed.tree;
        tree.visible_tokens().map(|leaf| tree.leaf_range(leaf).start).map(before).collect()
    }

    /// Whether the lexer, having read a token, could read on: in the first mode in which that is its type. A token
    /// that no mode reads this way could be anything.
    fn could_go_on(&mut self, left: TokenText<'_>, next: char) -> bool {
        let Ok(text) = std::str::from_utf8(left.text) else { return true };
        for mode in 0..self.n_modes() {
            let mut state = Some(self.parser.lexer().start(ModeId::new(mode)));
            for c in text.chars() {
                state = state.and_then(|state| self.parser.lexer().step(state, c));
            }
            if let Some(state) = state.filter(|state| self.is_end_of(*state, left.kind)) {
                return self.parser.lexer().step(state, next).is_some();
            }
        }
        true
    }

    /// Whether a token of this type may end in a state of the lexer.
    fn is_end_of(&mut self, state: LexState, kind: TokenType) -> bool {
        let rule = self.parser.lexer().accepts(state);
        rule.is_some_and(|rule| {
            let kind_of_rule = &self.parser.grammar().rule(rule).kind;
            matches!(kind_of_rule, RuleKind::Token { token, .. } if *token == Some(kind))
        })
    }
}

impl Recognizer for TextRecognizer {
    fn grammar(&self) -> &Arc<Grammar> {
        self.parser.grammar()
    }

    fn start(&self) -> RuleId {
        self.start
    }

    fn read(&mut self, text: &[u8]) -> Result<Reading, ReadError> {
        let parsed = self.parse(text)?;
        let states = self.states(text, &parsed);
        let token_count = parsed.lexed.tokens.iter().filter(is_visible).count();
        let error =
            |error: crate::SyntaxError| ReadError { message: error.message, offset: Some(error.start) };
        let errors = parsed.errors.into_iter().map(error).collect();
        Ok(Reading { tree: parsed.tree, errors, token_count, states })
    }

    fn count_errors(&mut self, text: &[u8]) -> Option<usize> {
        self.parse(text).ok().map(|parsed| parsed.errors.len())
    }

    fn accepts(&mut self, rule: RuleId, types: &[TokenType]) -> Option<bool> {
        Some(matches!(self.parser.parse_types(rule, types, &self.limits), Ok(Some(_))))
    }

    fn between(&mut self, left: TokenText<'_>, right: &[u8]) -> Option<&[u8]> {
        // No character has more than four bytes.
        let right = String::from_utf8_lossy(&right[..right.len().min(4)]);
        let needs_blank = right.chars().next().is_some_and(|next| self.could_go_on(left, next));
        match needs_blank {
            false => Some(b""),
            true => self.skips_blanks.then_some(b" "),
        }
    }

    fn separates(&self, hidden: &[u8]) -> bool {
        hidden.first().is_some_and(u8::is_ascii_whitespace)
    }

    fn reads_after(&mut self, hidden: &[u8], token: TokenText<'_>) -> Option<bool> {
        let begins_blank = token.text.first().is_some_and(u8::is_ascii_whitespace);
        if hidden.is_empty() || hidden.iter().all(u8::is_ascii_whitespace) && !begins_blank {
            return Some(true);
        }
        if self.n_modes() > 1 {
            return None;
        }
        let joined = [hidden, token.text].concat();
        let Ok(text) = std::str::from_utf8(&joined) else { return Some(false) };
        let Ok(lexed) = self.parser.lex(text, &self.limits) else { return Some(false) };
        let first = lexed.tokens.iter().find(|token| token.channel == 0);
        let expected = (hidden.len(), joined.len(), token.kind);
        Some(first.is_some_and(|first| (first.start as usize, first.end as usize, first.kind) == expected))
    }

    fn tokens<'t>(&mut self, text: &'t [u8]) -> Option<Vec<TokenText<'t>>> {
        let lexed = self.parser.lex(std::str::from_utf8(text).ok()?, &self.limits).ok()?;
        let shown = |token: &Token| TokenText {
            kind: token.kind,
            text: &text[token.start as usize..token.end as usize],
        };
        lexed.dropped.is_empty().then(|| lexed.tokens.iter().filter(is_visible).map(shown).collect())
    }

    /// The shortest text that the lexer reads as a type in its first mode, digits and letters first: found by a search
    /// breadth first through the lexer's automaton.
    fn short_text(&mut self, kind: TokenType) -> Option<Vec<u8>> {
        let marks = (b'!'..=b'~').filter(|byte| !byte.is_ascii_alphanumeric());
        let alphabet: Vec<u8> = (b'0'..=b'1').chain(b'a'..=b'b').chain(marks).collect();
        let mut level = vec![(Vec::new(), self.parser.lexer().start(ModeId::new(0)))];
        let mut steps = 0;
        for _ in 0..MAX_SEARCH_LENGTH {
            let mut next = Vec::new();
            for (text, state) in level {
                for byte in &alphabet {
                    steps += 1;
                    let Some(to) = self.parser.lexer().step(state, char::from(*byte)) else { continue };
                    let longer = [&text[..], &[*byte]].concat();
                    if self.is_end_of(to, kind) {
                        return Some(longer);
                    }
                    next.push((longer, to));
                }
                if steps > MAX_SEARCH_STEPS {
                    return None;
                }
            }
            level = next;
        }
        None
    }

    fn boxed_clone(&self) -> Box<dyn Recognizer> {
        Box::new(self.clone())
    }
}

fn is_visible(token: &&Token) -> bool {
    token.channel == 0 && token.kind != TokenType::EOF
}
