//! The side file `Name.toml` beside a description: what the description cannot say itself.
//!
//! ```toml
//! [language]
//! start = "program"            # the start rule
//! extensions = ["calc"]        # of input files
//! description = "arithmetic"   # a line for people
//! standard = "ISO 80000"       # what it follows
//!
//! [tokens]
//! INDENT = "    "              # a token that no lexer rule can make
//! ID = ["x", "y"]              # texts to mix in
//!
//! [hooks]
//! script = "Calc.hooks"        # what the target code of the grammar means
//!
//! [rewrites]
//! "( $x:expr )" = "$x"         # templates for the reducer
//!
//! [names]                      # what defines and uses a name, and what opens a scope
//! scopes = [{ at = "block" }]
//! define = [{ at = "variable.ID", kind = "variable" }]
//! use = [{ at = "value.ID", kind = "variable" }]
//! ```
//!
//! All kinds of descriptions use the same reader. Unknown keys, and tables that the kind cannot use, are errors: a
//! typing mistake must not be ignored silently. Names are checked against the grammar.
//!
//! A table is one file in `side_file/` with a constant `TABLE`, one line in [`TABLES`], and its fields in
//! [`SideFile`].

pub mod codes;
mod hooks;
mod language;
mod names;
mod reader;
mod rewrites;
mod tokens;

use crate::kind::DescriptionKind;
use polysmith_bindings::Names;
use polysmith_grammar::rewrite::Rewrite;
use polysmith_grammar::{Grammar, RuleId, TokenType};
use polysmith_source::{Diagnostics, Files, SourceId, SourceMap, Span};
use reader::Reader;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use toml::de::DeTable;

/// The content of a side file.
#[derive(Debug, Clone, Default)]
pub struct SideFile {
    /// The start rule.
    pub start: Option<RuleId>,
    /// Extensions of input files, without the dot.
    pub extensions: Vec<String>,
    /// A line for people.
    pub description: String,
    /// The standard or manual that the description follows.
    pub standard: String,
    /// Texts per token, sorted by name.
    pub tokens: Vec<(TokenType, Vec<String>)>,
    /// Templates for the reducer, sorted by pattern.
    pub rewrites: Vec<Rewrite>,
    /// The path of the script with hooks, as written, and where.
    pub script: Option<(String, Span)>,
    /// Rules about names.
    pub names: Option<Arc<Names>>,
}

/// What a list of languages shows about one.
#[derive(Debug, Clone, Default)]
pub struct About {
    /// A line for people.
    pub description: String,
    /// The standard or manual that the description follows.
    pub standard: String,
    /// Extensions of input files, without the dot.
    pub extensions: Vec<String>,
    /// Whether it has rules about names.
    pub has_names: bool,
}

/// The description that a side file belongs to.
#[derive(Debug, Clone, Copy)]
pub struct Target<'a> {
    /// Its kind.
    pub kind: DescriptionKind,
    /// The grammar that names refer to. Without one, names are not checked.
    pub grammar: Option<&'a Grammar>,
    /// Where other files of the language are. Without it, none are read.
    pub beside: Option<Beside<'a>>,
}

/// The place of a description, for files that its side file names.
#[derive(Clone, Copy)]
pub struct Beside<'a> {
    /// The files.
    pub files: &'a dyn Files,
    /// The path of the description.
    pub description: &'a Path,
}

impl fmt::Debug for Beside<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Beside").field("description", &self.description).finish_non_exhaustive()
    }
}

/// One table of side files.
struct Table {
    name: &'static str,
    /// The kinds of descriptions that can use it.
    kinds: &'static [DescriptionKind],
    read: fn(&mut Reader<'_>, &DeTable<'_>, &mut SideFile),
}

const TABLES: &[Table] = &[language::TABLE, tokens::TABLE, rewrites::TABLE, hooks::TABLE, names::TABLE];

/// Reads a side file. Reports and ignores what is invalid.
pub fn read(text: &str, source: SourceId, target: Target<'_>, found: &mut Diagnostics) -> SideFile {
    let mut file = SideFile::default();
    let mut reader =
        Reader { source, kind: target.kind, grammar: target.grammar, beside: target.beside, found };
    let names: Vec<&str> = TABLES.iter().map(|table| table.name).collect();
    let root = reader.parse(text);
    // An empty key remains of a line that is not TOML, which `parse` has reported.
    for (key, value) in root.get_ref().iter().filter(|(key, _)| !key.get_ref().is_empty()) {
        let known = TABLES.iter().find(|table| table.name == key.get_ref().as_ref());
        let (Some(table), Some(content)) = (known, value.get_ref().as_table()) else {
            reader.unknown_key(key, &names);
            continue;
        };
        match table.kinds.contains(&target.kind) {
            true => (table.read)(&mut reader, content, &mut file),
            false => reader.other_kind(&format!("the table `[{}]`", table.name), key.span(), only_for(table)),
        }
    }
    file
}

/// Reads what a side file says about its language, without the description that it belongs to.
pub fn about(text: &str) -> About {
    let source = SourceMap::default().add("", "");
    let target = Target { kind: DescriptionKind::Grammar, grammar: None, beside: None };
    let SideFile { description, extensions, standard, .. } =
        read(text, source, target, &mut Diagnostics::default());
    let has_names = DeTable::parse_recoverable(text).0.get_ref().contains_key(names::TABLE.name);
    About { description, standard, extensions, has_names }
}

fn only_for(table: &Table) -> String {
    let kinds: Vec<&str> = table.kinds.iter().map(|kind| kind.plural()).collect();
    format!("delete the table: it is for {}", kinds.join(" and "))
}

#[cfg(test)]
mod tests;
