//! Unification: makes two types equal by binding free variables.

use super::{MAX_TYPE_DEPTH, MAX_TYPE_SIZE, Need, Ty, TyCon, TyNode, Types};

/// TypeReason two types cannot be unified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnifyError {
    /// These two parts differ.
    Differ(Ty, Ty),
    /// Unification would create an infinite type.
    Endless,
    /// This part contains functions, but must be comparable.
    NotComparable(Ty),
    /// This part is neither `Int` nor `String`, but must be an operand of `+`.
    NotAddable(Ty),
    /// The type exceeds `MAX_TYPE_DEPTH` or `MAX_TYPE_SIZE`.
    TooBig,
}

impl Types {
    /// Unifies two types by binding free variables. Variables bound before a failure stay bound.
    pub(crate) fn unify(&mut self, a: Ty, b: Ty) -> Result<(), UnifyError> {
        let mut budget = MAX_TYPE_SIZE;
        self.unify_at(a, b, 0, &mut budget)
    }

    fn unify_at(&mut self, a: Ty, b: Ty, depth: u32, budget: &mut u32) -> Result<(), UnifyError> {
        let (a, b) = (self.resolve(a), self.resolve(b));
        if a == b {
            return Ok(());
        }
        if depth > MAX_TYPE_DEPTH || *budget == 0 {
            return Err(UnifyError::TooBig);
        }
        *budget -= 1;
        match (self.node(a).clone(), self.node(b).clone()) {
            (TyNode::Error, _) | (_, TyNode::Error) => Ok(()),
            (TyNode::Free(need), _) => self.bind(a, need, b, budget),
            (_, TyNode::Free(need)) => self.bind(b, need, a, budget),
            (TyNode::Apply(con, args), TyNode::Apply(other, others))
                if con == other && args.len() == others.len() =>
            {
                args.iter().zip(others.iter()).try_for_each(|(a, b)| self.unify_at(*a, *b, depth + 1, budget))
            }
            _ => Err(UnifyError::Differ(a, b)),
        }
    }

    fn bind(&mut self, var: Ty, need: Need, to: Ty, budget: &mut u32) -> Result<(), UnifyError> {
        self.occurs(var, to, 0, budget)?;
        self.require(to, need)?;
        self.nodes[var.0 as usize] = TyNode::Link(to);
        Ok(())
    }

    fn occurs(&self, var: Ty, inside: Ty, depth: u32, budget: &mut u32) -> Result<(), UnifyError> {
        let inside = self.resolve(inside);
        if inside == var {
            return Err(UnifyError::Endless);
        }
        if depth > MAX_TYPE_DEPTH || *budget == 0 {
            return Err(UnifyError::TooBig);
        }
        *budget -= 1;
        match self.node(inside) {
            TyNode::Apply(_, args) => {
                args.iter().try_for_each(|arg| self.occurs(var, *arg, depth + 1, budget))
            }
            _ => Ok(()),
        }
    }

    /// Adds a constraint to a type; a free variable stores it.
    pub(crate) fn require(&mut self, ty: Ty, need: Need) -> Result<(), UnifyError> {
        if need == Need::default() {
            return Ok(());
        }
        let mut stack = vec![(ty, need)];
        let mut budget = MAX_TYPE_SIZE;
        while let Some((ty, need)) = stack.pop() {
            if budget == 0 {
                return Err(UnifyError::TooBig);
            }
            budget -= 1;
            let ty = self.resolve(ty);
            match self.node(ty).clone() {
                TyNode::Free(old) => {
                    let comparable = old.comparable || need.comparable;
                    let addable = old.addable || need.addable;
                    self.nodes[ty.0 as usize] = TyNode::Free(Need { comparable, addable });
                }
                TyNode::Apply(con, _) if need.addable && !matches!(con, TyCon::Int | TyCon::String) => {
                    return Err(UnifyError::NotAddable(ty));
                }
                TyNode::Rigid(_) if need.addable => return Err(UnifyError::NotAddable(ty)),
                TyNode::Apply(TyCon::Function, _) if need.comparable => {
                    return Err(UnifyError::NotComparable(ty));
                }
                TyNode::Apply(_, args) => {
                    let inside = Need { comparable: need.comparable, addable: false };
                    stack.extend(args.iter().map(|arg| (*arg, inside)));
                }
                _ => {}
            }
        }
        Ok(())
    }
}
