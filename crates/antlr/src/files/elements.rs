//! Prints alternatives and elements.
//!
//! The walk has its own stack: a `Grammar` may be nested deeper than any file.

use crate::chars::SetBuilder;
use polysmith_grammar::{
    AltId, Associativity, BlockId, CharSet, Code, CodeKind, Element, ElementId, ElementKind, Grammar,
    MAX_CODE_POINT, Quantifier, TokenType,
};
use std::fmt::Write as _;

pub(super) struct Elements<'a> {
    pub(super) grammar: &'a Grammar,
}

/// What remains to be printed, the next on top.
enum PrintStep {
    Text(&'static str),
    Element(ElementId),
    Alternative(AltId),
    Quantifier(Quantifier),
    Label(AltId),
}

impl Elements<'_> {
    /// An alternative without its commands.
    pub(super) fn alternative(&self, alternative: AltId) -> String {
        self.run(vec![PrintStep::Alternative(alternative)])
    }

    /// What follows the literal of an alias: one piece of code, or nothing.
    pub(super) fn after_literal(&self, alternative: AltId) -> String {
        let code = self
            .grammar
            .element_ids(alternative)
            .find(|element| matches!(self.grammar.element(*element).kind, ElementKind::Code(_)));
        code.map(|element| format!(" {}", self.run(vec![PrintStep::Element(element)]))).unwrap_or_default()
    }

    /// The text of an alternative that may have been written as one literal, and whether a piece of code follows it. A
    /// literal with letters that ignores case was lowered to one set per character; its text is returned in lower
    /// case.
    pub(super) fn alias_text(&self, alternative: AltId) -> Option<(String, bool)> {
        let elements = self.grammar.elements(alternative);
        let (spelled, has_code) = match elements.split_last()? {
            (last, rest) if matches!(last.kind, ElementKind::Code(code) if !has_fail(self.grammar.code(code))) => {
                (rest, true)
            }
            _ => (elements, false),
        };
        let text = match spelled {
            [] => return None,
            [Element { kind: ElementKind::Text(text), .. }] => self.grammar.text(*text).to_owned(),
            sets => {
                let text: String =
                    sets.iter().map(|element| self.folded(element.kind)).collect::<Option<_>>()?;
                text.chars().any(has_cases).then_some(text)?
            }
        };
        Some((text, has_code))
    }

    /// The lower case letter of a set that contains one character in all its cases.
    fn folded(&self, kind: ElementKind) -> Option<char> {
        let ElementKind::Chars(set) = kind else { return None };
        let set = self.grammar.chars(set);
        let (_, last) = *set.ranges().last()?;
        (*set == folded(last)).then(|| char::from_u32(last)).flatten()
    }

    fn run(&self, mut todo: Vec<PrintStep>) -> String {
        let mut out = String::new();
        while let Some(next) = todo.pop() {
            match next {
                PrintStep::Text(text) => out.push_str(text),
                PrintStep::Quantifier(quantifier) => out.push_str(&shown_quantifier(quantifier)),
                PrintStep::Alternative(alternative) => {
                    self.push_alternative(alternative, &mut out, &mut todo)
                }
                PrintStep::Label(alternative) => {
                    if let Some(label) = &self.grammar.alternative(alternative).label {
                        let _ = write!(out, " # {label}");
                    }
                }
                PrintStep::Element(element) => self.element(element, &mut out, &mut todo),
            }
        }
        out
    }

    fn push_alternative(&self, id: AltId, out: &mut String, todo: &mut Vec<PrintStep>) {
        let alternative = self.grammar.alternative(id);
        if alternative.associativity == Associativity::Right {
            out.push_str("<assoc=right> ");
        }
        // Only outermost alternatives have labels.
        if self.grammar.block_number(alternative.block).is_none() {
            todo.push(PrintStep::Label(id));
        }
        for (at, element) in self.grammar.element_ids(id).enumerate().rev() {
            todo.push(PrintStep::Element(element));
            if at > 0 {
                todo.push(PrintStep::Text(" "));
            }
        }
    }

    fn element(&self, id: ElementId, out: &mut String, todo: &mut Vec<PrintStep>) {
        let element = self.grammar.element(id);
        if let Some(label) = &element.label {
            let _ = write!(out, "{}{}", label.name, if label.list { "+=" } else { "=" });
        }
        match element.kind {
            ElementKind::Token(token) => out.push_str(&self.token(token)),
            ElementKind::NotTokens(set) => {
                let names: Vec<String> = self.grammar.token_set(set).iter().map(|t| self.token(*t)).collect();
                let _ = write!(out, "~({})", names.join(" | "));
            }
            ElementKind::AnyToken => out.push('.'),
            ElementKind::Rule(rule) => out.push_str(&self.grammar.rule(rule).name),
            ElementKind::Chars(set) => out.push_str(&shown_set(self.grammar.chars(set))),
            ElementKind::Text(text) => out.push_str(&shown_literal(self.grammar.text(text))),
            ElementKind::Code(code) => out.push_str(&shown_code(self.grammar.code(code))),
            ElementKind::Block(block) => self.push_block(block, element.label.is_some(), todo),
        }
    }

    fn push_block(&self, block: BlockId, is_labelled: bool, todo: &mut Vec<PrintStep>) {
        let quantifier = self.grammar.block(block).quantifier;
        let mut alternatives = self.grammar.alternatives(block);
        todo.push(PrintStep::Quantifier(quantifier));
        // A single plain element needs no parentheses before its quantifier.
        let only = alternatives.len() == 1 && !quantifier.is_one() && !is_labelled;
        if let Some(element) = alternatives.clone().next().filter(|_| only).and_then(|alt| self.bare(alt)) {
            todo.push(PrintStep::Element(element));
            return;
        }
        todo.push(PrintStep::Text(")"));
        let last = alternatives.next_back();
        todo.extend(last.map(PrintStep::Alternative));
        while let Some(alternative) = alternatives.next_back() {
            todo.push(PrintStep::Text(" | "));
            todo.push(PrintStep::Alternative(alternative));
        }
        todo.push(PrintStep::Text("("));
    }

    /// The only element of an alternative, if a quantifier may directly follow it.
    fn bare(&self, alternative: AltId) -> Option<ElementId> {
        let mut elements = self.grammar.element_ids(alternative);
        let (Some(only), None) = (elements.next(), elements.next()) else { return None };
        let kind = self.grammar.element(only).kind;
        let plain = !matches!(kind, ElementKind::Block(_) | ElementKind::Code(_));
        let is_left = self.grammar.alternative(alternative).associativity == Associativity::Left;
        (plain && is_left).then_some(only)
    }

    /// A token by its name, or by its literal if it has no name.
    fn token(&self, token: TokenType) -> String {
        let entry = self.grammar.tokens().get(token);
        let implicit = entry.name.as_deref().is_none_or(|name| name.starts_with("T__"));
        match (&entry.literal, &entry.name) {
            (Some(literal), _) if implicit => literal.clone(),
            (_, Some(name)) => name.clone(),
            (literal, None) => literal.clone().unwrap_or_default(),
        }
    }
}

/// The characters that a character of a literal matches if case is ignored.
fn folded(point: u32) -> CharSet {
    let mut set = SetBuilder::new(true);
    set.add(point, point);
    set.finish()
}

/// Whether a character of a literal matches others too if case is ignored.
pub(super) fn has_cases(c: char) -> bool {
    folded(u32::from(c)).len() > 1
}

fn has_fail(code: &Code) -> bool {
    matches!(code.kind, CodeKind::Predicate { fail: Some(_), .. })
}

fn shown_code(code: &Code) -> String {
    match &code.kind {
        CodeKind::Action => format!("{{{}}}", code.text),
        CodeKind::Predicate { fail: None, .. } => format!("{{{}}}?", code.text),
        CodeKind::Predicate { fail: Some(fail), .. } if fail.starts_with('{') => {
            format!("{{{}}}?<fail={fail}>", code.text)
        }
        CodeKind::Predicate { fail: Some(fail), .. } => format!("{{{}}}?<fail='{fail}'>", code.text),
    }
}

fn shown_quantifier(quantifier: Quantifier) -> String {
    let sign = match (quantifier.min, quantifier.max) {
        (0, Some(_)) => "?",
        (0, None) => "*",
        (_, None) => "+",
        _ => return String::new(),
    };
    format!("{sign}{}", if quantifier.greedy { "" } else { "?" })
}

pub(super) fn shown_literal(text: &str) -> String {
    let mut shown = String::from("'");
    for c in text.chars() {
        match c {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            '\'' | '\\' => shown.extend(['\\', c]),
            c if c.is_ascii_graphic() || c == ' ' => shown.push(c),
            c => {
                let _ = write!(shown, "\\u{{{:X}}}", u32::from(c));
            }
        }
    }
    shown + "'"
}

fn shown_set(set: &CharSet) -> String {
    if *set == CharSet::all() {
        return ".".into();
    }
    if set.is_empty() {
        return format!("~[\\u{{0}}-\\u{{{MAX_CODE_POINT:X}}}]");
    }
    // A set without an upper bound is printed as a complement.
    let complement = set.complement();
    let inverted = set.contains(MAX_CODE_POINT) && complement.ranges().len() <= set.ranges().len();
    let ranges = if inverted { complement.ranges() } else { set.ranges() };
    let mut shown = String::from(if inverted { "~[" } else { "[" });
    for (low, high) in ranges {
        shown.push_str(&shown_point(*low));
        if high > low {
            let _ = write!(shown, "-{}", shown_point(*high));
        }
    }
    shown + "]"
}

fn shown_point(point: u32) -> String {
    match char::from_u32(point) {
        Some('\n') => "\\n".into(),
        Some('\r') => "\\r".into(),
        Some('\t') => "\\t".into(),
        Some(c @ ('\\' | ']' | '-')) => format!("\\{c}"),
        Some(c) if c.is_ascii_graphic() || c == ' ' => c.to_string(),
        _ => format!("\\u{{{point:X}}}"),
    }
}
