//! Regions: productions whose children must be visited more than once.
//!
//! A value may flow out of an unguarded child and back into it; then no order of children suffices. The unguarded
//! nodes below such a production are a *region*: its skeleton is drawn completely, in textual order, and then the
//! order of evaluation is computed for this skeleton: equations, tests and guarded nodes, each as soon as its inputs
//! are known. The order is a function of the skeleton, so it can be recomputed after a change. That costs a
//! topological sort of the region after every change of its skeleton; specifications rarely need it.
//!
//! This is the order of the paper: the skeleton first. Without hoisting, every search is therefore a region.

use crate::arena::NodeId;
use crate::patterns::Conflict;
use crate::solve::Solver;
use crate::tables::{NodeKind, Ref, Rule};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// A step of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    Compute(NodeId, u32),
    Test(u32),
    Solve(NodeId),
}

/// The orders of the current regions, innermost last.
#[derive(Debug, Default)]
pub(crate) struct Regions {
    known: Vec<(NodeId, Vec<Action>)>,
}

impl Regions {
    pub(crate) fn clear(&mut self) {
        self.known.clear();
    }

    /// Discards the order of a region, and those computed after it, which are inside it.
    fn forget(&mut self, root: NodeId) {
        if let Some(at) = self.known.iter().rposition(|(node, _)| *node == root) {
            self.known.truncate(at);
        }
    }
}

impl Solver<'_> {
    /// Executes a step of a region. Step 0 draws the skeleton and computes the order.
    pub(crate) fn region_step(&mut self, root: NodeId, step: u32) -> Result<(), Conflict> {
        if step == 0 {
            self.regions.forget(root);
            self.draw_skeleton(root)?;
            let order = self.order(root);
            self.regions.known.push((root, order));
            return Ok(());
        }
        let known = self.regions.known.iter().rev().find(|(node, _)| *node == root);
        match known.and_then(|(_, order)| order.get(step as usize - 1)).copied() {
            Some(Action::Compute(node, equation)) => self.compute(node, equation),
            Some(Action::Test(guard)) => self.test(root, guard),
            Some(Action::Solve(node)) => self.expand(node),
            None => {
                self.regions.forget(root);
                self.end_frame();
                Ok(())
            }
        }
    }

    /// Whether a node is an unguarded node of a region.
    pub(crate) fn is_in_region_skeleton(&self, node: NodeId) -> bool {
        let known = self.arena.node(node);
        known.in_region && !self.tables.classes[known.class as usize].unit
    }

    /// The root of the region that contains a node.
    pub(crate) fn region_of(&self, node: NodeId) -> NodeId {
        let mut root = self.arena.node(node).parent;
        while self.is_in_region_skeleton(root) {
            root = self.arena.node(root).parent;
        }
        root
    }

    /// The step after the one that expanded a node: the next one, or for a skeleton node the first.
    pub(crate) fn region_step_behind(&mut self, root: NodeId, node: NodeId) -> u32 {
        if self.is_in_region_skeleton(node) {
            return 0;
        }
        if !self.regions.known.iter().any(|(known, _)| *known == root) {
            let order = self.order(root);
            self.regions.known.push((root, order));
        }
        let known = self.regions.known.iter().rev().find(|(known, _)| *known == root);
        let at = known.and_then(|(_, order)| order.iter().position(|action| *action == Action::Solve(node)));
        at.map_or(0, |at| at as u32 + 2)
    }

    /// Decides the undecided unguarded nodes, from left to right.
    fn draw_skeleton(&mut self, root: NodeId) -> Result<(), Conflict> {
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            if !self.arena.is_decided(node) {
                self.choose(node)?;
            }
            open.extend(self.children(node).rev().filter(|child| self.is_in_region_skeleton(*child)));
        }
        Ok(())
    }

    fn children(&self, node: NodeId) -> std::ops::Range<NodeId> {
        let known = self.arena.node(node);
        let n = self.tables.productions[known.production as usize].children.len() as u32;
        known.first_child..known.first_child + n
    }

    /// The order of evaluation for a complete skeleton.
    fn order(&self, root: NodeId) -> Vec<Action> {
        let mut sorter = Sorter::default();
        let class_of = |node: NodeId| &self.tables.classes[self.arena.node(node).class as usize];
        sorter.known.extend((0..class_of(root).n_inherited).map(|attribute| (root, attribute)));
        let (mut nodes, mut open) = (Vec::new(), vec![root]);
        while let Some(node) = open.pop() {
            if class_of(node).kind != NodeKind::Tree {
                sorter.known.insert((node, class_of(node).intrinsic));
            }
            nodes.push(node);
            open.extend(self.children(node).rev().filter(|child| self.is_in_region_skeleton(*child)));
        }
        let needs = |node: NodeId, rule: &Rule| {
            let sources = self.tables.sources_of(rule).iter().filter(|source| source.attribute != Ref::NODE);
            sources.map(|at| (self.arena.owner(node, at.owner), u32::from(at.attribute))).collect::<Vec<_>>()
        };
        let production_of =
            |node: NodeId| &self.tables.productions[self.arena.node(node).production as usize];
        for guard in production_of(root).late_guards() {
            sorter.add(
                Action::Test(guard),
                needs(root, &production_of(root).guards[guard as usize]),
                Vec::new(),
            );
        }
        for node in nodes {
            for (at, rule) in (0..).zip(&production_of(node).equations) {
                let target = (self.arena.owner(node, rule.target.owner), u32::from(rule.target.attribute));
                sorter.add(Action::Compute(node, at), needs(node, rule), vec![target]);
            }
            for child in self.children(node).filter(|child| class_of(*child).unit) {
                let (n_inherited, n) = (class_of(child).n_inherited, class_of(child).n_attributes);
                let slots = |range: std::ops::Range<u32>| range.map(|attribute| (child, attribute)).collect();
                sorter.add(Action::Solve(child), slots(0..n_inherited), slots(n_inherited..n));
            }
        }
        sorter.sort()
    }
}

/// An attribute of a node.
type Attribute = (NodeId, u32);

/// A topological sort of actions: tests come first, guarded nodes last.
#[derive(Default)]
struct Sorter {
    known: FxHashSet<Attribute>,
    /// Each action with the attributes that it computes and the number of inputs that are not known yet.
    actions: Vec<(Action, Vec<Attribute>, usize)>,
    waiting: FxHashMap<Attribute, Vec<usize>>,
    ready: [VecDeque<usize>; 3],
}

impl Sorter {
    fn add(&mut self, action: Action, needs: Vec<Attribute>, gives: Vec<Attribute>) {
        let at = self.actions.len();
        let open: Vec<Attribute> = needs.into_iter().filter(|need| !self.known.contains(need)).collect();
        self.actions.push((action, gives, open.len()));
        for need in &open {
            self.waiting.entry(*need).or_default().push(at);
        }
        if open.is_empty() {
            self.enqueue(at);
        }
    }

    fn enqueue(&mut self, at: usize) {
        let urgency = match self.actions[at].0 {
            Action::Test(_) => 0,
            Action::Compute(..) => 1,
            Action::Solve(_) => 2,
        };
        self.ready[urgency].push_back(at);
    }

    fn sort(mut self) -> Vec<Action> {
        let mut order = Vec::with_capacity(self.actions.len());
        while let Some(at) = self.ready.iter_mut().find_map(VecDeque::pop_front) {
            order.push(self.actions[at].0);
            for given in std::mem::take(&mut self.actions[at].1) {
                for waiting in self.waiting.remove(&given).unwrap_or_default() {
                    self.actions[waiting].2 -= 1;
                    if self.actions[waiting].2 == 0 {
                        self.enqueue(waiting);
                    }
                }
            }
        }
        order
    }
}
