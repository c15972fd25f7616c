//! `[language]`: the start rule, extensions of files, and a line for people.

use super::reader::Reader;
use super::{SideFile, Table};
use crate::kind::DescriptionKind;
use polysmith_grammar::{RuleId, RuleKind};
use polysmith_source::nearest;
use std::ops::Range;
use toml::de::DeTable;

pub(super) const TABLE: Table = Table { name: "language", kinds: &DescriptionKind::ALL, read };

const KEYS: &[&str] = &["start", "extensions", "description", "standard"];

fn read(reader: &mut Reader<'_>, table: &DeTable<'_>, file: &mut SideFile) {
    for (key, value) in table {
        match key.get_ref().as_ref() {
            "start" if reader.kind == DescriptionKind::Specification => {
                reader.other_kind("`start`", key.span(), "it starts with its first class");
            }
            "start" => {
                if let Some(name) = reader.string(value) {
                    file.start = start(reader, &name, value.span());
                }
            }
            "extensions" => {
                let extensions = reader.strings(value).into_iter();
                file.extensions = extensions.map(|word| word.trim_start_matches('.').to_owned()).collect();
            }
            "description" => file.description = reader.string(value).unwrap_or_default(),
            "standard" => file.standard = reader.string(value).unwrap_or_default(),
            _ => reader.unknown_key(key, KEYS),
        }
    }
}

fn start(reader: &mut Reader<'_>, name: &str, span: Range<usize>) -> Option<RuleId> {
    let grammar = reader.grammar?;
    let rule = grammar.rule_named(name);
    if rule.is_none() {
        let is_usable = |rule: &RuleId| grammar.rule(*rule).kind != RuleKind::Fragment;
        let names = grammar.rules().filter(is_usable).map(|rule| grammar.rule(rule).name.as_str());
        reader.unknown_name(format!("the grammar has no rule `{name}`"), span, nearest(name, names));
    }
    rule
}
