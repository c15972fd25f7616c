//! `[hooks]`: the script that says what the target code of a grammar means.

use super::reader::Reader;
use super::{SideFile, Table};
use crate::kind::DescriptionKind;
use toml::de::DeTable;

pub(super) const TABLE: Table = Table { name: "hooks", kinds: &[DescriptionKind::Grammar], read };

const KEYS: &[&str] = &["script"];

fn read(reader: &mut Reader<'_>, table: &DeTable<'_>, file: &mut SideFile) {
    for (key, value) in table {
        match key.get_ref().as_ref() {
            "script" => {
                let span = reader.span(value.span());
                file.script = reader.string(value).map(|path| (path, span));
            }
            _ => reader.unknown_key(key, KEYS),
        }
    }
}
