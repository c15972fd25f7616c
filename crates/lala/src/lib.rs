//! LALA: attribute grammars with guards, in one self-contained file.
//!
//! [`read`] reads a `.lala` file (or an `.ls` file of the older dialect) with its imports and modules, performs all
//! static checks, and returns the tables of `polysmith-attributes`. It reports all errors, each with its location and
//! a way to fix it.
//!
//! ```
//! use polysmith_source::Memory;
//! use std::path::Path;
//!
//! let files = Memory::default().with("greet.lala", r#"
//!     class Greeting { hello("Hello, ${name : Name}!") {} }
//!     class Name("World|you");
//! "#);
//! let read = polysmith_lala::read(&files, Path::new("greet.lala"));
//! let spec = read.spec.expect("it has no errors");
//! assert_eq!(spec.classes.len(), 2);
//! ```
//!
//! One module per stage: `read` (text to syntax), `load` (files and modules), `merge` (imports), `draft` and
//! `rules` (names, attributes, completeness), `cycles`, `typing`, `lower`, `whole` (heights, reachability).
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod annotations;
mod codes;
mod cycles;
mod draft;
mod externals;
mod library;
mod literal;
mod load;
mod lower;
mod merge;
pub mod modules;
mod read;
mod resolve;
mod rules;
mod syntax;
mod typing;
mod whole;

pub use codes::EXPLANATIONS;

use polysmith_attributes::Spec;
use polysmith_source::{Diagnostics, Files, Location, SourceMap};
use polysmith_value::syntax::Module;
use std::path::Path;

/// The result of [`read`].
#[derive(Debug)]
pub struct Read {
    /// The tables; `None` after errors.
    pub spec: Option<Spec>,
    /// All files that were read, for formatting the diagnostics.
    pub sources: SourceMap,
    /// Errors and warnings, sorted by location.
    pub diagnostics: Diagnostics,
}

/// Reads, checks and lowers the specification in `path`, with its imports and modules.
pub fn read(files: &dyn Files, path: &Path) -> Read {
    let mut sources = SourceMap::default();
    let mut found = Diagnostics::default();
    let spec = load::load(files, path, &mut sources, &mut found)
        .and_then(|loaded| build(&name_of(path), loaded, &mut found));
    found.sort();
    let spec = spec.filter(|_| !found.has_errors());
    Read { spec, sources, diagnostics: found }
}

fn name_of(path: &Path) -> String {
    path.file_stem().map_or_else(|| "spec".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

fn build(name: &str, loaded: load::Loaded, found: &mut Diagnostics) -> Option<Spec> {
    let load::Loaded { parts, mut store, modules } = loaded;
    if parts.classes.is_empty() && !found.has_errors() {
        found
            .error(codes::NO_CLASS, Location::Nowhere, format!("`{name}` has no class"))
            .help("a spec needs at least one: `class Program { … }`; programs start with the first");
    }
    let (mut draft, bodies) = draft::build(parts.classes, found);
    rules::resolve_rules(&mut draft, bodies, &mut store, found);
    // Cycles and types of an incomplete specification would only repeat earlier errors.
    let complete = !found.has_errors();
    let dependencies = cycles::check(&draft, found);
    let main = Module {
        name: name.into(),
        uses: parts.uses,
        types: parts.types,
        functions: parts.functions,
        arena: store.arena,
    };
    let (codes, program) = typing::check(&draft, main, modules, found);
    let tables = lower::lower(name, &draft, &dependencies, &codes, found);
    whole::check(&draft, &tables, complete, found);
    if found.has_errors() {
        return None;
    }
    let lower::Tables { grammar, classes, productions, features } = tables;
    Some(Spec { grammar, classes, productions, features, program: program? })
}
