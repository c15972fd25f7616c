//! Types and functions by themselves: the expression language of LALA for other notations.

use crate::library;
use crate::load::Loader;
use crate::read::{self, Store};
use crate::syntax::Dialect;
use polysmith_source::{Diagnostics, Memory, SourceId, SourceMap};
use polysmith_value::Origin;
use polysmith_value::syntax::Module;

/// The modules that are visible everywhere (`List`, `Map`, `String` and others), then those of the built-in library that
/// `use` names.
pub fn library(
    uses: &[polysmith_value::syntax::Name],
    sources: &mut SourceMap,
    found: &mut Diagnostics,
) -> Vec<(Module, Origin)> {
    let files = Memory::default();
    let mut loader = Loader { files: &files, sources, found, seen: Vec::new() };
    let core = library::CORE.iter().map(|(name, text)| (*name, *text, Origin::Core));
    let named = |name: &&str| uses.iter().any(|used| *used.text == **name);
    let used = library::MODULES.iter().filter(|(name, _)| named(name));
    core.chain(used.map(|(name, text)| (*name, *text, Origin::Library)))
        .map(|(name, text, origin)| (loader.library_module(name, text), origin))
        .collect()
}

/// Reads a file that has types and functions only. What cannot be read is reported and left out.
pub fn module(name: &str, source: SourceId, text: &str, found: &mut Diagnostics) -> Module {
    let (files, mut sources, mut store) = (Memory::default(), SourceMap::default(), Store::default());
    let items = read::file(source, text, Dialect::Usual, &mut store, found);
    let mut loader = Loader { files: &files, sources: &mut sources, found, seen: Vec::new() };
    loader.module(name, items, &mut store)
}
