//! `Parser`: a grammar compiled, with what has been learned about it.

use crate::doubt::{Brackets, Doubts, Ground};
use crate::error::{CompileError, Limits, ParseError};
use crate::fast::{Ascents, FastRows};
use crate::foresight::Places;
use crate::lexer::automaton::{Automaton, Step};
use crate::lexer::network::LexerNetwork;
use crate::lexer::{Lexed, Lexing, Token};
use crate::machine::{ErrorKind, Forced, Input, Machine, Outcome, SyntaxError};
use crate::names::{Names, quoted};
use crate::network::{self, Look, Network, Ways};
use crate::predict::Predictor;
use crate::predict::conditions::{passes, reads_context};
use crate::profile::Profile;
use crate::program::{self, Program};
use crate::spare::Spare;
use polysmith_grammar::{BlockId, CodeId, Grammar, ModeId, RuleId, TokenType};
use polysmith_tree::Tree;
use std::sync::{Arc, OnceLock};

/// What follows from the grammar alone; shared between threads.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) grammar: Grammar,
    pub(crate) network: Network,
    pub(crate) look: Look,
    pub(crate) program: Program,
    pub(crate) lexer: LexerNetwork,
    pub(crate) names: Names,
    pub(crate) places: Places,
    /// Computed when first asked: only generation does.
    brackets: OnceLock<Brackets>,
    /// By decision: its table, if one token decides; computed when first asked.
    tables: Vec<OnceLock<Option<Box<[u16]>>>>,
}

impl Compiled {
    pub(crate) fn one_token_table(&self, decision: usize) -> Option<&[u16]> {
        let table = self.tables[decision].get_or_init(|| self.look.one_token_table(&self.network, decision));
        table.as_deref()
    }

    /// What the approximation of prediction is about.
    pub(crate) fn ground(&self) -> Ground<'_> {
        let brackets = || Brackets::new(&self.grammar, &self.network, &self.places.elements);
        Ground { network: &self.network, look: &self.look, brackets: self.brackets.get_or_init(brackets) }
    }
}

/// What has been learned from inputs; never changes an answer.
#[derive(Debug, Clone)]
pub(crate) struct Learned {
    pub(crate) predictor: Predictor,
    pub(crate) doubts: Doubts,
    pub(crate) automaton: Automaton,
    /// By place and token type: the answer, as far as it depends on nothing else.
    pub(crate) fast: FastRows,
    pub(crate) ascents: Ascents,
    /// Memory for the next parse.
    pub(crate) spare: Spare,
}

impl Learned {
    /// Forgets what prediction has learned if that takes more memory than allowed; says whether it did.
    #[inline]
    pub(crate) fn forget_beyond(&mut self, max_memory: usize, compiled: &Compiled) -> bool {
        let too_much = self.predictor.has_grown()
            && self.predictor.memory() + self.fast.memory() + self.ascents.memory() > max_memory;
        if too_much {
            self.predictor.forget(&compiled.network);
            self.fast.forget();
            self.ascents.forget();
        }
        too_much
    }
}

/// Parses texts of one language.
///
/// It learns while it parses, so the second input is faster than the first. A clone shares what follows from the
/// grammar and starts with what has been learned so far: give each thread one.
#[derive(Debug, Clone)]
pub struct Parser {
    pub(crate) compiled: Arc<Compiled>,
    pub(crate) learned: Learned,
}

/// What became of an input.
#[derive(Debug, Clone)]
pub struct Parsed {
    /// The whole input as a tree, also after errors.
    pub tree: Tree,
    /// Its tokens and the texts that the lexer dropped.
    pub lexed: Lexed,
    /// Everything wrong with it, by place, lexer errors before others at the same place.
    pub errors: Vec<SyntaxError>,
    /// The errors of the parser, in the order in which it found them.
    pub parser_errors: Vec<SyntaxError>,
    /// The place in [`Lexed::tokens`] of the last token that the parser looked at.
    pub looked: usize,
}

impl Parsed {
    /// No error, and nothing left over.
    pub fn accepted(&self) -> bool {
        self.errors.is_empty()
    }
}

/// A state of a lexer mode's automaton. Valid until the parser that made it lexes or parses a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LexState(u32);

/// What a state of a lexer mode's automaton came to on its way over a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LexWalk {
    /// No token rule can match that far.
    Died,
    /// A token rule matches up to some place in the text.
    Accepts,
    /// Neither so far.
    Alive(LexState),
}

impl Parser {
    /// Compiles a grammar. What its decisions need is computed when they are first met.
    pub fn new(grammar: &Grammar) -> Result<Parser, CompileError> {
        check_quantifiers(grammar)?;
        let built = network::build(grammar);
        let look = Look::new(&built.network);
        network::check(grammar, &built.network, &look)?;
        let lexer = crate::lexer::network::build(grammar);
        crate::lexer::network::check(grammar, &lexer)?;
        let program = program::compile(grammar, &built);
        let codes: Vec<CodeId> = (0..grammar.n_codes()).map(CodeId::new).collect();
        let truth = codes.iter().map(|code| passes(grammar.code(*code))).collect();
        let contextual = codes.iter().map(|code| reads_context(grammar, *code)).collect();
        let ways = Arc::new(Ways::new(&built.network, &look, contextual));
        let learned = Learned {
            predictor: Predictor::new(&built.network, ways, truth),
            doubts: Doubts::new(&built.network),
            automaton: Automaton::new(&lexer),
            fast: FastRows::new(program.n_rows as usize, built.network.n_types + 1),
            ascents: Ascents::new(program.calls.len(), built.network.n_types + 1),
            spare: Spare::default(),
        };
        let compiled = Compiled {
            names: Names::new(grammar),
            places: Places::new(&built),
            brackets: OnceLock::new(),
            tables: built.network.decisions.iter().map(|_| OnceLock::new()).collect(),
            grammar: grammar.clone(),
            network: built.network,
            look,
            program,
            lexer,
        };
        Ok(Parser { compiled: Arc::new(compiled), learned })
    }

    /// The grammar.
    pub fn grammar(&self) -> &Grammar {
        &self.compiled.grammar
    }

    /// The name of a token type in messages.
    pub fn token_name(&self, token: TokenType) -> String {
        self.compiled.names.show(token)
    }

    /// The rule and the group (`None` is the whole rule) that a decision is about.
    pub fn decision_place(&self, decision: usize) -> (RuleId, Option<BlockId>) {
        let network = &self.compiled.network;
        let state = network.decisions[decision].state;
        let rule = RuleId::new(network.state(state).rule as usize);
        (rule, self.compiled.program.decision_blocks[decision])
    }

    /// How many decisions the grammar has.
    pub fn n_decisions(&self) -> usize {
        self.compiled.network.decisions.len()
    }

    /// Splits a text into tokens.
    pub fn lex(&mut self, text: &str, limits: &Limits) -> Result<Lexed, ParseError> {
        if text.len() > limits.max_bytes.min(u32::MAX as usize / 2) {
            return Err(ParseError::Bytes { bytes: text.len(), limit: limits.max_bytes });
        }
        let compiled = &*self.compiled;
        Lexing { grammar: &compiled.grammar, network: &compiled.lexer, text, limits }
            .run(&mut self.learned.automaton, self.learned.spare.tokens())
    }

    /// A number for the stack of modes in which each token of [`Self::lex`] is begun: two tokens with the same
    /// number are read in the same way whatever stood before them.
    pub fn lex_stacks(&mut self, text: &str, limits: &Limits) -> Result<Vec<u32>, ParseError> {
        let compiled = &*self.compiled;
        let mut known = rustc_hash::FxHashMap::default();
        let mut stacks: Vec<u32> = Vec::new();
        Lexing { grammar: &compiled.grammar, network: &compiled.lexer, text, limits }.run_watched(
            &mut self.learned.automaton,
            self.learned.spare.tokens(),
            |tokens, stack| {
                let next = known.len() as u32;
                let number = known.get(stack).copied().unwrap_or_else(|| {
                    known.insert(stack.clone(), next);
                    next
                });
                stacks.truncate(tokens);
                stacks.push(number);
            },
        )?;
        Ok(stacks)
    }

    /// Parses a text from a rule on.
    pub fn parse(&mut self, start: RuleId, text: &str, limits: &Limits) -> Result<Parsed, ParseError> {
        let lexed = self.lex(text, limits)?;
        self.parse_lexed(start, text, lexed, limits)
    }

    /// Parses and counts what decisions cost.
    pub fn parse_profiled(
        &mut self,
        start: RuleId,
        text: &str,
        limits: &Limits,
        profile: &mut Profile,
    ) -> Result<Parsed, ParseError> {
        let lexed = self.lex(text, limits)?;
        profile.begin();
        self.run(start, text, lexed, limits, None, Some(profile))
    }

    /// Parses, but takes another alternative than prediction at one place: to show the other tree of an
    /// ambiguity.
    pub fn parse_otherwise(
        &mut self,
        start: RuleId,
        text: &str,
        limits: &Limits,
        at: &crate::Ambiguity,
        alt: u16,
    ) -> Result<Parsed, ParseError> {
        let lexed = self.lex(text, limits)?;
        let forced = Some(Forced { decision: at.decision as u32, at: at.token, alt });
        self.run(start, text, lexed, limits, forced, None)
    }

    /// How many alternatives a decision has.
    pub fn n_alternatives(&self, decision: usize) -> usize {
        let network = &self.compiled.network;
        network.state(network.decisions[decision].state).count as usize
    }

    /// Parses tokens that are there already.
    pub fn parse_lexed(
        &mut self,
        start: RuleId,
        text: &str,
        lexed: Lexed,
        limits: &Limits,
    ) -> Result<Parsed, ParseError> {
        self.run(start, text, lexed, limits, None, None)
    }

    /// Whether a slice of tokens (places in [`Lexed::tokens`]) is a text of a rule by itself. The tree, if it is;
    /// its leaves are ranges of the whole text.
    pub fn parse_slice(
        &mut self,
        rule: RuleId,
        text: &str,
        tokens: &[Token],
        limits: &Limits,
    ) -> Result<Option<Tree>, ParseError> {
        let end = tokens.last().map_or(0, |token| token.end);
        let mut lexed = Lexed { tokens: self.learned.spare.tokens(), dropped: Vec::new() };
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
        self.parse_slice(rule, &"?".repeat(types.len()), &tokens, limits)
    }

    fn run(
        &mut self,
        start: RuleId,
        text: &str,
        lexed: Lexed,
        limits: &Limits,
        forced: Option<Forced>,
        profile: Option<&mut Profile>,
    ) -> Result<Parsed, ParseError> {
        let span = (0, text.len());
        let visible = self.learned.spare.visible(&lexed, self.compiled.network.n_types);
        let input = Input { text, span, lexed: &lexed, visible: &visible.places, types: &visible.types };
        let outcome =
            Machine::new(&self.compiled, &mut self.learned, limits, input, forced, profile).run(start)?;
        let parsed = finished(text, lexed, &visible.places, outcome);
        self.learned.spare.keep_visible(visible);
        Ok(parsed)
    }

    /// Takes back a result that is no longer needed, to make the next one in its memory. Worth it where many texts
    /// are parsed, or large ones: fresh memory for an input of megabytes costs as much time as lexing it.
    pub fn reuse(&mut self, parsed: Parsed) {
        self.learned.spare.keep(parsed);
    }

    /// Forgets what was learned. Answers do not change.
    pub fn forget(&mut self) {
        self.learned.predictor.forget(&self.compiled.network);
        self.learned.automaton.forget(&self.compiled.lexer);
        self.learned.fast.forget();
        self.learned.ascents.forget();
    }

    /// Bytes taken by what was learned, roughly.
    pub fn learned_bytes(&self) -> usize {
        let Learned { predictor, automaton, fast, ascents, .. } = &self.learned;
        predictor.memory() + automaton.memory() + fast.memory() + ascents.memory()
    }

    /// How many states prediction has learned.
    pub fn learned_states(&self) -> usize {
        self.learned.predictor.n_states()
    }

    /// How many steps prediction has taken so far: what its work has cost, whatever the machine.
    pub fn predicted_steps(&self) -> u64 {
        self.learned.predictor.steps()
    }

    /// The lexer before the first character of a token.
    pub fn lex_start(&mut self, mode: ModeId) -> LexState {
        LexState(self.learned.automaton.start(&self.compiled.lexer, mode.index()).state())
    }

    /// The lexer behind one more character; `None` if no token rule can go on.
    pub fn lex_step(&mut self, state: LexState, c: char) -> Option<LexState> {
        let network = &self.compiled.lexer;
        let next = self.learned.automaton.step(network, state.0, network.classes.of(c.into()));
        (next != Step::DEAD).then_some(LexState(next.state()))
    }

    /// The lexer over a text, until it is known whether a token rule matches there.
    #[inline]
    pub fn lex_walk(&mut self, from: LexState, text: &str) -> LexWalk {
        let network = &self.compiled.lexer;
        let mut state = from.0;
        for c in text.chars() {
            let class = match u8::try_from(c).ok().and_then(|byte| network.classes.of_byte(byte)) {
                Some(class) => class,
                None => network.classes.of(c.into()),
            };
            match self.learned.automaton.step(network, state, class) {
                Step::DEAD => return LexWalk::Died,
                next if next.accepts() => return LexWalk::Accepts,
                next => state = next.state(),
            }
        }
        LexWalk::Alive(LexState(state))
    }

    /// The token rule that would match if the token ended here.
    pub fn lex_accepts(&self, state: LexState) -> Option<RuleId> {
        self.learned.automaton.accept(state.0).map(|accept| accept.rule)
    }

    /// Whether some character would let a token rule go on.
    pub fn lex_can_grow(&self, state: LexState) -> bool {
        self.learned.automaton.can_grow(&self.compiled.lexer, state.0)
    }

    /// The token rules that have matched so far or may match yet.
    pub fn lex_alive(&self, state: LexState) -> Vec<RuleId> {
        self.learned.automaton.alive(&self.compiled.lexer, state.0)
    }
}

/// Puts the errors of lexer and parser together.
fn finished(text: &str, lexed: Lexed, visible: &[u32], outcome: Outcome) -> Parsed {
    let mut errors = lexer_errors(&lexed, text);
    errors.extend(outcome.errors.iter().cloned());
    let token = lexed.tokens[visible[outcome.at] as usize];
    if token.kind != TokenType::EOF {
        errors.push(SyntaxError {
            kind: ErrorKind::Trailing,
            start: token.start as usize,
            end: token.end as usize,
            message: "the input goes on behind what the start rule takes".into(),
        });
    }
    errors.sort_by_key(|error| (error.start, error.kind));
    Parsed {
        tree: outcome.tree,
        errors,
        parser_errors: outcome.errors,
        looked: visible[outcome.looked] as usize,
        lexed,
    }
}

/// The texts that the lexer dropped, as errors with ANTLR's message.
pub fn lexer_errors(lexed: &Lexed, text: &str) -> Vec<SyntaxError> {
    let error = |dropped: &crate::Dropped| {
        let (start, end) = (dropped.start as usize, dropped.end as usize);
        let message = format!("token recognition error at: {}", quoted(&text[start..end]));
        SyntaxError { kind: ErrorKind::Lexer, start, end, message }
    };
    lexed.dropped.iter().map(error).collect()
}

fn check_quantifiers(grammar: &Grammar) -> Result<(), CompileError> {
    for block in (0..grammar.n_blocks()).map(BlockId::new) {
        let quantifier = grammar.block(block).quantifier;
        if quantifier.min > 1 || quantifier.max.is_some_and(|max| max != 1) {
            let rule = grammar.rule(grammar.block(block).rule).name.clone();
            let max = quantifier.max.unwrap_or(u32::MAX);
            return Err(CompileError::Quantifier { rule, min: quantifier.min, max });
        }
    }
    Ok(())
}
