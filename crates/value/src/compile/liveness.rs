//! Liveness analysis: finds the last use of each variable.
//!
//! One walk against the order of evaluation, with the set of variables that are read later. An operand that is a plain
//! variable is read from its register when the operation happens: such a use never moves the variable, which stays live
//! while the other operands are computed.

use crate::core::{Body, Core, CoreId, LocalId, ResolvedPattern};
use crate::syntax::Op;
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) struct Liveness {
    last: FxHashSet<CoreId>,
    /// The variables that each anonymous function captures, and whether the capture is the last use.
    captures: FxHashMap<CoreId, Vec<(LocalId, bool)>>,
}

type Live = FxHashSet<LocalId>;

impl Liveness {
    pub(super) fn of(body: &Body, root: CoreId) -> Liveness {
        let mut found = Liveness { last: FxHashSet::default(), captures: FxHashMap::default() };
        found.walk(body, root, &mut Live::default());
        found
    }

    pub(super) fn is_last(&self, id: CoreId) -> bool {
        self.last.contains(&id)
    }

    pub(super) fn captures(&self, id: CoreId) -> &[(LocalId, bool)] {
        self.captures.get(&id).map_or(&[], Vec::as_slice)
    }

    /// `live` is the set of variables that are read after the expression; on return, after its start.
    fn walk(&mut self, body: &Body, id: CoreId, live: &mut Live) {
        match body.core(id) {
            Core::Const(_) | Core::Function(_) | Core::External(_) => {}
            Core::Local(local) => {
                if live.insert(*local) {
                    self.last.insert(id);
                }
            }
            Core::Call(_, args) | Core::Construct(_, args) | Core::List(args) => {
                args.iter().rev().for_each(|arg| self.walk(body, *arg, live));
            }
            Core::Apply(callee, args) => {
                args.iter().rev().for_each(|arg| self.walk(body, *arg, live));
                self.walk(body, *callee, live);
            }
            Core::Some(inner) => self.walk(body, *inner, live),
            Core::Op(Op::And | Op::Or, args) => args.iter().rev().for_each(|arg| self.walk(body, *arg, live)),
            Core::Op(_, args) => self.operands(body, args, live),
            Core::Field(base, _) => self.operands(body, &[*base], live),
            Core::Update(base, changes) => {
                changes.iter().rev().for_each(|(_, value)| self.operands(body, &[*value], live));
                self.walk(body, *base, live);
            }
            Core::If(condition, then, otherwise) => {
                let mut other = live.clone();
                self.walk(body, *then, live);
                self.walk(body, *otherwise, &mut other);
                merge(live, &other);
                self.operands(body, &[*condition], live);
            }
            Core::Let(_, value, inside) => {
                self.walk(body, *inside, live);
                self.walk(body, *value, live);
            }
            Core::Lambda(params, root) => {
                let mut captures = free(body, params, *root);
                captures.sort_unstable();
                let captures = captures.into_iter().map(LocalId).map(|local| (local, live.insert(local)));
                let captures = captures.collect();
                self.captures.insert(id, captures);
            }
            Core::Match(subject, arms) => {
                let after = live.clone();
                let mut next = Live::default();
                for arm in arms.iter().rev() {
                    let mut inside = after.clone();
                    self.walk(body, arm.body, &mut inside);
                    if let Some(condition) = arm.condition {
                        // The condition may be false, and then the following arms read the subject again.
                        merge(&mut inside, &next);
                        if let Core::Local(local) = body.core(*subject) {
                            inside.insert(*local);
                        }
                        self.walk(body, condition, &mut inside);
                    }
                    merge(&mut next, &inside);
                }
                merge(live, &next);
                self.operands(body, &[*subject], live);
            }
        }
    }

    /// Walks operands that are read together: plain variables are read after the others were computed.
    fn operands(&mut self, body: &Body, args: &[CoreId], live: &mut Live) {
        for arg in args {
            if let Core::Local(local) = body.core(*arg) {
                live.insert(*local);
            }
        }
        for arg in args.iter().rev() {
            if !matches!(body.core(*arg), Core::Local(_)) {
                self.walk(body, *arg, live);
            }
        }
    }
}

fn merge(live: &mut Live, other: &Live) {
    live.extend(other);
}

/// The free variables of an anonymous function.
fn free(body: &Body, params: &[LocalId], root: CoreId) -> Vec<u32> {
    let (mut read, mut bound) = (FxHashSet::default(), params.iter().copied().collect::<Live>());
    let mut stack = vec![root];
    while let Some(id) = stack.pop() {
        match body.core(id) {
            Core::Const(_) | Core::Function(_) | Core::External(_) => {}
            Core::Local(local) => drop(read.insert(*local)),
            Core::Call(_, args) | Core::Construct(_, args) | Core::List(args) | Core::Op(_, args) => {
                stack.extend(args);
            }
            Core::Apply(callee, args) => {
                stack.push(*callee);
                stack.extend(args);
            }
            Core::Some(inner) | Core::Field(inner, _) => stack.push(*inner),
            Core::Update(base, changes) => {
                stack.push(*base);
                stack.extend(changes.iter().map(|(_, value)| *value));
            }
            Core::If(condition, then, otherwise) => stack.extend([*condition, *then, *otherwise]),
            Core::Let(local, value, inside) => {
                bound.insert(*local);
                stack.extend([*value, *inside]);
            }
            Core::Lambda(params, root) => {
                bound.extend(params);
                stack.push(*root);
            }
            Core::Match(subject, arms) => {
                stack.push(*subject);
                for arm in arms {
                    binders(&arm.pattern, &mut bound);
                    stack.extend(arm.condition);
                    stack.push(arm.body);
                }
            }
        }
    }
    read.into_iter().filter(|local| !bound.contains(local)).map(|local| local.0).collect()
}

/// Collects the variables that a pattern binds.
pub(super) fn binders(pattern: &ResolvedPattern, bound: &mut Live) {
    match pattern {
        ResolvedPattern::Any | ResolvedPattern::Const(_) => {}
        ResolvedPattern::Bind(local) => drop(bound.insert(*local)),
        ResolvedPattern::Some(inner) => binders(inner, bound),
        ResolvedPattern::Data(_, patterns) | ResolvedPattern::Or(patterns) => {
            patterns.iter().for_each(|pattern| binders(pattern, bound))
        }
        ResolvedPattern::List(patterns, rest) => {
            patterns.iter().for_each(|pattern| binders(pattern, bound));
            rest.iter().for_each(|rest| binders(rest, bound));
        }
    }
}
