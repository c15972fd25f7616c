//! The side file `Name.toml` beside `Name.g4`: what the grammar cannot say itself.
//!
//! ```toml
//! [language]
//! start = "program"            # the start rule
//! extensions = ["calc"]        # of input files
//! description = "arithmetic"   # a line for people
//!
//! [tokens]
//! INDENT = "    "              # a token that no lexer rule can make
//! ID = ["x", "y"]              # texts to mix in
//!
//! [rewrites]
//! "( $x:expr )" = "$x"         # templates for the reducer
//! ```
//!
//! Keys that are not known are errors: a typing mistake must not silently do nothing. Names are checked against
//! the grammar.

use polysmith_grammar::rewrite::{Rewrite, RewriteError};
use polysmith_grammar::{Grammar, RuleId, RuleKind, TokenType};
use polysmith_source::{Code, Diagnostics, Explanation, SourceId, Span, nearest};
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// The file is no TOML.
pub const NOT_TOML: Code = Code::own('T', 1);
/// A key that means nothing.
pub const UNKNOWN_KEY: Code = Code::own('T', 2);
/// A value of the wrong type.
pub const WRONG_TYPE: Code = Code::own('T', 3);
/// A rule or token that the grammar does not have.
pub const UNKNOWN_NAME: Code = Code::own('T', 4);
/// A rewrite that cannot be carried out.
pub const BAD_REWRITE: Code = Code::own('T', 5);

/// The manual pages of these codes.
pub const EXPLANATIONS: &[Explanation] = &[
    Explanation {
        code: NOT_TOML,
        title: "a side file is not TOML",
        text: "The file `Name.toml` beside a grammar `Name.g4` is read as TOML, and this one cannot be. A string \
               without quotes is the usual reason:\n\n    start = program\n\nWrite\n\n    start = \"program\"\n",
    },
    Explanation {
        code: UNKNOWN_KEY,
        title: "a side file has a key that means nothing",
        text: "Side files have three tables: `[language]` with `start`, `extensions` and `description`; `[tokens]` \
               with a text or a list of texts per token; `[rewrites]` with a template per pattern. Any other key is \
               an error, because a typing mistake would otherwise silently do nothing.\n",
    },
    Explanation {
        code: WRONG_TYPE,
        title: "a side file has a value of the wrong type",
        text: "`start` and `description` are strings, `extensions` is a list of strings, a token has a string or a \
               list of strings, a rewrite has a string.\n",
    },
    Explanation {
        code: UNKNOWN_NAME,
        title: "a side file names a rule or token that the grammar does not have",
        text: "`start` must name a rule of the grammar; each key of `[tokens]` must be a token type, by its name or, \
               in quotes, by its literal.\n\n    [tokens]\n    \"'if'\" = \"IF\"\n",
    },
    Explanation {
        code: BAD_REWRITE,
        title: "a rewrite of a side file cannot be carried out",
        text: "A line of `[rewrites]` is a pattern and a template. `$x:expr` in a pattern is a hole `x` that takes \
               what the rule `expr` accepts; `$x` alone takes anything. The rule must be a parser rule of the grammar, \
               and a template can only use holes of its pattern. A dollar sign is `$$`.\n\n    [rewrites]\n    \
               \"( $x:expr )\" = \"$x\"\n",
    },
];

/// What a side file says.
#[derive(Debug, Clone, Default)]
pub struct SideFile {
    /// The start rule.
    pub start: Option<RuleId>,
    /// Extensions of input files, without the dot.
    pub extensions: Vec<String>,
    /// A line for people.
    pub description: String,
    /// Texts per token, sorted by name.
    pub tokens: Vec<(TokenType, Vec<String>)>,
    /// Templates for the reducer, sorted by pattern.
    pub rewrites: Vec<Rewrite>,
}

/// Reads a side file of a grammar. What cannot be understood is reported and left out.
pub fn read_side_file(text: &str, source: SourceId, grammar: &Grammar, found: &mut Diagnostics) -> SideFile {
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut reader = Reader { source, grammar, found, file: SideFile::default() };
    for error in errors {
        let span = error.span().unwrap_or(0..0);
        reader.found.error(NOT_TOML, reader.place(span), format!("this is not TOML: {}", error.message()));
    }
    // An empty key is what is left of a line that is no TOML: it was reported above.
    for (key, value) in table.get_ref().iter().filter(|(key, _)| !key.get_ref().is_empty()) {
        let Some(inner) = value.get_ref().as_table() else {
            reader.unknown(key.get_ref(), key.span(), &["language", "tokens", "rewrites"]);
            continue;
        };
        match key.get_ref().as_ref() {
            "language" => reader.language(inner),
            "tokens" => reader.tokens(inner),
            "rewrites" => reader.rewrites(inner),
            other => reader.unknown(other, key.span(), &["language", "tokens", "rewrites"]),
        }
    }
    reader.file
}

struct Reader<'a> {
    source: SourceId,
    grammar: &'a Grammar,
    found: &'a mut Diagnostics,
    file: SideFile,
}

impl Reader<'_> {
    fn language(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "start" => {
                    if let Some(name) = self.string(value.get_ref(), value.span()) {
                        self.start(&name, value.span());
                    }
                }
                "extensions" => self.file.extensions = self.strings(value.get_ref(), value.span()),
                "description" => {
                    self.file.description = self.string(value.get_ref(), value.span()).unwrap_or_default();
                }
                other => self.unknown(other, key.span(), &["start", "extensions", "description"]),
            }
        }
    }

    fn start(&mut self, name: &str, span: Range<usize>) {
        self.file.start = self.grammar.rule_named(name);
        if self.file.start.is_none() {
            let not_fragment = |rule: &RuleId| self.grammar.rule(*rule).kind != RuleKind::Fragment;
            let names =
                self.grammar.rules().filter(not_fragment).map(|rule| self.grammar.rule(rule).name.as_str());
            let close = nearest(name, names);
            self.unknown_name(format!("the grammar has no rule `{name}`"), span, close);
        }
    }

    fn tokens(&mut self, table: &DeTable<'_>) {
        let tokens = self.grammar.tokens();
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            let texts = match value.get_ref() {
                DeValue::Array(_) => self.strings(value.get_ref(), value.span()),
                _ => self.string(value.get_ref(), value.span()).into_iter().collect(),
            };
            match tokens.named(name).or_else(|| tokens.literal(name)) {
                Some(token) => self.file.tokens.push((token, texts)),
                None => {
                    let names: Vec<String> = tokens.types().map(|token| tokens.display(token)).collect();
                    let close = nearest(name, names.iter().map(String::as_str));
                    self.unknown_name(format!("the grammar has no token `{name}`"), key.span(), close);
                }
            }
        }
    }

    fn rewrites(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            let Some(template) = self.string(value.get_ref(), value.span()) else { continue };
            match Rewrite::read(key.get_ref(), &template, self.grammar) {
                Ok(rewrite) => self.file.rewrites.push(rewrite),
                Err(error) => self.bad_rewrite(&error, self.place(key.span()).to(self.place(value.span()))),
            }
        }
    }

    fn bad_rewrite(&mut self, error: &RewriteError, span: Span) {
        let rules = self.grammar.parser_rules().map(|rule| self.grammar.rule(rule).name.as_str());
        let close = match error {
            RewriteError::UnknownRule { name } => nearest(name, rules),
            _ => None,
        };
        let diagnostic = self.found.error(BAD_REWRITE, span, error.to_string());
        if let Some(name) = close {
            diagnostic.help(format!("did you mean `{name}`?"));
        }
    }

    fn string(&mut self, value: &DeValue<'_>, span: Range<usize>) -> Option<String> {
        let text = value.as_str().map(str::to_owned);
        if text.is_none() {
            self.wrong_type("a string", value, span);
        }
        text
    }

    fn strings(&mut self, value: &DeValue<'_>, span: Range<usize>) -> Vec<String> {
        match value {
            DeValue::Array(items) => {
                items.iter().filter_map(|item| self.string(item.get_ref(), item.span())).collect()
            }
            _ => {
                self.wrong_type("a list of strings", value, span);
                Vec::new()
            }
        }
    }

    fn wrong_type(&mut self, expected: &str, value: &DeValue<'_>, span: Range<usize>) {
        let message = format!("{expected} is expected here, not a value of type {}", value.type_str());
        self.found.error(WRONG_TYPE, self.place(span), message);
    }

    fn unknown(&mut self, key: &str, span: Range<usize>, known: &[&str]) {
        let list = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let help = match nearest(key, known.iter().copied()) {
            Some(name) if name != key => format!("did you mean `{name}`?"),
            Some(name) => format!("write it as a table, `[{name}]`"),
            None => format!("known here: {list}"),
        };
        self.found
            .error(UNKNOWN_KEY, self.place(span), format!("the key `{key}` means nothing here"))
            .help(help);
    }

    fn unknown_name(&mut self, message: String, span: Range<usize>, close: Option<&str>) {
        let diagnostic = self.found.error(UNKNOWN_NAME, self.place(span), message);
        if let Some(name) = close {
            diagnostic.help(format!("did you mean `{name}`?"));
        }
    }

    fn place(&self, span: Range<usize>) -> Span {
        Span::new(self.source, span.start, span.end)
    }
}

#[cfg(test)]
mod tests;
