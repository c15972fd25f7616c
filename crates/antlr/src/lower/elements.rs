//! Lowers alternatives and elements.

use super::{is_right, lexer};
use crate::chars::{self, SetBuilder};
use crate::syntax::tree::{
    Alternative, Atom, Block, CharRange, CodeText, Element, Label, OptionEntry, Repeat, SetItem, SetItemKind,
};
use crate::vocabulary::Vocabulary;
use polysmith_grammar::{
    Alt, Builder, CharSet, Code, CodeKind, Meaning, Part, Quantifier, RuleId, TokenType,
};
use rustc_hash::FxHashMap;

/// The half that a rule belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Parser,
    Lexer { fold_case: bool },
}

/// Lowers the parts of one rule.
pub(super) struct Lowering<'a, 'g> {
    builder: &'a mut Builder,
    vocabulary: &'a Vocabulary,
    rules: &'a FxHashMap<&'g str, RuleId>,
    side: Side,
}

impl<'a, 'g> Lowering<'a, 'g> {
    pub(super) fn new(
        builder: &'a mut Builder,
        vocabulary: &'a Vocabulary,
        rules: &'a FxHashMap<&'g str, RuleId>,
        side: Side,
    ) -> Lowering<'a, 'g> {
        Lowering { builder, vocabulary, rules, side }
    }

    pub(super) fn alternative(&mut self, alternative: &Alternative) -> Alt {
        let mut parts = Vec::with_capacity(alternative.elements.len());
        for element in &alternative.elements {
            self.element(element, &mut parts);
        }
        let mut alt = Alt::of(parts).at(alternative.span);
        if let Some(label) = &alternative.label {
            alt = alt.label(&label.text);
        }
        if is_right(alternative) {
            alt = alt.right();
        }
        let commands = alternative.commands.iter();
        let commands = commands.filter_map(|spelled| lexer::command(self.builder, self.vocabulary, spelled));
        let commands: Vec<_> = commands.collect();
        alt.commands(commands)
    }

    fn element(&mut self, element: &Element, parts: &mut Vec<Part>) {
        let quantifier = element.suffix.map_or(Quantifier::ONE, |suffix| {
            let greedy = match suffix.repeat {
                Repeat::Optional => Quantifier::OPTIONAL,
                Repeat::Star => Quantifier::STAR,
                Repeat::Plus => Quantifier::PLUS,
            };
            if suffix.greedy { greedy } else { greedy.lazy() }
        });
        if let Atom::Group(group) = &element.atom {
            let part = self.group(group, quantifier).at(element.span);
            parts.push(labelled(part, element.label.as_ref()));
            return;
        }
        if element.suffix.is_none() {
            return self.atom(element, parts);
        }
        let mut inner = Vec::new();
        self.atom(element, &mut inner);
        let block = self.builder.block(quantifier, [Alt::of(inner).at(element.span)]);
        parts.push(Part::from(block).at(element.span));
    }

    fn group(&mut self, group: &Block, quantifier: Quantifier) -> Part {
        let alternatives: Vec<Alt> = group.alternatives.iter().map(|alt| self.alternative(alt)).collect();
        self.builder.block(quantifier, alternatives).into()
    }

    /// Lowers an element that is not a group. A literal of a rule that ignores case becomes several sets.
    fn atom(&mut self, element: &Element, parts: &mut Vec<Part>) {
        let part = match (&element.atom, self.side) {
            (Atom::Token(name), _) if name.text == "EOF" => Some(TokenType::EOF.into()),
            (Atom::Token(name), Side::Parser) => self.token(&name.text),
            (Atom::Token(name) | Atom::Rule { name, .. }, _) => {
                self.rules.get(name.text.as_str()).map(|r| (*r).into())
            }
            (Atom::Literal(literal), Side::Parser) => self.literal_type(&literal.text).map(Part::from),
            (Atom::Literal(literal), Side::Lexer { fold_case }) => {
                return self.text(&literal.text, fold_case, element, parts);
            }
            (Atom::Range(range), Side::Lexer { fold_case }) => {
                let mut set = SetBuilder::new(fold_case);
                add_range(&mut set, range);
                Some(self.builder.chars(set.finish()).into())
            }
            (Atom::CharSet(spelled), Side::Lexer { fold_case }) => {
                let mut set = SetBuilder::new(fold_case);
                set.add_spelled(&spelled.text);
                Some(self.builder.chars(set.finish()).into())
            }
            (Atom::Any, Side::Lexer { .. }) => Some(self.builder.chars(CharSet::all()).into()),
            (Atom::Any, Side::Parser) => Some(Part::new(polysmith_grammar::ElementKind::AnyToken)),
            (Atom::Not { items, .. }, Side::Lexer { fold_case }) => {
                let set = set_of(items, fold_case).complement();
                Some(self.builder.chars(set).into())
            }
            (Atom::Not { items, .. }, Side::Parser) => Some(self.not_tokens(items)),
            (Atom::Action(code), _) => Some(self.code(code, CodeKind::Action)),
            (Atom::Predicate(code), _) => {
                let kind = predicate(code, &element.options);
                Some(self.code(code, kind))
            }
            (Atom::Range(..) | Atom::CharSet(_) | Atom::Group(_), _) => None,
        };
        let part = part.map(|part| labelled(part.at(element.span), element.label.as_ref()));
        parts.extend(part);
    }

    fn token(&self, name: &str) -> Option<Part> {
        self.vocabulary.names.get(name).map(|number| TokenType::new(*number).into())
    }

    fn literal_type(&self, literal: &str) -> Option<TokenType> {
        self.vocabulary.literals.get(literal).map(|number| TokenType::new(*number))
    }

    fn not_tokens(&mut self, items: &[SetItem]) -> Part {
        let types = items.iter().filter_map(|item| match &item.kind {
            SetItemKind::Token(name) if name.text == "EOF" => Some(TokenType::EOF),
            SetItemKind::Token(name) => self.vocabulary.names.get(&name.text).map(|n| TokenType::new(*n)),
            SetItemKind::Literal(literal) => self.literal_type(&literal.text),
            SetItemKind::Range(..) | SetItemKind::CharSet(_) => None,
        });
        let types: Vec<TokenType> = types.collect();
        self.builder.not_tokens(types)
    }

    fn text(&mut self, spelled: &str, fold_case: bool, element: &Element, parts: &mut Vec<Part>) {
        let points = chars::literal(spelled).unwrap_or_default();
        let is_text = points.iter().all(|point| char::from_u32(*point).is_some());
        let sets: Vec<CharSet> = points.iter().map(|point| single(*point, fold_case)).collect();
        if is_text && sets.iter().all(|set| set.len() == 1) {
            let text = self.builder.text(chars::text(&points));
            parts.push(Part::from(text).at(element.span));
            return;
        }
        for set in sets {
            let set = self.builder.chars(set);
            parts.push(Part::from(set).at(element.span));
        }
    }

    fn code(&mut self, code: &CodeText, kind: CodeKind) -> Part {
        self.builder.code(Code { text: code.inner().to_owned(), kind }).into()
    }
}

fn labelled(part: Part, label: Option<&Label>) -> Part {
    match label {
        Some(label) => {
            part.label(polysmith_grammar::Label { name: label.name.text.clone(), list: label.list })
        }
        None => part,
    }
}

fn single(point: u32, fold_case: bool) -> CharSet {
    let mut set = SetBuilder::new(fold_case);
    set.add(point, point);
    set.finish()
}

fn add_range(set: &mut SetBuilder, range: &CharRange) {
    if let (Some(low), Some(high)) = (chars::single(&range.low.text), chars::single(&range.high.text)) {
        set.add(low, high);
    }
}

/// The characters of a `~` set, before complementing.
fn set_of(items: &[SetItem], fold_case: bool) -> CharSet {
    let mut set = SetBuilder::new(fold_case);
    for item in items {
        match &item.kind {
            SetItemKind::Literal(literal) => {
                if let Some(point) = chars::single(&literal.text) {
                    set.add(point, point);
                }
            }
            SetItemKind::Range(range) => add_range(&mut set, range),
            SetItemKind::CharSet(spelled) => set.add_spelled(&spelled.text),
            SetItemKind::Token(_) => {}
        }
    }
    set.finish()
}

/// What is known about a predicate without running it.
fn meaning(text: &str) -> Meaning {
    match text.trim() {
        "true" => Meaning::Constant(true),
        "false" => Meaning::Constant(false),
        number if is_weight(number) => Meaning::Weight,
        _ => Meaning::Unknown,
    }
}

/// Whether a text is a plain decimal number: `inf`, `nan` and signs are not weights.
fn is_weight(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && text.parse::<f64>().is_ok_and(|weight| weight.is_finite())
}

fn predicate(code: &CodeText, options: &[OptionEntry]) -> CodeKind {
    let fail = options.iter().find(|option| option.name.text == "fail");
    let fail = fail.and_then(|option| option.value.as_ref()).map(|value| value.text.clone());
    let reads_context = reads_context(code.inner());
    CodeKind::Predicate { meaning: meaning(code.inner()), reads_context, fail }
}

/// Whether `$name` occurs in the code.
fn reads_context(code: &str) -> bool {
    code.match_indices('$').any(|(at, _)| code[at + 1..].starts_with(|c: char| c.is_alphabetic() || c == '_'))
}
