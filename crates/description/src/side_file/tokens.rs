//! `[tokens]`: texts for tokens that lexer rules cannot make, and texts to mix in.

use super::reader::Reader;
use super::{SideFile, Table};
use crate::kind::DescriptionKind;
use polysmith_source::nearest;
use toml::de::{DeTable, DeValue};

pub(super) const TABLE: Table = Table { name: "tokens", kinds: &[DescriptionKind::Grammar], read };

fn read(reader: &mut Reader<'_>, table: &DeTable<'_>, file: &mut SideFile) {
    let Some(tokens) = reader.grammar.map(|grammar| grammar.tokens()) else { return };
    for (key, value) in table {
        let name = key.get_ref().as_ref();
        let texts = match value.get_ref() {
            DeValue::Array(_) => reader.strings(value),
            _ => reader.string(value).into_iter().collect(),
        };
        match tokens.named(name).or_else(|| tokens.literal(name)) {
            Some(token) => file.tokens.push((token, texts)),
            None => {
                let names: Vec<String> = tokens.types().map(|token| tokens.display(token)).collect();
                let similar = nearest(name, names.iter().map(String::as_str));
                reader.unknown_name(format!("the grammar has no token `{name}`"), key.span(), similar);
            }
        }
    }
}
