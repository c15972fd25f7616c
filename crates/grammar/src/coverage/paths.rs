//! k-paths: `k` symbols down a derivation tree, each a child of the one before (Havrikov and Zeller 2019).
//!
//! Symbols are rules and tokens; `EOF`, `.` and `~` sets are none. A walk down a tree is a walk through *places*:
//! the last `k - 1` rules on the way, which is all that the next path depends on. Each place has a slot for each
//! symbol that its last rule calls; slots are numbered flat, and the slot is the path (for `k` of 1 or 2 a place
//! is the rule alone). Near the root places are shorter; their slots lead on but are no paths.

use crate::analysis::Symbol;
use crate::ids::{AltId, BlockId, RuleId};
use crate::model::{ElementKind, Grammar};
use crate::tokens::TokenType;
use rustc_hash::FxHashMap;

/// Off the map: below a closed alternative.
pub const NOWHERE: u32 = u32::MAX;

/// The paths of a grammar, and the map to walk on.
#[derive(Debug, Clone)]
pub struct Paths {
    k: usize,
    /// By rule: its first symbol in `symbols`, and one more entry for the end.
    first_symbol: Vec<u32>,
    /// The symbols that a rule calls, sorted.
    symbols: Vec<Symbol>,
    /// By place: its first slot, and one more entry for the end.
    first_slot: Vec<u32>,
    /// By place: its last rule.
    rules: Vec<RuleId>,
    /// By place: whether it is as long as places get.
    whole: Vec<bool>,
    /// By place: the rules that it stands for.
    names: Vec<Vec<RuleId>>,
    /// By slot: where its rule leads; [`NOWHERE`] for tokens.
    next: Vec<u32>,
}

impl Paths {
    /// More paths than this are refused.
    pub const MOST: usize = 8_000_000;

    pub(super) fn new(
        grammar: &Grammar,
        start: RuleId,
        k: usize,
        open: &dyn Fn(AltId) -> bool,
    ) -> Option<Paths> {
        let mut paths = Paths {
            k: k.max(1),
            first_symbol: vec![0],
            symbols: Vec::new(),
            first_slot: vec![0],
            rules: Vec::new(),
            whole: Vec::new(),
            names: Vec::new(),
            next: Vec::new(),
        };
        for rule in grammar.rules() {
            paths.symbols.extend(called(grammar, rule, open));
            paths.first_symbol.push(paths.symbols.len() as u32);
        }
        let mut known: FxHashMap<Vec<RuleId>, u32> = FxHashMap::default();
        known.insert(vec![start], 0);
        paths.names.push(vec![start]);
        let length = paths.k.saturating_sub(1).max(1);
        let mut at = 0;
        while at < paths.names.len() {
            let name = paths.names[at].clone();
            let rule = name[name.len() - 1];
            paths.rules.push(rule);
            paths.whole.push(name.len() == length);
            for symbol in paths.symbols_of(rule).to_vec() {
                let Symbol::Rule(callee) = symbol else {
                    paths.next.push(NOWHERE);
                    continue;
                };
                let mut longer = name.clone();
                longer.push(callee);
                longer.drain(..longer.len().saturating_sub(length));
                let fresh = paths.names.len() as u32;
                let number = *known.entry(longer.clone()).or_insert(fresh);
                if number == fresh {
                    paths.names.push(longer);
                }
                paths.next.push(number);
            }
            paths.first_slot.push(paths.next.len() as u32);
            at += 1;
            if paths.next.len() > Paths::MOST {
                return None;
            }
        }
        Some(paths)
    }

    /// How many symbols a path has.
    pub fn k(&self) -> usize {
        self.k
    }

    /// How many slots there are.
    pub fn len(&self) -> usize {
        self.next.len()
    }

    /// Whether there are no slots.
    pub fn is_empty(&self) -> bool {
        self.next.is_empty()
    }

    /// How many places there are. The start rule is at place 0.
    pub fn n_places(&self) -> usize {
        self.rules.len()
    }

    /// The rules on the map.
    pub fn rules(&self) -> impl Iterator<Item = RuleId> + '_ {
        let mut seen = vec![false; self.first_symbol.len()];
        self.rules.iter().copied().filter(move |rule| !std::mem::replace(&mut seen[rule.index()], true))
    }

    /// The rule at a place.
    pub fn rule(&self, place: u32) -> RuleId {
        self.rules[place as usize]
    }

    /// The symbols that a rule calls, in the order of the slots.
    pub fn symbols_of(&self, rule: RuleId) -> &[Symbol] {
        let range = self.first_symbol[rule.index()] as usize..self.first_symbol[rule.index() + 1] as usize;
        &self.symbols[range]
    }

    /// The slots of a place.
    #[inline]
    pub fn slots(&self, place: u32) -> std::ops::Range<u32> {
        self.first_slot[place as usize]..self.first_slot[place as usize + 1]
    }

    /// The slot of a symbol at a place, if the rule there calls it through open alternatives.
    pub fn slot(&self, place: u32, symbol: Symbol) -> Option<u32> {
        if place == NOWHERE {
            return None;
        }
        let at = self.symbols_of(self.rule(place)).binary_search(&symbol).ok()?;
        Some(self.first_slot[place as usize] + at as u32)
    }

    /// Where the rule of a slot leads.
    #[inline]
    pub fn next(&self, slot: u32) -> u32 {
        self.next[slot as usize]
    }

    /// Whether a place is long enough for its slots to be paths.
    #[inline]
    pub fn is_whole(&self, place: u32) -> bool {
        self.whole[place as usize]
    }

    /// The place of a slot.
    pub fn place(&self, slot: u32) -> u32 {
        self.first_slot.partition_point(|first| *first <= slot) as u32 - 1
    }

    pub(super) fn is_path(&self, slot: usize) -> bool {
        self.k > 1 && slot < self.len() && self.is_whole(self.place(slot as u32))
    }

    /// The symbols of a path.
    pub(super) fn symbols(&self, slot: usize) -> Vec<Symbol> {
        let place = self.place(slot as u32);
        let own = slot - self.first_slot[place as usize] as usize;
        let before = self.names[place as usize].iter().map(|rule| Symbol::Rule(*rule));
        before.chain([self.symbols_of(self.rule(place))[own]]).collect()
    }
}

/// The symbols that a rule calls through open alternatives, sorted, each once.
fn called(grammar: &Grammar, rule: RuleId, open: &dyn Fn(AltId) -> bool) -> Vec<Symbol> {
    let mut found: Vec<Symbol> = Vec::new();
    let mut todo: Vec<BlockId> = vec![grammar.rule(rule).body()];
    while let Some(block) = todo.pop() {
        for alt in grammar.alternatives(block).filter(|alt| open(*alt)) {
            for element in grammar.elements(alt) {
                match element.kind {
                    ElementKind::Rule(callee) => found.push(Symbol::Rule(callee)),
                    ElementKind::Token(token) if token != TokenType::EOF => found.push(Symbol::Token(token)),
                    ElementKind::Block(inner) => todo.push(inner),
                    _ => {}
                }
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
