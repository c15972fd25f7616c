//! `Parser`: a compiled grammar, with what has been learned about it.

use crate::compiled::Compiled;
use crate::decisions::DecisionTable;
use crate::error::{CompileError, Limits, ParseError};
use crate::hooks::Hooks;
use crate::learned::Learned;
use crate::lexer::{Lexed, LexerView, Lexing, Token};
use crate::lookahead::Lookahead;
use crate::machine::{ErrorKind, Input, Machine, ParseOutcome, ReportedError, SyntaxError};
use crate::names::quoted;
use crate::profile::Profile;
use polysmith_grammar::{Grammar, RuleId, TokenType};
use polysmith_tree::Tree;
use std::sync::Arc;

/// Parses texts of one language.
///
/// A parser learns while it parses, so the second input is faster than the first. A clone shares what follows from
/// the grammar and starts with what has been learned so far: give each thread one.
///
/// Three views give access to its parts: [`Parser::lexer`] to the lexer's states, [`Parser::lookahead`] to its
/// decisions before the whole text exists, [`Parser::decisions`] to where it decides.
#[derive(Debug, Clone)]
pub struct Parser {
    pub(crate) compiled: Arc<Compiled>,
    pub(crate) learned: Learned,
}

/// The result of parsing a text.
#[derive(Debug, Clone)]
pub struct Parsed {
    /// The whole input as a tree, also after errors.
    pub tree: Tree,
    /// Its tokens and the texts that the lexer dropped.
    pub lexed: Lexed,
    /// All errors, sorted by offset; lexer errors come before others at the same offset.
    pub errors: Vec<SyntaxError>,
    /// Indices of `errors` in the order in which ANTLR's parser reports them; use [`Parsed::reported`].
    report_order: Vec<u32>,
    /// The index in [`Lexed::tokens`] of the last token that the parser looked at.
    pub looked: usize,
}

impl Parsed {
    /// Whether there is no error and nothing is left over.
    pub fn accepted(&self) -> bool {
        self.errors.is_empty()
    }

    /// All errors in the order in which ANTLR's parser reports them. It asks for tokens as it needs them, so an error of
    /// the lexer is reported before those of the parser if the parser had asked for a token after it. Recovery can find an
    /// error to the left of an earlier one. What the parser does not read comes last.
    pub fn reported(&self) -> impl Iterator<Item = &SyntaxError> {
        self.report_order().iter().map(|index| &self.errors[*index as usize])
    }

    /// Indices of [`Parsed::errors`] in the order of [`Parsed::reported`].
    pub fn report_order(&self) -> &[u32] {
        &self.report_order
    }
}

/// What [`Parser::parse_with`] does beyond parsing.
#[derive(Debug, Default)]
pub struct ParseOptions<'a> {
    /// The tokens of the text, if [`Parser::lex`] has made them already.
    pub tokens: Option<Lexed>,
    /// Counts what decisions cost.
    pub profile: Option<&'a mut Profile>,
    /// Takes another alternative than the predicted one at one decision, to show the other tree of an ambiguity.
    pub forced: Option<ForcedAlternative>,
}

/// An alternative to take instead of the predicted one, the first time that its decision is met at its token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ForcedAlternative {
    /// The decision's number.
    pub decision: usize,
    /// The index of the token ahead among the tokens that the parser sees.
    pub token: usize,
    /// The alternative, from 1.
    pub alternative: u16,
}

/// What prediction has cost since the parser was made, in units that do not depend on the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PredictionCost {
    /// States of prediction's automata.
    pub states: usize,
    /// Configurations that prediction has looked at. [`Parser::forget`] does not reset it.
    pub steps: u64,
}

impl Parser {
    /// Compiles a grammar. Tables of single decisions are computed when they are first needed.
    ///
    /// # Errors
    /// [`CompileError`] if the grammar cannot be parsed with.
    pub fn new(grammar: impl Into<Arc<Grammar>>) -> Result<Parser, CompileError> {
        Parser::compile(grammar.into(), None)
    }

    /// Compiles a grammar whose predicates and actions have a meaning.
    ///
    /// # Errors
    /// [`CompileError`] if the grammar cannot be parsed with.
    pub fn with_hooks(
        grammar: impl Into<Arc<Grammar>>,
        hooks: Arc<dyn Hooks>,
    ) -> Result<Parser, CompileError> {
        Parser::compile(grammar.into(), Some(hooks))
    }

    fn compile(grammar: Arc<Grammar>, hooks: Option<Arc<dyn Hooks>>) -> Result<Parser, CompileError> {
        let compiled = Compiled::new(grammar, hooks)?;
        let learned = Learned::new(&compiled);
        Ok(Parser { compiled: Arc::new(compiled), learned })
    }

    /// The grammar.
    pub fn grammar(&self) -> &Arc<Grammar> {
        &self.compiled.grammar
    }

    /// The name of a token type in messages.
    pub fn token_name(&self, token: TokenType) -> String {
        self.compiled.names.show(token)
    }

    /// The lexer's automata.
    #[inline]
    pub fn lexer(&mut self) -> LexerView<'_> {
        LexerView {
            grammar: &self.compiled.grammar,
            network: &self.compiled.lexer,
            automaton: &mut self.learned.automaton,
            spare: &mut self.learned.spare,
            hooks: self.compiled.hooks.as_deref(),
        }
    }

    /// Predictions over tokens that are still being made.
    #[inline]
    pub fn lookahead(&mut self) -> Lookahead<'_> {
        Lookahead { compiled: &self.compiled, learned: &mut self.learned }
    }

    /// Where the parser decides.
    pub fn decisions(&self) -> DecisionTable<'_> {
        DecisionTable { compiled: &self.compiled }
    }

    /// Splits a text into tokens.
    ///
    /// # Errors
    /// A limit is exceeded, or the lexer rules do not make progress.
    pub fn lex(&mut self, text: &str, limits: &Limits) -> Result<Lexed, ParseError> {
        if text.len() > limits.max_bytes.min(u32::MAX as usize / 2) {
            return Err(ParseError::Bytes { bytes: text.len(), limit: limits.max_bytes });
        }
        let compiled = &*self.compiled;
        let lexing = Lexing { grammar: &compiled.grammar, network: &compiled.lexer, text, limits };
        match &compiled.hooks {
            Some(hooks) => lexing.run_hooked(&mut self.learned.automaton, &**hooks),
            None => lexing.run(&mut self.learned.automaton, self.learned.spare.tokens()),
        }
    }

    /// Parses a text from a rule on.
    ///
    /// # Errors
    /// A limit is exceeded, or the lexer rules do not make progress. Syntax errors are in [`Parsed::errors`].
    pub fn parse(&mut self, start: RuleId, text: &str, limits: &Limits) -> Result<Parsed, ParseError> {
        self.parse_with(start, text, limits, ParseOptions::default())
    }

    /// Parses a text from a rule on, with options.
    ///
    /// # Errors
    /// As [`Parser::parse`].
    pub fn parse_with(
        &mut self,
        start: RuleId,
        text: &str,
        limits: &Limits,
        options: ParseOptions<'_>,
    ) -> Result<Parsed, ParseError> {
        let ParseOptions { tokens, mut profile, forced } = options;
        let lexed = match tokens {
            Some(lexed) => lexed,
            None => self.lex(text, limits)?,
        };
        if let Some(profile) = &mut profile {
            profile.begin();
        }
        let span = (0, text.len());
        let visible = self.learned.spare.visible(&lexed, self.compiled.network.n_types);
        let input = Input { text, span, lexed: &lexed, visible: &visible.places, types: &visible.types };
        let machine = Machine::new(&self.compiled, &mut self.learned, limits, input, forced, profile);
        let outcome = machine.run(start)?;
        let parsed = finished(text, lexed, &visible.places, outcome);
        self.learned.spare.keep_visible(visible);
        Ok(parsed)
    }

    /// Whether a slice of [`Lexed::tokens`] is a text of a rule by itself. Returns the tree if it is; its leaves are
    /// ranges of the whole text.
    fn parse_tokens(
        &mut self,
        rule: RuleId,
        text: &str,
        tokens: &[Token],
        limits: &Limits,
    ) -> Result<Option<Tree>, ParseError> {
        let end = tokens.last().map_or(0, |token| token.end);
        let mut lexed = Lexed { tokens: self.learned.spare.tokens(), ..Lexed::default() };
        lexed.tokens.extend_from_slice(tokens);
        lexed.tokens.push(Token { start: end, end, kind: TokenType::EOF, channel: 0 });
        let visible = self.learned.spare.visible(&lexed, self.compiled.network.n_types);
        let span = (tokens.first().map_or(0, |token| token.start as usize), end as usize);
        let input = Input { text, span, lexed: &lexed, visible: &visible.places, types: &visible.types };
        let machine = Machine::new(&self.compiled, &mut self.learned, limits, input, None, None);
        let outcome = machine.run(rule)?;
        let whole = outcome.errors.is_empty() && outcome.at + 1 == visible.types.len();
        self.learned.spare.keep_visible(visible);
        self.learned.spare.keep_tokens(lexed.tokens);
        Ok(whole.then_some(outcome.tree))
    }

    /// The tree that the parser makes of a sequence of token types, if it accepts it. The text of the `i`-th
    /// token is byte `i` of the tree's text.
    ///
    /// # Errors
    /// As [`Parser::parse`].
    pub fn parse_types(
        &mut self,
        rule: RuleId,
        types: &[TokenType],
        limits: &Limits,
    ) -> Result<Option<Tree>, ParseError> {
        let token = |(at, kind): (usize, &TokenType)| Token {
            start: at as u32,
            end: at as u32 + 1,
            kind: *kind,
            channel: 0,
        };
        let tokens: Vec<Token> = types.iter().enumerate().map(token).collect();
        self.parse_tokens(rule, &"?".repeat(types.len()), &tokens, limits)
    }

    /// Takes a result that is no longer needed, to make the next one in its memory. Worth it where many texts
    /// are parsed, or large ones: fresh memory for an input of megabytes costs as much time as lexing it.
    pub fn reuse(&mut self, parsed: Parsed) {
        self.learned.spare.keep(parsed);
    }

    /// Drops everything learned, and memory kept for the next parse. Answers do not change. States and predictions
    /// that the views gave out are void.
    pub fn forget(&mut self) {
        self.learned.forget(&self.compiled);
    }

    /// Bytes taken by everything learned and by memory kept for the next parse, roughly.
    pub fn learned_bytes(&self) -> usize {
        self.learned.memory()
    }

    /// What prediction has cost so far.
    pub fn prediction_cost(&self) -> PredictionCost {
        let predictor = &self.learned.predictor;
        PredictionCost { states: predictor.n_states(), steps: predictor.steps() }
    }
}

/// Puts the errors of lexer and parser together.
fn finished(text: &str, lexed: Lexed, visible: &[u32], outcome: ParseOutcome) -> Parsed {
    let looked = visible[outcome.looked] as usize;
    let reported = report_order(text, &lexed, visible, outcome.errors, outcome.at);
    let mut sorted: Vec<u32> = (0..reported.len() as u32).collect();
    sorted.sort_by_key(|index| (reported[*index as usize].start, reported[*index as usize].kind));
    let mut report_order = vec![0; reported.len()];
    for (place, index) in sorted.iter().enumerate() {
        report_order[*index as usize] = place as u32;
    }
    let mut errors = reported;
    errors.sort_by_key(|error| (error.start, error.kind));
    Parsed { tree: outcome.tree, errors, report_order, looked, lexed }
}

/// All errors in the order of [`Parsed::reported`]. `at`: the first visible token that was not consumed.
fn report_order(
    text: &str,
    lexed: &Lexed,
    visible: &[u32],
    of_parser: Vec<ReportedError>,
    at: usize,
) -> Vec<SyntaxError> {
    let mut of_lexer = lexer_errors(lexed, text).into_iter().peekable();
    let mut reported = Vec::with_capacity(of_lexer.len() + of_parser.len());
    for ReportedError { error, looked } in of_parser {
        let read_to = lexed.tokens[visible[looked] as usize].start as usize;
        reported.extend(std::iter::from_fn(|| of_lexer.next_if(|error| error.start < read_to)));
        reported.push(error);
    }
    reported.extend(of_lexer);
    let token = lexed.tokens[visible[at] as usize];
    if token.kind != TokenType::EOF {
        reported.push(SyntaxError {
            kind: ErrorKind::Trailing,
            start: token.start as usize,
            end: token.end as usize,
            message: "the input goes on after what the start rule takes".into(),
        });
    }
    reported
}

/// The texts that the lexer dropped, as errors with ANTLR's message, and the errors that hooks reported.
pub fn lexer_errors(lexed: &Lexed, text: &str) -> Vec<SyntaxError> {
    let error = |dropped: &crate::Dropped| {
        let (start, end) = (dropped.start as usize, dropped.end as usize);
        let message = format!("token recognition error at: {}", quoted(&text[start..end]));
        SyntaxError { kind: ErrorKind::Lexer, start, end, message }
    };
    let reported = lexed.reported.iter().map(|reported| SyntaxError {
        kind: ErrorKind::Lexer,
        start: reported.start as usize,
        end: reported.end as usize,
        message: reported.message.clone(),
    });
    lexed.dropped.iter().map(error).chain(reported).collect()
}
