//! Reads TOML values with their locations, and reports invalid ones.

use super::Beside;
use super::codes::{NOT_TOML, OTHER_KIND, UNKNOWN_KEY, UNKNOWN_NAME, UNREADABLE_FILE, WRONG_TYPE};
use crate::kind::DescriptionKind;
use polysmith_grammar::Grammar;
use polysmith_source::{Diagnostics, SourceId, Span, nearest};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Reads the values of one side file and reports problems.
pub(super) struct Reader<'a> {
    pub(super) source: SourceId,
    pub(super) kind: DescriptionKind,
    /// The grammar that names refer to. Without one, names are not checked.
    pub(super) grammar: Option<&'a Grammar>,
    /// Where other files of the language are. Without it, none are read.
    pub(super) beside: Option<Beside<'a>>,
    pub(super) found: &'a mut Diagnostics,
}

impl Reader<'_> {
    /// Parses the file. Reports and ignores what is not TOML.
    pub(super) fn parse<'t>(&mut self, text: &'t str) -> Spanned<DeTable<'t>> {
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in errors {
            let span = self.span(error.span().unwrap_or(0..0));
            self.found.error(NOT_TOML, span, format!("this is not TOML: {}", error.message()));
        }
        table
    }

    pub(super) fn string(&mut self, value: &Spanned<DeValue<'_>>) -> Option<String> {
        let text = value.get_ref().as_str().map(str::to_owned);
        if text.is_none() {
            self.wrong_type("a string", value);
        }
        text
    }

    pub(super) fn strings(&mut self, value: &Spanned<DeValue<'_>>) -> Vec<String> {
        match value.get_ref() {
            DeValue::Array(items) => items.iter().filter_map(|item| self.string(item)).collect(),
            _ => {
                self.wrong_type("a list of strings", value);
                Vec::new()
            }
        }
    }

    /// A string, or a list of them.
    pub(super) fn one_or_more(&mut self, value: &Spanned<DeValue<'_>>) -> Vec<String> {
        match value.get_ref() {
            DeValue::Array(_) => self.strings(value),
            _ => self.string(value).into_iter().collect(),
        }
    }

    /// True or false; a value of another type is reported and false.
    pub(super) fn boolean(&mut self, value: &Spanned<DeValue<'_>>) -> bool {
        match value.get_ref() {
            DeValue::Boolean(answer) => *answer,
            _ => {
                self.wrong_type("`true` or `false`", value);
                false
            }
        }
    }

    /// A list of tables.
    pub(super) fn tables<'v, 't>(&mut self, value: &'v Spanned<DeValue<'t>>) -> Vec<&'v DeTable<'t>> {
        let DeValue::Array(items) = value.get_ref() else {
            self.wrong_type("a list of tables", value);
            return Vec::new();
        };
        let mut tables = Vec::new();
        for item in items {
            match item.get_ref().as_table() {
                Some(table) => tables.push(table),
                None => self.wrong_type("a table", item),
            }
        }
        tables
    }

    /// The text of a file in the folder of the description.
    pub(super) fn file_beside(&mut self, name: &str, span: Range<usize>) -> Option<String> {
        let Beside { files, description } = self.beside?;
        let read = files.read(&description.with_file_name(name)).map_err(|error| error.to_string());
        let text = read.and_then(|bytes| String::from_utf8(bytes).map_err(|error| error.to_string()));
        match text {
            Ok(text) => Some(text),
            Err(error) => {
                let message = format!("the file `{name}` cannot be read: {error}");
                self.found.error(UNREADABLE_FILE, self.span(span), message);
                None
            }
        }
    }

    fn wrong_type(&mut self, expected: &str, value: &Spanned<DeValue<'_>>) {
        let message =
            format!("{expected} is expected here, not a value of type {}", value.get_ref().type_str());
        self.found.error(WRONG_TYPE, self.span(value.span()), message);
    }

    /// Reports a key that is not one of those known here.
    pub(super) fn unknown_key(&mut self, key: &Spanned<impl AsRef<str>>, known: &[&str]) {
        let name = key.get_ref().as_ref();
        let help = match nearest(name, known.iter().copied()) {
            Some(similar) if similar != name => format!("did you mean `{similar}`?"),
            Some(table) => format!("write it as a table, `[{table}]`"),
            None => {
                let list = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
                format!("known here: {list}")
            }
        };
        let message = format!("the key `{name}` means nothing here");
        self.found.error(UNKNOWN_KEY, self.span(key.span()), message).help(help);
    }

    /// Reports a table or key that this kind of description cannot use.
    pub(super) fn other_kind(&mut self, what: &str, span: Range<usize>, help: impl Into<String>) {
        let message = format!("{} cannot use {what}", self.kind.with_article());
        self.found.error(OTHER_KIND, self.span(span), message).help(help);
    }

    /// Reports a name that the grammar does not have.
    pub(super) fn unknown_name(&mut self, message: String, span: Range<usize>, similar: Option<&str>) {
        let diagnostic = self.found.error(UNKNOWN_NAME, self.span(span), message);
        if let Some(name) = similar {
            diagnostic.help(format!("did you mean `{name}`?"));
        }
    }

    pub(super) fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.source, range.start, range.end)
    }
}
