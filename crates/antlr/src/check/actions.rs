//! Stage 8: `$x` in target code refers to something that exists.
//!
//! Polysmith runs no target code, but ANTLR's tool rejects grammars with invalid references in code.

use super::declarations::names;
use super::parser_rules;
use crate::recursion::is_left_recursive;
use crate::report::Report;
use crate::split::GrammarHalf;
use crate::syntax::tree::{Atom, CodeText, Element, File, GrammarKind, Prequel, Rule};
use polysmith_source::Span;
use rustc_hash::FxHashMap;

pub(super) fn check(half: &GrammarHalf, report: &mut Report<'_>) {
    check_in(half, false, report);
}

fn check_in(half: &GrammarHalf, generating: bool, report: &mut Report<'_>) {
    let file = &half.file;
    let is_lexer = file.kind == GrammarKind::Lexer;
    let rules: FxHashMap<&str, &Rule> =
        file.all_rules().map(|(_, rule)| (rule.name.text.as_str(), rule)).collect();
    let mut checker = Checker { is_lexer, generating, rules, report };
    for prequel in &file.prequels {
        if let Prequel::Action(action) = prequel {
            checker.code(&action.code, &Scope { rule: None, elements: Vec::new(), in_alternative: false });
        }
    }
    if is_lexer {
        for (_, rule) in file.all_rules() {
            checker.elements(rule, elements_of(rule));
        }
    } else {
        checker.parser(file);
    }
}

/// The errors that the tool still reports for a parser's code if it skipped this stage because of the lexer: while
/// generating code it reports every invalid `$x.y`, one column too far to the left.
pub(super) fn check_when_generating(half: &GrammarHalf, report: &mut Report<'_>) {
    if half.file.kind != GrammarKind::Lexer {
        check_in(half, true, report);
    }
}

struct Checker<'a, 'r> {
    is_lexer: bool,
    generating: bool,
    rules: FxHashMap<&'a str, &'a Rule>,
    report: &'a mut Report<'r>,
}

/// What code can refer to: the names of a rule, and the elements of its alternative (of all, in `@init` and the like).
struct Scope<'a> {
    rule: Option<&'a Rule>,
    elements: Vec<&'a Element>,
    /// Whether plain token and rule names count too, not only labels.
    in_alternative: bool,
}

/// What `$x` refers to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Referent<'a> {
    Token,
    Rule(&'a str),
    List,
}

impl<'a> Checker<'a, '_> {
    fn parser(&mut self, file: &'a File) {
        for rule in parser_rules(file) {
            let around = Scope { rule: Some(rule), elements: elements_of(rule), in_alternative: false };
            for action in &rule.actions {
                self.code(&action.code, &around);
            }
            if is_left_recursive(rule) {
                // The tool rewrites such a rule into a single alternative.
                self.elements(rule, elements_of(rule));
            } else {
                for alternative in &rule.body.alternatives {
                    self.elements(rule, super::symbols::flat(alternative));
                }
            }
            for handler in &rule.handlers {
                self.code(handler, &around);
            }
        }
    }

    fn elements(&mut self, rule: &'a Rule, elements: Vec<&'a Element>) {
        let scope = Scope { rule: Some(rule), elements, in_alternative: true };
        for element in &scope.elements {
            if let Atom::Action(code) | Atom::Predicate(code) = &element.atom {
                self.code(code, &scope);
            }
        }
    }

    fn code(&mut self, code: &CodeText, scope: &Scope<'a>) {
        for reference in references(code) {
            self.reference(&reference, scope);
        }
    }

    fn reference(&mut self, reference: &Reference<'_>, scope: &Scope<'a>) {
        let (x, x_span) = reference.x;
        let attribute = scope.rule.is_some_and(|rule| has_attribute(rule, x));
        if self.generating {
            let lost = reference.y.is_some_and(|(y, _)| !attribute && !self.resolves(x, y, scope));
            if lost {
                self.unknown(x, Span { start: x_span.start.saturating_sub(1), ..x_span });
            }
            return;
        }
        if let Some((y, y_span)) = reference.beyond {
            return self.beyond(x, x_span, y, y_span);
        }
        if self.is_lexer {
            let message = format!("`${x}` has no meaning in a lexer action");
            self.report.at(128, x_span, message).help("lexer actions have no attributes");
            return;
        }
        let kind = scope.find(x);
        if reference.assigned {
            match kind {
                _ if attribute => {}
                Some(Referent::List) => {
                    let message = format!("the list `{x}` cannot be assigned to");
                    self.report.at(135, x_span, message).help("the parser fills it");
                }
                _ => self.unknown(x, x_span),
            }
            return;
        }
        match reference.y {
            Some((y, y_span)) if !attribute => self.qualified(x, x_span, y, y_span, scope),
            _ if attribute => {}
            _ => match kind {
                Some(Referent::Token | Referent::List) => {}
                _ if scope.rule_of(x).is_some() => {
                    let message = format!("`${x}` is a rule: say which of its attributes");
                    self.report
                        .at(67, x_span, message)
                        .help(format!("write `${x}.text` or another attribute"));
                }
                _ => self.unknown(x, x_span),
            },
        }
    }

    fn unknown(&mut self, x: &str, span: Span) {
        let message = format!("`${x}` refers to nothing");
        self.report
            .at(63, span, message)
            .help("known are parameters, return values, locals, labels and elements");
    }

    /// Checks `$x.y`.
    fn qualified(&mut self, x: &str, x_span: Span, y: &str, y_span: Span, scope: &Scope<'a>) {
        if self.resolves(x, y, scope) {
            return;
        }
        if let Some(name) = scope.rule_of(x) {
            let rule = self.rules.get(name);
            let is_parameter = rule.is_some_and(|rule| declares(rule.arguments.as_ref(), y));
            if is_parameter {
                let message = format!("the parameter `{y}` of rule `{name}` cannot be read from outside");
                self.report.at(64, y_span, message).help("make it a return value");
            } else {
                let message = format!("rule `{name}` has no attribute `{y}`");
                self.report.at(65, y_span, message).help("add it to `returns […]`");
            }
        } else if scope.find(x) == Some(Referent::Token) {
            let message = format!("a token has no attribute `{y}`");
            self.report.at(66, y_span, message).help("known are text, type, line, pos, index, channel, int");
        } else {
            self.unknown(x, x_span);
        }
    }

    /// Whether `$x.y` is valid, apart from the enclosing rule's own names.
    fn resolves(&self, x: &str, y: &str, scope: &Scope<'a>) -> bool {
        match scope.find(x) {
            Some(Referent::Token) => TOKEN_ATTRIBUTES.contains(&y),
            Some(Referent::Rule(rule)) => self.rules.get(rule).is_some_and(|rule| has_result(rule, y)),
            Some(Referent::List) | None => false,
        }
    }

    /// Checks `$x::y`: an attribute of an outer invocation.
    fn beyond(&mut self, x: &str, x_span: Span, y: &str, y_span: Span) {
        match self.rules.get(x) {
            None => {
                let message = format!("`${x}::{y}` refers to the undefined rule `{x}`");
                self.report.at(57, x_span, message).help("name a rule of the grammar");
            }
            Some(rule) if !has_attribute(rule, y) => {
                let message = format!("rule `{x}` has no attribute `{y}`");
                self.report
                    .at(65, y_span, message)
                    .help("add it to its parameters, `returns […]` or `locals […]`");
            }
            Some(_) => {}
        }
    }
}

const TOKEN_ATTRIBUTES: [&str; 7] = ["text", "type", "line", "index", "pos", "channel", "int"];
const RULE_ATTRIBUTES: [&str; 5] = ["parser", "text", "start", "stop", "ctx"];

fn declares(code: Option<&CodeText>, name: &str) -> bool {
    names(code).iter().any(|declared| declared.text == name)
}

/// Whether a rule's own code can refer to `$x`.
fn has_attribute(rule: &Rule, x: &str) -> bool {
    let lists = [&rule.arguments, &rule.returns, &rule.locals];
    RULE_ATTRIBUTES.contains(&x) || lists.iter().any(|list| declares(list.as_ref(), x))
}

/// Whether other rules can refer to the attribute `y` of a rule.
fn has_result(rule: &Rule, y: &str) -> bool {
    RULE_ATTRIBUTES.contains(&y) || declares(rule.returns.as_ref(), y)
}

fn elements_of(rule: &Rule) -> Vec<&Element> {
    rule.body.alternatives.iter().flat_map(super::symbols::flat).collect()
}

impl<'a> Scope<'a> {
    /// What `$x` refers to: an element of that name, otherwise a label.
    fn find(&self, x: &str) -> Option<Referent<'a>> {
        if self.in_alternative {
            for element in &self.elements {
                match &element.atom {
                    Atom::Token(name) if name.text == x => return Some(Referent::Token),
                    Atom::Rule { name, .. } if name.text == x => return Some(Referent::Rule(&name.text)),
                    _ => {}
                }
            }
        }
        self.elements.iter().find_map(|element| {
            let label = element.label.as_ref().filter(|label| label.name.text == x)?;
            Some(match &element.atom {
                _ if label.list => Referent::List,
                Atom::Rule { name, .. } => Referent::Rule(&name.text),
                _ => Referent::Token,
            })
        })
    }

    /// The rule that `$x` refers to.
    fn rule_of(&self, x: &str) -> Option<&'a str> {
        let own = self.rule.filter(|rule| rule.name.text == x).map(|rule| rule.name.text.as_str());
        own.or_else(|| match self.find(x) {
            Some(Referent::Rule(rule)) => Some(rule),
            _ => None,
        })
    }
}

/// A `$x` in code.
struct Reference<'a> {
    x: (&'a str, Span),
    /// `$x.y`
    y: Option<(&'a str, Span)>,
    /// `$x::y`
    beyond: Option<(&'a str, Span)>,
    /// `$x = …;`
    assigned: bool,
}

/// All references in a piece of code, including those in its strings and comments. `\$` is not a reference.
fn references(code: &CodeText) -> Vec<Reference<'_>> {
    let text = code.text.as_str();
    let span = |from: usize, word: &str| {
        let start = code.span.start as usize + from;
        Span::new(code.span.source, start, start + word.len())
    };
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(step) = text[at..].find(['$', '\\']) {
        at += step;
        if text[at..].starts_with('\\') {
            at += 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8);
            continue;
        }
        at += 1;
        let x = word(&text[at..]);
        if x.is_empty() {
            continue;
        }
        let mut reference = Reference { x: (x, span(at, x)), y: None, beyond: None, assigned: false };
        at += x.len();
        let rest = &text[at..];
        if let Some(y) = rest.strip_prefix("::").map(word).filter(|y| !y.is_empty()) {
            reference.beyond = Some((y, span(at + 2, y)));
            at += 2 + y.len();
        } else if let Some(y) = rest.strip_prefix('.').map(word).filter(|y| is_property(rest, y)) {
            reference.y = Some((y, span(at + 1, y)));
            at += 1 + y.len();
        } else if let Some(value) = rest.trim_start_matches([' ', '\t', '\r', '\n']).strip_prefix('=') {
            reference.assigned = !value.starts_with('=') && value.contains(';');
        }
        found.push(reference);
    }
    found
}

/// `.y` is a property unless it is called like a method.
fn is_property(rest: &str, y: &str) -> bool {
    !y.is_empty() && !rest[1 + y.len()..].starts_with('(')
}

fn word(text: &str) -> &str {
    let is_start = text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    if is_start { &text[..end] } else { "" }
}
