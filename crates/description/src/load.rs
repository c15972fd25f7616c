//! Loads a [`Description`]: runs the front end of its kind, then reads the side file.

use crate::description::{Content, Description};
use crate::hooks;
use crate::kind::DescriptionKind;
use crate::locate::Located;
use crate::side_file::{self, Beside, SideFile, Target};
use polysmith_antlr::ExtraChecks;
use polysmith_source::{Diagnostics, Encoding, SourceMap, codes, decode};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// How a description is read. A kind ignores the options that do not apply to it.
#[derive(Debug, Clone, Default)]
pub struct LoadOptions {
    /// The lexer grammar of a parser grammar; by default the one that `tokenVocab` names.
    pub lexer: Option<PathBuf>,
    /// Folders with imported grammars, searched after the grammar's own folder.
    pub libraries: Vec<PathBuf>,
    /// Whether target code that would have to run is an error instead of a warning.
    pub no_target_code: bool,
    /// Which checks beyond those of ANTLR's tool to run.
    pub extra_checks: ExtraChecks,
}

/// The result of reading a description.
#[derive(Debug)]
pub struct Loaded {
    /// The description; `None` if there are errors.
    pub description: Option<Description>,
    /// All texts that were read, for formatting the diagnostics.
    pub sources: SourceMap,
    /// All problems of the description and its side file.
    pub diagnostics: Diagnostics,
}

impl Loaded {
    /// Whether the description file itself could not be read.
    pub fn is_unreadable(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|found| found.code == codes::UNREADABLE && found.location.source().is_none())
    }
}

impl Description {
    /// Reads and checks a description and its side file.
    pub fn load(located: &Located<'_>, options: &LoadOptions) -> Loaded {
        match located.kind {
            DescriptionKind::Grammar => load_grammar(located, options),
            DescriptionKind::Specification => load_specification(located),
        }
    }
}

fn load_grammar(located: &Located<'_>, options: &LoadOptions) -> Loaded {
    let read_options = polysmith_antlr::ReadOptions {
        lexer: options.lexer.clone(),
        libraries: options.libraries.clone(),
        no_target_code: options.no_target_code,
        extra_checks: options.extra_checks,
    };
    let polysmith_antlr::Read { grammar, mut sources, mut diagnostics, super_classes, .. } =
        polysmith_antlr::read(located.files(), &located.path, &read_options);
    let beside = Beside { files: located.files(), description: &located.path };
    let target = Target { kind: located.kind, grammar: Some(&grammar), beside: Some(beside) };
    let side_file = read_side_file(beside, target, &mut sources, &mut diagnostics);
    let lookup = hooks::Lookup { located, grammar: &grammar, super_classes: &super_classes, options };
    let hooks = lookup.load(&side_file, &mut sources, &mut diagnostics);
    let is_usable = !diagnostics.has_errors();
    let description =
        is_usable.then(|| Description::new(Content::Grammar(Arc::new(grammar)), side_file).with_hooks(hooks));
    Loaded { description, sources, diagnostics }
}

fn load_specification(located: &Located<'_>) -> Loaded {
    let polysmith_lala::Read { spec, mut sources, mut diagnostics } =
        polysmith_lala::read(located.files(), &located.path);
    let beside = Beside { files: located.files(), description: &located.path };
    let grammar = spec.as_ref().map(|spec| &spec.grammar);
    let target = Target { kind: located.kind, grammar, beside: Some(beside) };
    let side_file = read_side_file(beside, target, &mut sources, &mut diagnostics);
    let spec = spec.filter(|_| !diagnostics.has_errors());
    let description = spec.map(|spec| Description::new(Content::Specification(Box::new(spec)), side_file));
    Loaded { description, sources, diagnostics }
}

/// Reads `Name.toml` beside the description. Most descriptions have none.
fn read_side_file(
    Beside { files, description }: Beside<'_>,
    target: Target<'_>,
    sources: &mut SourceMap,
    found: &mut Diagnostics,
) -> SideFile {
    let path = description.with_extension("toml");
    let name = path.display().to_string();
    let bytes = match files.read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return SideFile::default(),
        Err(error) => {
            let source = sources.add(name, "");
            found.error(codes::UNREADABLE, source, format!("the side file cannot be read: {error}"));
            return SideFile::default();
        }
    };
    match decode(bytes, Encoding::Utf8) {
        Ok(text) => {
            let source = sources.add(name, text.as_str());
            side_file::read(&text, source, target, found)
        }
        Err(error) => {
            let source = sources.add(name, "");
            found.error(codes::NOT_TEXT, source, format!("the side file is not text: {error}"));
            SideFile::default()
        }
    }
}
