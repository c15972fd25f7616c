//! Checks function bodies in dependency order, mutually recursive functions together.
//!
//! A function with all types written is not a dependency, because its type is known. The groups are the strongly
//! connected components of the rest, callees first.

use super::body::BodyChecker;
use super::{Checker, External, TypeReason};
use crate::syntax::{ChildId, ExprId, ExprKind, FnBody};
use crate::types::{Scheme, Ty, Types};
use polysmith_grammar::analysis::Components;
use polysmith_source::Diagnostics;

impl Checker {
    pub(super) fn check_functions(&mut self, out: &mut Diagnostics) {
        let n_functions = self.functions.len();
        let calls = (0..n_functions).flat_map(|function| {
            self.callees(function).into_iter().map(move |callee| (number(function), callee))
        });
        let groups = Components::of_edges(n_functions, &calls.collect::<Vec<_>>());
        for group in 0..groups.len() {
            let members = groups.nodes(group).map(number);
            for function in members.clone() {
                self.check_function(function, out);
            }
            let open: Vec<u32> =
                members.filter(|function| !self.functions[*function as usize].annotated).collect();
            let types: Vec<Ty> = open.iter().map(|function| self.scheme_of(*function).ty).collect();
            let needs = self.types.generalize(&types);
            for (function, ty) in open.into_iter().zip(types) {
                self.functions[function as usize].scheme = Some(Scheme { needs: needs.clone(), ty });
            }
        }
    }

    /// The functions with inferred types that a body mentions. Counting shadowed names too only makes groups larger.
    fn callees(&self, function: usize) -> Vec<u32> {
        let function = &self.functions[function];
        let entry = &self.modules[function.module.0];
        let FnBody::Expr(root) = entry.syntax.functions[function.index].body else { return Vec::new() };
        let mut found = Vec::new();
        let mut stack: Vec<ExprId> = vec![root];
        while let Some(id) = stack.pop() {
            let kind = &entry.syntax.arena[id].kind;
            let callee = match kind {
                ExprKind::Name(name) => entry.functions.get(&name.text),
                ExprKind::Qualified { module, name } => {
                    let other = entry.uses.get(&module.text);
                    other.and_then(|other| self.modules[other.0].functions.get(&name.text))
                }
                _ => None,
            };
            found.extend(callee.filter(|callee| !self.functions[**callee as usize].annotated));
            kind.for_each_child(&mut |part| {
                if let ChildId::Expr(id) = part {
                    stack.push(id);
                }
            });
        }
        found
    }

    fn check_function(&mut self, number: u32, out: &mut Diagnostics) {
        let function = &self.functions[number as usize];
        let (module, name, annotated) = (function.module, function.name.clone(), function.annotated);
        let syntax = self.modules[module.0].syntax.clone();
        let decl = &syntax.functions[function.index];
        let FnBody::Expr(root) = decl.body else { return };
        let scheme = self.scheme_of(number);
        // Inside its own body, a type parameter unifies only with itself.
        let rigid: Vec<Ty> = (0..scheme.needs.len())
            .map(|at| {
                let letter = self.types.quantified(u32::try_from(at).unwrap_or(u32::MAX));
                let name = self.types.show(letter);
                self.types.rigid(name.into())
            })
            .collect();
        let ty = if annotated { self.types.substitute(scheme.ty, &rigid) } else { scheme.ty };
        let Some((_, parts)) = self.types.shape(ty) else { return };
        let (result, params) = parts.split_last().expect("a function type has a result");
        let mark = self.types.mark();
        let mut no_externals = |_| External { ty: Types::ERROR, declared: None };
        let mut body = BodyChecker::new(self, module, &mut no_externals, out);
        for (param, ty) in decl.params.iter().zip(params) {
            body.bind(&param.name, *ty);
        }
        body.params_done();
        let root = match decl.result {
            Some(ty) => {
                let why = TypeReason::at(syntax.arena[ty].span, format!("`{name}` is declared to give this"));
                body.check(root, *result, &why)
            }
            None => {
                let why = TypeReason::at(decl.name.span, format!("calls of `{name}` need this"));
                let (core, found) = body.infer(root);
                body.coerce(core, found, *result, &why, root)
            }
        };
        let body = body.finish(root);
        if annotated {
            self.types.default_addable_to_int(mark);
        }
        self.functions[number as usize].body = body;
    }
}

fn number(function: usize) -> u32 {
    u32::try_from(function).expect("fewer than 2^32 items fit in memory")
}
