//! Rewrites from the side file: patterns with holes, and templates.
//!
//! A pattern matches a node if its texts and what its holes take are, in order, all tokens of the node. A hole takes
//! the tokens of one node that its rule accepts, the largest first; holes of one name take the same text.

use std::ops::Range;

use polysmith_grammar::analysis::Symbol;
use polysmith_grammar::normal::Expected;
use polysmith_grammar::rewrite::{Part, Rewrite};
use polysmith_grammar::{RuleId, TokenType};

use super::Language;
use super::cut::Piece;
use super::language::Syntax;
use super::nodes::NONE;
use super::session::Session;
use crate::text::Text;

/// A rewrite, with its texts as tokens.
#[derive(Debug, Clone)]
pub(crate) struct Compiled {
    pattern: Vec<Step>,
    template: Vec<Step>,
}

#[derive(Debug, Clone)]
enum Step {
    Token(TokenType, Vec<u8>),
    /// A hole: its number in the order of first occurrence.
    Hole(usize, Option<RuleId>),
}

/// Reads the texts of a rewrite as tokens of the language. `None` if they are not.
pub(crate) fn compile(language: &mut Language, rewrite: &Rewrite) -> Option<Compiled> {
    let mut names: Vec<String> = Vec::new();
    let mut steps = |parts: &[Part]| -> Option<Vec<Step>> {
        let mut steps = Vec::new();
        for part in parts {
            match part {
                Part::Hole { name, rule } => {
                    let known = names.iter().position(|other| other == name);
                    let number = known.unwrap_or_else(|| {
                        names.push(name.clone());
                        names.len() - 1
                    });
                    steps.push(Step::Hole(number, *rule));
                }
                Part::Text(text) => {
                    let tokens = language.recognizer.tokens(text.as_bytes())?.into_iter();
                    steps.extend(tokens.map(|token| Step::Token(token.kind, token.text.to_vec())));
                }
            }
        }
        Some(steps)
    };
    Some(Compiled { pattern: steps(&rewrite.pattern)?, template: steps(&rewrite.template)? })
}

impl Compiled {
    /// What comes in the place of a node, if the pattern matches it.
    pub(super) fn replacement(&self, session: &Session<'_>, text: &Text, node: u32) -> Option<Vec<Piece>> {
        let bound = matched(session, text, node, &self.pattern)?;
        let pieces = self.template.iter().map(|step| match step {
            Step::Token(kind, word) => Some(Piece::Word(*kind, word.as_slice().into())),
            Step::Hole(number, _) => bound.get(*number).cloned().map(Piece::Tokens),
        });
        pieces.collect()
    }
}

/// How far a match is: the step, the token, what holes took so far.
struct State {
    step: usize,
    at: u32,
    bound: Vec<Range<u32>>,
}

/// What the holes of a pattern take if it matches a node.
fn matched(session: &Session<'_>, text: &Text, node: u32, pattern: &[Step]) -> Option<Vec<Range<u32>>> {
    /// States looked at for one match: holes without a rule can take very many things.
    const MOST_STATES: usize = 1_000;
    let all = &session.nodes.get(node).tokens;
    let mut open = vec![State { step: 0, at: all.start, bound: Vec::new() }];
    for _ in 0..MOST_STATES {
        let state = open.pop()?;
        let token = session.live.first_from(state.at).filter(|token| *token < all.end);
        let (Some(step), Some(token)) = (pattern.get(state.step), token) else {
            if state.step == pattern.len() && token.is_none() {
                return Some(state.bound);
            }
            continue;
        };
        match step {
            Step::Token(kind, word) => {
                if session.token_type(token) == *kind && session.show(text, token) == word {
                    open.push(State { step: state.step + 1, at: token + 1, ..state });
                }
            }
            Step::Hole(number, rule) => {
                // The largest is pushed last and so looked at first.
                for taken in nodes_at(session, token, node, *rule) {
                    let mut bound = state.bound.clone();
                    match bound.get(*number) {
                        Some(before) if !same_text(session, text, before, &taken) => continue,
                        Some(_) => {}
                        None => bound.push(taken.clone()),
                    }
                    open.push(State { step: state.step + 1, at: taken.end, bound });
                }
            }
        }
    }
    None
}

/// The nodes below one that begin at a token and that a rule accepts, from the inside out.
fn nodes_at(session: &Session<'_>, token: u32, below: u32, rule: Option<RuleId>) -> Vec<Range<u32>> {
    let Syntax { view, grammar, .. } = &session.language.syntax;
    let accepts = |node: u32| {
        let here = session.nodes.get(node);
        rule.is_none_or(|rule| {
            here.rule == Some(rule)
                || here
                    .symbol
                    .is_some_and(|found| view.accepts(grammar, Expected::Symbol(Symbol::Rule(rule)), found))
        })
    };
    let mut found = Vec::new();
    let mut node = session.nodes.leaf(token);
    while node != below && node != NONE {
        let here = session.nodes.get(node);
        if session.live.first_from(here.tokens.start) != Some(token) {
            break;
        }
        if accepts(node) {
            found.push(here.tokens.clone());
        }
        node = here.parent;
    }
    found
}

fn same_text(session: &Session<'_>, text: &Text, a: &Range<u32>, b: &Range<u32>) -> bool {
    let shown = |range: &Range<u32>| -> Vec<&[u8]> {
        session.live.tokens(range).map(|token| session.show(text, token)).collect()
    };
    shown(a) == shown(b)
}
