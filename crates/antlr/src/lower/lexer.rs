//! Lowers the lexer half: its rules by mode, its channels, its commands.

use super::elements::Side;
use crate::syntax::tree::{Command as Spelled, File, OptionEntry, Prequel, Rule, RuleKind};
use crate::vocabulary::{MAX_TOKEN_TYPE, Vocabulary};
use polysmith_grammar::{Builder, Command, ModeId, RuleId, TokenType};
use rustc_hash::FxHashMap;

/// The value of a `caseInsensitive` option; `None` if it is absent or neither `true` nor `false`.
pub(crate) fn folds_case(option: Option<&OptionEntry>) -> Option<bool> {
    match option?.value.as_ref()?.text.as_str() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

/// Whether a lexer rule ignores case: by its own option, or by that of its grammar.
pub(crate) fn rule_folds_case(rule: &Rule, grammar: bool) -> bool {
    let own = rule.options.iter().find_map(|options| options.get("caseInsensitive"));
    folds_case(own).unwrap_or(grammar)
}

/// Declares the lexer's channels, modes and rules.
pub(super) fn declare<'a>(
    builder: &mut Builder,
    file: &'a File,
    vocabulary: &Vocabulary,
    fold_grammar: bool,
    rules: &mut FxHashMap<&'a str, RuleId>,
    bodies: &mut Vec<(RuleId, &'a Rule, Side)>,
) {
    for prequel in &file.prequels {
        if let Prequel::Channels(section) = prequel {
            for name in &section.names {
                builder.channel(&name.text);
            }
        }
    }
    for (mode, rule) in file.all_rules() {
        let name = rule.name.text.as_str();
        if rule.kind == RuleKind::Parser || rules.contains_key(name) {
            continue;
        }
        let id = if rule.kind == RuleKind::Fragment {
            builder.fragment(name)
        } else {
            let mode = mode.map_or(ModeId::new(0), |mode| builder.mode(&mode.name.text));
            let token = vocabulary.names.get(name).copied();
            let token =
                token.filter(|number| (1..=vocabulary.lexer_max).contains(number)).map(TokenType::new);
            builder.token_rule(name, token, mode)
        };
        rules.insert(name, id);
        bodies.push((id, rule, Side::Lexer { fold_case: rule_folds_case(rule, fold_grammar) }));
    }
}

/// Lowers a command. Commands that ANTLR's tool takes for target code or rejects are omitted, and so are numbers out
/// of range (`extra_checks.rs` warns of them).
pub(super) fn command(builder: &mut Builder, vocabulary: &Vocabulary, spelled: &Spelled) -> Option<Command> {
    let argument = spelled.argument.as_ref().map(|argument| argument.text.as_str());
    Some(match (spelled.name.text.as_str(), argument) {
        ("skip", None) => Command::Skip,
        ("more", None) => Command::More,
        ("popMode", None) => Command::PopMode,
        ("type", Some(name)) => Command::Type(token_type(builder, vocabulary, name)?),
        ("channel", Some(name)) => Command::Channel(channel(builder, name)?),
        ("mode", Some(name)) => Command::Mode(mode(builder, name)?),
        ("pushMode", Some(name)) => Command::PushMode(mode(builder, name)?),
        _ => return None,
    })
}

fn token_type(builder: &mut Builder, vocabulary: &Vocabulary, name: &str) -> Option<TokenType> {
    if name == "EOF" {
        return Some(TokenType::EOF);
    }
    let number = match name.parse::<usize>() {
        Ok(number) => number,
        Err(_) => *vocabulary.names.get(name)?,
    };
    if !(1..=MAX_TOKEN_TYPE).contains(&number) {
        return None;
    }
    let token = TokenType::new(number);
    builder.tokens_mut().entry(token);
    Some(token)
}

/// Greater channel numbers are rejected: a table holds all channels up to the greatest.
pub(crate) const MAX_CHANNEL: u32 = 0xFFFF;

/// A channel by name or number.
fn channel(builder: &mut Builder, name: &str) -> Option<u32> {
    let Ok(number) = name.parse::<u32>() else {
        return builder.channel_named(name);
    };
    if number > MAX_CHANNEL {
        return None;
    }
    while builder.n_channels() <= number as usize {
        let next = builder.n_channels().to_string();
        builder.channel(&next);
    }
    Some(number)
}

fn mode(builder: &mut Builder, name: &str) -> Option<ModeId> {
    match name.parse::<usize>() {
        Ok(number) => (number < builder.n_modes()).then(|| ModeId::new(number)),
        Err(_) => builder.mode_named(name),
    }
}
