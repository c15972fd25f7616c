//! The grammar between reading and writing: nonterminals with sequences of quantified symbols, none of them empty.

use crate::model::{ElementKind, Quantifier};
use rustc_hash::FxHashSet;

/// A symbol: a token (or set of tokens), or a nonterminal by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Symbol {
    Leaf(ElementKind),
    Nonterminal(usize),
}

/// A symbol and how often it stands there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Item {
    pub(super) symbol: Symbol,
    pub(super) min: u32,
    pub(super) max: Option<u32>,
}

pub(super) type Sequence = Vec<Item>;

impl Item {
    pub(super) fn one(symbol: Symbol) -> Item {
        Item { symbol, min: 1, max: Some(1) }
    }

    pub(super) fn star(symbol: Symbol) -> Item {
        Item { symbol, min: 0, max: None }
    }

    /// The same, never empty.
    pub(super) fn filled(self) -> Item {
        Item { min: self.min.max(1), ..self }
    }

    pub(super) fn is_one(self) -> bool {
        (self.min, self.max) == (1, Some(1))
    }

    pub(super) fn quantifier(self) -> Quantifier {
        Quantifier { min: self.min, max: self.max, greedy: true }
    }
}

/// Nonterminals by number. No sequence derives the empty text: each has an item that must be there, and the
/// symbols themselves are never empty.
#[derive(Debug, Clone)]
pub(super) struct Form {
    pub(super) names: Vec<String>,
    pub(super) rules: Vec<Vec<Sequence>>,
    pub(super) start: usize,
    /// Whether the empty text belongs to the language beside what the start nonterminal derives.
    pub(super) empty: bool,
    /// The first so many nonterminals are rules of the grammar; the others are helpers without a meaning of their own.
    pub(super) declared: usize,
    taken: FxHashSet<String>,
}

impl Form {
    pub(super) fn new(taken: impl IntoIterator<Item = String>) -> Form {
        Form {
            names: Vec::new(),
            rules: Vec::new(),
            start: 0,
            empty: false,
            declared: 0,
            taken: taken.into_iter().collect(),
        }
    }

    /// A nonterminal with a name that the grammar has.
    pub(super) fn declare(&mut self, name: String) -> usize {
        self.names.push(name);
        self.rules.push(Vec::new());
        self.names.len() - 1
    }

    /// A new nonterminal, named after the one that it helps.
    pub(super) fn helper(&mut self, owner: usize, suffix: &str, sequences: Vec<Sequence>) -> usize {
        let name = self.fresh(&format!("{}_{suffix}", self.names[owner]));
        let at = self.declare(name);
        self.rules[at] = sequences;
        at
    }

    /// A name that nothing has yet.
    pub(super) fn fresh(&mut self, wanted: &str) -> String {
        let numbered = (2..).map(|n| format!("{wanted}{n}"));
        let name = std::iter::once(wanted.to_owned())
            .chain(numbered)
            .find(|name| !self.taken.contains(name))
            .expect("some number is free");
        self.taken.insert(name.clone());
        name
    }

    /// Whether a symbol is a rule of the grammar as written.
    pub(super) fn is_declared(&self, symbol: Symbol) -> bool {
        matches!(symbol, Symbol::Nonterminal(at) if at < self.declared)
    }

    /// Makes last things first.
    pub(super) fn reverse(&mut self) {
        self.rules.iter_mut().flatten().for_each(|sequence| sequence.reverse());
    }

    /// A symbol for a choice of sequences: the only item of the only one, else a new nonterminal.
    pub(super) fn symbol_for(&mut self, owner: usize, suffix: &str, sequences: Vec<Sequence>) -> Symbol {
        if let [sequence] = sequences.as_slice()
            && let [item] = sequence.as_slice()
            && item.is_one()
        {
            return item.symbol;
        }
        Symbol::Nonterminal(self.helper(owner, suffix, sequences))
    }
}

/// All non-empty texts of a sequence: itself, unless all of it may be missing. Then by the first item that is there.
pub(super) fn filled(sequence: Sequence) -> Vec<Sequence> {
    if sequence.iter().any(|item| item.min > 0) {
        return vec![sequence];
    }
    (0..sequence.len())
        .map(|first| {
            let rest = &sequence[first + 1..];
            std::iter::once(sequence[first].filled()).chain(rest.iter().copied()).collect()
        })
        .collect()
}

/// Removes repetitions; the first of equals stays.
pub(super) fn dedup(sequences: &mut Vec<Sequence>) {
    let mut seen = FxHashSet::default();
    sequences.retain(|sequence| seen.insert(sequence.clone()));
}
