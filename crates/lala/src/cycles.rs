//! Checks strong non-cyclicity, with the implicit edges that guarded construction needs.
//!
//! For each class, a graph over its attributes collects the dependencies that any subtree or any context can create
//! (Kastens' induced dependencies): for each production, take the edges of its rules and the class graphs of all its
//! occurrences, compute the transitive closure, and project the paths between two attributes of one occurrence back
//! into the graph of that class, until nothing changes. A production in which an attribute reaches itself is cyclic;
//! the message shows the shortest cycle.
//!
//! In a guarded class, every guard depends on every inherited attribute, and every synthesized attribute on every
//! guard; in a `@unit` or generator class without guards, every synthesized attribute on every inherited one. One
//! extra node of the graph, "the guards", has these edges, because a guarded node is built in one visit.

use crate::codes;
use crate::draft::Draft;
use polysmith_attributes::{Occurrence, Slot, Source};
use polysmith_source::{Diagnostics, Span};
use std::collections::VecDeque;

/// A square bit matrix: `get(a, b)` is true if b depends on a.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Matrix {
    n: usize,
    words: usize,
    bits: Vec<u64>,
}

impl Matrix {
    pub(crate) fn new(n: usize) -> Matrix {
        let words = n.div_ceil(64);
        Matrix { n, words, bits: vec![0; n * words] }
    }

    pub(crate) fn get(&self, from: usize, to: usize) -> bool {
        self.bits[from * self.words + to / 64] >> (to % 64) & 1 == 1
    }

    /// Sets a bit. Returns whether it was unset.
    pub(crate) fn set(&mut self, from: usize, to: usize) -> bool {
        let word = &mut self.bits[from * self.words + to / 64];
        let before = *word;
        *word |= 1 << (to % 64);
        *word != before
    }

    /// Computes the transitive closure (Warshall's algorithm, one row at a time).
    fn close(&mut self) {
        for middle in 0..self.n {
            let row = self.bits[middle * self.words..(middle + 1) * self.words].to_vec();
            for from in 0..self.n {
                if self.get(from, middle) {
                    for (word, more) in self.bits[from * self.words..].iter_mut().zip(&row) {
                        *word |= more;
                    }
                }
            }
        }
    }
}

/// The dependencies in all productions.
#[derive(Debug)]
pub(crate) struct Dependencies {
    /// The closed graph of each production of each class.
    pub(crate) productions: Vec<Vec<Graph>>,
}

/// The graph of a production: the attributes of `this`, the guards, then the attributes of each child.
#[derive(Debug, Clone)]
pub(crate) struct Graph {
    /// The first node of each child.
    offsets: Vec<usize>,
    guards: usize,
    n: usize,
    /// The edges of rules, with the locations of the rules.
    edges: Vec<(usize, usize, Option<Span>)>,
    pub(crate) closed: Matrix,
}

impl Graph {
    pub(crate) fn node(&self, slot: Slot) -> usize {
        match slot.node {
            Occurrence::This => slot.attribute as usize,
            Occurrence::Child(child) => self.offsets[child as usize] + slot.attribute as usize,
        }
    }

    pub(crate) fn source(&self, source: Source) -> Option<usize> {
        match source {
            Source::Slot(slot) => Some(self.node(slot)),
            Source::Node(_) => None,
        }
    }
}

/// Computes the dependencies and reports cycles.
pub(crate) fn check(draft: &Draft, found: &mut Diagnostics) -> Dependencies {
    let mut classes: Vec<Matrix> =
        draft.classes.iter().map(|class| Matrix::new(class.attributes.len())).collect();
    let mut productions: Vec<Vec<Graph>> = (0..draft.classes.len())
        .map(|class| {
            let n = draft.classes[class].productions.len();
            (0..n).map(|production| own_graph(draft, class, production)).collect()
        })
        .collect();
    loop {
        let mut grew = false;
        for (class, graphs) in productions.iter_mut().enumerate() {
            for (production, graph) in graphs.iter_mut().enumerate() {
                close(draft, class, production, graph, &classes);
                grew |= project(draft, class, production, graph, &mut classes);
            }
        }
        if !grew {
            break;
        }
    }
    // Prefer a cycle that is closed by rules and by dependencies below the children. Show one that is only closed
    // above the node if there is no other.
    for through in [Through::Children, Through::Everything] {
        let before = found.len();
        for (class, graphs) in productions.iter().enumerate() {
            for (production, graph) in graphs.iter().enumerate() {
                report(&Site { draft, class, production, graph, classes: &classes, through }, found);
            }
        }
        if found.len() > before {
            break;
        }
    }
    Dependencies { productions }
}

/// The edges of the production's own rules.
fn own_graph(draft: &Draft, class: usize, production: usize) -> Graph {
    let class_draft = &draft.classes[class];
    let production_draft = &class_draft.productions[production];
    let guards = class_draft.attributes.len();
    let mut n = guards + 1;
    let mut offsets = Vec::new();
    for child in &production_draft.children {
        offsets.push(n);
        n += child.class.map_or(0, |class| draft.classes[class].attributes.len());
    }
    let mut graph = Graph { offsets, guards, n, edges: Vec::new(), closed: Matrix::new(n) };
    for equation in &production_draft.equations {
        let to = graph.node(equation.target);
        for source in equation.sources() {
            if let Some(from) = graph.source(source) {
                graph.edges.push((from, to, Some(equation.span)));
            }
        }
    }
    for guard in &production_draft.guards {
        for source in &guard.value.sources {
            if let Some(from) = graph.source(*source) {
                graph.edges.push((from, guards, Some(guard.value.span)));
            }
        }
    }
    if let (Some(list), Some(value)) = (&production_draft.list, class_draft.attribute("$")) {
        for source in &list.sources {
            if let Some(from) = graph.source(*source) {
                graph.edges.push((from, value, Some(list.span)));
            }
        }
    }
    if class_draft.is_guarded() {
        // Guards may read the text of a literal or the chosen value: these do not depend on the guards.
        for at in 0..class_draft.attributes.len() {
            if at < class_draft.n_inherited {
                graph.edges.push((at, guards, None));
            } else if !class_draft.is_intrinsic(at) {
                graph.edges.push((guards, at, None));
            }
        }
    }
    graph
}

fn close(draft: &Draft, class: usize, production: usize, graph: &mut Graph, classes: &[Matrix]) {
    let mut matrix = Matrix::new(graph.n);
    for (from, to, _) in &graph.edges {
        matrix.set(*from, *to);
    }
    for (offset, class) in occurrences(draft, class, production, graph) {
        let known = &classes[class];
        for from in 0..known.n {
            for to in (0..known.n).filter(|to| known.get(from, *to)) {
                matrix.set(offset + from, offset + to);
            }
        }
    }
    matrix.close();
    graph.closed = matrix;
}

fn occurrences(draft: &Draft, class: usize, production: usize, graph: &Graph) -> Vec<(usize, usize)> {
    let children = &draft.classes[class].productions[production].children;
    let children = children.iter().zip(&graph.offsets).filter_map(|(child, at)| Some((*at, child.class?)));
    std::iter::once((0, class)).chain(children).collect()
}

/// Projects paths between two attributes of one occurrence into the graph of its class. Returns whether an edge is new.
fn project(draft: &Draft, class: usize, production: usize, graph: &Graph, classes: &mut [Matrix]) -> bool {
    let mut grew = false;
    for (offset, class) in occurrences(draft, class, production, graph) {
        for from in 0..classes[class].n {
            for to in 0..classes[class].n {
                if from != to && graph.closed.get(offset + from, offset + to) {
                    grew |= classes[class].set(from, to);
                }
            }
        }
    }
    grew
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Through {
    Children,
    Everything,
}

/// A production that is searched for cycles.
struct Site<'a> {
    draft: &'a Draft,
    class: usize,
    production: usize,
    graph: &'a Graph,
    classes: &'a [Matrix],
    through: Through,
}

struct Edge {
    from: usize,
    to: usize,
    rule: Option<Span>,
}

fn report(site: &Site<'_>, found: &mut Diagnostics) {
    let on_circle = (0..site.graph.n).filter(|node| site.graph.closed.get(*node, *node));
    let circles = on_circle.filter_map(|node| site.circle(node));
    let with_rules = circles.filter(|edges| edges.iter().any(|edge| edge.rule.is_some()));
    let Some(edges) = with_rules.min_by_key(Vec::len) else { return };
    let class = &site.draft.classes[site.class];
    let production = &class.productions[site.production];
    let chain: Vec<String> = edges.iter().map(|edge| site.name(edge.to)).collect();
    let first = chain.last().cloned().unwrap_or_default();
    let message = format!(
        "attributes depend on each other in production `{}` of class `{}`: {first} → {}",
        production.name.text,
        class.name.text,
        chain.join(" → ")
    );
    let place = edges.iter().find_map(|edge| edge.rule).unwrap_or(production.name.span);
    let diagnostic = found.error(codes::CYCLE, place, message);
    for edge in &edges {
        let step = format!("{} needs {}", site.name(edge.to), site.name(edge.from));
        match edge.rule {
            Some(span) => diagnostic.also(span, step),
            None => {
                let owner = &site.draft.classes[site.owner(edge.to)].name;
                diagnostic.also(owner.span, format!("{step}, by the rules or guards of `{}`", owner.text))
            }
        };
    }
    diagnostic.help(
        "compute one of them from something else, or split an attribute in two; a node with guards gives \
         nothing to its parent before it has everything from it",
    );
}

impl Site<'_> {
    /// The direct successors of a node: by a rule, or by a dependency below a child (or above this node).
    fn next(&self, from: usize) -> Vec<(usize, Option<Span>)> {
        let edges = self.graph.edges.iter().filter(|(at, ..)| *at == from);
        let mut next: Vec<(usize, Option<Span>)> = edges.map(|(_, to, span)| (*to, *span)).collect();
        for (offset, class) in occurrences(self.draft, self.class, self.production, self.graph) {
            let (n, n_inherited) = (self.classes[class].n, self.draft.classes[class].n_inherited);
            if !(offset..offset + n).contains(&from) || (offset == 0 && self.through == Through::Children) {
                continue;
            }
            // Below a child, values flow up; above this node, they flow down.
            let up = offset > 0;
            let from_inherited = from - offset < n_inherited;
            let reached = (0..n).filter(|to| {
                from_inherited == up
                    && (*to < n_inherited) != up
                    && self.classes[class].get(from - offset, *to)
            });
            next.extend(reached.map(|to| (offset + to, None)));
        }
        next
    }

    /// The shortest path from a node back to itself.
    fn circle(&self, start: usize) -> Option<Vec<Edge>> {
        let mut came: Vec<Option<(usize, Option<Span>)>> = vec![None; self.graph.n];
        let mut queue = VecDeque::from([start]);
        while let Some(from) = queue.pop_front().filter(|_| came[start].is_none()) {
            for (to, span) in self.next(from) {
                if came[to].is_none() {
                    came[to] = Some((from, span));
                    queue.push_back(to);
                }
            }
        }
        let mut edges = Vec::new();
        let mut at = start;
        loop {
            let (from, rule) = came[at]?;
            edges.push(Edge { from, to: at, rule });
            at = from;
            if at == start {
                break;
            }
        }
        edges.reverse();
        Some(edges)
    }

    fn owner(&self, node: usize) -> usize {
        let occurrences = occurrences(self.draft, self.class, self.production, self.graph);
        let inside = |(offset, class): &&(usize, usize)| {
            (*offset..offset + self.draft.classes[*class].attributes.len()).contains(&node)
        };
        occurrences.iter().find(inside).map_or(self.class, |(_, class)| *class)
    }

    fn name(&self, node: usize) -> String {
        if node == self.graph.guards {
            return "the guards of `this`".to_owned();
        }
        let child = self.graph.offsets.iter().rposition(|offset| *offset <= node);
        let slot = match child.filter(|_| node > self.graph.guards) {
            Some(child) => Slot {
                node: Occurrence::Child(child as u32),
                attribute: (node - self.graph.offsets[child]) as u32,
            },
            None => Slot { node: Occurrence::This, attribute: node as u32 },
        };
        format!("`{}`", self.draft.show(self.class, self.production, slot))
    }
}
