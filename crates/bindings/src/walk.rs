//! The first pass: a scan over the tree that finds scopes, definitions, uses and violated needs.

use crate::automaton::State;
use crate::bindings::{Definition, Scope, Violation};
use crate::names::{Actions, Names};
use crate::rules::Visibility;
use polysmith_tree::{Kind, NodeId, Tree};

/// What happens to names, in the order of the text.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Event {
    /// A scope begins, by its number.
    Open(u32),
    /// The innermost scope ends.
    Close,
    /// A definition becomes visible, by its number.
    Visible(u32),
    /// A name is used.
    Use(Found),
}

/// A use that is not resolved yet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found {
    pub(crate) node: NodeId,
    pub(crate) rule: u16,
    pub(crate) scope: u32,
    /// Definitions outside of this scope cannot be used.
    pub(crate) outermost: u32,
}

/// What the walk found.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    pub(crate) events: Vec<Event>,
    pub(crate) scopes: Vec<Scope>,
    pub(crate) definitions: Vec<Definition>,
    pub(crate) violations: Vec<Violation>,
}

/// A rule node whose subtree is being walked.
struct Open {
    end: usize,
    state: State,
    /// The conditions to return to at its end.
    conditions: u64,
    scope_kind: Option<u16>,
    /// Definitions that become visible at its end.
    pending: Vec<u32>,
}

struct Walk<'a> {
    names: &'a Names,
    tree: &'a Tree,
    out: Walked,
    open: Vec<Open>,
    scopes: Vec<u32>,
    /// The open scopes of each kind.
    scopes_of_kind: Vec<Vec<u32>>,
    /// The conditions that hold, one bit each.
    conditions: u64,
}

pub(crate) fn walk(names: &Names, tree: &Tree) -> Walked {
    let whole = Scope { node: NodeId::ROOT, parent: 0, rule: None };
    let mut walk = Walk {
        names,
        tree,
        out: Walked { scopes: vec![whole], events: vec![Event::Open(0)], ..Walked::default() },
        open: Vec::new(),
        scopes: vec![0],
        scopes_of_kind: vec![Vec::new(); names.n_scope_kinds],
        conditions: 0,
    };
    for (at, node) in tree.nodes().iter().enumerate() {
        while walk.open.last().is_some_and(|open| open.end <= at) {
            walk.leave();
        }
        let state = walk.open.last().map_or(0, |open| open.state);
        match node.kind() {
            Kind::Rule { rule, alt } => {
                let state = names.automaton.enter_rule(state, rule, alt);
                walk.enter(NodeId::new(at), state, at + node.size());
            }
            Kind::Token(token) => {
                let state = names.automaton.enter_token(state, token);
                if let Some(actions) = names.actions(state) {
                    walk.act(NodeId::new(at), actions, 0);
                }
            }
            _ => {}
        }
    }
    while !walk.open.is_empty() {
        walk.leave();
    }
    walk.out.events.push(Event::Close);
    walk.out
}

impl Walk<'_> {
    fn enter(&mut self, node: NodeId, state: State, end: usize) {
        let conditions = self.conditions;
        self.open.push(Open { end, state, conditions, scope_kind: None, pending: Vec::new() });
        if let Some(actions) = self.names.actions(state) {
            if let Some(rule) = actions.scope {
                self.open_scope(node, rule);
            }
            self.act(node, actions, 1);
        }
    }

    fn open_scope(&mut self, node: NodeId, rule: u16) {
        let kind = self.names.scope_kinds[rule as usize];
        let number = self.out.scopes.len() as u32;
        let parent = self.innermost();
        self.out.scopes.push(Scope { node, parent, rule: Some(rule) });
        self.out.events.push(Event::Open(number));
        self.scopes.push(number);
        self.scopes_of_kind[kind as usize].push(number);
        if let Some(open) = self.open.last_mut() {
            open.scope_kind = Some(kind);
        }
    }

    fn leave(&mut self) {
        let Some(open) = self.open.pop() else { return };
        self.conditions = open.conditions;
        if let Some(kind) = open.scope_kind {
            self.scopes.pop();
            self.scopes_of_kind[kind as usize].pop();
            self.out.events.push(Event::Close);
        }
        self.out.events.extend(open.pending.into_iter().map(Event::Visible));
    }

    /// Does what the rules say about a node. `own` is 1 if the node itself is open, 0 for a leaf.
    fn act(&mut self, node: NodeId, actions: &Actions, own: usize) {
        for need in &actions.needs {
            if self.conditions & 1 << need == 0 {
                self.out.violations.push(Violation { node, need: *need });
            }
        }
        self.conditions &= !actions.clears;
        if !actions.is_ignored
            && let Some(leaf) = self.name_leaf(node)
        {
            let holds = |rule: &&u16| {
                let condition = self.names.definitions[**rule as usize].condition;
                condition & self.conditions == condition
            };
            match (actions.definitions.iter().find(holds), actions.used) {
                (Some(rule), _) => self.define(leaf, *rule, own),
                (None, Some(rule)) => self.use_name(leaf, rule),
                (None, None) => {}
            }
        }
        for (bit, length) in &actions.sets {
            // The node of the first step is open, except if the leaf itself is the only step.
            let Some(first) = (self.open.len() + 1 - own).checked_sub(*length) else { continue };
            let Some(inner) = self.open.get_mut(first + 1..) else { continue };
            self.conditions |= bit;
            inner.iter_mut().for_each(|open| open.conditions |= bit);
        }
    }

    /// The first token of a subtree.
    fn name_leaf(&self, node: NodeId) -> Option<NodeId> {
        self.tree.subtree(node).find(|leaf| matches!(self.tree.kind(*leaf), Kind::Token(_)))
    }

    fn define(&mut self, node: NodeId, rule: u16, own: usize) {
        let compiled = &self.names.definitions[rule as usize];
        let nearest = |kind: &u16| self.scopes_of_kind[*kind as usize].last().copied();
        let scope = match compiled.scopes.is_empty() {
            true => self.innermost(),
            // An inner scope has a higher number.
            false => compiled.scopes.iter().filter_map(nearest).max().unwrap_or(0),
        };
        let number = self.out.definitions.len() as u32;
        self.out.definitions.push(Definition { node, rule, kind: compiled.kind, scope });
        let after = compiled.visible_after;
        let first = after.and_then(|length| (self.open.len() + 1 - own).checked_sub(length));
        match (self.names.rules.definitions[rule as usize].visibility, first) {
            (Visibility::AfterNode, Some(first)) if first < self.open.len() => {
                self.open[first].pending.push(number);
            }
            (Visibility::Scope, _) => {}
            _ => self.out.events.push(Event::Visible(number)),
        }
    }

    fn use_name(&mut self, node: NodeId, rule: u16) {
        let until = self.names.uses[rule as usize].until;
        let outermost = until.and_then(|kind| self.scopes_of_kind[kind as usize].last().copied());
        let scope = self.innermost();
        self.out.events.push(Event::Use(Found { node, rule, scope, outermost: outermost.unwrap_or(0) }));
    }

    fn innermost(&self) -> u32 {
        self.scopes.last().copied().unwrap_or(0)
    }
}
