//! The parser's decisions, asked while the tokens are still being made.
//!
//! A generator knows which alternative it means at each decision, and must find out whether the parser will take
//! it. It asks when the decision is met and hands over the tokens one by one as it writes them; as soon as they
//! settle the matter, the parser answers. Nothing is parsed twice and no tree is built. The answers are those
//! that parsing the whole text would give, if it can be read as it was meant.

use crate::doubt::{Doubt, Watch};
use crate::error::Limits;
use crate::network::{Built, NO_STATE, StateId};
use crate::parser::{Compiled, Parser};
use crate::predict::{Answer, Callers, Partial, Progress, Question};
use polysmith_grammar::{BlockId, ElementId, ElementKind, RuleId, RuleKind};

/// The decisions of a group or of a rule's body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Decisions {
    /// Between the alternatives, numbered from 1 in their order. Where the group is optional, the way past it is
    /// one more: the last, or the first if the group is not greedy. `None` where there is nothing to choose. For
    /// a left-recursive rule: only alternatives that do not begin with the rule itself.
    pub choice: Option<u32>,
    /// Between one more repetition (1) and the end (2); the other way round if the group is not greedy.
    pub repeat: Option<u32>,
    /// All alternatives are single tokens: for `choice` they are one.
    pub is_set: bool,
}

/// Where the parser decides, by parts of the grammar.
#[derive(Debug)]
pub(crate) struct Places {
    blocks: Vec<Decisions>,
    operators: Vec<Decisions>,
    /// By element: its state.
    pub(crate) elements: Vec<StateId>,
}

impl Places {
    pub(crate) fn new(built: &Built) -> Places {
        let decisions = |states: &crate::network::BlockStates| Decisions {
            choice: states.choice,
            repeat: states.repeat,
            is_set: states.is_set,
        };
        Places {
            blocks: built.blocks.iter().map(decisions).collect(),
            operators: built.operators.iter().map(decisions).collect(),
            elements: built.elements.clone(),
        }
    }
}

/// A question that waits for more tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Foresight {
    decision: u32,
    precedence: u32,
    meant: u16,
    watch: Watch,
    /// Where prediction stands, and how many tokens it has seen.
    partial: Option<Partial>,
    seen: u32,
    /// How many tokens there will be when prediction is asked next.
    next: u32,
}

impl Foresight {
    /// The same question, which waits so many tokens before prediction is asked.
    #[must_use]
    pub fn with_patience(self, patience: u32) -> Foresight {
        Foresight { next: patience, ..self }
    }
}

/// What is known so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Foreseen {
    /// More tokens are needed.
    Open,
    /// The parser takes this alternative, from 1.
    Takes(u16),
    /// The parser takes none.
    Fails,
    /// [`Limits::max_steps`] is used up.
    TooHard,
}

impl Parser {
    /// The decisions of a group or of a rule's body.
    pub fn decisions(&self, block: BlockId) -> Decisions {
        self.compiled.places.blocks[block.index()]
    }

    /// The decisions of a left-recursive rule behind an operand: whether an operator follows (`repeat`), and
    /// which (`choice`: the binary ones in their order, then the suffixes).
    pub fn operator_decisions(&self, rule: RuleId) -> Decisions {
        self.compiled.places.operators[rule.index()]
    }

    /// The state of the network behind a call, for [`Callers`].
    pub fn follow_of(&self, call: ElementId) -> u32 {
        let Compiled { grammar, network, places, .. } = &*self.compiled;
        match (grammar.element(call).kind, places.elements[call.index()]) {
            (_, NO_STATE) => NO_STATE,
            (ElementKind::Rule(rule), state) if grammar.rule(rule).kind == RuleKind::Parser => {
                network.call(state).follow
            }
            _ => NO_STATE,
        }
    }

    /// Before the first question of a text: memory and steps are counted from here. All questions asked before
    /// are void.
    pub fn foresee_text(&mut self, limits: &Limits) {
        let predictor = &mut self.learned.predictor;
        if predictor.memory() > limits.max_memory {
            predictor.forget(&self.compiled.network);
        }
        let before = predictor.steps();
        predictor.set_limit(before.saturating_add(limits.max_steps));
    }

    /// Before the first question of a text: it begins with this rule, behind whose end nothing need follow. Whether
    /// all questions that were asked before, of any text, are void.
    pub fn foresee_from(&mut self, start: RuleId, limits: &Limits) -> bool {
        let (network, doubts) = (&self.compiled.network, &mut self.learned.doubts);
        doubts.begin_text(network, start.index() as u32, limits.max_memory)
    }

    /// Asks a decision in an invocation of its rule with this precedence. The whole text will be one that can be read with
    /// the alternative that is meant: then only alternatives before it can win against it, and an approximation tells
    /// soon that none of them is left ([`crate::doubt`]). Where it does not within `patience` tokens, prediction itself
    /// is asked, again when there are twice as many, and at the end.
    pub fn foresee(&mut self, decision: u32, precedence: u32, meant: u16, patience: u32) -> Foresight {
        let doubt = Doubt { decision, meant, precedence };
        let watch = self.learned.doubts.watch(&self.compiled.network, doubt);
        Foresight { decision, precedence, meant, watch, partial: None, seen: 0, next: patience }
    }

    /// One more token: the last of `types`, which holds all types since the question (0 is the end of the input).
    /// `callers` are the calls that were open when it was asked.
    pub fn foresee_token(
        &mut self,
        foresight: &mut Foresight,
        types: &[u32],
        callers: &dyn Callers,
    ) -> Foreseen {
        let Foresight { decision, .. } = *foresight;
        if let ([token], Some(table)) = (types, self.compiled.one_token_table(decision as usize))
            && let Some(alt) = table.get(*token as usize).filter(|alt| **alt > 0)
        {
            return Foreseen::Takes(*alt);
        }
        let Some(token) = types.last().copied() else { return Foreseen::Open };
        self.learned.doubts.follow(self.compiled.ground(), &mut foresight.watch, token);
        if foresight.watch.is_sure() {
            return Foreseen::Takes(foresight.meant);
        }
        let waits = foresight.watch.skips() || (types.len() as u32) < foresight.next;
        if waits && token != 0 {
            return Foreseen::Open;
        }
        self.predict_on(foresight, types, callers)
    }

    /// Prediction gets all tokens that it has not seen yet.
    fn predict_on(&mut self, foresight: &mut Foresight, types: &[u32], callers: &dyn Callers) -> Foreseen {
        let Foresight { decision, precedence, .. } = *foresight;
        let (network, predictor) = (&self.compiled.network, &mut self.learned.predictor);
        let question = Question { decision, types, at: 0, callers, precedence };
        let mut partial = foresight.partial.unwrap_or_else(|| predictor.begin(network, question));
        for n_types in foresight.seen as usize + 1..=types.len() {
            let question = Question { types: &types[..n_types], ..question };
            match predictor.advance(network, partial, question) {
                Progress::Open(next) => partial = next,
                Progress::Answered(Answer::Alt(alt)) => return Foreseen::Takes(alt),
                Progress::Answered(Answer::NoViable { .. }) => return Foreseen::Fails,
                Progress::Answered(Answer::OutOfSteps) => return Foreseen::TooHard,
            }
        }
        let age = types.len() as u32;
        (foresight.partial, foresight.seen, foresight.next) = (Some(partial), age, 2 * age);
        Foreseen::Open
    }
}

#[cfg(test)]
mod tests;
