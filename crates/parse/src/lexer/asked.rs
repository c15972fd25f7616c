//! Edges of the lexer's automata that depend on predicates.
//!
//! The answer of a predicate may differ each time, so such an edge is not kept. What is kept is the list of predicates
//! that it depends on, and for each combination of answers that occurred, where it leads.

use super::automaton::{LexId, LexStep};
use polysmith_grammar::CodeId;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// An edge, or the beginning of a mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum AskPlace {
    Start(usize),
    Edge(LexId, usize),
}

/// The edges that depend on predicates.
#[derive(Debug, Clone, Default)]
pub(crate) struct Questions {
    edges: FxHashMap<AskPlace, AskedEdge>,
    /// The predicates that the present walk has met.
    met: Vec<CodeId>,
    /// Those that are false in the present walk.
    refused: Vec<CodeId>,
}

#[derive(Debug, Clone)]
struct AskedEdge {
    codes: Arc<[CodeId]>,
    steps: FxHashMap<Box<[bool]>, LexStep>,
}

impl Questions {
    /// Begins a walk in which all predicates hold.
    pub(super) fn begin(&mut self) {
        self.met.clear();
        self.refused.clear();
    }

    /// Begins a walk with these answers.
    pub(super) fn begin_with(&mut self, place: AskPlace, answers: &[bool]) {
        self.begin();
        if let Some(edge) = self.edges.get(&place) {
            let refused = edge.codes.iter().zip(answers).filter(|(_, holds)| !**holds);
            self.refused.extend(refused.map(|(code, _)| *code));
        }
    }

    /// Whether the walk passes a predicate.
    pub(super) fn holds(&mut self, code: CodeId) -> bool {
        if !self.met.contains(&code) {
            self.met.push(code);
        }
        !self.refused.contains(&code)
    }

    /// Ends a walk in which all predicates held: [`LexStep::ASK`] if it met one.
    pub(super) fn end(&mut self, place: AskPlace, step: LexStep) -> LexStep {
        if self.met.is_empty() {
            return step;
        }
        let answers = vec![true; self.met.len()].into_boxed_slice();
        let edge = AskedEdge { codes: self.met[..].into(), steps: FxHashMap::from_iter([(answers, step)]) };
        self.edges.insert(place, edge);
        LexStep::ASK
    }

    /// The predicates of an edge.
    pub(super) fn codes(&self, place: AskPlace) -> Arc<[CodeId]> {
        self.edges.get(&place).map_or_else(|| Arc::from([]), |edge| Arc::clone(&edge.codes))
    }

    /// Where an edge leads, if that is known for these answers.
    pub(super) fn get(&self, place: AskPlace, answers: &[bool]) -> Option<LexStep> {
        self.edges.get(&place).and_then(|edge| edge.steps.get(answers).copied())
    }

    pub(super) fn answer(&mut self, place: AskPlace, answers: &[bool], step: LexStep) {
        if let Some(edge) = self.edges.get_mut(&place) {
            edge.steps.insert(answers.into(), step);
        }
    }

    /// Where an edge leads if all predicates hold.
    pub(super) fn all_hold(&self, place: AskPlace) -> LexStep {
        let edge = self.edges.get(&place);
        edge.and_then(|edge| edge.steps.get(&vec![true; edge.codes.len()][..]).copied())
            .unwrap_or(LexStep::DEAD)
    }
}
