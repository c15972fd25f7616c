//! Coarse prediction: a cheap proof that no alternative before the intended one can match.
//!
//! A generator intends one alternative at each decision and must know whether the parser will take it. The parser takes
//! the *first* alternative with which the text can be read. The generator's text can be read with the intended one, so the
//! only question is whether an earlier alternative can be read, too. Exact prediction ([`crate::predict`]) answers that,
//! but its automata have a state for each stack of open calls. Random texts nest differently every time, so exact
//! prediction keeps learning new states, which is slow. This module answers from an automaton with finitely many states.
//!
//! # What it computes
//!
//! A state is a *position set*: all positions (a state of the network with a stack of open calls) that the alternatives
//! before the intended one can be at after the tokens so far. The set does not say which alternative a position belongs
//! to. If the set is empty, every earlier alternative is dead, and the parser takes the intended one. If it is not empty,
//! nothing is proved: the caller goes on with more tokens or asks exact prediction.
//!
//! # Why that is sound
//!
//! The set over-approximates: every position that exact prediction follows is in it. Each simplification only adds
//! positions.
//!
//! - *Stacks are cut where they repeat* ([`stacks`]). A call of a rule that is already open [`MAX_OPEN_CALLS`] times opens a
//!   *region*. Inside a region calls are not recorded, and a rule that ends may return to any of its callers. This bounds
//!   the number of stacks, and with it the number of states (tens of thousands for large grammars).
//! - *The callers of the decision's rule are unknown*: where it ends, the walk goes on after every call of it.
//! - *Predicates are passable.* Precedence is tested only where exact prediction tests it, too: in the decision's own
//!   invocation, before the first token.
//! - *Large sets are not computed*: [`TOO_LARGE`] represents any set and is never empty.
//! - *Brackets are skipped* ([`brackets`]): after [`TOKENS_IN_BRACKETS`] tokens inside a pair of balanced tokens, the set
//!   is unknown until the closing token, and then it is the set of all positions after the closing tokens that match the
//!   opening ones. So what is deep inside a bracket need not be learned.
//!
//! # Invariants
//!
//! - Set 0 is the empty set, set 1 is [`TOO_LARGE`]; both lead to themselves over every token.
//! - Positions of a set are sorted and distinct, so equal sets have equal numbers.
//! - A position is the state *after* a token. What is between it and the next token is walked when that token is known
//!   ([`step`]), and only into rules that can begin with it: of a hundred ways to begin an expression a few are visited.
//! - Everything learned is valid for one start rule, because only the start rule may end the text
//!   ([`CoarsePredictor::begin_text`]). Nothing learned changes an answer of the parser.
//!
//! # Cost
//!
//! A known transition is one array read. A new one walks at most [`MAX_VISITED`] positions.

mod brackets;
mod sets;
mod stacks;
mod step;

pub(crate) use brackets::Brackets;

use crate::network::{Edge, Look, Network};
use rustc_hash::FxHashMap;
use sets::{EMPTY_SET, Position, PositionSets, SetId, TOO_LARGE, UNKNOWN};
use stacks::{CallStacks, OWN_CALLERS};
use step::Walk;

/// A rule that is open this many times opens a region when it is called again. More tells deeper nestings apart and
/// learns more states.
const MAX_OPEN_CALLS: usize = 4;
/// Positions that one transition may visit; if there are more, the result is [`TOO_LARGE`]. Bounds the time of a step.
const MAX_VISITED: usize = 3_000;
/// Tokens after an opening bracket that are followed. More settles a few decisions earlier and learns more states.
const TOKENS_IN_BRACKETS: u32 = 2;

/// A coarse prediction of one decision, followed token by token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CoarsePrediction {
    /// [`UNKNOWN`] while a bracket is skipped.
    set: SetId,
    /// The set after the closing token of the open bracket; [`UNKNOWN`] if none is open.
    after_bracket: SetId,
    /// The opening and the closing type of that bracket, and the number of open ones.
    bracket: (u32, u32),
    depth: u32,
    /// Tokens seen inside it.
    inside: u32,
}

impl CoarsePrediction {
    /// Whether no alternative before the intended one can match.
    pub(crate) fn is_settled(self) -> bool {
        self.set == EMPTY_SET
    }

    /// Whether tokens tell nothing until the closing bracket.
    pub(crate) fn is_skipping(self) -> bool {
        self.set == UNKNOWN
    }
}

/// A decision, the intended alternative (from 1), and the precedence of the invocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct CoarseQuestion {
    pub(crate) decision: u32,
    pub(crate) intended: u16,
    pub(crate) precedence: u32,
}

/// What coarse prediction knows of the grammar.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CoarseTables<'a> {
    pub(crate) network: &'a Network,
    pub(crate) look: &'a Look,
    pub(crate) brackets: &'a Brackets,
}

/// Everything that coarse prediction has learned.
#[derive(Debug, Clone)]
pub(crate) struct CoarsePredictor {
    /// The rule that texts begin with.
    start: u32,
    stacks: CallStacks,
    sets: PositionSets,
    starts: FxHashMap<CoarseQuestion, SetId>,
    /// By set and opening token: the set after the closing one.
    after_brackets: FxHashMap<(SetId, u32), SetId>,
    walk: Walk,
}

impl CoarsePredictor {
    pub(crate) fn new(network: &Network) -> CoarsePredictor {
        CoarsePredictor {
            start: u32::MAX,
            stacks: CallStacks::new(),
            sets: PositionSets::new(network.n_types + 1),
            starts: FxHashMap::default(),
            after_brackets: FxHashMap::default(),
            walk: Walk::default(),
        }
    }

    /// Sets the rule that texts begin with. Drops what was learned for another rule, or what takes more than `max_memory`
    /// bytes; returns whether it did.
    pub(crate) fn begin_text(&mut self, network: &Network, start: u32, max_memory: usize) -> bool {
        let drops = self.start != start || self.memory() > max_memory;
        if drops {
            *self = CoarsePredictor { start, ..CoarsePredictor::new(network) };
        }
        drops
    }

    /// Bytes used, roughly.
    pub(crate) fn memory(&self) -> usize {
        self.sets.memory() + self.stacks.memory()
    }

    /// The prediction before the first token.
    pub(crate) fn begin(&mut self, network: &Network, question: CoarseQuestion) -> CoarsePrediction {
        let known = self.starts.get(&question).copied();
        let set = known.unwrap_or_else(|| self.learn_start(network, question));
        CoarsePrediction { set, after_bracket: UNKNOWN, bracket: (0, 0), depth: 0, inside: 0 }
    }

    /// Advances a prediction by one token; 0 is the end of the input.
    #[inline]
    pub(crate) fn advance(
        &mut self,
        tables: CoarseTables<'_>,
        prediction: &mut CoarsePrediction,
        token: u32,
    ) {
        let closer = tables.brackets.closer(token);
        if prediction.after_bracket == UNKNOWN {
            let before = prediction.set;
            prediction.set = self.after_token(tables, before, token);
            if prediction.set != EMPTY_SET && closer != 0 {
                prediction.after_bracket = self.after_bracket(tables, before, token);
                prediction.bracket = (token, closer);
                (prediction.depth, prediction.inside) = (1, 0);
            }
            return;
        }
        prediction.depth += u32::from(token == prediction.bracket.0);
        prediction.depth -= u32::from(token == prediction.bracket.1);
        let is_closed = prediction.depth == 0;
        if !prediction.is_skipping() {
            prediction.set = self.after_token(tables, prediction.set, token);
            prediction.inside += 1;
            if prediction.inside == TOKENS_IN_BRACKETS && prediction.set != EMPTY_SET && !is_closed {
                prediction.set = UNKNOWN;
            }
        } else if is_closed {
            prediction.set = prediction.after_bracket;
        }
        if is_closed {
            prediction.after_bracket = UNKNOWN;
        }
    }

    /// The beginnings of the alternatives before the intended one.
    fn learn_start(&mut self, network: &Network, question: CoarseQuestion) -> SetId {
        let decision = network.decisions[question.decision as usize].state;
        let n_earlier = usize::from(question.intended).saturating_sub(1);
        let position =
            |edge: &Edge| Position { state: network.shortcut[edge.target() as usize], stack: OWN_CALLERS };
        let found = &mut self.walk.found;
        found.clear();
        found.extend(network.edges(decision).iter().take(n_earlier).map(position));
        if network.state(decision).precedence_decision && n_earlier > 0 {
            found.push(Position::least_precedence(question.precedence));
        }
        let set = self.sets.intern(found);
        self.starts.insert(question, set);
        set
    }

    /// The set after one more token.
    #[inline]
    fn after_token(&mut self, tables: CoarseTables<'_>, set: SetId, token: u32) -> SetId {
        match self.sets.transition(set, token) {
            UNKNOWN => {
                let next = self.step(tables, set, token, |_, target| Some(target));
                self.sets.learn(set, token, next);
                next
            }
            known => known,
        }
    }

    /// The set after the bracket that a token opens.
    fn after_bracket(&mut self, tables: CoarseTables<'_>, set: SetId, token: u32) -> SetId {
        if let Some(after) = self.after_brackets.get(&(set, token)) {
            return *after;
        }
        let after = self.step(tables, set, token, |opener, _| tables.brackets.after_closer(opener));
        self.after_brackets.insert((set, token), after);
        after
    }
}

#[cfg(test)]
mod tests;
