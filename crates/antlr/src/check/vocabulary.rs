//! Token types in stage 7: `tokens{}`, references, literals, channels, modes.

use super::{Context, parser_rules};
use crate::report::Report;
use crate::sets;
use crate::syntax::tree::{Atom, Element, File, Mode, Name, Prequel, Rule, RuleKind, Section, SetItemKind};
use crate::vocabulary::Vocabulary;
use rustc_hash::FxHashMap;

/// Names with a predefined meaning in every generated lexer.
pub(super) const RESERVED: [&str; 8] = [
    "HIDDEN",
    "DEFAULT_TOKEN_CHANNEL",
    "DEFAULT_MODE",
    "SKIP",
    "MORE",
    "EOF",
    "MAX_CHAR_VALUE",
    "MIN_CHAR_VALUE",
];

/// Reports that the file that `tokenVocab` names was not found.
pub(super) fn missing(file: &File, report: &mut Report<'_>) {
    let Some(entry) = file.option("tokenVocab") else { return };
    let Some(value) = &entry.value else { return };
    let message = format!("the vocabulary `{}` was not found", value.text);
    let help =
        format!("`{0}.g4` or `{0}.tokens` must be beside the grammar or in a library folder", value.text);
    if entry.quoted {
        let nowhere = polysmith_source::Location::Nowhere;
        report.at(3, nowhere, message).also(value.span, "named here").help(help);
    } else {
        report.at(114, value.span, message).help(help);
    }
}

/// Checks the token types that a parser declares and uses.
pub(super) fn parser(file: &File, vocabulary: &Vocabulary, report: &mut Report<'_>) {
    let mut known = vocabulary.clone();
    for name in sections(file, |prequel| matches!(prequel, Prequel::Tokens(_))) {
        if name.text == "EOF" || known.names.contains_key(&name.text) {
            let message = format!("the token `{}` is defined already", name.text);
            report.at(108, name.span, message).help("remove it from `tokens{}`");
        }
        known.define(&name.text);
    }
    each_token(file, &mut |name| {
        if name.text != "EOF" && !known.names.contains_key(&name.text) {
            let message = format!("no lexer rule makes the token `{}`", name.text);
            let problem = report.at(125, name.span, message);
            let near = polysmith_source::nearest(&name.text, known.names.keys().map(String::as_str));
            problem.help(match near {
                Some(near) => format!("a token with a similar name exists: `{near}`"),
                None => "write a lexer rule for it, or declare it in `tokens{}`".to_owned(),
            });
        }
        known.define(&name.text);
    });
    each_literal(file, &mut |literal| {
        if !known.literals.contains_key(&literal.text) {
            let message = format!("the literal {} is bound to no token", literal.text);
            let help = "exactly one lexer rule must have the form `NAME : 'text' ;`";
            report.at(126, literal.span, message).help(help);
        }
    });
}

/// Calls `visit` for every token name of the parser rules, in order.
pub(super) fn each_token<'a>(file: &'a File, visit: &mut dyn FnMut(&'a Name)) {
    each(file, &mut |element| match &element.atom {
        Atom::Token(name) => visit(name),
        Atom::Not { items, .. } => items.iter().for_each(|item| {
            if let SetItemKind::Token(name) = &item.kind {
                visit(name);
            }
        }),
        _ => {}
    });
}

fn each_literal<'a>(file: &'a File, visit: &mut dyn FnMut(&'a Name)) {
    each(file, &mut |element| match &element.atom {
        Atom::Literal(literal) => visit(literal),
        Atom::Range(range) => {
            visit(&range.low);
            visit(&range.high);
        }
        Atom::Not { items, .. } => items.iter().for_each(|item| match &item.kind {
            SetItemKind::Literal(literal) => visit(literal),
            SetItemKind::Range(range) => {
                visit(&range.low);
                visit(&range.high);
            }
            _ => {}
        }),
        _ => {}
    });
}

fn each<'a>(file: &'a File, visit: &mut dyn FnMut(&'a Element)) {
    for rule in parser_rules(file) {
        rule.body.walk(visit);
    }
}

/// The names in the sections of one kind.
fn sections(file: &File, is: impl Fn(&Prequel) -> bool) -> impl Iterator<Item = &Name> {
    file.prequels.iter().filter(move |prequel| is(prequel)).flat_map(|prequel| match prequel {
        Prequel::Tokens(Section { names, .. }) | Prequel::Channels(Section { names, .. }) => names.iter(),
        _ => [].iter(),
    })
}

/// Checks modes, channels and unreachable tokens of a lexer.
pub(super) fn lexer(file: &File, context: &Context<'_>, report: &mut Report<'_>) {
    let vocabulary = Vocabulary::of_lexer(file, context.vocabulary.clone());
    let has_token = |name: &str| name == "EOF" || vocabulary.names.contains_key(name);
    let mut seen: Vec<&str> = Vec::new();
    for mode in file.modes.iter().filter(|mode| !mode.rules.is_empty()) {
        let name = mode.name.text.as_str();
        if seen.contains(&name) {
            continue;
        }
        seen.push(name);
        if name != "DEFAULT_MODE" && RESERVED.contains(&name) {
            let message = format!("`{name}` is reserved and cannot name a mode");
            report.at(173, mode.keyword, message).help("rename the mode");
        }
        if has_token(name) {
            let message = format!("the mode `{name}` has the name of a token");
            report.at(170, mode.keyword, message).help("rename one of them");
        }
    }
    unreachable(file, report);
    for channel in sections(file, |prequel| matches!(prequel, Prequel::Channels(_))) {
        let name = channel.text.as_str();
        if has_token(name) {
            let message = format!("the channel `{name}` has the name of a token");
            report.at(161, channel.span, message).help("rename one of them");
        }
        if RESERVED.contains(&name) {
            let message = format!("`{name}` is reserved and cannot name a channel");
            report.at(172, channel.span, message).help("rename the channel");
        }
        if file.modes.iter().any(|mode| mode.name.text == name) {
            let message = format!("the channel `{name}` has the name of a mode");
            report.at(162, channel.span, message).help("rename one of them");
        }
    }
}

/// Reports alternatives that are plain texts and equal to one of an earlier rule of their mode.
fn unreachable(file: &File, report: &mut Report<'_>) {
    for rules in by_mode(file) {
        let mut earlier: FxHashMap<String, Vec<&Rule>> = FxHashMap::default();
        for rule in rules.iter().filter(|rule| !rule.implicit) {
            let mut own: FxHashMap<String, usize> = FxHashMap::default();
            let values = plain_texts(rule);
            for value in &values {
                let before = own.entry(value.clone()).or_default();
                for _ in 0..*before {
                    same_text(rule, value, rule, report);
                }
                *before += 1;
            }
            if rule.kind == RuleKind::Fragment {
                continue;
            }
            for value in values {
                let first = earlier.entry(value.clone()).or_default();
                for other in first.iter().filter(|other| other.name.text != rule.name.text) {
                    same_text(rule, &value, other, report);
                }
                first.push(rule);
            }
        }
    }
}

fn same_text(rule: &Rule, value: &str, first: &Rule, report: &mut Report<'_>) {
    let (name, other) = (&rule.name.text, &first.name.text);
    let message = format!("`{name}` never matches '{value}': `{other}` does so before");
    let problem = report.at(184, rule.name.span, message);
    problem.also(first.name.span, "this one comes first").help("remove one of the two");
}

/// The rules of each mode; a mode may have several sections.
pub(super) fn by_mode(file: &File) -> Vec<Vec<&Rule>> {
    let mut names: Vec<&str> = vec!["DEFAULT_MODE"];
    let mut modes: Vec<Vec<&Rule>> = vec![file.rules.iter().collect()];
    for Mode { name, rules, .. } in &file.modes {
        let at = names.iter().position(|have| *have == name.text).unwrap_or_else(|| {
            names.push(&name.text);
            modes.push(Vec::new());
            names.len() - 1
        });
        modes[at].extend(rules);
    }
    modes
}

/// The alternatives that consist only of literals, concatenated as written.
fn plain_texts(rule: &Rule) -> Vec<String> {
    if sets::is_char_set(&rule.body) {
        return Vec::new();
    }
    let alternatives = rule.body.alternatives.iter().filter(|alternative| alternative.commands.len() < 2);
    let texts = alternatives.filter_map(|alternative| {
        let literals = alternative.elements.iter().map(|element| match &element.atom {
            Atom::Literal(literal) if element.suffix.is_none() => {
                Some(literal.text.trim_start_matches('\'').strip_suffix('\'').unwrap_or("").to_owned())
            }
            _ => None,
        });
        if alternative.elements.is_empty() { None } else { literals.collect::<Option<String>>() }
    });
    texts.collect()
}
