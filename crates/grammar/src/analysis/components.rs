//! Strongly connected components, by Tarjan's algorithm with an explicit stack.
//!
//! Components come out callees first: whoever is asked after its component's turn already has all answers from
//! below. That order is what the set analyses use. Linear in nodes and edges.

use super::uses::Uses;
use crate::ids::RuleId;
use crate::model::{ElementKind, Grammar};
use std::ops::Range;

/// The components of a directed graph, in an order in which every edge leads into the same component or an
/// earlier one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Components {
    /// Nodes, component after component.
    nodes: Vec<u32>,
    /// Where each component begins in `nodes`, and the end.
    starts: Vec<u32>,
    component_of: Vec<u32>,
}

/// A directed graph as adjacency lists in one array.
#[derive(Debug, Clone)]
pub(crate) struct Graph {
    targets: Vec<u32>,
    starts: Vec<u32>,
}

impl Graph {
    /// From `(from, to)` pairs in any order.
    pub(crate) fn new(nodes: usize, edges: &[(u32, u32)]) -> Graph {
        let mut starts = vec![0u32; nodes + 1];
        for (from, _) in edges {
            starts[*from as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut free = starts.clone();
        let mut targets = vec![0; edges.len()];
        for (from, to) in edges {
            let slot = &mut free[*from as usize];
            targets[*slot as usize] = *to;
            *slot += 1;
        }
        Graph { targets, starts }
    }

    pub(crate) fn n_nodes(&self) -> usize {
        self.starts.len() - 1
    }

    pub(crate) fn successors(&self, node: usize) -> &[u32] {
        &self.targets[self.edges(node)]
    }

    fn edges(&self, node: usize) -> Range<usize> {
        self.starts[node] as usize..self.starts[node + 1] as usize
    }
}

impl Components {
    /// The components of the call graph: node numbers are those of [`RuleId`]s.
    pub fn of_calls(grammar: &Grammar, uses: &Uses) -> Components {
        let mut edges = Vec::new();
        for callee in grammar.rules() {
            for place in uses.calls(callee) {
                let caller = grammar.block(grammar.alternative(uses.alternative(*place)).block).rule;
                edges.push((caller.index() as u32, callee.index() as u32));
            }
        }
        Components::of(&Graph::new(grammar.rules.len(), &edges))
    }

    /// The components of a graph given by its edges.
    ///
    /// ```
    /// use polysmith_grammar::analysis::Components;
    /// let found = Components::of_edges(3, &[(0, 1), (1, 0), (1, 2)]);
    /// let groups: Vec<Vec<usize>> = (0..found.len()).map(|group| found.nodes(group).collect()).collect();
    /// assert_eq!(groups, [vec![2], vec![0, 1]]);
    /// ```
    pub fn of_edges(nodes: usize, edges: &[(u32, u32)]) -> Components {
        Components::of(&Graph::new(nodes, edges))
    }

    pub(crate) fn of(graph: &Graph) -> Components {
        let mut tarjan = Tarjan {
            graph,
            order: vec![UNSEEN; graph.n_nodes()],
            low: vec![0; graph.n_nodes()],
            next: 0,
            open: Vec::new(),
            found: Components {
                nodes: Vec::with_capacity(graph.n_nodes()),
                starts: vec![0],
                component_of: vec![UNSEEN; graph.n_nodes()],
            },
        };
        for root in 0..graph.n_nodes() {
            if tarjan.order[root] == UNSEEN {
                tarjan.search(root);
            }
        }
        tarjan.found
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether the graph has no nodes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The component of a node.
    pub fn component(&self, node: usize) -> usize {
        self.component_of[node] as usize
    }

    /// The nodes of a component, ascending.
    pub fn nodes(&self, component: usize) -> impl ExactSizeIterator<Item = usize> + Clone {
        let range = self.starts[component] as usize..self.starts[component + 1] as usize;
        self.nodes[range].iter().map(|node| *node as usize)
    }

    /// Whether a rule can call itself, directly or not.
    pub fn is_recursive(&self, grammar: &Grammar, rule: RuleId) -> bool {
        let component = self.component(rule.index());
        self.nodes(component).len() > 1 || {
            let blocks = grammar.rule(rule).blocks.clone();
            crate::ids::BlockId::range(blocks)
                .flat_map(|block| grammar.alternatives(block))
                .flat_map(|alt| grammar.elements(alt))
                .any(|element| element.kind == ElementKind::Rule(rule))
        }
    }
}

const UNSEEN: u32 = u32::MAX;

struct Tarjan<'a> {
    graph: &'a Graph,
    order: Vec<u32>,
    low: Vec<u32>,
    next: u32,
    open: Vec<u32>,
    found: Components,
}

impl Tarjan<'_> {
    fn search(&mut self, root: usize) {
        // A call of the recursive formulation: a node and the edge to look at next.
        let mut calls = vec![(root, self.graph.edges(root).start)];
        self.enter(root);
        while let Some((node, edge)) = calls.last_mut() {
            let node = *node;
            if *edge < self.graph.edges(node).end {
                let target = self.graph.targets[*edge] as usize;
                *edge += 1;
                if self.order[target] == UNSEEN {
                    self.enter(target);
                    calls.push((target, self.graph.edges(target).start));
                } else if self.found.component_of[target] == UNSEEN {
                    self.low[node] = self.low[node].min(self.order[target]);
                }
            } else {
                calls.pop();
                if let Some((caller, _)) = calls.last() {
                    self.low[*caller] = self.low[*caller].min(self.low[node]);
                }
                if self.low[node] == self.order[node] {
                    self.close(node);
                }
            }
        }
    }

    fn enter(&mut self, node: usize) {
        self.order[node] = self.next;
        self.low[node] = self.next;
        self.next += 1;
        self.open.push(node as u32);
    }

    fn close(&mut self, root: usize) {
        let number = self.found.len() as u32;
        let first = self.found.nodes.len();
        while let Some(node) = self.open.pop() {
            self.found.component_of[node as usize] = number;
            self.found.nodes.push(node);
            if node as usize == root {
                break;
            }
        }
        self.found.nodes[first..].sort_unstable();
        self.found.starts.push(self.found.nodes.len() as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn components(nodes: usize, edges: &[(u32, u32)]) -> Vec<Vec<usize>> {
        let found = Components::of(&Graph::new(nodes, edges));
        (0..found.len()).map(|c| found.nodes(c).collect()).collect()
    }

    #[test]
    fn callees_come_first() {
        let edges = [(0, 1), (1, 2), (2, 1), (2, 3), (4, 4)];
        assert_eq!(components(5, &edges), [vec![3], vec![1, 2], vec![0], vec![4]]);
    }

    #[test]
    fn a_long_cycle_needs_no_stack() {
        let n = 200_000;
        let edges: Vec<_> = (0..n).map(|at| (at, (at + 1) % n)).collect();
        assert_eq!(components(n as usize, &edges).len(), 1);
    }
}
