//! Name resolution and type inference: from [`crate::syntax`] to resolved bodies.
//!
//! Functions are inferred in dependency order, mutually recursive ones together (Hindley-Milner). A function whose
//! types are all written is known before any body is checked. Records and variants are nominal. Two extensions: a
//! value of type `T` is accepted where `T?` is expected, and the record type of a field access may be inferred from
//! code that follows the access in the same function.
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

pub use report::TypeReason;

use crate::core::Body;
use crate::native::Native;
use crate::syntax::{ExprId, ExternalId, Module, TypeId};
use crate::types::{Scheme, Ty, TyCon, Types};
use crate::value::Shapes;
use body::BodyChecker;
use polysmith_source::{Diagnostics, Span};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Identifies a module of a [`Checker`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModuleId(usize);

/// Where a module comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Built in and visible everywhere without `use`.
    Core,
    /// Built in, visible in modules that `use` it.
    Library,
    /// Supplied by the surface language and visible everywhere without `use`. Calls of its native functions go to
    /// [`crate::Externals::call`], numbered in the order of their declarations.
    Host,
    /// Written by the user: cannot declare native functions.
    User,
}

impl Origin {
    /// Whether its names are visible without `use`.
    fn is_everywhere(self) -> bool {
        matches!(self, Origin::Core | Origin::Host)
    }
}

/// The result of checking one expression: the id of its code, and its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The argument of [`crate::Program::eval`].
    pub id: EntryId,
    /// Its type. Checking further expressions may bind its free variables.
    pub ty: Ty,
}

/// Identifies the code of an expression that was checked on its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntryId(pub(crate) u32);

/// The type of an external leaf, as the surface language declares it.
#[derive(Debug, Clone)]
pub struct External {
    /// Its type.
    pub ty: Ty,
    /// The span of the declaration and a label for it: "`want` is declared here".
    pub declared: Option<(Span, String)>,
}

/// Collects modules, then checks them and the expressions that use them.
#[derive(Debug)]
pub struct Checker {
    types: Types,
    modules: Vec<ModuleEntry>,
    by_name: FxHashMap<Arc<str>, ModuleId>,
    declared: Vec<Declared>,
    constructors: Vec<Constructor>,
    functions: Vec<Function>,
    shapes: Shapes,
    /// The constructor of each shape that belongs to one.
    shape_constructor: FxHashMap<u32, u32>,
    entries: Vec<Body>,
    /// The number of calls that draw random values so far. Each call has its own number, so that two calls at one node
    /// draw independently.
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

/// A type declaration. Its parameters are quantified type nodes.
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
    /// Not resolved yet. The number is the index of the declaration in its module.
    Pending(usize),
    /// An alias that is being resolved; seeing it again is a cycle.
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
    /// Its index among the functions of its module.
    index: usize,
    scheme: Option<Scheme>,
    /// Whether all its parameter and result types are written.
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
    /// Creates a checker without modules.
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

    /// Adds a module. If two modules have the same name, the name means the first.
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

    /// Resolves a type expression, such as the declared type of an attribute. Omitted arguments become free variables.
    pub fn annotation(&mut self, module: ModuleId, ty: TypeId, out: &mut Diagnostics) -> Ty {
        let syntax = self.modules[module.0].syntax.clone();
        self.resolve_type(module, &syntax.arena, ty, &mut annotation::TypeParams::Forbidden, out)
    }

    /// Checks one expression of a module's arena. `expected` is the type that it must have, and the reason.
    pub fn expr(
        &mut self,
        module: ModuleId,
        expr: ExprId,
        expected: Option<(Ty, TypeReason)>,
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
        self.types.default_addable_to_int(mark);
        self.entries.push(body);
        let id = EntryId(u32::try_from(self.entries.len() - 1).expect("fewer than 2^32 items fit in memory"));
        Entry { id, ty }
    }

    /// Formats a type as it is written in a specification.
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

    /// The type of erroneous expressions. It unifies with every type, so that one mistake is reported once.
    pub fn error(&self) -> Ty {
        Types::ERROR
    }

    /// Creates a free type variable.
    pub fn unknown(&mut self) -> Ty {
        self.types.fresh()
    }

    /// `List(item)`
    pub fn list(&mut self, item: Ty) -> Ty {
        self.types.con(TyCon::List, &[item])
    }
}
