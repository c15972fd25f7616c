//! The grammar of a language, read and ready to parse.

use super::plan::Plan;
use crate::paths;
use anyhow::{Context as _, ensure};
use polysmith_bindings::Names;
use polysmith_description::{Capability, Description, LoadOptions, locate};
use polysmith_grammar::{Grammar, RuleId};
use polysmith_parse::Parser;
use polysmith_source::{Disk, Severity};
use std::sync::Arc;

/// A grammar with its hooks, its start rule and its rules about names.
pub(super) struct Subject<'a> {
    pub(super) plan: &'a Plan,
    description: Description,
    pub(super) grammar: Arc<Grammar>,
    pub(super) start: RuleId,
    /// Rules about names, if the language has them.
    pub(super) names: Option<Arc<Names>>,
}

impl<'a> Subject<'a> {
    pub(super) fn load(plan: &'a Plan) -> anyhow::Result<Subject<'a>> {
        let path = paths::root().join(&plan.grammar);
        let word = path.to_str().context("the path of a grammar is text")?;
        let located = locate(&Disk, word, Some(Capability::Parse))?;
        let loaded = Description::load(&located, &LoadOptions::default());
        let error = loaded.diagnostics.iter().find(|found| found.severity == Severity::Error);
        ensure!(error.is_none(), "{word}: {}", error.map_or("", |error| error.message.as_str()));
        let description = loaded.description.with_context(|| format!("{word} cannot be read"))?;
        let grammar = description.grammar().context("it is no grammar")?.clone();
        let start = description.start().context("it has no rule to start from")?;
        let names = description.side_file().names.clone();
        Ok(Subject { plan, description, grammar, start, names })
    }

    /// A parser that has learned nothing yet.
    pub(super) fn parser(&self) -> anyhow::Result<Parser> {
        Ok(self.description.parser().context("it is no grammar")??)
    }
}
