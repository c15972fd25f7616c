//! Names: what we report about real files, beside the language's own tool.
//!
//! A real file is valid for the reference tool, so a name that is defined again and a violated need are false alarms. Which
//! names have no definition is said by a linter, or by the warnings of a compiler.

use super::corpus::Sample;
use super::plan::Plan;
use super::reference::Reference;
use super::subject::Subject;
use crate::rates::Tally;
use anyhow::Context as _;
use polysmith_bindings::codes::UNDEFINED;
use polysmith_bindings::{Names, report};
use polysmith_parse::{Limits, Parsed};
use polysmith_source::SourceMap;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Compares the names of all files; a language without rules about names has nothing to compare.
pub(super) fn names(
    subject: &Subject<'_>,
    reference: &Reference<'_>,
    samples: &[Sample],
    tools: &Path,
    tally: &mut Tally,
) -> anyhow::Result<()> {
    let Some(rules) = &subject.names else { return Ok(()) };
    let undefined = undefined(subject.plan, reference, samples, tools)?;
    let mut parser = subject.parser()?;
    for (number, sample) in samples.iter().enumerate() {
        let parsed = parser.parse(subject.start, &sample.text, &Limits::default())?;
        if !parsed.errors.is_empty() {
            tally.miss("languages-names", &sample.name, "it has an error of syntax for us");
            continue;
        }
        let bindings = rules.resolve(&parsed.tree);
        let text = |node| String::from_utf8_lossy(parsed.tree.leaf_text(node)).into_owned();
        let ours: BTreeSet<String> = bindings.unresolved().map(|used| text(used.node)).collect();
        let theirs = undefined.as_ref().map(|all| all.get(&number).cloned().unwrap_or_default());
        let mut problem = first_error(rules, &parsed, &sample.text, theirs.is_some());
        if let Some(theirs) = theirs.as_ref().filter(|_| problem.is_none()) {
            let extra: Vec<&str> = ours.difference(theirs).map(String::as_str).collect();
            problem =
                (!extra.is_empty()).then(|| format!("only we find no definition of {}", extra.join(", ")));
        }
        tally.record("languages-names", &sample.name, problem);
        let known = |name: &&String| !rules.rules().environment.contains(name.as_bytes());
        for name in theirs.iter().flatten().filter(known) {
            let problem =
                (!ours.contains(name)).then(|| format!("only the linter finds no definition of {name}"));
            tally.record("languages-undefined-names", &sample.name, problem);
        }
        parser.reuse(parsed);
    }
    Ok(())
}

/// The first error that we report; `is_linted` leaves names without a definition to the linter.
fn first_error(rules: &Names, parsed: &Parsed, text: &str, is_linted: bool) -> Option<String> {
    let mut sources = SourceMap::default();
    let source = sources.add("", text);
    let found = report(rules, &parsed.tree, &rules.resolve(&parsed.tree), source);
    let error = found.iter().find(|diagnostic| !is_linted || diagnostic.code != UNDEFINED)?;
    let line = error.location.span().map_or(0, |span| sources.line_col(span).line);
    Some(format!("line {line}: {}", error.message))
}

/// The names without a definition that the linter finds, by the number of the file. `None` if there is no linter.
fn undefined(
    plan: &Plan,
    reference: &Reference<'_>,
    samples: &[Sample],
    tools: &Path,
) -> anyhow::Result<Option<BTreeMap<usize, BTreeSet<String>>>> {
    let Some(linter) = &plan.linter else { return Ok(None) };
    let folder = tempfile::tempdir()?;
    for (number, sample) in samples.iter().enumerate() {
        std::fs::write(folder.path().join(format!("{number}.{}", plan.extension)), &sample.text)?;
    }
    let said = reference.lint(&linter.command, folder.path(), tools)?;
    let mut found: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    for line in said.lines() {
        let (number, name) =
            line.split_once(' ').context("the linter prints a number and a name on each line")?;
        found.entry(number.parse()?).or_default().insert(name.to_owned());
    }
    Ok(Some(found))
}
