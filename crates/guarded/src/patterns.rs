//! Fail patterns: combinations of choices that must not occur again while a search goes on.
//!
//! A pattern is a set of tests "the node at this place has this choice". A *place* is a path from the root, with the
//! production of every node on it, and has a number; so a test implies everything above it, and a pattern of the
//! paper, a tree with wildcards, needs only its lowest nodes. Places get numbers when a pattern first speaks of
//! them; all other nodes have place 0 and cost nothing.
//!
//! Patterns live on a stack: those that a search learned go when it ends. Nothing is filtered or trimmed for a
//! search further down: a test outside it is looked at where it stands, so a pattern counts there exactly as long as
//! its context matches. The index finds the patterns that speak of a place; without it all are looked through.

use crate::answer::Blame;
use crate::arena::{Arena, NodeId};
use crate::odds::Candidates;
use crate::tables::{Kind, NONE, Tables};
use polysmith_attributes::Value;
use rustc_hash::FxHashMap;

/// Why something learned does not hold for ever. A set of bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Taint(u8);

impl Taint {
    /// A production was too high for its place.
    pub(crate) const HEIGHT: Taint = Taint(1);
    /// A budget of alternatives was spent.
    pub(crate) const BUDGET: Taint = Taint(2);
    /// A list had its greatest length: true at this place, not for the class.
    pub(crate) const WIDTH: Taint = Taint(4);

    pub(crate) fn add(&mut self, other: Taint) {
        self.0 |= other.0;
    }

    pub(crate) fn has(self, other: Taint) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether a limit had a part in it, so that nothing was proved.
    pub(crate) fn is_limit(self) -> bool {
        self.has(Taint::HEIGHT) || self.has(Taint::BUDGET)
    }

    /// Whether it has all that the other has.
    pub(crate) fn covers(self, other: Taint) -> bool {
        self.0 & other.0 == other.0
    }

    pub(crate) fn is_clean(self) -> bool {
        self.0 == 0
    }
}

/// "This node must not have its present choice together with those", and why.
#[derive(Debug)]
pub(crate) struct Conflict {
    /// Decided nodes whose present choices cause the failure.
    pub tests: Vec<NodeId>,
    /// The inherited attributes of the search's root that it depends on: bit 63 stands for all from 63 on.
    pub inherited: u64,
    /// Patterns of searches further up that had a part in it.
    pub handed: Vec<u32>,
    pub taint: Taint,
    pub blame: Blame,
}

impl Conflict {
    pub(crate) fn new(blame: Blame) -> Conflict {
        Conflict { tests: Vec::new(), inherited: 0, handed: Vec::new(), taint: Taint::default(), blame }
    }
}

/// The bit of an inherited attribute.
#[inline]
pub(crate) fn bit(attribute: u32) -> u64 {
    1 << attribute.min(63)
}

#[derive(Debug)]
struct Pattern {
    /// Where its tests end; they start where those of the one before end.
    end: u32,
    inherited: u64,
    handed: Vec<u32>,
    taint: Taint,
    blame: Blame,
}

/// The most frequent pattern: one production of the search's root is impossible. It needs no place.
#[derive(Debug)]
struct Refusal {
    production: u32,
    inherited: u64,
    handed: Vec<u32>,
    taint: Taint,
    blame: Blame,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Test {
    place: u32,
    choice: u32,
}

/// All patterns in force.
#[derive(Debug, Default)]
pub(crate) struct Patterns {
    /// (place, production, child) to place.
    places: FxHashMap<(u32, u32, u32), u32>,
    /// The node that was last seen at a place; stale if the node says otherwise.
    at: Vec<NodeId>,
    tests: Vec<Test>,
    patterns: Vec<Pattern>,
    refusals: Vec<Refusal>,
    /// By place, the patterns that test it, in the order in which they were learned.
    index: Vec<Vec<u32>>,
    indexed: bool,
    /// Numbers of generated values: equal values are one choice.
    values: FxHashMap<Value, u32>,
    /// The tests of the pattern that is being learned.
    fresh: Vec<Test>,
}

impl Patterns {
    /// Forgets everything.
    pub(crate) fn start(&mut self, indexed: bool) {
        self.places.clear();
        self.at.clear();
        self.at.extend([NONE, 0]); // place 0 is none, place 1 is the root
        self.tests.clear();
        self.patterns.clear();
        self.refusals.clear();
        self.index.clear();
        self.indexed = indexed;
        self.values.clear();
    }

    pub(crate) fn len(&self) -> u32 {
        self.patterns.len() as u32
    }

    /// Keeps the first patterns only.
    pub(crate) fn truncate(&mut self, len: u32) {
        while self.len() > len {
            self.patterns.pop();
            let start = self.start_of(self.len());
            for test in self.tests.drain(start..) {
                self.index[test.place as usize].pop();
            }
        }
    }

    pub(crate) fn n_refusals(&self) -> u32 {
        self.refusals.len() as u32
    }

    pub(crate) fn truncate_refusals(&mut self, len: u32) {
        self.refusals.truncate(len as usize);
    }

    pub(crate) fn is_indexed(&self) -> bool {
        self.indexed
    }

    /// Excludes a production of the root of the innermost search.
    pub(crate) fn refuse(&mut self, production: u32, conflict: Conflict) {
        let Conflict { inherited, handed, taint, blame, .. } = conflict;
        self.refusals.push(Refusal { production, inherited, handed, taint, blame });
    }

    /// Takes the candidates away that were refused since `from`, and says why.
    pub(crate) fn drop_refused(&self, from: u32, candidates: &mut Candidates, why: &mut Option<Conflict>) {
        for refusal in &self.refusals[from as usize..] {
            let Some(at) = candidates.position(refusal.production) else { continue };
            candidates.remove(at);
            let why = why.get_or_insert_with(|| Conflict::new(refusal.blame));
            why.inherited |= refusal.inherited;
            why.handed.extend_from_slice(&refusal.handed);
            why.taint.add(refusal.taint);
            why.blame = refusal.blame;
        }
    }

    fn start_of(&self, pattern: u32) -> usize {
        pattern.checked_sub(1).map_or(0, |before| self.patterns[before as usize].end as usize)
    }

    fn tests_of(&self, pattern: u32) -> &[Test] {
        &self.tests[self.start_of(pattern)..self.patterns[pattern as usize].end as usize]
    }

    /// Gives the children of a node that was just decided the places that patterns know.
    pub(crate) fn attach(&mut self, arena: &mut Arena, id: NodeId) {
        let node = arena.node(id);
        let (place, production, first) = (node.place, node.production, node.first_child);
        for child in first..arena.nodes.len() as u32 {
            if let Some(known) = self.places.get(&(place, production, child - first)) {
                arena.nodes[child as usize].place = *known;
                self.at[*known as usize] = child;
            }
        }
    }

    /// The number of a node's place.
    fn place(&mut self, arena: &mut Arena, id: NodeId) -> u32 {
        let mut path = Vec::new();
        let mut at = id;
        while arena.node(at).place == 0 {
            if arena.node(at).parent == NONE {
                arena.nodes[at as usize].place = 1;
                break;
            }
            path.push(at);
            at = arena.node(at).parent;
        }
        for node in path.into_iter().rev() {
            let parent = arena.node(arena.node(node).parent);
            let key = (parent.place, parent.production, arena.node(node).child_no);
            let fresh = self.at.len() as u32;
            let place = *self.places.entry(key).or_insert(fresh);
            if place == fresh {
                self.at.push(node);
            }
            self.at[place as usize] = node;
            arena.nodes[node as usize].place = place;
        }
        arena.node(id).place
    }

    /// The choice of a decided node, as tests name it.
    fn choice(&mut self, arena: &Arena, tables: &Tables, id: NodeId) -> u32 {
        let node = arena.node(id);
        if tables.classes[node.class as usize].kind == Kind::Generator {
            let fresh = self.values.len() as u32;
            return *self.values.entry(arena.intrinsic(id, tables).clone()).or_insert(fresh);
        }
        node.choice
    }

    /// The number of a generated value, if a pattern speaks of it.
    pub(crate) fn value(&self, value: &Value) -> Option<u32> {
        if self.values.is_empty() { None } else { self.values.get(value).copied() }
    }

    /// Excludes what the nodes of a conflict have in common from now on. Patterns from `own` on belong to the same
    /// search: those learned just before that say less are dropped.
    pub(crate) fn learn(&mut self, arena: &mut Arena, tables: &Tables, conflict: &Conflict, own: u32) {
        let mut tests = std::mem::take(&mut self.fresh);
        tests.clear();
        for node in &conflict.tests {
            let place = self.place(arena, *node);
            tests.push(Test { place, choice: self.choice(arena, tables, *node) });
        }
        tests.sort_unstable();
        tests.dedup();
        while self.len() > own && self.is_implied(self.len() - 1, &tests, conflict.taint) {
            self.truncate(self.len() - 1);
        }
        let id = self.len();
        for test in &tests {
            if self.index.len() <= test.place as usize {
                self.index.resize(test.place as usize + 1, Vec::new());
            }
            self.index[test.place as usize].push(id);
        }
        self.tests.extend_from_slice(&tests);
        self.fresh = tests;
        self.patterns.push(Pattern {
            end: self.tests.len() as u32,
            inherited: conflict.inherited,
            handed: conflict.handed.clone(),
            taint: conflict.taint,
            blame: conflict.blame,
        });
    }

    /// Whether a pattern excludes nothing beyond what these tests exclude, and is no better proof.
    fn is_implied(&self, pattern: u32, tests: &[Test], taint: Taint) -> bool {
        let mut known = self.tests_of(pattern).iter();
        self.patterns[pattern as usize].taint.covers(taint)
            && tests.iter().all(|test| known.any(|known| known == test))
    }

    /// A pattern that a choice would complete, if there is one: rather one that a limit has no part in.
    pub(crate) fn excludes(&self, arena: &Arena, tables: &Tables, id: NodeId, choice: u32) -> Option<u32> {
        let place = arena.node(id).place;
        if place == 0 {
            return None;
        }
        let mut found = None;
        let mut look = |pattern: u32| {
            if self.completes(arena, tables, pattern, Test { place, choice }) {
                let better = !self.patterns[pattern as usize].taint.is_limit();
                if better || found.is_none() {
                    found = Some(pattern);
                }
                return better;
            }
            false
        };
        if self.indexed {
            let known = self.index.get(place as usize).map_or(&[][..], |known| known);
            let _ = known.iter().any(|pattern| look(*pattern));
        } else {
            let _ = (0..self.len()).any(look);
        }
        found
    }

    /// Whether a pattern has this test and all its others match the tree.
    fn completes(&self, arena: &Arena, tables: &Tables, pattern: u32, test: Test) -> bool {
        let mut mentioned = false;
        // From the end: what was decided last differs most often.
        for other in self.tests_of(pattern).iter().rev() {
            if other.place == test.place {
                if other.choice != test.choice {
                    return false;
                }
                mentioned = true;
            } else if !self.matches(arena, tables, *other) {
                return false;
            }
        }
        mentioned
    }

    fn matches(&self, arena: &Arena, tables: &Tables, test: Test) -> bool {
        let Some(id) = self.node_at(arena, test.place) else { return false };
        let node = arena.node(id);
        if node.production == NONE {
            return false;
        }
        if tables.classes[node.class as usize].kind == Kind::Generator {
            return self.value(arena.intrinsic(id, tables)) == Some(test.choice);
        }
        node.choice == test.choice
    }

    fn node_at(&self, arena: &Arena, place: u32) -> Option<NodeId> {
        let id = self.at[place as usize];
        arena.nodes.get(id as usize).is_some_and(|node| node.place == place).then_some(id)
    }

    /// Adds to a conflict why a pattern excludes a choice of a node: its other tests and what it depends on.
    /// Patterns from `own` on belong to the search that has the conflict.
    pub(crate) fn explain(&self, arena: &Arena, pattern: u32, at: NodeId, own: u32, conflict: &mut Conflict) {
        let place = arena.node(at).place;
        for test in self.tests_of(pattern).iter().filter(|test| test.place != place) {
            conflict.tests.extend(self.node_at(arena, test.place));
        }
        self.depend(pattern, own, conflict);
        conflict.taint.add(self.patterns[pattern as usize].taint);
        conflict.blame = self.patterns[pattern as usize].blame;
    }

    /// Adds what a pattern depends on besides its tests.
    pub(crate) fn depend(&self, pattern: u32, own: u32, conflict: &mut Conflict) {
        if pattern < own {
            conflict.handed.push(pattern);
        } else {
            let known = &self.patterns[pattern as usize];
            conflict.inherited |= known.inherited;
            conflict.handed.extend_from_slice(&known.handed);
        }
    }
}
