//! Names and types: from [`crate::syntax`] to resolved bodies.
//!
//! Functions are inferred in the order of their dependencies, mutually recursive ones together, as Hindley and
//! Milner have it; a function whose types are all written is known before any body is looked at. Records and variants
//! are nominal. Two things go beyond: a value of type `T` is accepted where `T?` is expected, and the record of a field
//! access may be decided later in the same function than the access stands.
//!
//! The order of calls: [`Checker::add`] every module, [`Checker::declare`] once, then any number of
//! [`Checker::annotation`] and [`Checker::expr`], then [`Checker::finish`].

mod annotation;
mod body;
mod call;
mod declare;
mod exhaustive;
mod finish;
mod groups;
mod operator;
mod pattern;
mod record;
mod report;

pub use report::Why;

use crate::core::Body;
use crate::native::Native;
use crate::syntax::{ExprId, ExternalId, Module, TypeId};
use crate::types::{Con, Scheme, Ty, Types};
use crate::value::Shapes;
use body::BodyChecker;
use polysmith_source::{Diagnostics, Span};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A module that was added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModuleId(usize);

/// Where a module comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Built in and visible everywhere without `use`.
    Core,
    /// Built in, visible where it is used.
    Library,
    /// Written by the user: has no built-in functions.
    User,
}

/// One expression that was checked: the number of its code in the program, and its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// What [`crate::Program::eval`] takes.
    pub id: EntryId,
    /// Its type; more may become known about it while further expressions are checked.
    pub ty: Ty,
}

/// Names the code of an expression that was checked by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntryId(pub(crate) u32);

/// What the surface language says about an external leaf.
#[derive(Debug, Clone)]
pub struct External {
    /// Its type.
    pub ty: Ty,
    /// Where that was said, and in which words: "`want` is declared here".
    pub declared: Option<(Span, String)>,
}

/// Collects modules and checks them and expressions over them.
#[derive(Debug)]
pub struct Checker {
    types: Types,
    modules: Vec<ModuleEntry>,
    by_name: FxHashMap<Arc<str>, ModuleId>,
    declared: Vec<Declared>,
    constructors: Vec<Constructor>,
    functions: Vec<Function>,
    shapes: Shapes,
    /// The constructor that a shape belongs to, if it is one.
    shape_constructor: FxHashMap<u32, u32>,
    entries: Vec<Body>,
    /// Numbers the calls that draw from a random source, so that two of them at one node differ.
    random_sites: u32,
}

#[derive(Debug)]
struct ModuleEntry {
    syntax: Arc<Module>,
    origin: Origin,
    types: FxHashMap<Arc<str>, u32>,
    constructors: FxHashMap<Arc<str>, u32>,
    functions: FxHashMap<Arc<str>, u32>,
    uses: FxHashMap<Arc<str>, ModuleId>,
}

/// A type declaration. Types in it have quantified parts for its parameters.
#[derive(Debug, Clone)]
struct Declared {
    name: Arc<str>,
    span: Span,
    module: ModuleId,
    params: u32,
    kind: DeclaredKind,
}

#[derive(Debug, Clone)]
enum DeclaredKind {
    /// Not resolved yet: number of the declaration in its module.
    Pending(usize),
    /// An alias that is being resolved.
    Busy,
    Record {
        shape: u32,
        fields: Arc<[Field]>,
    },
    Variant {
        constructors: Arc<[u32]>,
    },
    Alias(Ty),
    Broken,
}

#[derive(Debug, Clone)]
struct Field {
    name: Arc<str>,
    span: Span,
    ty: Ty,
}

#[derive(Debug, Clone)]
struct Constructor {
    name: Arc<str>,
    span: Span,
    owner: u32,
    shape: u32,
    fields: Arc<[Ty]>,
}

#[derive(Debug)]
struct Function {
    name: Arc<str>,
    span: Span,
    module: ModuleId,
    /// Its number among the module's functions.
    index: usize,
    scheme: Option<Scheme>,
    /// All its types are written.
    annotated: bool,
    native: Option<Native>,
    body: Body,
}

impl Default for Checker {
    fn default() -> Checker {
        Checker::new()
    }
}

impl Checker {
    /// A checker without modules.
    pub fn new() -> Checker {
        Checker {
            types: Types::new(),
            modules: Vec::new(),
            by_name: FxHashMap::default(),
            declared: Vec::new(),
            constructors: Vec::new(),
            functions: Vec::new(),
            shapes: Shapes::default(),
            shape_constructor: FxHashMap::default(),
            entries: Vec::new(),
            random_sites: 0,
        }
    }

    /// Adds a module. If two have the same name, the first is found by it.
    pub fn add(&mut self, module: Module, origin: Origin) -> ModuleId {
        let id = ModuleId(self.modules.len());
        self.by_name.entry(module.name.clone()).or_insert(id);
        self.modules.push(ModuleEntry {
            syntax: Arc::new(module),
            origin,
            types: FxHashMap::default(),
            constructors: FxHashMap::default(),
            functions: FxHashMap::default(),
            uses: FxHashMap::default(),
        });
        id
    }

    /// Resolves and checks everything that the modules declare.
    pub fn declare(&mut self, out: &mut Diagnostics) {
        self.declare_names(out);
        self.declare_types(out);
        self.declare_functions(out);
        self.check_functions(out);
    }

    /// The type of a type expression, as an attribute declares it. What it leaves open is inferred from its uses.
    pub fn annotation(&mut self, module: ModuleId, ty: TypeId, out: &mut Diagnostics) -> Ty {
        let syntax = self.modules[module.0].syntax.clone();
        self.resolve_type(module, &syntax.arena, ty, &mut annotation::Letters::Forbidden, out)
    }

    /// Checks one expression of a module's arena. `expected` is the type it must have, and why.
    pub fn expr(
        &mut self,
        module: ModuleId,
        expr: ExprId,
        expected: Option<(Ty, Why)>,
        externals: &mut dyn FnMut(ExternalId) -> External,
        out: &mut Diagnostics,
    ) -> Entry {
        let mark = self.types.mark();
        let mut body = BodyChecker::new(self, module, externals, out);
        let (root, ty) = match expected {
            Some((ty, why)) => (body.check(expr, ty, &why), ty),
            None => body.infer(expr),
        };
        let body = body.finish(root);
        self.types.settle(mark);
        self.entries.push(body);
        let id = EntryId(u32::try_from(self.entries.len() - 1).expect("memory ends before the numbers do"));
        Entry { id, ty }
    }

    /// The type as it is written.
    pub fn show(&self, ty: Ty) -> String {
        self.types.show(ty)
    }

    /// `Int`
    pub fn int(&self) -> Ty {
        Types::INT
    }

    /// `Bool`
    pub fn bool(&self) -> Ty {
        Types::BOOL
    }

    /// `String`
    pub fn string(&self) -> Ty {
        Types::STRING
    }

    /// `Node`: a whole node of the tree, also a random source.
    pub fn node(&self) -> Ty {
        Types::NODE
    }

    /// A type that fits everything, for what was complained about already.
    pub fn error(&self) -> Ty {
        Types::ERROR
    }

    /// A type that nothing is known about yet.
    pub fn unknown(&mut self) -> Ty {
        self.types.fresh()
    }

    /// `List(item)`
    pub fn list(&mut self, item: Ty) -> Ty {
        self.types.con(Con::List, &[item])
    }

    /// Whether two types are equal once both are known; decides what is open in them if they can be.
    pub fn unify(&mut self, a: Ty, b: Ty) -> bool {
        self.types.unify(a, b).is_ok()
    }
}
