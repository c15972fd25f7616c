//! The representation of types during checking: one table of nodes, in which free variables are bound in place.
//!
//! A [`Ty`] is an index. A bound variable is a link to its type, so unification is union-find without ranks (chains
//! stay short because `resolve` is called at every step). Generalized functions keep their type with *quantified*
//! nodes, which [`Types::instantiate`] replaces with fresh variables. Inference may build types that are much deeper
//! or larger than the text, so both are limited.

mod show;
mod unify;

pub(crate) use unify::UnifyError;

use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How deep a type may nest.
pub(crate) const MAX_TYPE_DEPTH: u32 = 300;
/// How many nodes one unification may visit.
pub(crate) const MAX_TYPE_SIZE: u32 = 200_000;

/// A type of a [`crate::Checker`]. [`crate::Checker::show`] formats it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ty(u32);

/// A type constructor. The last argument of a `Function` is its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TyCon {
    Int,
    Bool,
    String,
    Node,
    List,
    Set,
    Map,
    Option,
    Tuple,
    Function,
    Declared(u32),
}

/// The constraints on a free variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Need {
    /// Must have equality and order: any type without functions.
    pub(crate) comparable: bool,
    /// Must be `Int` or `String`: an operand of `+`.
    pub(crate) addable: bool,
}

#[derive(Debug, Clone)]
pub(crate) enum TyNode {
    Free(Need),
    Link(Ty),
    Apply(TyCon, Arc<[Ty]>),
    /// A type parameter inside the function that declares it. It unifies only with itself.
    Rigid(Arc<str>),
    /// A type parameter of a scheme.
    Quantified(u32),
    /// The type of an expression with a reported error. It unifies with every type.
    Error,
}

/// A polymorphic type.
#[derive(Debug, Clone)]
pub(crate) struct Scheme {
    pub(crate) needs: Vec<Need>,
    pub(crate) ty: Ty,
}

#[derive(Debug)]
pub(crate) struct Types {
    nodes: Vec<TyNode>,
    names: Vec<Arc<str>>,
}

impl Types {
    pub(crate) const INT: Ty = Ty(0);
    pub(crate) const BOOL: Ty = Ty(1);
    pub(crate) const STRING: Ty = Ty(2);
    pub(crate) const NODE: Ty = Ty(3);
    pub(crate) const ERROR: Ty = Ty(4);

    pub(crate) fn new() -> Types {
        let none: Arc<[Ty]> = Arc::from([]);
        let simple = [TyCon::Int, TyCon::Bool, TyCon::String, TyCon::Node];
        let mut nodes: Vec<TyNode> = simple.into_iter().map(|con| TyNode::Apply(con, none.clone())).collect();
        nodes.push(TyNode::Error);
        Types { nodes, names: Vec::new() }
    }

    /// Registers a declared type with its name, for messages. Returns the number for `TyCon::Declared`.
    pub(crate) fn declare(&mut self, name: Arc<str>) -> u32 {
        self.names.push(name);
        number(self.names.len())
    }

    fn add(&mut self, node: TyNode) -> Ty {
        self.nodes.push(node);
        Ty(number(self.nodes.len()))
    }

    pub(crate) fn fresh(&mut self) -> Ty {
        self.add(TyNode::Free(Need::default()))
    }

    pub(crate) fn con(&mut self, con: TyCon, args: &[Ty]) -> Ty {
        self.add(TyNode::Apply(con, args.into()))
    }

    pub(crate) fn function(&mut self, params: &[Ty], result: Ty) -> Ty {
        let args: Vec<Ty> = params.iter().copied().chain([result]).collect();
        self.con(TyCon::Function, &args)
    }

    pub(crate) fn rigid(&mut self, name: Arc<str>) -> Ty {
        self.add(TyNode::Rigid(name))
    }

    pub(crate) fn quantified(&mut self, index: u32) -> Ty {
        self.add(TyNode::Quantified(index))
    }

    /// Follows the links of bound variables.
    pub(crate) fn resolve(&self, mut ty: Ty) -> Ty {
        while let TyNode::Link(to) = self.nodes[ty.0 as usize] {
            ty = to;
        }
        ty
    }

    /// The node of a resolved type.
    pub(crate) fn node(&self, ty: Ty) -> &TyNode {
        &self.nodes[self.resolve(ty).0 as usize]
    }

    pub(crate) fn is_free(&self, ty: Ty) -> bool {
        matches!(self.node(ty), TyNode::Free(_))
    }

    /// The constructor and arguments, if they are known.
    pub(crate) fn shape(&self, ty: Ty) -> Option<(TyCon, Arc<[Ty]>)> {
        match self.node(ty) {
            TyNode::Apply(con, args) => Some((*con, args.clone())),
            _ => None,
        }
    }

    /// The `T` of a type that is known to be `T?`.
    pub(crate) fn option_of(&self, ty: Ty) -> Option<Ty> {
        self.shape(ty).filter(|(con, _)| *con == TyCon::Option).map(|(_, args)| args[0])
    }

    /// Copies a type with fresh variables in place of the quantified nodes.
    pub(crate) fn instantiate(&mut self, scheme: &Scheme) -> Ty {
        let vars: Vec<Ty> = scheme.needs.iter().map(|need| self.add(TyNode::Free(*need))).collect();
        self.substitute(scheme.ty, &vars)
    }

    /// Copies a type with `args` in place of the quantified nodes.
    pub(crate) fn substitute(&mut self, ty: Ty, args: &[Ty]) -> Ty {
        if args.is_empty() {
            return ty;
        }
        self.copy(ty, args, &mut FxHashMap::default(), 0)
    }

    fn copy(&mut self, ty: Ty, vars: &[Ty], seen: &mut FxHashMap<Ty, Ty>, depth: u32) -> Ty {
        let ty = self.resolve(ty);
        if let Some(done) = seen.get(&ty) {
            return *done;
        }
        let copied = match self.node(ty).clone() {
            TyNode::Quantified(index) => vars.get(index as usize).copied().unwrap_or(Types::ERROR),
            TyNode::Apply(_, _) if depth >= MAX_TYPE_DEPTH => Types::ERROR,
            TyNode::Apply(con, args) if !args.is_empty() => {
                let args: Vec<Ty> = args.iter().map(|arg| self.copy(*arg, vars, seen, depth + 1)).collect();
                self.con(con, &args)
            }
            _ => ty,
        };
        seen.insert(ty, copied);
        copied
    }

    /// Quantifies all free variables of `types`, in place, except for operands of `+`, which become `Int`. Returns the
    /// constraints on each quantified variable.
    pub(crate) fn generalize(&mut self, types: &[Ty]) -> Vec<Need> {
        let mut needs = Vec::new();
        let mut stack: Vec<Ty> = types.iter().rev().copied().collect();
        let mut seen = FxHashMap::default();
        while let Some(ty) = stack.pop() {
            let ty = self.resolve(ty);
            if seen.insert(ty, ()).is_some() {
                continue;
            }
            let become_quantified = match self.node(ty).clone() {
                TyNode::Free(need) if need.addable => {
                    self.nodes[ty.0 as usize] = TyNode::Link(Types::INT);
                    None
                }
                TyNode::Free(need) => Some(need),
                TyNode::Rigid(_) => Some(Need::default()),
                TyNode::Apply(_, args) => {
                    stack.extend(args.iter().rev());
                    None
                }
                _ => None,
            };
            if let Some(need) = become_quantified {
                self.nodes[ty.0 as usize] = TyNode::Quantified(number(needs.len() + 1));
                needs.push(need);
            }
        }
        needs
    }

    /// Binds the operands of `+` that are still free to `Int`, starting from a mark.
    pub(crate) fn default_addable_to_int(&mut self, from: usize) {
        for at in from..self.nodes.len() {
            if matches!(self.nodes[at], TyNode::Free(need) if need.addable) {
                self.nodes[at] = TyNode::Link(Types::INT);
            }
        }
    }

    /// The start of the nodes that will be added from now on, for [`Types::default_addable_to_int`].
    pub(crate) fn mark(&self) -> usize {
        self.nodes.len()
    }
}

/// The index of the item that was pushed last.
fn number(len: usize) -> u32 {
    u32::try_from(len - 1).expect("fewer than 2^32 items fit in memory")
}
