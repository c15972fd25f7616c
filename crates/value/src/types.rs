//! Types during checking: one table of nodes, free variables bound in place.
//!
//! A [`Ty`] is an index; a free variable that was decided is a link to what it became, so unification is union and
//! find without ranks (chains stay short because `resolve` is called at every step). Generalized functions keep their
//! type with *quantified* nodes, which [`Types::instantiate`] replaces by fresh variables. Inference may build types
//! whose depth or size has nothing to do with the text, hence two named limits.

mod show;
mod unify;

pub(crate) use unify::Clash;

use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How deep a type may nest.
pub(crate) const MAX_TYPE_DEPTH: u32 = 300;
/// How many nodes one comparison of two types may look at.
pub(crate) const MAX_TYPE_SIZE: u32 = 200_000;

/// A type of one checker. Ask [`crate::Checker::show`] for its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ty(u32);

/// What a type is built by. The last argument of a `Function` is its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Con {
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

/// What a free variable must become.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Need {
    /// A type with equality and order: anything without functions.
    pub(crate) comparable: bool,
    /// `Int` or `String`: an operand of `+`.
    pub(crate) addable: bool,
}

#[derive(Debug, Clone)]
pub(crate) enum Node {
    Free(Need),
    Link(Ty),
    Con(Con, Arc<[Ty]>),
    /// A type parameter inside the function that declares it: equal to itself only.
    Rigid(Arc<str>),
    /// A type parameter of a scheme.
    Quantified(u32),
    /// Fits everything: an error was reported.
    Error,
}

/// A type that may be used at many instances.
#[derive(Debug, Clone)]
pub(crate) struct Scheme {
    pub(crate) needs: Vec<Need>,
    pub(crate) ty: Ty,
}

#[derive(Debug)]
pub(crate) struct Types {
    nodes: Vec<Node>,
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
        let simple = [Con::Int, Con::Bool, Con::String, Con::Node];
        let mut nodes: Vec<Node> = simple.into_iter().map(|con| Node::Con(con, none.clone())).collect();
        nodes.push(Node::Error);
        Types { nodes, names: Vec::new() }
    }

    /// Gives a declared type its name, for messages; the number is `Con::Declared`'s.
    pub(crate) fn declare(&mut self, name: Arc<str>) -> u32 {
        self.names.push(name);
        number(self.names.len())
    }

    fn add(&mut self, node: Node) -> Ty {
        self.nodes.push(node);
        Ty(number(self.nodes.len()))
    }

    pub(crate) fn fresh(&mut self) -> Ty {
        self.add(Node::Free(Need::default()))
    }

    pub(crate) fn con(&mut self, con: Con, args: &[Ty]) -> Ty {
        self.add(Node::Con(con, args.into()))
    }

    pub(crate) fn function(&mut self, params: &[Ty], result: Ty) -> Ty {
        let args: Vec<Ty> = params.iter().copied().chain([result]).collect();
        self.con(Con::Function, &args)
    }

    pub(crate) fn rigid(&mut self, name: Arc<str>) -> Ty {
        self.add(Node::Rigid(name))
    }

    pub(crate) fn quantified(&mut self, index: u32) -> Ty {
        self.add(Node::Quantified(index))
    }

    /// What a type has become so far.
    pub(crate) fn resolve(&self, mut ty: Ty) -> Ty {
        while let Node::Link(to) = self.nodes[ty.0 as usize] {
            ty = to;
        }
        ty
    }

    /// The node of a resolved type.
    pub(crate) fn node(&self, ty: Ty) -> &Node {
        &self.nodes[self.resolve(ty).0 as usize]
    }

    pub(crate) fn is_free(&self, ty: Ty) -> bool {
        matches!(self.node(ty), Node::Free(_))
    }

    /// The constructor and arguments, if they are known.
    pub(crate) fn shape(&self, ty: Ty) -> Option<(Con, Arc<[Ty]>)> {
        match self.node(ty) {
            Node::Con(con, args) => Some((*con, args.clone())),
            _ => None,
        }
    }

    /// The type under a `?`, if this is known to be one.
    pub(crate) fn option_of(&self, ty: Ty) -> Option<Ty> {
        self.shape(ty).filter(|(con, _)| *con == Con::Option).map(|(_, args)| args[0])
    }

    /// A copy with fresh variables for the quantified parts.
    pub(crate) fn instantiate(&mut self, scheme: &Scheme) -> Ty {
        let vars: Vec<Ty> = scheme.needs.iter().map(|need| self.add(Node::Free(*need))).collect();
        self.substitute(scheme.ty, &vars)
    }

    /// A copy with `args` for the quantified parts.
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
            Node::Quantified(index) => vars.get(index as usize).copied().unwrap_or(Types::ERROR),
            Node::Con(_, _) if depth >= MAX_TYPE_DEPTH => Types::ERROR,
            Node::Con(con, args) if !args.is_empty() => {
                let args: Vec<Ty> = args.iter().map(|arg| self.copy(*arg, vars, seen, depth + 1)).collect();
                self.con(con, &args)
            }
            _ => ty,
        };
        seen.insert(ty, copied);
        copied
    }

    /// Turns everything still open in `types` into quantified parts, in place; operands of `+` become `Int`.
    /// Returns what each quantified part needs.
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
                Node::Free(need) if need.addable => {
                    self.nodes[ty.0 as usize] = Node::Link(Types::INT);
                    None
                }
                Node::Free(need) => Some(need),
                Node::Rigid(_) => Some(Need::default()),
                Node::Con(_, args) => {
                    stack.extend(args.iter().rev());
                    None
                }
                _ => None,
            };
            if let Some(need) = become_quantified {
                self.nodes[ty.0 as usize] = Node::Quantified(number(needs.len() + 1));
                needs.push(need);
            }
        }
        needs
    }

    /// Decides operands of `+` that nothing else decides.
    pub(crate) fn settle(&mut self, from: usize) {
        for at in from..self.nodes.len() {
            if matches!(self.nodes[at], Node::Free(need) if need.addable) {
                self.nodes[at] = Node::Link(Types::INT);
            }
        }
    }

    /// A mark for [`Types::settle`].
    pub(crate) fn mark(&self) -> usize {
        self.nodes.len()
    }
}

/// The number of the item that was pushed last.
fn number(len: usize) -> u32 {
    u32::try_from(len - 1).expect("memory ends before the numbers do")
}
