//! Function bodies in the order of their dependencies, mutually recursive functions together.
//!
//! A function with all types written is no dependency: its type is known. The groups are the strongly connected
//! components of the rest, found by Tarjan's algorithm with an explicit stack, which yields them callees first.

use super::body::BodyChecker;
use super::{Checker, External, Why};
use crate::syntax::{ExprId, ExprKind, FnBody, Part};
use crate::types::{Scheme, Ty, Types};
use polysmith_source::Diagnostics;

impl Checker {
    pub(super) fn check_functions(&mut self, out: &mut Diagnostics) {
        let graph: Vec<Vec<u32>> = (0..self.functions.len()).map(|function| self.callees(function)).collect();
        for group in components(&graph) {
            for function in &group {
                self.check_function(*function, out);
            }
            let open: Vec<u32> =
                group.into_iter().filter(|function| !self.functions[*function as usize].annotated).collect();
            let types: Vec<Ty> = open.iter().map(|function| self.scheme_of(*function).ty).collect();
            let needs = self.types.generalize(&types);
            for (function, ty) in open.into_iter().zip(types) {
                self.functions[function as usize].scheme = Some(Scheme { needs: needs.clone(), ty });
            }
        }
    }

    /// Functions with inferred types that a body mentions. Shadowed names count too: that only makes groups bigger.
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
            kind.parts(&mut |part| {
                if let Part::Expr(id) = part {
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
        // Inside its own body a type parameter is equal to nothing but itself.
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
                let why = Why::at(syntax.arena[ty].span, format!("`{name}` is declared to give this"));
                body.check(root, *result, &why)
            }
            None => {
                let why = Why::at(decl.name.span, format!("calls of `{name}` need this"));
                let (core, found) = body.infer(root);
                body.coerce(core, found, *result, &why, root)
            }
        };
        let body = body.finish(root);
        if annotated {
            self.types.settle(mark);
        }
        self.functions[number as usize].body = body;
    }
}

/// Strongly connected components, each after those that it points to.
fn components(graph: &[Vec<u32>]) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let mut index = vec![NEW; graph.len()];
    let mut low = vec![0; graph.len()];
    let mut on_stack = vec![false; graph.len()];
    let (mut stack, mut found, mut next) = (Vec::new(), Vec::new(), 0);
    for root in 0..graph.len() {
        if index[root] != NEW {
            continue;
        }
        let mut walk: Vec<(usize, usize)> = vec![(root, 0)];
        while let Some((node, edge)) = walk.pop() {
            if edge == 0 {
                index[node] = next;
                low[node] = next;
                next += 1;
                stack.push(node);
                on_stack[node] = true;
            } else {
                low[node] = low[node].min(low[graph[node][edge - 1] as usize]);
            }
            let mut edge = edge;
            let mut descend = None;
            while let Some(target) = graph[node].get(edge) {
                edge += 1;
                let target = *target as usize;
                if index[target] == NEW {
                    descend = Some(target);
                    break;
                } else if on_stack[target] {
                    low[node] = low[node].min(index[target]);
                }
            }
            if let Some(target) = descend {
                walk.push((node, edge));
                walk.push((target, 0));
            } else if low[node] == index[node] {
                let at = stack.iter().rposition(|member| *member == node).unwrap_or(0);
                let mut group: Vec<u32> = stack.drain(at..).map(number).collect();
                group.iter().for_each(|member| on_stack[*member as usize] = false);
                group.sort_unstable();
                found.push(group);
            }
        }
    }
    found
}

fn number(member: usize) -> u32 {
    u32::try_from(member).expect("memory ends before the numbers do")
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn callees_come_before_callers_and_cycles_stay_together() {
        let graph = [vec![1], vec![2, 3], vec![1], vec![], vec![0, 4]];
        assert_eq!(components(&graph), [vec![3], vec![1, 2], vec![0], vec![4]]);
        assert_eq!(components(&[]), Vec::<Vec<u32>>::new());
    }
}
