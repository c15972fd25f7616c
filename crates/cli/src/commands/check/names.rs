//! The names of texts: what is not defined, defined again, or in the wrong place.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::read;
use crate::talk::Talk;
use anyhow::Context as _;
use polysmith_bindings::{Names, report};
use polysmith_grammar::{Grammar, RuleId};
use polysmith_parse::{Limits, Parser, codes};
use polysmith_source::{Diagnostics, Encoding, Severity, SourceId, SourceMap, Span, decode};
use polysmith_tree::save;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Checks texts of one language.
pub(super) struct Checker<'a> {
    parser: Parser,
    start: RuleId,
    names: &'a Names,
}

impl Checker<'_> {
    pub(super) fn new<'a>(
        grammar: &Arc<Grammar>,
        start: RuleId,
        names: &'a Names,
    ) -> anyhow::Result<Checker<'a>> {
        Ok(Checker { parser: Parser::new(Arc::clone(grammar))?, start, names })
    }

    /// Checks files; yes if no rule of no file is broken. Warnings break none.
    pub(super) fn check(mut self, files: &[PathBuf], talk: Talk) -> anyhow::Result<Exit> {
        let mut valid = true;
        for path in files {
            let text = self.text(path)?;
            let mut sources = SourceMap::default();
            let source = sources.add(path.display().to_string(), text.as_str());
            let found = self.problems(&text, source, path)?;
            talk.diagnostics(&sources, &found);
            let count = |severity| found.iter().filter(|diagnostic| diagnostic.severity == severity).count();
            let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
            valid &= errors == 0;
            let answer = match (errors, warnings) {
                (0, 0) => "valid".to_owned(),
                (0, warnings) => format!("valid, {}", counted(warnings, "warning")),
                (errors, 0) => counted(errors, "error"),
                (errors, warnings) => {
                    format!("{}, {}", counted(errors, "error"), counted(warnings, "warning"))
                }
            };
            talk.result(format_args!("{}: {answer}", path.display()))?;
        }
        Ok(Exit::from_answer(valid))
    }

    /// The text of a file. A saved tree is printed: its text is parsed to the same tree.
    fn text(&self, path: &Path) -> anyhow::Result<String> {
        let mut bytes = read(path)?;
        if save::header(&bytes).is_ok() {
            let (_, tree) = save::load(&bytes, self.parser.grammar())
                .with_context(|| format!("`{}` cannot be used", path.display()))?;
            bytes = tree.to_bytes();
        }
        decode(bytes, Encoding::Utf8)
            .map_err(|error| Failure::unusable(format!("`{}` is not text: {error}", path.display())).into())
    }

    fn problems(&mut self, text: &str, source: SourceId, path: &Path) -> anyhow::Result<Diagnostics> {
        let parsed = self.parser.parse(self.start, text, &Limits::default());
        let parsed = parsed.with_context(|| format!("`{}` cannot be parsed", path.display()))?;
        let mut found = Diagnostics::default();
        for error in &parsed.errors {
            let span = Span::new(source, error.start, error.end);
            found.error(codes::code_of(error.kind), span, error.message.clone());
        }
        // In a tree with errors, names may be missing.
        if parsed.errors.is_empty() {
            let bindings = self.names.resolve(&parsed.tree);
            found = report(self.names, &parsed.tree, &bindings, source);
        }
        self.parser.reuse(parsed);
        Ok(found)
    }
}

fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
