//! Checks lexer commands: known, with the right argument, and compatible with each other.

use super::vocabulary::RESERVED;
use crate::report::Report;
use crate::syntax::tree::{Command, File, Name, Prequel, Rule};
use crate::vocabulary::Vocabulary;

/// Checks the commands of a lexer rule, in order.
pub(super) fn check(file: &File, rule: &Rule, vocabulary: &Vocabulary, report: &mut Report<'_>) {
    let mut before: Vec<&str> = Vec::new();
    for command in rule.body.alternatives.iter().flat_map(|alternative| &alternative.commands) {
        against_others(&mut before, command, report);
        argument(file, command, vocabulary, report);
        known(command, report);
    }
}

/// Reports repeated and incompatible commands.
fn against_others<'a>(before: &mut Vec<&'a str>, command: &'a Command, report: &mut Report<'_>) {
    let name = command.name.text.as_str();
    if !matches!(name, "pushMode" | "popMode") {
        if before.contains(&name) {
            let message = format!("the command `{name}` is repeated");
            report.at(178, command.name.span, message).help("remove one of them");
        }
        let excluded: &[&str] = match name {
            "skip" => &["more", "type", "channel"],
            "more" => &["skip", "type", "channel"],
            "type" | "channel" => &["more", "skip"],
            _ => &[],
        };
        if let Some(other) = excluded.iter().find(|other| before.contains(other)) {
            let message = format!("the commands `{other}` and `{name}` exclude each other");
            report.at(179, command.name.span, message).help("remove one of them");
        }
    }
    before.push(name);
}

/// Checks that the argument names something that exists; numbers are not checked.
fn argument(file: &File, command: &Command, vocabulary: &Vocabulary, report: &mut Report<'_>) {
    let Some(argument) = &command.argument else { return };
    let name = argument.text.as_str();
    let (allowed, exists, what, reserved, unknown): (&[&str], bool, _, _, _) =
        match command.name.text.as_str() {
            "mode" | "pushMode" => (&["DEFAULT_MODE"], has_mode(file, name), "mode", 173, 176),
            "type" => (&["EOF"], vocabulary.names.contains_key(name), "token", 171, 175),
            "channel" => (&["HIDDEN", "DEFAULT_TOKEN_CHANNEL"], has_channel(file, name), "channel", 172, 177),
            _ => return,
        };
    if allowed.contains(&name) {
        return;
    }
    if RESERVED.contains(&name) {
        let message = format!("`{name}` is reserved and names no {what}");
        report.at(reserved, argument.span, message).help(format!("name a {what} of the grammar"));
    } else if !exists && name.parse::<i32>().is_err() {
        not_found(argument, what, unknown, report);
    }
}

fn not_found(argument: &Name, what: &str, code: u16, report: &mut Report<'_>) {
    let message = format!("there is no {what} `{}`", argument.text);
    let help = match what {
        "mode" => "write `mode NAME;` with rules after it",
        "token" => "write a lexer rule for it, or declare it in `tokens { … }`",
        _ => "declare it in `channels { … }`",
    };
    report.at(code, argument.span, message).help(help);
}

fn has_mode(file: &File, name: &str) -> bool {
    file.modes.iter().any(|mode| mode.name.text == name && !mode.rules.is_empty())
}

fn has_channel(file: &File, name: &str) -> bool {
    file.prequels.iter().any(|prequel| match prequel {
        Prequel::Channels(section) => section.names.iter().any(|channel| channel.text == name),
        _ => false,
    })
}

/// Checks that the command exists and has an argument if and only if it needs one. ANTLR's tool ignores the case of
/// its first letter (although such a command then becomes target code).
fn known(command: &Command, report: &mut Report<'_>) {
    let name = &command.name;
    let mut letters = name.text.chars();
    let lowered: String = letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect();
    let needs_argument = match lowered.as_str() {
        "skip" | "more" | "popMode" => false,
        "mode" | "pushMode" | "type" | "channel" => true,
        _ => {
            let message = format!("there is no lexer command `{}`", name.text);
            report
                .at(149, name.span, message)
                .help("known are skip, more, popMode, mode(M), pushMode(M), type(T), channel(C)");
            return;
        }
    };
    match (needs_argument, command.argument.is_some()) {
        (true, false) => {
            let message = format!("the command `{}` needs an argument", name.text);
            report.at(150, name.span, message).help(format!("write `{}(…)`", name.text));
        }
        (false, true) => {
            let message = format!("the command `{}` takes no argument", name.text);
            report.at(151, name.span, message).help(format!("write `{}`", name.text));
        }
        _ => {}
    }
}
