//! Rules about names, compiled against a grammar.

use crate::automaton::{Automaton, MAX_STATES, State};
use crate::bindings::Bindings;
use crate::path::Path;
use crate::rules::{Rules, Visibility};
use crate::{resolve, walk};
use polysmith_grammar::Grammar;
use polysmith_tree::Tree;

/// Conditions and needs are bits of one word while a tree is walked.
pub(crate) const MAX_CONDITIONS: usize = 64;

/// A kind of definition: a variable, a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KindId(pub(crate) u16);

/// Rules that cannot be compiled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// The paths need an automaton that is too large.
    #[error(
        "the paths multiply each other: their automaton has more than {MAX_STATES} states; use fewer `..`"
    )]
    TooManyStates,
    /// There are more conditions and needs than bits.
    #[error("there are more than {MAX_CONDITIONS} needs and conditions")]
    TooManyConditions,
    /// A condition, or the path of a name that is visible after a node, has no fixed length.
    #[error("a condition, and the path of a name that is visible after a node, can have no `+` and no `..`")]
    VaryingLength,
    /// A kind of definition that nothing defines.
    #[error("nothing defines a name of the kind `{kind}`")]
    UnknownKind {
        /// The kind.
        kind: String,
    },
    /// A kind of scope that nothing opens.
    #[error("nothing opens a scope of the kind `{kind}`")]
    UnknownScope {
        /// The kind.
        kind: String,
    },
}

/// The names of a language, ready to be found in trees.
#[derive(Debug)]
pub struct Names {
    pub(crate) rules: Rules,
    pub(crate) automaton: Automaton,
    /// The actions of a state, by number; 0 has none.
    action_of_state: Vec<u32>,
    actions: Vec<Actions>,
    pub(crate) definitions: Vec<CompiledDefinition>,
    pub(crate) uses: Vec<CompiledUse>,
    /// The kind of scope that each rule opens.
    pub(crate) scope_kinds: Vec<u16>,
    pub(crate) n_scope_kinds: usize,
    kinds: Vec<String>,
}

/// What is to be done at a node whose state matches paths.
#[derive(Debug, Default)]
pub(crate) struct Actions {
    pub(crate) scope: Option<u16>,
    pub(crate) is_ignored: bool,
    pub(crate) definitions: Vec<u16>,
    pub(crate) used: Option<u16>,
    pub(crate) needs: Vec<u16>,
    /// Conditions that hold no longer below this node.
    pub(crate) clears: u64,
    /// Conditions that hold from here to the end of an enclosing node, with the number of levels up to it; 1 is this node.
    pub(crate) sets: Vec<(u64, usize)>,
}

#[derive(Debug)]
pub(crate) struct CompiledDefinition {
    pub(crate) kind: KindId,
    /// The kinds of scopes that it can belong to; any kind if there is none.
    pub(crate) scopes: Vec<u16>,
    /// The condition's bit; 0 if there is none.
    pub(crate) condition: u64,
    pub(crate) unique_among: Vec<KindId>,
    /// Levels up to the node after which it is visible, the name's own node counted.
    pub(crate) visible_after: Option<usize>,
}

#[derive(Debug)]
pub(crate) struct CompiledUse {
    pub(crate) kinds: Vec<KindId>,
    pub(crate) until: Option<u16>,
}

/// What a path is for.
#[derive(Debug, Clone, Copy)]
enum Role {
    Scope(u16),
    Ignored,
    Definition(u16),
    Use(u16),
    Need(u16),
    Set(u64, usize),
    Clear(u64),
}

impl Names {
    /// Compiles rules.
    ///
    /// # Errors
    /// The rules need too much, or name a kind that does not exist.
    pub fn new(grammar: &Grammar, rules: Rules) -> Result<Names, RulesError> {
        let kinds = distinct(rules.definitions.iter().map(|rule| rule.kind.as_str()));
        let scopes = distinct(rules.scopes.iter().map(|rule| rule.kind.as_str()));
        let mut paths = Paths::default();
        let definitions = compile_definitions(&rules, &kinds, &scopes, &mut paths)?;
        let uses = compile_uses(&rules, &kinds, &scopes, &mut paths)?;
        for (number, rule) in rules.scopes.iter().enumerate() {
            paths.add(&rule.at, Role::Scope(number as u16));
        }
        rules.ignored.iter().for_each(|path| paths.add(path, Role::Ignored));
        for (number, need) in rules.needs.iter().enumerate() {
            paths.add(&need.at, Role::Need(number as u16));
            let bit = bit(number)?;
            for path in &need.inside {
                paths.add_condition(path, bit)?;
            }
            need.until.iter().for_each(|path| paths.add(path, Role::Clear(bit)));
        }
        let automaton = Automaton::new(grammar, &paths.paths).ok_or(RulesError::TooManyStates)?;
        let (action_of_state, actions) = compile_actions(&automaton, &paths.roles);
        let scope_kinds =
            rules.scopes.iter().map(|rule| position(&scopes, &rule.kind).unwrap_or(0)).collect();
        Ok(Names {
            automaton,
            action_of_state,
            actions,
            definitions,
            uses,
            scope_kinds,
            n_scope_kinds: scopes.len(),
            kinds,
            rules,
        })
    }

    /// Finds the names of a tree, in time that is linear in the tree.
    pub fn resolve(&self, tree: &Tree) -> Bindings {
        resolve::resolve(self, tree, walk::walk(self, tree))
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The name of a kind of definition.
    pub fn kind_name(&self, kind: KindId) -> &str {
        &self.kinds[kind.0 as usize]
    }

    pub(crate) fn n_kinds(&self) -> usize {
        self.kinds.len()
    }

    #[inline]
    pub(crate) fn actions(&self, state: State) -> Option<&Actions> {
        match self.action_of_state[state as usize] {
            0 => None,
            number => Some(&self.actions[number as usize - 1]),
        }
    }
}

/// All paths with what they are for.
#[derive(Default)]
struct Paths {
    paths: Vec<Path>,
    roles: Vec<Role>,
}

impl Paths {
    fn add(&mut self, path: &Path, role: Role) {
        self.paths.push(path.clone());
        self.roles.push(role);
    }

    fn add_condition(&mut self, path: &Path, bit: u64) -> Result<(), RulesError> {
        let length = path.fixed_length().ok_or(RulesError::VaryingLength)?;
        if length > 1 {
            self.add(&path.first(), Role::Clear(bit));
        }
        self.add(path, Role::Set(bit, length));
        Ok(())
    }
}

fn compile_definitions(
    rules: &Rules,
    kinds: &[String],
    scopes: &[String],
    paths: &mut Paths,
) -> Result<Vec<CompiledDefinition>, RulesError> {
    let mut n_conditions = rules.needs.len();
    let mut compiled = Vec::new();
    for (number, rule) in rules.definitions.iter().enumerate() {
        paths.add(&rule.at, Role::Definition(number as u16));
        let mut condition = 0;
        if !rule.conditions.is_empty() {
            condition = bit(n_conditions)?;
            n_conditions += 1;
        }
        for path in &rule.conditions {
            paths.add_condition(path, condition)?;
        }
        let visible_after = match rule.visibility {
            Visibility::AfterNode => Some(rule.at.fixed_length().ok_or(RulesError::VaryingLength)?),
            _ => None,
        };
        compiled.push(CompiledDefinition {
            kind: kind_named(kinds, &rule.kind)?,
            scopes: rule.scopes.iter().map(|kind| scope_named(scopes, kind)).collect::<Result<_, _>>()?,
            condition,
            unique_among: rule
                .unique_among
                .iter()
                .map(|kind| kind_named(kinds, kind))
                .collect::<Result<_, _>>()?,
            visible_after,
        });
    }
    Ok(compiled)
}

fn compile_uses(
    rules: &Rules,
    kinds: &[String],
    scopes: &[String],
    paths: &mut Paths,
) -> Result<Vec<CompiledUse>, RulesError> {
    let uses = rules.uses.iter().enumerate().map(|(number, rule)| {
        paths.add(&rule.at, Role::Use(number as u16));
        Ok(CompiledUse {
            kinds: rule.kinds.iter().map(|kind| kind_named(kinds, kind)).collect::<Result<_, _>>()?,
            until: rule.until.as_deref().map(|kind| scope_named(scopes, kind)).transpose()?,
        })
    });
    uses.collect()
}

/// The actions of all states that match a path. The first state never matches, so number 0 means none.
fn compile_actions(automaton: &Automaton, roles: &[Role]) -> (Vec<u32>, Vec<Actions>) {
    let mut all = Vec::new();
    let of_state = automaton.matches().iter().map(|matches| {
        if matches.is_empty() {
            return 0;
        }
        let mut actions = Actions::default();
        for path in matches {
            match roles[*path as usize] {
                Role::Scope(rule) => {
                    actions.scope = Some(actions.scope.map_or(rule, |first| first.min(rule)))
                }
                Role::Ignored => actions.is_ignored = true,
                Role::Definition(rule) => actions.definitions.push(rule),
                Role::Use(rule) => actions.used = Some(actions.used.map_or(rule, |first| first.min(rule))),
                Role::Need(rule) => actions.needs.push(rule),
                Role::Set(bit, length) => actions.sets.push((bit, length)),
                Role::Clear(bit) => actions.clears |= bit,
            }
        }
        actions.definitions.sort_unstable();
        all.push(actions);
        all.len() as u32
    });
    (of_state.collect(), all)
}

fn bit(number: usize) -> Result<u64, RulesError> {
    if number >= MAX_CONDITIONS { Err(RulesError::TooManyConditions) } else { Ok(1 << number) }
}

fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for name in names {
        if !out.iter().any(|known| known == name) {
            out.push(name.to_owned());
        }
    }
    out
}

fn position(names: &[String], name: &str) -> Option<u16> {
    names.iter().position(|known| known == name).map(|at| at as u16)
}

fn kind_named(kinds: &[String], name: &str) -> Result<KindId, RulesError> {
    position(kinds, name).map(KindId).ok_or_else(|| RulesError::UnknownKind { kind: name.to_owned() })
}

fn scope_named(scopes: &[String], name: &str) -> Result<u16, RulesError> {
    position(scopes, name).ok_or_else(|| RulesError::UnknownScope { kind: name.to_owned() })
}
