//! Orders the equations, one-visit plans and retries of a production.

use crate::cycles::Graph;
use crate::draft::{Draft, ProductionDraft};
use polysmith_attributes::{Occurrence, Production, Slot, Source, Step};

/// Sorts the equations topologically: each follows those that it depends on, directly or through a child. Ties keep
/// the textual order.
pub(super) fn equations(draft: &ProductionDraft, graph: &Graph) -> Vec<usize> {
    let nodes: Vec<usize> = draft.equations.iter().map(|equation| graph.node(equation.target)).collect();
    let mut left: Vec<usize> = (0..nodes.len()).collect();
    let mut order = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let ready = left.iter().position(|at| {
            !left.iter().any(|other| other != at && graph.closed.get(nodes[*other], nodes[*at]))
        });
        // A cycle was reported; any order will do.
        order.push(left.remove(ready.unwrap_or(0)));
    }
    order
}

/// The order of evaluation if one visit of each child suffices, or `None`.
///
/// Guards come as early as possible, then equations, then children in textual order: an early failure wastes the least
/// work.
pub(super) fn plan(draft: &Draft, production: &Production) -> Option<Vec<Step>> {
    let mut planner =
        Planner { draft, production, known: Vec::new(), expanded: vec![false; production.children.len()] };
    let mut steps = Vec::new();
    let mut equations: Vec<usize> = (0..production.equations.len()).collect();
    let mut guards: Vec<usize> = (0..production.guards.len()).collect();
    loop {
        if let Some(at) = guards.iter().position(|at| planner.ready(&production.guards[*at].call.sources)) {
            steps.push(Step::Test(guards.remove(at) as u32));
            continue;
        }
        if let Some(at) = equations.iter().position(|at| planner.ready(&production.equations[*at].sources)) {
            let equation = equations.remove(at);
            planner.known.push(production.equations[equation].target);
            steps.push(Step::Compute(equation as u32));
            continue;
        }
        let Some(child) = planner.next_child() else { break };
        planner.expanded[child] = true;
        steps.push(Step::Expand(child as u32));
    }
    let complete = equations.is_empty() && guards.is_empty() && planner.expanded.iter().all(|done| *done);
    complete.then_some(steps)
}

struct Planner<'a> {
    draft: &'a Draft,
    production: &'a Production,
    known: Vec<Slot>,
    expanded: Vec<bool>,
}

impl Planner<'_> {
    /// The node's own inherited and intrinsic attributes are known from the start, those of a child after it is built.
    fn ready(&self, sources: &[Source]) -> bool {
        sources.iter().all(|source| match source {
            Source::Slot(Slot { node: Occurrence::Child(child), .. })
            | Source::Node(Occurrence::Child(child)) => self.expanded[*child as usize],
            Source::Slot(_) | Source::Node(Occurrence::This) => true,
        })
    }

    /// The next child whose inherited attributes are all known, literals first because they are the cheapest.
    fn next_child(&self) -> Option<usize> {
        let ready = |child: &usize| {
            let class = &self.draft.classes[self.production.children[*child].class.index()];
            let node = Occurrence::Child(*child as u32);
            let inherited = 0..class.n_inherited as u32;
            !self.expanded[*child]
                && inherited.into_iter().all(|attribute| self.known.contains(&Slot { node, attribute }))
        };
        let is_leaf = |child: &usize| {
            self.draft.classes[self.production.children[*child].class.index()].literal.is_some()
        };
        let children = 0..self.production.children.len();
        children
            .clone()
            .find(|child| is_leaf(child) && ready(child))
            .or_else(|| children.into_iter().find(ready))
    }
}

/// Children that no sibling depends on come first, because changing them invalidates nothing else.
pub(super) fn retry(production: &Production) -> Vec<usize> {
    let n = production.children.len();
    // For each child, the siblings whose inherited attributes depend on it.
    let mut readers = vec![vec![false; n]; n];
    for equation in &production.equations {
        let Occurrence::Child(to) = equation.target.node else { continue };
        for source in &equation.sources {
            if let Source::Slot(Slot { node: Occurrence::Child(from), .. }) = source {
                readers[*from as usize][to as usize] |= from != &to;
            }
        }
    }
    let mut left: Vec<usize> = (0..n).collect();
    let mut order = Vec::with_capacity(n);
    while !left.is_empty() {
        let free = left.iter().position(|child| !left.iter().any(|other| readers[*child][*other]));
        order.push(left.remove(free.unwrap_or(0)));
    }
    order
}
