//! Making two types equal, or saying why they cannot be.

use super::{Con, MAX_TYPE_DEPTH, MAX_TYPE_SIZE, Need, Node, Ty, Types};

/// Why two types cannot be equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clash {
    /// These two parts differ.
    Differ(Ty, Ty),
    /// The type would contain itself.
    Endless,
    /// This part has functions in it, but is compared.
    NotComparable(Ty),
    /// This part is neither `Int` nor `String`, but is an operand of `+`.
    NotAddable(Ty),
    /// Over `MAX_TYPE_DEPTH` or `MAX_TYPE_SIZE`.
    TooBig,
}

impl Types {
    /// Makes two types equal by deciding free variables. What was decided before a clash stays decided.
    pub(crate) fn unify(&mut self, a: Ty, b: Ty) -> Result<(), Clash> {
        let mut budget = MAX_TYPE_SIZE;
        self.unify_at(a, b, 0, &mut budget)
    }

    fn unify_at(&mut self, a: Ty, b: Ty, depth: u32, budget: &mut u32) -> Result<(), Clash> {
        let (a, b) = (self.resolve(a), self.resolve(b));
        if a == b {
            return Ok(());
        }
        if depth > MAX_TYPE_DEPTH || *budget == 0 {
            return Err(Clash::TooBig);
        }
        *budget -= 1;
        match (self.node(a).clone(), self.node(b).clone()) {
            (Node::Error, _) | (_, Node::Error) => Ok(()),
            (Node::Free(need), _) => self.bind(a, need, b, budget),
            (_, Node::Free(need)) => self.bind(b, need, a, budget),
            (Node::Con(con, args), Node::Con(other, others))
                if con == other && args.len() == others.len() =>
            {
                args.iter().zip(others.iter()).try_for_each(|(a, b)| self.unify_at(*a, *b, depth + 1, budget))
            }
            _ => Err(Clash::Differ(a, b)),
        }
    }

    fn bind(&mut self, var: Ty, need: Need, to: Ty, budget: &mut u32) -> Result<(), Clash> {
        self.occurs(var, to, 0, budget)?;
        self.require(to, need)?;
        self.nodes[var.0 as usize] = Node::Link(to);
        Ok(())
    }

    fn occurs(&self, var: Ty, inside: Ty, depth: u32, budget: &mut u32) -> Result<(), Clash> {
        let inside = self.resolve(inside);
        if inside == var {
            return Err(Clash::Endless);
        }
        if depth > MAX_TYPE_DEPTH || *budget == 0 {
            return Err(Clash::TooBig);
        }
        *budget -= 1;
        match self.node(inside) {
            Node::Con(_, args) => args.iter().try_for_each(|arg| self.occurs(var, *arg, depth + 1, budget)),
            _ => Ok(()),
        }
    }

    /// Demands something of a type; a free variable remembers it.
    pub(crate) fn require(&mut self, ty: Ty, need: Need) -> Result<(), Clash> {
        if need == Need::default() {
            return Ok(());
        }
        let mut stack = vec![(ty, need)];
        let mut budget = MAX_TYPE_SIZE;
        while let Some((ty, need)) = stack.pop() {
            if budget == 0 {
                return Err(Clash::TooBig);
            }
            budget -= 1;
            let ty = self.resolve(ty);
            match self.node(ty).clone() {
                Node::Free(old) => {
                    let comparable = old.comparable || need.comparable;
                    let addable = old.addable || need.addable;
                    self.nodes[ty.0 as usize] = Node::Free(Need { comparable, addable });
                }
                Node::Con(con, _) if need.addable && !matches!(con, Con::Int | Con::String) => {
                    return Err(Clash::NotAddable(ty));
                }
                Node::Rigid(_) if need.addable => return Err(Clash::NotAddable(ty)),
                Node::Con(Con::Function, _) if need.comparable => return Err(Clash::NotComparable(ty)),
                Node::Con(_, args) => {
                    let inside = Need { comparable: need.comparable, addable: false };
                    stack.extend(args.iter().map(|arg| (*arg, inside)));
                }
                _ => {}
            }
        }
        Ok(())
    }
}
