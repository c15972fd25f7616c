//! From a LALA file to a spec that can be used.
//!
//! Commands that work on attribute grammars call [`load_spec`]; problems are shown here, and a description with
//! errors ends the command with exit 3.

use crate::failure::Failure;
use crate::front_ends::Kind;
use crate::language::Located;
use crate::talk::{Talk, Verbosity};
use polysmith_attributes::Spec;
use polysmith_source::SourceMap;

/// Reads a spec and shows what is wrong with it. The texts are for showing places in it.
///
/// # Errors
/// A description of another kind, and one with errors.
pub fn load_spec(located: &Located, talk: Talk) -> anyhow::Result<(Spec, SourceMap)> {
    let shown = located.path.display();
    if located.kind != Kind::Lala {
        return Err(Failure::unusable(format!("`{shown}` is a {}", located.kind))
            .help("this command needs a LALA specification (`.lala`)")
            .into());
    }
    let polysmith_lala::Loaded { sources, diagnostics, spec } =
        polysmith_lala::load(&located.path, located.files());
    // Warnings are the business of `lint`.
    if diagnostics.has_errors() || talk.verbosity() >= Verbosity::Verbose {
        talk.diagnostics(&sources, &diagnostics);
    }
    match spec {
        Some(spec) => Ok((spec, sources)),
        None => Err(Failure::unusable(format!("`{shown}` has errors")).into()),
    }
}
