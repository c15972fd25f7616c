//! `[rewrites]`: templates for the reducer.

use super::codes::BAD_REWRITE;
use super::reader::Reader;
use super::{SideFile, Table};
use crate::kind::DescriptionKind;
use polysmith_grammar::Grammar;
use polysmith_grammar::rewrite::{Rewrite, RewriteError};
use polysmith_source::{Span, nearest};
use toml::de::DeTable;

pub(super) const TABLE: Table = Table { name: "rewrites", kinds: &[DescriptionKind::Grammar], read };

fn read(reader: &mut Reader<'_>, table: &DeTable<'_>, file: &mut SideFile) {
    let Some(grammar) = reader.grammar else { return };
    for (key, value) in table {
        let Some(template) = reader.string(value) else { continue };
        match Rewrite::read(key.get_ref(), &template, grammar) {
            Ok(rewrite) => file.rewrites.push(rewrite),
            Err(error) => {
                let span = reader.span(key.span()).to(reader.span(value.span()));
                report(reader, grammar, &error, span);
            }
        }
    }
}

fn report(reader: &mut Reader<'_>, grammar: &Grammar, error: &RewriteError, span: Span) {
    let rules = grammar.parser_rules().map(|rule| grammar.rule(rule).name.as_str());
    let similar = match error {
        RewriteError::UnknownRule { name } => nearest(name, rules),
        _ => None,
    };
    let diagnostic = reader.found.error(BAD_REWRITE, span, error.to_string());
    if let Some(name) = similar {
        diagnostic.help(format!("did you mean `{name}`?"));
    }
}
