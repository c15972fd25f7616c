//! One built-in language: what is known about it, and its files for changing.

use super::{about, commands};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::load::{LanguageOptions, load, locate};
use crate::talk::Talk;
use polysmith_description::Description;
use polysmith_description::built_in::{self, BuiltIn};
use polysmith_grammar::{Code, CodeKind, ElementId, ElementKind, Grammar, Meaning};
use polysmith_run::files::write_file;
use std::io::Write as _;
use std::path::Path;

/// The folder of a built-in name.
///
/// # Errors
/// There is none of this name.
pub(super) fn find(name: &str) -> anyhow::Result<&'static BuiltIn> {
    match built_in::find(name) {
        Some(folder) => Ok(folder),
        None => {
            locate(name, None)?;
            Err(Failure::usage(format!("`{name}` is not built in"))
                .help("`polysmith languages` lists the built-in languages")
                .into())
        }
    }
}

/// Shows what is known about a language, one line for each thing.
pub(super) fn show(folder: &BuiltIn, talk: Talk) -> anyhow::Result<Exit> {
    let description = load(folder.name, None, &LanguageOptions::default(), talk)?.description;
    let known = about(folder);
    let extensions: Vec<String> = known.extensions.iter().map(|word| format!(".{word}")).collect();
    let lines = [
        ("description", known.description),
        ("standard", known.standard),
        ("extensions", extensions.join(", ")),
        ("commands", commands(folder).join(", ")),
        ("files", folder.main_files().collect::<Vec<_>>().join(", ")),
        ("names", names(&description)),
        ("target code", target_code(description.tree_grammar())),
    ];
    let mut out = talk.out();
    for (label, text) in lines.into_iter().filter(|(_, text)| !text.is_empty()) {
        writeln!(out, "{label:12}  {text}")?;
    }
    out.flush()?;
    Ok(Exit::Yes)
}

/// The kinds of names that are defined; empty without rules about names.
fn names(description: &Description) -> String {
    let Some(names) = &description.side_file().names else { return String::new() };
    let mut kinds: Vec<&str> = Vec::new();
    for rule in &names.rules().definitions {
        if !kinds.contains(&rule.kind.as_str()) {
            kinds.push(&rule.kind);
        }
    }
    kinds.join(", ")
}

/// What the grammar asks of a target and nothing answers.
fn target_code(grammar: &Grammar) -> String {
    let elements = (0..grammar.n_elements()).map(|at| grammar.element(ElementId::new(at)).kind);
    let codes: Vec<&Code> = elements
        .filter_map(|kind| match kind {
            ElementKind::Code(code) => Some(grammar.code(code)),
            _ => None,
        })
        .collect();
    let is_unknown =
        |code: &&&Code| matches!(code.kind, CodeKind::Predicate { meaning: Meaning::Unknown, .. });
    let predicates = codes.iter().filter(is_unknown).count();
    let actions = codes.iter().filter(|code| code.kind == CodeKind::Action).count();
    match (predicates, actions) {
        (0, 0) => "none".to_owned(),
        (predicates, 0) => format!("{predicates} predicates, taken for true"),
        (predicates, actions) => {
            format!("{predicates} predicates, taken for true; {actions} actions, not run")
        }
    }
}

/// Writes all files of a language into a folder.
pub(super) fn export(folder: &BuiltIn, target: &Path, force: bool, talk: Talk) -> anyhow::Result<Exit> {
    let taken = folder.files.iter().map(|(path, _)| target.join(path)).find(|path| path.exists());
    if let Some(taken) = taken.filter(|_| !force) {
        return Err(Failure::usage(format!("`{}` is there already", taken.display()))
            .help("choose another folder, or overwrite the files with --force")
            .into());
    }
    for (path, bytes) in folder.files {
        write_file(&target.join(path), bytes)?;
    }
    talk.say(format_args!("{} files are written to `{}`", folder.files.len(), target.display()));
    Ok(Exit::Yes)
}
