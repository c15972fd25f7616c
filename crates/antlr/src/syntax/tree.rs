//! The syntax tree of a `.g4` file, with locations; nothing is resolved.
//!
//! Groups are nested as written. Their depth is bounded ([`crate::MAX_NESTING`]), so functions may recurse over the
//! tree.

use polysmith_source::{SourceId, Span};

/// A name with its location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// The kind of grammar that a file contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GrammarKind {
    Combined,
    Lexer,
    Parser,
}

/// One file.
#[derive(Debug, Clone)]
pub(crate) struct File {
    pub(crate) source: SourceId,
    pub(crate) kind: GrammarKind,
    pub(crate) name: Name,
    pub(crate) prequels: Vec<Prequel>,
    /// The rules before the first `mode`.
    pub(crate) rules: Vec<Rule>,
    pub(crate) modes: Vec<Mode>,
    /// Whether it has syntax errors: ANTLR's tool would stop after parsing it.
    pub(crate) broken: bool,
}

/// A section before the rules.
#[derive(Debug, Clone)]
pub(crate) enum Prequel {
    Options(Options),
    Import(Section),
    Tokens(Section),
    Channels(Section),
    Action(NamedAction),
}

/// `options { … }`.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    pub(crate) keyword: Span,
    pub(crate) entries: Vec<OptionEntry>,
}

impl Options {
    /// The entry with this name; the last one if there are several.
    pub(crate) fn get(&self, name: &str) -> Option<&OptionEntry> {
        self.entries.iter().rev().find(|entry| entry.name.text == name)
    }
}

/// `name = value`.
#[derive(Debug, Clone)]
pub(crate) struct OptionEntry {
    pub(crate) name: Name,
    /// Absent in `<name>`.
    pub(crate) value: Option<Name>,
    /// Whether the value is a string literal; its text is stored without quotes.
    pub(crate) quoted: bool,
}

/// A list of names with the keyword before it.
#[derive(Debug, Clone)]
pub(crate) struct Section {
    pub(crate) keyword: Span,
    pub(crate) names: Vec<Name>,
}

/// `@scope::name {…}`.
#[derive(Debug, Clone)]
pub(crate) struct NamedAction {
    pub(crate) scope: Option<Name>,
    pub(crate) name: Name,
    pub(crate) code: CodeText,
}

/// Target code. The span includes braces or brackets.
#[derive(Debug, Clone)]
pub(crate) struct CodeText {
    pub(crate) text: String,
    pub(crate) span: Span,
}

impl CodeText {
    /// The text without braces or brackets (and without the question mark of a predicate).
    pub(crate) fn inner(&self) -> &str {
        let text = self.text.strip_suffix('?').unwrap_or(&self.text);
        text.get(1..text.len().saturating_sub(1)).unwrap_or("")
    }
}

/// `mode NAME;` with its rules.
#[derive(Debug, Clone)]
pub(crate) struct Mode {
    pub(crate) keyword: Span,
    pub(crate) name: Name,
    pub(crate) rules: Vec<Rule>,
}

/// A rule.
#[derive(Debug, Clone)]
pub(crate) struct Rule {
    pub(crate) name: Name,
    pub(crate) kind: RuleKind,
    pub(crate) arguments: Option<CodeText>,
    pub(crate) returns: Option<CodeText>,
    pub(crate) locals: Option<CodeText>,
    pub(crate) throws: bool,
    pub(crate) options: Vec<Options>,
    /// `@init`, `@after` and the like.
    pub(crate) actions: Vec<NamedAction>,
    pub(crate) body: Block,
    /// The code of `catch` and `finally` clauses.
    pub(crate) handlers: Vec<CodeText>,
    /// Whether it was created for a literal of the parser rules (`T__0`…), so that it has no location.
    pub(crate) implicit: bool,
}

/// The kind of a rule, by its header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RuleKind {
    Parser,
    Token,
    Fragment,
}

/// A rule's body or a group.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    /// The `:` of a rule, the `(` of a group.
    pub(crate) open: Span,
    pub(crate) options: Option<Options>,
    pub(crate) has_actions: bool,
    pub(crate) alternatives: Vec<Alternative>,
}

/// One alternative.
#[derive(Debug, Clone)]
pub(crate) struct Alternative {
    pub(crate) span: Span,
    pub(crate) options: Vec<OptionEntry>,
    pub(crate) elements: Vec<Element>,
    pub(crate) label: Option<Name>,
    pub(crate) commands: Vec<Command>,
}

impl Alternative {
    /// The value of `<assoc=…>`.
    pub(crate) fn assoc(&self) -> Option<&Name> {
        let entry = self.options.iter().find(|option| option.name.text == "assoc")?;
        entry.value.as_ref()
    }
}

/// A lexer command.
#[derive(Debug, Clone)]
pub(crate) struct Command {
    pub(crate) name: Name,
    pub(crate) argument: Option<Name>,
}

/// One element.
#[derive(Debug, Clone)]
pub(crate) struct Element {
    pub(crate) span: Span,
    pub(crate) label: Option<Label>,
    pub(crate) atom: Atom,
    pub(crate) options: Vec<OptionEntry>,
    pub(crate) suffix: Option<Suffix>,
}

/// `x=` or `x+=`.
#[derive(Debug, Clone)]
pub(crate) struct Label {
    pub(crate) name: Name,
    pub(crate) list: bool,
}

/// `?`, `*`, `+`, with a second `?` for the non-greedy form.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Suffix {
    pub(crate) span: Span,
    pub(crate) repeat: Repeat,
    pub(crate) greedy: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repeat {
    Optional,
    Star,
    Plus,
}

/// The content of an element. Literals and sets are stored as written, with quotes or brackets.
#[derive(Debug, Clone)]
pub(crate) enum Atom {
    Token(Name),
    Rule {
        name: Name,
        arguments: Option<CodeText>,
    },
    Literal(Name),
    Range(CharRange),
    CharSet(Name),
    Any,
    /// `open` is the parenthesis, or the first item if there is none.
    Not {
        items: Vec<SetItem>,
        open: Span,
    },
    Group(Block),
    Action(CodeText),
    Predicate(CodeText),
}

/// `'a'..'z'`.
#[derive(Debug, Clone)]
pub(crate) struct CharRange {
    pub(crate) low: Name,
    pub(crate) high: Name,
    /// The location of `..`.
    pub(crate) dots: Span,
}

/// An item of a `~` set.
#[derive(Debug, Clone)]
pub(crate) struct SetItem {
    pub(crate) kind: SetItemKind,
    pub(crate) options: Vec<OptionEntry>,
}

#[derive(Debug, Clone)]
pub(crate) enum SetItemKind {
    Token(Name),
    Literal(Name),
    Range(CharRange),
    CharSet(Name),
}

impl File {
    /// All rules with their modes (`None` for the default mode), in textual order.
    pub(crate) fn all_rules(&self) -> impl Iterator<Item = (Option<&Mode>, &Rule)> {
        let in_modes =
            self.modes.iter().flat_map(|mode| mode.rules.iter().map(move |rule| (Some(mode), rule)));
        self.rules.iter().map(|rule| (None, rule)).chain(in_modes)
    }

    /// The grammar's option with this name.
    pub(crate) fn option(&self, name: &str) -> Option<&OptionEntry> {
        self.options().find_map(|options| options.get(name))
    }

    /// All `options` sections; there should be at most one.
    pub(crate) fn options(&self) -> impl Iterator<Item = &Options> {
        self.prequels.iter().filter_map(|prequel| match prequel {
            Prequel::Options(options) => Some(options),
            _ => None,
        })
    }
}

impl Block {
    /// Calls `visit` for every element of the block, outer ones before those inside them.
    pub(crate) fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Element)) {
        for alternative in &self.alternatives {
            for element in &alternative.elements {
                visit(element);
                if let Atom::Group(group) = &element.atom {
                    group.walk(visit);
                }
            }
        }
    }
}
