//! What a configuration depends on: conjunctions of predicates, by number.
//!
//! The value of every predicate is known when a prediction starts: constants are obeyed, hooks are asked, others are
//! true. Predicates keep their identity: configurations that depend on different ones are not merged, and that can be
//! observed.

use polysmith_grammar::{Code, CodeId, CodeKind, Grammar, Meaning};
use rustc_hash::FxHashMap;

/// No condition.
pub(crate) const NONE: u32 = 0;

/// A precedence that the invocation must not exceed, and predicates, sorted.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
struct Conjunction {
    precedence: Option<u32>,
    codes: Vec<CodeId>,
}

/// All conjunctions met so far.
#[derive(Debug, Clone)]
pub(crate) struct Conditions {
    list: Vec<Conjunction>,
    ids: FxHashMap<Conjunction, u32>,
    /// By code number: false for `{false}?`, the last answer of a hook, else true.
    truth: Vec<bool>,
}

impl Conditions {
    pub(crate) fn new(truth: Vec<bool>) -> Conditions {
        let none = Conjunction::default();
        Conditions { list: vec![none.clone()], ids: FxHashMap::from_iter([(none, NONE)]), truth }
    }

    fn intern(&mut self, conjunction: Conjunction) -> u32 {
        if let Some(id) = self.ids.get(&conjunction) {
            return *id;
        }
        let id = self.list.len() as u32;
        self.list.push(conjunction.clone());
        self.ids.insert(conjunction, id);
        id
    }

    /// And a precedence: of two, the smaller one counts.
    pub(crate) fn and_precedence(&mut self, condition: u32, precedence: u32) -> u32 {
        let mut conjunction = self.list[condition as usize].clone();
        conjunction.precedence = Some(conjunction.precedence.map_or(precedence, |old| old.min(precedence)));
        self.intern(conjunction)
    }

    /// And a predicate.
    pub(crate) fn and_code(&mut self, condition: u32, code: CodeId) -> u32 {
        let mut conjunction = self.list[condition as usize].clone();
        if let Err(at) = conjunction.codes.binary_search(&code) {
            conjunction.codes.insert(at, code);
        }
        self.intern(conjunction)
    }

    /// The predicates of a conjunction.
    pub(crate) fn codes(&self, condition: u32) -> &[CodeId] {
        &self.list[condition as usize].codes
    }

    /// Sets the answer of a predicate.
    pub(crate) fn set_code(&mut self, code: CodeId, holds: bool) {
        if let Some(truth) = self.truth.get_mut(code.index()) {
            *truth = holds;
        }
    }

    /// Whether it holds in an invocation with this precedence.
    pub(crate) fn holds(&self, condition: u32, precedence: u32) -> bool {
        let conjunction = &self.list[condition as usize];
        conjunction.precedence.is_none_or(|needed| needed >= precedence)
            && conjunction.codes.iter().all(|code| self.code_holds(*code))
    }

    /// Whether a predicate holds.
    pub(crate) fn code_holds(&self, code: CodeId) -> bool {
        self.truth.get(code.index()).copied().unwrap_or(true)
    }

    /// What remains once the precedence is known: `None` if it is too small.
    pub(crate) fn without_precedence(&mut self, condition: u32, precedence: u32) -> Option<u32> {
        let conjunction = &self.list[condition as usize];
        match conjunction.precedence {
            None => Some(condition),
            Some(needed) if needed < precedence => None,
            Some(_) => {
                let rest = Conjunction { precedence: None, codes: conjunction.codes.clone() };
                Some(self.intern(rest))
            }
        }
    }
}

/// Whether a piece of code lets the parser pass.
pub(crate) fn passes(code: &Code) -> bool {
    !matches!(code.kind, CodeKind::Predicate { meaning: Meaning::Constant(false), .. })
}

/// Whether a predicate reads arguments or locals of its rule.
pub(crate) fn reads_context(grammar: &Grammar, code: CodeId) -> bool {
    matches!(grammar.code(code).kind, CodeKind::Predicate { reads_context: true, .. })
}
