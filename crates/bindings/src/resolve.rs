//! The second pass: from scopes, definitions and uses in the order of the text to what each use refers to.
//!
//! For each name and kind there is a stack of the definitions that are visible, inner scopes on top. So a use looks at the
//! top of one stack for each of its kinds, however deep the scopes are nested.

use crate::bindings::{Bindings, Definition, Repeated, Target, Use};
use crate::names::{KindId, Names};
use crate::rules::Visibility;
use crate::walk::{Event, Found, Walked};
use polysmith_tree::Tree;
use rustc_hash::FxHashMap;

/// A definition that can be used, with the depth of its scope.
#[derive(Debug, Clone, Copy)]
struct Visible {
    depth: u32,
    definition: u32,
}

type Key<'a> = (&'a [u8], KindId);

struct Resolver<'a> {
    names: &'a Names,
    tree: &'a Tree,
    definitions: &'a [Definition],
    visible: FxHashMap<Key<'a>, Vec<Visible>>,
    /// The open scopes, and the stacks that each has put a definition on.
    open: Vec<(u32, Vec<Key<'a>>)>,
    /// The depth of each scope that was opened.
    depths: Vec<u32>,
}

pub(crate) fn resolve(names: &Names, tree: &Tree, walked: Walked) -> Bindings {
    let Walked { events, scopes, definitions, violations } = walked;
    let mut hoisted: Vec<Vec<u32>> = vec![Vec::new(); scopes.len()];
    for (number, definition) in definitions.iter().enumerate() {
        if names.rules.definitions[definition.rule as usize].visibility == Visibility::Scope {
            hoisted[definition.scope as usize].push(number as u32);
        }
    }
    let mut resolver = Resolver {
        names,
        tree,
        definitions: &definitions,
        visible: FxHashMap::default(),
        open: Vec::new(),
        depths: vec![0; scopes.len()],
    };
    let mut uses = Vec::new();
    for event in events {
        match event {
            Event::Open(scope) => {
                resolver.depths[scope as usize] = resolver.open.len() as u32;
                resolver.open.push((scope, Vec::new()));
                // The first of equal definitions is on top.
                hoisted[scope as usize].iter().rev().for_each(|definition| resolver.show(*definition));
            }
            Event::Close => resolver.close(),
            Event::Visible(definition) => resolver.show(definition),
            Event::Use(found) => {
                let target = resolver.target(&found);
                uses.push(Use { node: found.node, rule: found.rule, scope: found.scope, target });
            }
        }
    }
    let repeated = repeated(names, tree, &definitions);
    Bindings { scopes, definitions, uses, repeated, violations }
}

impl<'a> Resolver<'a> {
    /// Makes a definition visible, unless its scope has ended.
    fn show(&mut self, number: u32) {
        let definition = self.definitions[number as usize];
        let depth = self.depths[definition.scope as usize];
        let Some((_, keys)) =
            self.open.get_mut(depth as usize).filter(|(scope, _)| *scope == definition.scope)
        else {
            return;
        };
        let key = (self.tree.leaf_text(definition.node), definition.kind);
        keys.push(key);
        let stack = self.visible.entry(key).or_default();
        let inner = stack.iter().rev().take_while(|visible| visible.depth > depth).count();
        stack.insert(stack.len() - inner, Visible { depth, definition: number });
    }

    fn close(&mut self) {
        let Some((_, keys)) = self.open.pop() else { return };
        for key in keys {
            // Definitions of the innermost scope are on top of their stacks.
            self.visible.get_mut(&key).and_then(Vec::pop);
        }
    }

    fn target(&self, found: &Found) -> Target {
        let name = self.tree.leaf_text(found.node);
        let outermost = self.depths[found.outermost as usize];
        let tops = self.names.uses[found.rule as usize].kinds.iter().filter_map(|kind| {
            let top = self.visible.get(&(name, *kind))?.last()?;
            (top.depth >= outermost).then_some(*top)
        });
        if let Some(nearest) = tops.max_by_key(|top| (top.depth, top.definition)) {
            return Target::Definition(nearest.definition);
        }
        if self.names.rules.builtins.contains(name) {
            return Target::Builtin;
        }
        if self.names.rules.environment.contains(name) {
            return Target::Environment;
        }
        match self.names.rules.uses[found.rule as usize].is_optional {
            true => Target::Optional,
            false => Target::Unresolved,
        }
    }
}

/// Definitions whose name an earlier one of the same scope has, where one of the two excludes the other.
fn repeated(names: &Names, tree: &Tree, definitions: &[Definition]) -> Vec<Repeated> {
    let mut out = Vec::new();
    let mut first: FxHashMap<(u32, &[u8], KindId), u32> = FxHashMap::default();
    let excludes =
        |one: Definition, other: KindId| names.definitions[one.rule as usize].unique_among.contains(&other);
    for (number, definition) in definitions.iter().enumerate() {
        let name = tree.leaf_text(definition.node);
        let earlier = (0..names.n_kinds() as u16).find_map(|kind| {
            let earlier = *first.get(&(definition.scope, name, KindId(kind)))?;
            let other = definitions[earlier as usize];
            (excludes(*definition, other.kind) || excludes(other, definition.kind)).then_some(earlier)
        });
        if let Some(earlier) = earlier {
            out.push(Repeated { definition: number as u32, earlier });
        }
        first.entry((definition.scope, name, definition.kind)).or_insert(number as u32);
    }
    out
}
