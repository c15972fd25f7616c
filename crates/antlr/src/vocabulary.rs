//! Token types, numbered as ANTLR's tool numbers them.
//!
//! A lexer numbers its `tokens{}`, then its rules, then binds literals to the rules that define them. A parser starts
//! with the vocabulary of its lexer (or of a `.tokens` file) and adds its own names.

use crate::aliases;
use crate::syntax::tree::{Atom, File, Prequel, RuleKind, SetItemKind};
use indexmap::IndexMap;

/// Names and literals with their types.
#[derive(Debug, Clone, Default)]
pub(crate) struct Vocabulary {
    /// In order of definition.
    pub(crate) names: IndexMap<String, usize>,
    /// Literals with their quotes.
    pub(crate) literals: IndexMap<String, usize>,
    pub(crate) max: usize,
    /// The greatest type of the lexer. A name that only the parser uses has a greater one, even if a lexer rule has
    /// that name (`A : 'a' -> type(B)`): no rule produces such tokens.
    pub(crate) lexer_max: usize,
}

impl Vocabulary {
    /// The type of a name. Creates one if there is none.
    pub(crate) fn define(&mut self, name: &str) -> usize {
        if name == "EOF" {
            return 0;
        }
        if let Some(number) = self.names.get(name) {
            return *number;
        }
        self.max += 1;
        self.names.insert(name.to_owned(), self.max);
        self.max
    }

    /// The vocabulary of a lexer.
    pub(crate) fn of_lexer(lexer: &File, imported: Vocabulary) -> Vocabulary {
        let mut vocabulary = imported;
        for name in declared(lexer) {
            vocabulary.define(name);
        }
        for (_, rule) in lexer.all_rules() {
            if rule.kind == RuleKind::Token && !renames(rule) {
                vocabulary.define(&rule.name.text);
            }
        }
        // A literal that two rules define is bound to neither, but the first of them has its name by then.
        let mut twice = Vec::new();
        for (rule, literal) in aliases::of(lexer) {
            if vocabulary.literals.contains_key(literal) {
                twice.push(literal);
            } else {
                let number = vocabulary.define(&rule.name.text);
                vocabulary.literals.insert(literal.to_owned(), number);
            }
        }
        for literal in twice {
            vocabulary.literals.shift_remove(literal);
        }
        vocabulary.lexer_max = vocabulary.max;
        vocabulary
    }

    /// Adds what a parser declares and uses. Literals without a type stay without one: that is an error.
    pub(crate) fn extend_by_parser(&mut self, parser: &File) {
        for name in declared(parser) {
            self.define(name);
        }
        for rule in parser.rules.iter().filter(|rule| rule.kind == RuleKind::Parser) {
            rule.body.walk(&mut |element| match &element.atom {
                Atom::Token(name) => {
                    self.define(&name.text);
                }
                Atom::Not { items, .. } => {
                    for item in items {
                        if let SetItemKind::Token(name) = &item.kind {
                            self.define(&name.text);
                        }
                    }
                }
                _ => {}
            });
        }
    }

    /// Reads a `.tokens` file. Returns the numbers of invalid lines.
    pub(crate) fn parse(text: &str) -> (Vocabulary, Vec<usize>) {
        let mut vocabulary = Vocabulary::default();
        let mut wrong = Vec::new();
        for (at, line) in text.lines().enumerate() {
            match token_line(line.trim()) {
                Some((key, number)) => {
                    let is_literal = key.starts_with('\'');
                    let table = if is_literal { &mut vocabulary.literals } else { &mut vocabulary.names };
                    table.insert(key.to_owned(), number);
                    vocabulary.max = vocabulary.max.max(number);
                }
                None if line.trim().is_empty() => {}
                None => wrong.push(at + 1),
            }
        }
        (vocabulary, wrong)
    }

    /// The text of the `.tokens` file.
    pub(crate) fn print(&self) -> String {
        let lines = self.names.iter().chain(&self.literals);
        lines.map(|(key, number)| format!("{key}={number}\n")).collect()
    }
}

/// Greater token types are rejected, because tables are indexed by type. Lexers have far fewer tokens.
pub(crate) const MAX_TOKEN_TYPE: usize = 1 << 20;

/// `KEY=number`: the key is the shortest prefix before `=` and digits.
fn token_line(line: &str) -> Option<(&str, usize)> {
    line.match_indices('=').find_map(|(at, _)| {
        let digits = &line[at + 1..];
        let number = digits.parse().ok().filter(|number| (1..=MAX_TOKEN_TYPE).contains(number))?;
        (at > 0 && digits.bytes().all(|b| b.is_ascii_digit())).then_some((&line[..at], number))
    })
}

/// The names in `tokens{}`.
fn declared(file: &File) -> impl Iterator<Item = &str> {
    let sections = file.prequels.iter().filter_map(|prequel| match prequel {
        Prequel::Tokens(section) => Some(section),
        _ => None,
    });
    sections.flat_map(|section| section.names.iter().map(|name| name.text.as_str()))
}

/// Whether the tokens of a rule never have its own name: the first alternative with commands has `type` or `more`.
fn renames(rule: &crate::syntax::tree::Rule) -> bool {
    let with_commands = rule.body.alternatives.iter().find(|alternative| !alternative.commands.is_empty());
    with_commands.is_some_and(|alternative| {
        alternative.commands.iter().any(|command| match command.name.text.as_str() {
            "type" => command.argument.is_some(),
            "more" => true,
            _ => false,
        })
    })
}
