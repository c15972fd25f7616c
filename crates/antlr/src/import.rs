//! Imports: merges the rules of other grammars into the importing one.
//!
//! The result is one file as if everything had been written in it. Rules keep their locations, so a message about an
//! imported rule shows its own file. A definition of the importing grammar takes precedence.

use crate::load::Loader;
use crate::report::Report;
use crate::syntax::tree::{File, GrammarKind, Mode, Prequel, Section};
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};

/// Merges all imports of `root` into it. Returns the direct imports, for the checker.
pub(crate) fn merge(
    root: &mut File,
    path: &Path,
    loader: &mut Loader<'_>,
    report: &mut Report<'_>,
) -> Vec<DirectImport> {
    let mut direct_imports = Vec::new();
    let imports = collect(root, path, loader, report, &mut direct_imports);
    let mut known: FxHashSet<String> = root.rules.iter().map(|rule| rule.name.text.clone()).collect();
    for import in imports {
        merge_one(root, import, &mut known, report);
    }
    direct_imports
}

/// A direct import and the kind of the imported grammar.
pub(crate) struct DirectImport {
    pub(crate) name: crate::syntax::tree::Name,
    pub(crate) kind: GrammarKind,
}

/// All imported files, depth first, each once. A cycle is not an error.
fn collect(
    root: &File,
    path: &Path,
    loader: &mut Loader<'_>,
    report: &mut Report<'_>,
    direct_imports: &mut Vec<DirectImport>,
) -> Vec<File> {
    let mut found: Vec<File> = Vec::new();
    let mut seen: FxHashSet<PathBuf> = FxHashSet::default();
    let mut visited: FxHashSet<String> = FxHashSet::default();
    visited.insert(root.name.text.clone());
    let mut waiting = pending(root, path, true);
    while let Some((name, from, direct)) = waiting.pop() {
        if visited.contains(&name.text) {
            continue;
        }
        let Some(loaded) = loader.grammar(&name.text, path, &from, report) else {
            let message = format!("the imported grammar `{}` was not found", name.text);
            let help = "imports are looked up beside the grammar and in the library folders";
            report.at(110, name.span, message).help(help);
            continue;
        };
        if loaded.file.broken || !seen.insert(loaded.path.clone()) {
            continue;
        }
        if direct {
            direct_imports.push(DirectImport { name, kind: loaded.file.kind });
        }
        let inner = pending(&loaded.file, &loaded.path, false);
        if !inner.is_empty() {
            visited.insert(loaded.file.name.text.clone());
        }
        waiting.extend(inner);
        found.push(loaded.file);
    }
    found
}

/// The names that a file imports, last one first, with the file's path.
fn pending(file: &File, path: &Path, direct: bool) -> Vec<(crate::syntax::tree::Name, PathBuf, bool)> {
    let section = file.prequels.iter().find_map(|prequel| match prequel {
        Prequel::Import(section) => Some(section),
        _ => None,
    });
    let names = section.map(|section| section.names.as_slice()).unwrap_or_default();
    names.iter().rev().map(|name| (name.clone(), path.to_owned(), direct)).collect()
}

fn merge_one(root: &mut File, import: File, known: &mut FxHashSet<String>, report: &mut Report<'_>) {
    check_options(root, &import, report);
    for prequel in import.prequels {
        match prequel {
            Prequel::Channels(section) => merge_channels(root, section),
            Prequel::Tokens(section) => merge_tokens(root, section),
            Prequel::Action(_) | Prequel::Options(_) | Prequel::Import(_) => {}
        }
    }
    for mode in import.modes {
        merge_mode(root, mode, known);
    }
    for rule in import.rules {
        if known.insert(rule.name.text.clone()) {
            root.rules.push(rule);
        }
    }
}

/// Reports options of an imported grammar, which have no effect unless the root has the same ones.
fn check_options(root: &File, import: &File, report: &mut Report<'_>) {
    let Some(options) = import.options().next() else { return };
    let differs = options.entries.iter().any(|entry| {
        let of_root = root.option(&entry.name.text).and_then(|own| own.value.as_ref());
        entry.value.as_ref().map(|value| &value.text) != of_root.map(|value| &value.text)
    });
    if differs {
        let message = format!("options of the imported grammar `{}` have no effect", import.name.text);
        report.at(109, options.keyword, message).help("set them in the grammar that imports it");
    }
}

fn merge_channels(root: &mut File, imported: Section) {
    let own = root.prequels.iter_mut().find_map(|prequel| match prequel {
        Prequel::Channels(section) => Some(section),
        _ => None,
    });
    match own {
        None => root.prequels.push(Prequel::Channels(imported)),
        Some(own) => {
            for name in imported.names {
                if !own.names.iter().any(|have| have.text == name.text) {
                    own.names.push(name);
                }
            }
        }
    }
}

fn merge_tokens(root: &mut File, imported: Section) {
    let own = root.prequels.iter_mut().find_map(|prequel| match prequel {
        Prequel::Tokens(section) => Some(section),
        _ => None,
    });
    match own {
        None => root.prequels.push(Prequel::Tokens(imported)),
        Some(own) => own.names.extend(imported.names),
    }
}

fn merge_mode(root: &mut File, imported: Mode, known: &mut FxHashSet<String>) {
    let rules = imported.rules.into_iter().filter(|rule| known.insert(rule.name.text.clone()));
    let rules: Vec<_> = rules.collect();
    match root.modes.iter_mut().find(|mode| mode.name.text == imported.name.text) {
        Some(own) => own.rules.extend(rules),
        None if rules.is_empty() => {}
        None => root.modes.push(Mode { rules, ..imported }),
    }
}
