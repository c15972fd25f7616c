//! Perses: Algorithms 2 to 4 of Sun et al., ICSE 2018.
//!
//! The largest node first (in live tokens; of equals the one that begins first, outer before inner). A list is
//! minimized by the list minimizer of the run; a plus keeps one child, any one. A regular node is replaced by a
//! descendant that its place accepts, smallest first, or, where its parent is a list, by the items of a list
//! below it. What stays of a node waits for its turn.

use std::collections::{BinaryHeap, VecDeque};

use polysmith_grammar::normal::Expected;

use crate::edit::Edits;
use crate::passes::define_pass;
use crate::problem::{Problem, Proposer};
use crate::question::Stop;
use crate::text::Text;
use crate::tree::Language;
use crate::tree::cut::around;
use crate::tree::items::{Items, each_file};
use crate::tree::language::Syntax;
use crate::tree::nodes::{NONE, NodeKind};
use crate::tree::session::{Plan, Session};

/// Descendants looked at for one node, if the depth is not bounded.
const HOIST_BUDGET: usize = 2_000;

/// Replacements asked for one node in the first round. An array of thousands could become each of its elements; its list
/// is better made short first, and later rounds try them all.
const HOISTS_AT_FIRST: usize = 32;

define_pass! {
    /// Deletes items of lists and optional parts, and puts descendants in the place of nodes.
    ///
    /// Largest nodes first, by the grammar: asks only what parses.
    "perses", Always, Tree(|language, problem| run(language, problem, false))
}

define_pass! {
    /// Perses and nothing else: a file without a tree is minimized as a list of tokens, which passes by text do better.
    ALONE = "perses", Always, Tree(|language, problem| run(language, problem, true))
}

fn run(language: &mut Language, problem: &mut Problem<'_>, is_alone: bool) -> Result<(), Stop> {
    let depth = problem.hoist_depth();
    each_file(language, is_alone, problem, |session, problem| {
        Walk { session, queue: BinaryHeap::new(), depth }.run(problem)
    })
}

struct Walk<'a> {
    session: Session<'a>,
    /// Live tokens when it was put in, and the node, lower numbers first.
    queue: BinaryHeap<(u32, std::cmp::Reverse<u32>)>,
    depth: Option<u32>,
}

impl Walk<'_> {
    fn run(mut self, problem: &mut Problem<'_>) -> Result<(), Stop> {
        self.push(0);
        while let Some((size, std::cmp::Reverse(node))) = self.queue.pop() {
            let now = self.session.size(node);
            if now == 0 {
                continue;
            }
            if now != size {
                // It lost tokens while it waited: its turn comes later.
                self.push(node);
                continue;
            }
            match self.session.nodes.get(node).kind {
                NodeKind::Token => {}
                NodeKind::List { .. } | NodeKind::Loose => self.list(node, problem)?,
                NodeKind::Regular => self.regular(node, problem)?,
            }
        }
        Ok(())
    }

    fn push(&mut self, node: u32) {
        if self.session.nodes.get(node).kind != NodeKind::Token {
            self.queue.push((self.session.size(node), std::cmp::Reverse(node)));
        }
    }

    fn push_children(&mut self, node: u32) {
        let children: Vec<u32> = self.session.children(node).collect();
        for child in children {
            self.push(child);
        }
    }

    fn list(&mut self, node: u32, problem: &mut Problem<'_>) -> Result<(), Stop> {
        let items: Vec<u32> = self.session.children(node).collect();
        Items { session: &mut self.session, items }.minimize(problem)?;
        self.push_children(node);
        Ok(())
    }

    fn regular(&mut self, node: u32, problem: &mut Problem<'_>) -> Result<(), Stop> {
        if !self.hoist(node, problem)? {
            self.push_children(node);
        }
        Ok(())
    }

    /// Replaces a node if something below it can take its place.
    fn hoist(&mut self, node: u32, problem: &mut Problem<'_>) -> Result<bool, Stop> {
        let mut candidates = self.candidates(node);
        if problem.round() == 1 {
            candidates.truncate(HOISTS_AT_FIRST);
        }
        let mut hoists =
            Hoists { session: &mut self.session, node, candidates, open: VecDeque::new(), taken: None };
        problem.search(&mut hoists)?;
        let Some(taken) = hoists.taken else { return Ok(false) };
        self.session.hoist(node, taken);
        self.push(taken);
        Ok(true)
    }

    /// The first nodes below, on each way down, that the place of a node accepts; smallest first.
    fn candidates(&self, node: u32) -> VecDeque<u32> {
        let session = &self.session;
        let Some(expected) = session.nodes.get(node).expected else { return VecDeque::new() };
        let parent = session.nodes.get(node).parent;
        let in_list = parent != NONE && matches!(session.nodes.get(parent).kind, NodeKind::List { .. });
        let fits = |below: u32| self.fits(expected, below) || in_list && self.list_fits(expected, below);
        // Keeping one item of a list that is all of the node is the business of the list.
        let is_all_of_it = |below: u32| {
            matches!(session.nodes.get(below).kind, NodeKind::List { .. })
                && session.size(below) == session.size(node)
        };
        let mut found = Vec::new();
        let mut level: Vec<u32> = session.children(node).collect();
        let mut depth = 1;
        let mut budget = HOIST_BUDGET;
        while !level.is_empty() && self.depth.is_none_or(|most| depth <= most) && budget > 0 {
            let mut next = Vec::new();
            for below in level {
                budget = budget.saturating_sub(1);
                if session.size(below) < session.size(node) && fits(below) {
                    found.push(below);
                } else if !is_all_of_it(below) {
                    next.extend(session.children(below));
                }
            }
            level = next;
            depth += 1;
        }
        found.sort_by_key(|below| (session.size(*below), *below));
        found.into()
    }

    fn fits(&self, expected: Expected, below: u32) -> bool {
        let Syntax { view, grammar, .. } = &self.session.language.syntax;
        let symbol = self.session.nodes.get(below).symbol;
        symbol.is_some_and(|symbol| view.accepts(grammar, expected, symbol))
    }

    /// Whether the items of a list may be side by side where one thing is expected.
    fn list_fits(&self, expected: Expected, below: u32) -> bool {
        let NodeKind::List { element: Some(element), .. } = self.session.nodes.get(below).kind else {
            return false;
        };
        match element {
            Expected::Symbol(symbol) => {
                let Syntax { view, grammar, .. } = &self.session.language.syntax;
                view.accepts(grammar, expected, symbol)
            }
            // A repetition is one of several things: the check decides.
            Expected::Block(_) => self.session.children(below).all(|item| self.fits(expected, item)),
            Expected::Element(_) => element == expected,
        }
    }
}

/// Proposes one replacement after the other, until one is taken.
struct Hoists<'s, 'a> {
    session: &'s mut Session<'a>,
    node: u32,
    candidates: VecDeque<u32>,
    open: VecDeque<(u32, Plan)>,
    taken: Option<u32>,
}

impl Proposer for Hoists<'_, '_> {
    fn propose(&mut self, text: &Text) -> Option<Edits> {
        while self.taken.is_none() {
            let below = self.candidates.pop_front()?;
            let all = &self.session.nodes.get(self.node).tokens;
            let cuts = around(all, &self.session.nodes.get(below).tokens);
            if let Some(plan) = self.session.plan(text, cuts) {
                let edits = plan.edits.clone();
                self.open.push_back((below, plan));
                return Some(edits);
            }
        }
        None
    }

    fn refused(&mut self) {
        self.open.pop_front();
    }

    fn accepted(&mut self, _text: &Text, _edits: &Edits) {
        if let Some((below, plan)) = self.open.pop_front() {
            self.session.accept(&plan);
            self.taken = Some(below);
        }
        self.open.clear();
    }
}
