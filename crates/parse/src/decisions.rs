//! Where the parser decides: the decisions of a grammar's groups and rules, by number.

use crate::compiled::Compiled;
use crate::network::{BlockStates, Built, NO_STATE, StateId};
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

/// Decisions by parts of the grammar, and the network's state of each element.
#[derive(Debug)]
pub(crate) struct DecisionStates {
    blocks: Vec<Decisions>,
    operators: Vec<Decisions>,
    /// By element: its state.
    pub(crate) elements: Vec<StateId>,
}

impl DecisionStates {
    pub(crate) fn new(built: &Built) -> DecisionStates {
        let decisions = |states: &BlockStates| Decisions {
            choice: states.choice,
            repeat: states.repeat,
            is_set: states.is_set,
        };
        DecisionStates {
            blocks: built.blocks.iter().map(decisions).collect(),
            operators: built.operators.iter().map(decisions).collect(),
            elements: built.elements.clone(),
        }
    }
}

/// The decisions of a parser's grammar: [`crate::Parser::decisions`].
#[derive(Debug, Clone, Copy)]
pub struct DecisionTable<'a> {
    pub(crate) compiled: &'a Compiled,
}

impl DecisionTable<'_> {
    /// The number of decisions. They are numbered from 0.
    pub fn count(&self) -> usize {
        self.compiled.network.decisions.len()
    }

    /// The number of alternatives of a decision.
    pub fn n_alternatives(&self, decision: usize) -> usize {
        let network = &self.compiled.network;
        network.state(network.decisions[decision].state).count as usize
    }

    /// The rule and the group (`None` is the whole rule) that a decision is about.
    pub fn location(&self, decision: usize) -> (RuleId, Option<BlockId>) {
        let network = &self.compiled.network;
        let state = network.decisions[decision].state;
        let rule = RuleId::new(network.state(state).rule as usize);
        (rule, self.compiled.program.decision_blocks[decision])
    }

    /// The decisions of a group or of a rule's body.
    pub fn of_block(&self, block: BlockId) -> Decisions {
        self.compiled.decision_states.blocks[block.index()]
    }

    /// The decisions of a left-recursive rule after an operand: whether an operator follows (`repeat`), and
    /// which (`choice`: the binary ones in their order, then the suffixes).
    pub fn of_operators(&self, rule: RuleId) -> Decisions {
        self.compiled.decision_states.operators[rule.index()]
    }

    /// The state of the network after a call, for [`crate::Callers`].
    pub fn return_state(&self, call: ElementId) -> u32 {
        let Compiled { grammar, network, decision_states, .. } = self.compiled;
        match (grammar.element(call).kind, decision_states.elements[call.index()]) {
            (_, NO_STATE) => NO_STATE,
            (ElementKind::Rule(rule), state) if grammar.rule(rule).kind == RuleKind::Parser => {
                network.call(state).follow
            }
            _ => NO_STATE,
        }
    }
}
