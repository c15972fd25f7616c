//! `[names]`: what opens scopes, defines and uses names, and what needs something around it.

use super::codes::{BAD_NAMES, BAD_PATH};
use super::reader::Reader;
use super::{SideFile, Table};
use crate::kind::DescriptionKind;
use polysmith_bindings::{
    Builtins, DefinitionRule, Names, NeedRule, Path, PathError, Rules, ScopeRule, UseRule, Visibility,
};
use polysmith_grammar::Grammar;
use polysmith_source::nearest;
use std::ops::Range;
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub(super) const TABLE: Table = Table { name: "names", kinds: &[DescriptionKind::Grammar], read };

const KEYS: &[&str] = &["identifier", "builtins", "environment", "scopes", "ignore", "define", "use", "need"];

type Value<'v> = Spanned<DeValue<'v>>;

/// A word with its place.
type Mention = (String, Range<usize>);

/// Kinds that entries mention, to be checked when all entries are known.
#[derive(Default)]
struct Mentions {
    kinds: Vec<Mention>,
    scopes: Vec<Mention>,
}

fn read(reader: &mut Reader<'_>, table: &DeTable<'_>, file: &mut SideFile) {
    let Some(grammar) = reader.grammar else { return };
    let errors_before = reader.found.len();
    let (mut rules, mut mentions) = (Rules::default(), Mentions::default());
    for (key, value) in table {
        match key.get_ref().as_ref() {
            "identifier" => rules.identifier = path(reader, grammar, value),
            "builtins" => rules.builtins = name_list(reader, value),
            "environment" => rules.environment = name_list(reader, value),
            "scopes" => scopes(reader, grammar, value, &mut rules),
            "ignore" => rules.ignored = paths(reader, grammar, value),
            "define" => definitions(reader, grammar, value, &mut rules, &mut mentions),
            "use" => uses(reader, grammar, value, &mut rules, &mut mentions),
            "need" => needs(reader, grammar, value, &mut rules),
            _ => reader.unknown_key(key, KEYS),
        }
    }
    let kinds: Vec<&str> = rules.definitions.iter().map(|rule| rule.kind.as_str()).collect();
    check(reader, &mentions.kinds, &kinds, "nothing in `define` has the kind");
    let kinds: Vec<&str> = rules.scopes.iter().map(|rule| rule.kind.as_str()).collect();
    check(reader, &mentions.scopes, &kinds, "nothing in `scopes` has the kind");
    if reader.found.len() > errors_before {
        return;
    }
    match Names::new(grammar, rules) {
        Ok(names) => file.names = Some(Arc::new(names)),
        Err(error) => {
            let place = table.iter().next().map_or(0..0, |(key, _)| key.span());
            reader.found.error(BAD_NAMES, reader.span(place), error.to_string());
        }
    }
}

/// The names of one or more files.
fn name_list(reader: &mut Reader<'_>, value: &Value<'_>) -> Builtins {
    let mut names = Builtins::default();
    for file in reader.one_or_more(value) {
        if let Some(text) = reader.file_beside(&file, value.span()) {
            names.add_text(&text);
        }
    }
    names
}

/// Reports words that are none of those known.
fn check(reader: &mut Reader<'_>, mentions: &[Mention], known: &[&str], problem: &str) {
    for (name, span) in mentions {
        if !known.contains(&name.as_str()) {
            let similar = nearest(name, known.iter().copied());
            reader.unknown_name(format!("{problem} `{name}`"), span.clone(), similar);
        }
    }
}

fn scopes(reader: &mut Reader<'_>, grammar: &Grammar, value: &Value<'_>, rules: &mut Rules) {
    for entry in reader.tables(value) {
        let (mut at, mut kind) = (Vec::new(), "scope".to_owned());
        for (key, value) in entry {
            match key.get_ref().as_ref() {
                "at" => at = paths(reader, grammar, value),
                "kind" => kind = reader.string(value).unwrap_or_default(),
                _ => reader.unknown_key(key, &["at", "kind"]),
            }
        }
        rules.scopes.extend(at.into_iter().map(|at| ScopeRule { at, kind: kind.clone() }));
    }
}

fn definitions(
    reader: &mut Reader<'_>,
    grammar: &Grammar,
    value: &Value<'_>,
    rules: &mut Rules,
    mentions: &mut Mentions,
) {
    for entry in reader.tables(value) {
        let (mut at, mut kind, mut scopes) = (Vec::new(), String::new(), Vec::new());
        let (mut visibility, mut conditions, mut unique_among) =
            (Visibility::default(), Vec::new(), Vec::new());
        for (key, value) in entry {
            match key.get_ref().as_ref() {
                "at" => at = paths(reader, grammar, value),
                "kind" => kind = reader.string(value).unwrap_or_default(),
                "in" => scopes = mention(reader, value, &mut mentions.scopes),
                "visible" => visibility = visible(reader, value),
                "if" => conditions = paths(reader, grammar, value),
                "unique" => unique_among = mention(reader, value, &mut mentions.kinds),
                _ => reader.unknown_key(key, &["at", "kind", "in", "visible", "if", "unique"]),
            }
        }
        rules.definitions.extend(at.into_iter().map(|at| DefinitionRule {
            at,
            kind: kind.clone(),
            scopes: scopes.clone(),
            visibility,
            conditions: conditions.clone(),
            unique_among: unique_among.clone(),
        }));
    }
}

fn uses(
    reader: &mut Reader<'_>,
    grammar: &Grammar,
    value: &Value<'_>,
    rules: &mut Rules,
    mentions: &mut Mentions,
) {
    for entry in reader.tables(value) {
        let (mut at, mut kinds, mut until) = (Vec::new(), Vec::new(), None);
        let (mut is_optional, mut is_open) = (false, false);
        for (key, value) in entry {
            match key.get_ref().as_ref() {
                "at" => at = paths(reader, grammar, value),
                "kind" => kinds = mention(reader, value, &mut mentions.kinds),
                "until" => {
                    until = reader.string(value);
                    mentions.scopes.extend(until.clone().map(|name| (name, value.span())));
                }
                "optional" => is_optional = reader.boolean(value),
                "open" => is_open = reader.boolean(value),
                _ => reader.unknown_key(key, &["at", "kind", "until", "optional", "open"]),
            }
        }
        rules.uses.extend(at.into_iter().map(|at| UseRule {
            at,
            kinds: kinds.clone(),
            until: until.clone(),
            is_optional,
            is_open,
        }));
    }
}

fn needs(reader: &mut Reader<'_>, grammar: &Grammar, value: &Value<'_>, rules: &mut Rules) {
    for entry in reader.tables(value) {
        let (mut at, mut inside, mut until) = (Vec::new(), Vec::new(), Vec::new());
        let mut message = "something".to_owned();
        for (key, value) in entry {
            match key.get_ref().as_ref() {
                "at" => at = paths(reader, grammar, value),
                "inside" => inside = paths(reader, grammar, value),
                "until" => until = paths(reader, grammar, value),
                "message" => message = reader.string(value).unwrap_or_default(),
                _ => reader.unknown_key(key, &["at", "inside", "until", "message"]),
            }
        }
        rules.needs.extend(at.into_iter().map(|at| NeedRule {
            at,
            inside: inside.clone(),
            until: until.clone(),
            message: message.clone(),
        }));
    }
}

fn visible(reader: &mut Reader<'_>, value: &Value<'_>) -> Visibility {
    const WORDS: &[(&str, Visibility)] = &[
        ("after", Visibility::AfterName),
        ("after-node", Visibility::AfterNode),
        ("scope", Visibility::Scope),
    ];
    let Some(word) = reader.string(value) else { return Visibility::default() };
    if let Some((_, visibility)) = WORDS.iter().find(|(name, _)| *name == word) {
        return *visibility;
    }
    let message = format!("`{word}` is no answer here: write `after`, `after-node` or `scope`");
    reader.found.error(BAD_NAMES, reader.span(value.span()), message);
    Visibility::default()
}

/// One or more kinds, which are checked later.
fn mention(reader: &mut Reader<'_>, value: &Value<'_>, mentions: &mut Vec<Mention>) -> Vec<String> {
    let words = reader.one_or_more(value);
    mentions.extend(words.iter().map(|word| (word.clone(), value.span())));
    words
}

/// One or more paths.
fn paths(reader: &mut Reader<'_>, grammar: &Grammar, value: &Value<'_>) -> Vec<Path> {
    match value.get_ref() {
        DeValue::Array(items) => items.iter().filter_map(|item| path(reader, grammar, item)).collect(),
        _ => path(reader, grammar, value).into_iter().collect(),
    }
}

fn path(reader: &mut Reader<'_>, grammar: &Grammar, value: &Value<'_>) -> Option<Path> {
    let text = reader.string(value)?;
    let error = match Path::read(&text, grammar) {
        Ok(path) => return Some(path),
        Err(error) => error,
    };
    let names = path_names(grammar);
    let similar = match &error {
        PathError::UnknownName { name } => nearest(name, names.iter().map(String::as_str)),
        _ => None,
    };
    let diagnostic = reader.found.error(BAD_PATH, reader.span(value.span()), error.to_string());
    if let Some(name) = similar {
        diagnostic.help(format!("did you mean `{name}`?"));
    }
    None
}

/// All words that a path can be made of.
fn path_names(grammar: &Grammar) -> Vec<String> {
    let rules = grammar.parser_rules().map(|rule| grammar.rule(rule).name.clone());
    let labels = grammar.parser_rules().flat_map(|rule| {
        let body = grammar.alternatives(grammar.rule(rule).body());
        body.filter_map(|alt| grammar.alternative(alt).label.clone())
    });
    let tokens = grammar.tokens();
    rules.chain(labels).chain(tokens.types().map(|token| tokens.display(token))).collect()
}
