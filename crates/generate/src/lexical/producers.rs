//! How the lexer comes to make a token.
//!
//! A *producer* is the sequence of token rules whose texts, one after the other, make one token: a single rule, or
//! rules that end in `-> more` before the last. Each has an product (a token of a type, hidden text) and what it
//! does to the mode stack. Producers are listed by the mode in which they start; hidden ones serve as separators
//! and, where they change the mode, as the way to tokens of other modes.

use crate::tuning::MAX_PIECES;
use polysmith_grammar::{Command, Grammar, ModeId, RuleId, RuleKind, TokenType};

/// One way to make a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Producer {
    /// The rules, with the mode in which each is read.
    pub(crate) pieces: Vec<(ModeId, RuleId)>,
    pub(crate) product: Product,
    /// What happens to the mode stack, in order.
    pub(crate) mode_changes: Vec<ModeChange>,
}

/// What the parser gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Product {
    /// A token.
    Token(TokenType),
    /// A token on another channel.
    Hidden(TokenType),
    /// Nothing.
    Skipped,
}

/// A change of the mode stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ModeChange {
    To(ModeId),
    Push(ModeId),
    Pop,
}

/// What one rule does when it has matched.
struct Effect {
    more: bool,
    product: Product,
    mode_changes: Vec<ModeChange>,
}

/// All producers, by the mode in which they start.
pub(crate) fn producers(grammar: &Grammar) -> Vec<Vec<Producer>> {
    (0..grammar.lexer().modes.len()).map(|mode| producers_of(grammar, ModeId::new(mode))).collect()
}

fn producers_of(grammar: &Grammar, mode: ModeId) -> Vec<Producer> {
    let mut found = Vec::new();
    // Chains under way: pieces, mode_changes, and where the lexer then is (mode and what was pushed).
    let mut open = vec![(Vec::new(), Vec::new(), vec![mode])];
    while let Some((pieces, mode_changes, stack)) = open.pop() {
        let Some(here) = stack.last().copied() else { continue };
        for rule in &grammar.lexer().modes[here.index()].rules {
            let effect = effect(grammar, *rule);
            let mut pieces: Vec<(ModeId, RuleId)> = pieces.clone();
            let mut mode_changes: Vec<ModeChange> = mode_changes.clone();
            let mut stack = stack.clone();
            pieces.push((here, *rule));
            for step in &effect.mode_changes {
                apply(*step, &mut stack);
            }
            mode_changes.extend(effect.mode_changes);
            if !effect.more {
                found.push(Producer { pieces, product: effect.product, mode_changes });
            } else if pieces.len() < MAX_PIECES {
                open.push((pieces, mode_changes, stack));
            }
        }
    }
    found.sort_by_key(|producer| producer.pieces.len());
    found
}

/// A move on a stack whose last entry is the present mode. Below the known part nothing is known: the stack is
/// then empty.
fn apply(step: ModeChange, stack: &mut Vec<ModeId>) {
    match step {
        ModeChange::To(mode) => {
            stack.pop();
            stack.push(mode);
        }
        ModeChange::Push(mode) => stack.push(mode),
        ModeChange::Pop => {
            stack.pop();
        }
    }
}

/// The commands of a rule: those of the first alternative that has any.
pub(crate) fn commands(grammar: &Grammar, rule: RuleId) -> &[Command] {
    let body = grammar.rule(rule).body();
    let with = grammar.alternatives(body).map(|alt| &grammar.alternative(alt).commands[..]);
    with.into_iter().find(|commands| !commands.is_empty()).unwrap_or(&[])
}

fn effect(grammar: &Grammar, rule: RuleId) -> Effect {
    let own = match grammar.rule(rule).kind {
        RuleKind::Token { token, .. } => token,
        _ => None,
    };
    let (mut more, mut skipped, mut token, mut channel) = (false, false, own, 0);
    let mut mode_changes = Vec::new();
    for command in commands(grammar, rule) {
        match *command {
            Command::Skip => (skipped, more) = (true, false),
            Command::More => (more, skipped) = (true, false),
            Command::Type(other) => (token, more, skipped) = (Some(other), false, false),
            Command::Channel(other) => channel = other,
            Command::Mode(mode) => mode_changes.push(ModeChange::To(mode)),
            Command::PushMode(mode) => mode_changes.push(ModeChange::Push(mode)),
            Command::PopMode => mode_changes.push(ModeChange::Pop),
        }
    }
    let product = match token {
        Some(token) if !skipped && channel == 0 => Product::Token(token),
        Some(token) if !skipped => Product::Hidden(token),
        _ => Product::Skipped,
    };
    Effect { more, product, mode_changes }
}
