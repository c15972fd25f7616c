//! The automaton and the stacks agree with an obvious resolver on random texts.
//!
//! The obvious one climbs from every node to the root for every path, and from every use through all scopes around it.

mod common;

use common::{grammar, language, parse};
use polysmith_bindings::Target;
use polysmith_grammar::Grammar;
use polysmith_tree::{Kind, NodeId, Tree};
use proptest::prelude::*;

/// A tree with the parent of each node, without groups.
struct Climber<'a> {
    tree: &'a Tree,
    grammar: &'a Grammar,
    parents: Vec<NodeId>,
}

/// A definition as the obvious resolver sees it.
struct Defined {
    node: NodeId,
    kind: &'static str,
    scope: NodeId,
    /// The offset from which it is visible.
    from: usize,
}

impl Climber<'_> {
    /// The rule and label of a node, or the name of a token.
    fn names(&self, node: NodeId) -> Vec<String> {
        match self.tree.kind(node) {
            Kind::Rule { rule, alt } => {
                let rule = self.grammar.rule(rule);
                let alternative = self.grammar.alternatives(rule.body()).nth(alt as usize - 1);
                let label = alternative.and_then(|alt| self.grammar.alternative(alt).label.clone());
                std::iter::once(rule.name.clone()).chain(label).collect()
            }
            Kind::Token(token) => vec![self.grammar.tokens().display(token)],
            _ => Vec::new(),
        }
    }

    fn is(&self, node: NodeId, name: &str) -> bool {
        self.names(node).iter().any(|own| own == name)
    }

    /// The nodes around a node, the nearest first, groups left out.
    fn around(&self, node: NodeId) -> Vec<NodeId> {
        let mut out = Vec::new();
        let mut at = node;
        while at != NodeId::ROOT {
            at = self.parents[at.index()];
            if matches!(self.tree.kind(at), Kind::Rule { .. }) {
                out.push(at);
            }
        }
        out
    }

    fn nearest(&self, node: NodeId, names: &[&str]) -> Option<NodeId> {
        self.around(node).into_iter().find(|at| names.iter().any(|name| self.is(*at, name)))
    }

    fn end(&self, node: NodeId) -> usize {
        let leaves = self.tree.subtree(node).filter(|at| self.tree.kind(*at).is_leaf());
        leaves.map(|leaf| self.tree.leaf_range(leaf).end).max().unwrap_or(0)
    }

    fn definitions(&self) -> Vec<Defined> {
        let mut out = Vec::new();
        for node in self.tree.subtree(NodeId::ROOT).filter(|node| self.is(*node, "ID")) {
            let parent = self.around(node)[0];
            let scope = |names: &[&str]| self.nearest(node, names).unwrap_or(NodeId::ROOT);
            let innermost = scope(&["function", "block", "Labeled"]);
            let end = self.tree.leaf_range(node).end;
            let (kind, scope, from) = if self.is(parent, "Var") {
                ("variable", scope(&["function"]), 0)
            } else if self.is(parent, "Let") {
                ("constant", innermost, end)
            } else if self.is(parent, "Local") {
                ("constant", innermost, self.end(parent))
            } else if self.is(parent, "declarator") {
                let def = scope(&["Def"]);
                let is_constant = self.tree.subtree(def).any(|at| self.is(at, "'const'"));
                (if is_constant { "constant" } else { "variable" }, innermost, end)
            } else if self.is(parent, "Labeled") {
                ("label", innermost, 0)
            } else if self.is(parent, "parameter") {
                ("variable", innermost, 0)
            } else if self.is(parent, "function") {
                ("variable", scope(&["block"]), 0)
            } else {
                continue;
            };
            out.push(Defined { node, kind, scope, from });
        }
        out
    }

    /// The place of the definition that each use refers to, in the order of the text.
    fn targets(&self) -> Vec<(usize, Option<usize>)> {
        let definitions = self.definitions();
        let mut out = Vec::new();
        for node in self.tree.subtree(NodeId::ROOT).filter(|node| self.is(*node, "ID")) {
            let parent = self.around(node)[0];
            let is_label = self.is(parent, "Goto");
            let is_ignored = self.is(self.around(parent)[0], "value")
                && self.nearest(node, &["TypeOf"]) == Some(self.around(parent)[1]);
            if is_ignored || !(is_label || self.is(parent, "value")) {
                continue;
            }
            let place = self.tree.leaf_range(node).start;
            let mut found = None;
            for scope in self.around(node).into_iter().chain([NodeId::ROOT]) {
                let fits = |defined: &&Defined| {
                    defined.scope == scope
                        && (defined.kind == "label") == is_label
                        && defined.from <= place
                        && self.tree.leaf_text(defined.node) == self.tree.leaf_text(node)
                };
                let fitting: Vec<&Defined> = definitions.iter().filter(fits).collect();
                // The last definition counts; of those that are visible everywhere the first.
                let mut best = fitting.iter().filter(|one| one.from > 0).max_by_key(|one| one.node);
                for kind in ["variable", "constant", "label"] {
                    let hoisted = fitting.iter().find(|one| one.from == 0 && one.kind == kind);
                    let later = fitting.iter().any(|one| one.from > 0 && one.kind == kind);
                    if let Some(hoisted) = hoisted.filter(|_| !later) {
                        best = best.into_iter().chain([hoisted]).max_by_key(|one| one.node);
                    }
                }
                if let Some(best) = best {
                    found = Some(self.tree.leaf_range(best.node).start);
                    break;
                }
                if is_label && self.is(scope, "function") {
                    break;
                }
            }
            out.push((place, found));
        }
        out
    }

    /// The places of needs that are not satisfied.
    fn violations(&self) -> Vec<usize> {
        let misplaced = |node: &NodeId| {
            let around = self.nearest(*node, &["Loop", "function"]);
            let function = self.nearest(*node, &["function"]);
            let is_async = function.is_some_and(|function| {
                self.tree.subtree(function).any(|at| self.is(at, "'async'") && self.around(at)[0] == function)
            });
            (self.is(*node, "Break") && !around.is_some_and(|at| self.is(at, "Loop")))
                || (self.is(*node, "Await") && !is_async)
        };
        self.tree.subtree(NodeId::ROOT).filter(misplaced).map(|node| node.index()).collect()
    }
}

fn name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["a", "b", "c"])
}

fn statement() -> impl Strategy<Value = String> {
    let leaf = (0..10, name(), name()).prop_map(|(form, one, two)| match form {
        0 => format!("var {one} = {two};"),
        1 => format!("let {one} = {two};"),
        2 => format!("local {one} = {two};"),
        3 => format!("const def (({one}));"),
        4 => format!("def * {one};"),
        5 => format!("goto {one};"),
        6 => "break;".to_owned(),
        7 => format!("await ({one});"),
        8 => format!("typeof (({one})); typeof ({two}); typeof {one};"),
        _ => format!("{one};"),
    });
    leaf.prop_recursive(6, 60, 6, |inner| {
        (0..5, name(), name(), prop::collection::vec(inner, 0..6)).prop_map(|(form, one, two, inside)| {
            let inside = inside.join(" ");
            match form {
                0 => format!("{{ {inside} }}"),
                1 => format!("loop {{ {inside} }}"),
                2 => format!("fun {one}({two}) {{ {inside} }}"),
                3 => format!("async fun {one}() {{ {inside} }}"),
                _ => format!("{one}: {{ {inside} }}"),
            }
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_resolvers_agree(statements in prop::collection::vec(statement(), 0..8)) {
        let text = statements.join("\n");
        let (names, mut parser) = language();
        let tree = parse(&mut parser, &text);
        let bindings = names.resolve(&tree);
        let place = |node: NodeId| tree.leaf_range(node).start;
        let ours: Vec<(usize, Option<usize>)> = bindings.uses.iter().map(|used| {
            let target = match used.target {
                Target::Definition(number) => Some(place(bindings.definitions[number as usize].node)),
                _ => None,
            };
            (place(used.node), target)
        }).collect();
        let climber = Climber { tree: &tree, grammar: &grammar(), parents: tree.parents() };
        prop_assert_eq!(ours, climber.targets(), "{}", text);
        let violations: Vec<usize> = bindings.violations.iter().map(|violation| violation.node.index()).collect();
        prop_assert_eq!(violations, climber.violations(), "{}", text);
    }
}
