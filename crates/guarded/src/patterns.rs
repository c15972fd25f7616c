//! Fail patterns: learned combinations of choices that must not occur again during a search.
//!
//! A pattern is a set of tests "the node at this path has this choice". A *path* starts at the root and includes the
//! production of every node on it; it has a number. So a test implies all choices above it, and a pattern of the
//! paper, a tree with wildcards, needs only its lowest nodes. A path gets a number when a pattern first tests it; all
//! other nodes have path 0 and cost nothing.
//!
//! Patterns are on a stack: those that a search learned are removed when it ends. Patterns are not specialized for
//! nested searches: a test of a node outside of the search is evaluated on that node, so the pattern applies only
//! while its context matches. The index finds the patterns that test a path; without it all are scanned.

use crate::answer::Blame;
use crate::arena::{Arena, NodeId};
use crate::tables::{NONE, NodeKind, Tables};
use crate::weights::Candidates;
use polysmith_attributes::Value;
use rustc_hash::FxHashMap;

/// Why a learned fact is not valid forever. A bit set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Taint(u8);

impl Taint {
    /// A production exceeded the height limit.
    pub(crate) const HEIGHT: Taint = Taint(1);
    /// A budget of alternatives was exhausted.
    pub(crate) const BUDGET: Taint = Taint(2);
    /// A list had its maximum length: valid at this node, not for the class.
    pub(crate) const WIDTH: Taint = Taint(4);

    pub(crate) fn add(&mut self, other: Taint) {
        self.0 |= other.0;
    }

    pub(crate) fn has(self, other: Taint) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether a limit contributed, so that nothing is proved.
    pub(crate) fn is_limit(self) -> bool {
        self.has(Taint::HEIGHT) || self.has(Taint::BUDGET)
    }

    /// Whether it includes all bits of `other`.
    pub(crate) fn covers(self, other: Taint) -> bool {
        self.0 & other.0 == other.0
    }

    pub(crate) fn is_clean(self) -> bool {
        self.0 == 0
    }
}

/// A set of choices that cannot all hold, and what else the failure depends on.
#[derive(Debug)]
pub(crate) struct Conflict {
    /// Decided nodes whose current choices cause the failure.
    pub tests: Vec<NodeId>,
    /// The inherited attributes of the search's root that it depends on; bit 63 represents all from 63 on.
    pub inherited: u64,
    /// Patterns of enclosing searches that contributed.
    pub outer_patterns: Vec<u32>,
    pub taint: Taint,
    pub blame: Blame,
}

impl Conflict {
    pub(crate) fn new(blame: Blame) -> Conflict {
        Conflict {
            tests: Vec::new(),
            inherited: 0,
            outer_patterns: Vec::new(),
            taint: Taint::default(),
            blame,
        }
    }
}

/// The bit of an inherited attribute.
#[inline]
pub(crate) fn bit(attribute: u32) -> u64 {
    1 << attribute.min(63)
}

#[derive(Debug)]
struct Pattern {
    /// The end of its tests; they start at the end of the previous pattern's.
    end: u32,
    inherited: u64,
    outer_patterns: Vec<u32>,
    taint: Taint,
    blame: Blame,
}

/// The most frequent pattern: one production of the search's root is impossible. It needs no path.
#[derive(Debug)]
struct Refusal {
    production: u32,
    inherited: u64,
    outer_patterns: Vec<u32>,
    taint: Taint,
    blame: Blame,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Test {
    path: u32,
    choice: u32,
}

/// All active patterns.
#[derive(Debug, Default)]
pub(crate) struct Patterns {
    /// (path, production, child) to path.
    paths: FxHashMap<(u32, u32, u32), u32>,
    /// The node that was last seen at a path; outdated if the node has another path.
    at: Vec<NodeId>,
    tests: Vec<Test>,
    patterns: Vec<Pattern>,
    refusals: Vec<Refusal>,
    /// By path, the patterns that test it, in the order in which they were learned.
    index: Vec<Vec<u32>>,
    indexed: bool,
    /// The numbers of generated values: equal values are the same choice.
    values: FxHashMap<Value, u32>,
    /// The tests of the pattern that is being learned.
    fresh: Vec<Test>,
}

impl Patterns {
    /// Clears all patterns.
    pub(crate) fn start(&mut self, indexed: bool) {
        self.paths.clear();
        self.at.clear();
        self.at.extend([NONE, 0]); // path 0 is none, path 1 is the root
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

    /// Removes all but the first `len` patterns.
    pub(crate) fn truncate(&mut self, len: u32) {
        while self.len() > len {
            self.patterns.pop();
            let start = self.start_of(self.len());
            for test in self.tests.drain(start..) {
                self.index[test.path as usize].pop();
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

    /// Excludes a production of the innermost search's root.
    pub(crate) fn refuse(&mut self, production: u32, conflict: Conflict) {
        let Conflict { inherited, outer_patterns, taint, blame, .. } = conflict;
        self.refusals.push(Refusal { production, inherited, outer_patterns, taint, blame });
    }

    /// Removes the candidates that were rejected since `from`, and adds the reasons.
    pub(crate) fn drop_refused(&self, from: u32, candidates: &mut Candidates, why: &mut Option<Conflict>) {
        for refusal in &self.refusals[from as usize..] {
            let Some(at) = candidates.position(refusal.production) else { continue };
            candidates.remove(at);
            let why = why.get_or_insert_with(|| Conflict::new(refusal.blame));
            why.inherited |= refusal.inherited;
            why.outer_patterns.extend_from_slice(&refusal.outer_patterns);
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

    /// Sets the known paths of the children of a node that was just decided.
    pub(crate) fn attach(&mut self, arena: &mut Arena, id: NodeId) {
        let node = arena.node(id);
        let (path, production, first) = (node.path, node.production, node.first_child);
        for child in first..arena.nodes.len() as u32 {
            if let Some(known) = self.paths.get(&(path, production, child - first)) {
                arena.nodes[child as usize].path = *known;
                self.at[*known as usize] = child;
            }
        }
    }

    /// The path number of a node.
    fn path(&mut self, arena: &mut Arena, id: NodeId) -> u32 {
        let mut path = Vec::new();
        let mut at = id;
        while arena.node(at).path == 0 {
            if arena.node(at).parent == NONE {
                arena.nodes[at as usize].path = 1;
                break;
            }
            path.push(at);
            at = arena.node(at).parent;
        }
        for node in path.into_iter().rev() {
            let parent = arena.node(arena.node(node).parent);
            let key = (parent.path, parent.production, arena.node(node).child_no);
            let fresh = self.at.len() as u32;
            let path = *self.paths.entry(key).or_insert(fresh);
            if path == fresh {
                self.at.push(node);
            }
            self.at[path as usize] = node;
            arena.nodes[node as usize].path = path;
        }
        arena.node(id).path
    }

    /// The choice of a decided node, as tests represent it.
    fn choice(&mut self, arena: &Arena, tables: &Tables, id: NodeId) -> u32 {
        let node = arena.node(id);
        if tables.classes[node.class as usize].kind == NodeKind::Generator {
            let fresh = self.values.len() as u32;
            return *self.values.entry(arena.intrinsic(id, tables).clone()).or_insert(fresh);
        }
        node.choice
    }

    /// The number of a generated value, if a pattern tests it.
    pub(crate) fn value(&self, value: &Value) -> Option<u32> {
        if self.values.is_empty() { None } else { self.values.get(value).copied() }
    }

    /// Learns a conflict: excludes its combination of choices. Patterns from `own` on belong to the same search; the
    /// latest of them that the new pattern implies are removed.
    pub(crate) fn learn(&mut self, arena: &mut Arena, tables: &Tables, conflict: &Conflict, own: u32) {
        let mut tests = std::mem::take(&mut self.fresh);
        tests.clear();
        for node in &conflict.tests {
            let path = self.path(arena, *node);
            tests.push(Test { path, choice: self.choice(arena, tables, *node) });
        }
        tests.sort_unstable();
        tests.dedup();
        while self.len() > own && self.is_implied(self.len() - 1, &tests, conflict.taint) {
            self.truncate(self.len() - 1);
        }
        let id = self.len();
        for test in &tests {
            if self.index.len() <= test.path as usize {
                self.index.resize(test.path as usize + 1, Vec::new());
            }
            self.index[test.path as usize].push(id);
        }
        self.tests.extend_from_slice(&tests);
        self.fresh = tests;
        self.patterns.push(Pattern {
            end: self.tests.len() as u32,
            inherited: conflict.inherited,
            outer_patterns: conflict.outer_patterns.clone(),
            taint: conflict.taint,
            blame: conflict.blame,
        });
    }

    /// Whether these tests exclude everything that a pattern excludes, with an equally strong proof.
    fn is_implied(&self, pattern: u32, tests: &[Test], taint: Taint) -> bool {
        let mut known = self.tests_of(pattern).iter();
        self.patterns[pattern as usize].taint.covers(taint)
            && tests.iter().all(|test| known.any(|known| known == test))
    }

    /// A pattern that a choice would complete, preferably one to which no limit contributed.
    pub(crate) fn excludes(&self, arena: &Arena, tables: &Tables, id: NodeId, choice: u32) -> Option<u32> {
        let path = arena.node(id).path;
        if path == 0 {
            return None;
        }
        let mut found = None;
        let mut look = |pattern: u32| {
            if self.completes(arena, tables, pattern, Test { path, choice }) {
                let better = !self.patterns[pattern as usize].taint.is_limit();
                if better || found.is_none() {
                    found = Some(pattern);
                }
                return better;
            }
            false
        };
        if self.indexed {
            let known = self.index.get(path as usize).map_or(&[][..], |known| known);
            let _ = known.iter().any(|pattern| look(*pattern));
        } else {
            let _ = (0..self.len()).any(look);
        }
        found
    }

    /// Whether a pattern has this test and all its other tests match the tree.
    fn completes(&self, arena: &Arena, tables: &Tables, pattern: u32, test: Test) -> bool {
        let mut mentioned = false;
        // Start from the end: the latest decisions differ most often.
        for other in self.tests_of(pattern).iter().rev() {
            if other.path == test.path {
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
        let Some(id) = self.node_at(arena, test.path) else { return false };
        let node = arena.node(id);
        if node.production == NONE {
            return false;
        }
        if tables.classes[node.class as usize].kind == NodeKind::Generator {
            return self.value(arena.intrinsic(id, tables)) == Some(test.choice);
        }
        node.choice == test.choice
    }

    fn node_at(&self, arena: &Arena, path: u32) -> Option<NodeId> {
        let id = self.at[path as usize];
        arena.nodes.get(id as usize).is_some_and(|node| node.path == path).then_some(id)
    }

    /// Adds to a conflict why a pattern excludes a choice of a node: its other tests and its dependencies. Patterns
    /// from `own` on belong to the search that has the conflict.
    pub(crate) fn explain(&self, arena: &Arena, pattern: u32, at: NodeId, own: u32, conflict: &mut Conflict) {
        let path = arena.node(at).path;
        for test in self.tests_of(pattern).iter().filter(|test| test.path != path) {
            conflict.tests.extend(self.node_at(arena, test.path));
        }
        self.depend(pattern, own, conflict);
        conflict.taint.add(self.patterns[pattern as usize].taint);
        conflict.blame = self.patterns[pattern as usize].blame;
    }

    /// Adds what a pattern depends on in addition to its tests.
    pub(crate) fn depend(&self, pattern: u32, own: u32, conflict: &mut Conflict) {
        if pattern < own {
            conflict.outer_patterns.push(pattern);
        } else {
            let known = &self.patterns[pattern as usize];
            conflict.inherited |= known.inherited;
            conflict.outer_patterns.extend_from_slice(&known.outer_patterns);
        }
    }
}
