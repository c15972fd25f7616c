//! The guards of a specification, on saved trees.

use crate::exit::Exit;
use crate::input::read;
use crate::talk::Talk;
use anyhow::Context as _;
use polysmith_attributes::{Derivation, Spec, evaluate};
use polysmith_source::SourceMap;
use polysmith_tree::save;
use std::path::PathBuf;

/// Checks saved trees; yes if all guards of all of them are satisfied.
pub(super) fn check(spec: &Spec, sources: &SourceMap, trees: &[PathBuf], talk: Talk) -> anyhow::Result<Exit> {
    let mut valid = true;
    for path in trees {
        let shown = path.display();
        let bytes = read(path)?;
        let (_, tree) =
            save::load(&bytes, &spec.grammar).with_context(|| format!("`{shown}` cannot be used"))?;
        let derivation =
            Derivation::from_tree(spec, &tree).with_context(|| format!("`{shown}` cannot be used"))?;
        match first_violation(spec, sources, &derivation) {
            None => talk.result(format_args!("{shown}: valid"))?,
            Some(violation) => {
                valid = false;
                talk.result(format_args!("{shown}: {violation}"))?;
            }
        }
    }
    Ok(Exit::from_answer(valid))
}

fn first_violation(spec: &Spec, sources: &SourceMap, derivation: &Derivation) -> Option<String> {
    let evaluation = evaluate(spec, derivation);
    let violation = evaluation.violations.first()?;
    let span = violation.span(spec);
    let place = sources.line_col(span);
    let file = sources.get(span.source).name();
    let more = match evaluation.violations.len() {
        1 => String::new(),
        n => format!(" (and {} more)", n - 1),
    };
    let message = violation.message(spec);
    Some(format!("{message} at node {}: {file}:{}:{}{more}", violation.node, place.line, place.column + 1))
}
