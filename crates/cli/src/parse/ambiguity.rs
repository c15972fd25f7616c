//! Prints ambiguities: the chosen tree, and another one for the same text.

use super::one::sexpr;
use polysmith_grammar::RuleId;
use polysmith_parse::{
    Ambiguity, ForcedAlternative, Limits, ParseError, ParseOptions, Parsed, Parser, Positions, Profile,
};
use polysmith_tree::{Kind, NodeId, Tree, TreeBuilder};

/// The maximum number of ambiguities printed per file; the rest is counted.
const SHOWN: usize = 5;

/// One text per ambiguity, each decision once.
pub(super) fn show(
    parser: &mut Parser,
    start: RuleId,
    text: &str,
    limits: &Limits,
    parsed: &Parsed,
    profile: &Profile,
) -> Result<Vec<String>, ParseError> {
    let mut seen: Vec<usize> = Vec::new();
    let mut shown = Vec::new();
    for found in profile.ambiguities() {
        if seen.contains(&found.decision) {
            continue;
        }
        seen.push(found.decision);
        if seen.len() > SHOWN {
            continue;
        }
        if let Some(other) = other_tree(parser, start, text, limits, &parsed.tree, found)? {
            shown.push(describe(parser, text, parsed, &other, found));
        }
    }
    if seen.len() > SHOWN {
        shown.push(format!("{} more decisions are ambiguous in this file", seen.len() - SHOWN));
    }
    Ok(shown)
}

/// The first alternative that leads to another tree without more errors.
fn other_tree(
    parser: &mut Parser,
    start: RuleId,
    text: &str,
    limits: &Limits,
    tree: &Tree,
    found: &Ambiguity,
) -> Result<Option<Tree>, ParseError> {
    for alt in 1..=parser.decisions().n_alternatives(found.decision) {
        let Ok(alt) = u16::try_from(alt) else { break };
        let forced = ForcedAlternative { decision: found.decision, token: found.token, alternative: alt };
        let options = ParseOptions { forced: Some(forced), ..ParseOptions::default() };
        let other = parser.parse_with(start, text, limits, options)?;
        if other.accepted() && other.tree != *tree {
            return Ok(Some(other.tree));
        }
    }
    Ok(None)
}

fn describe(parser: &Parser, text: &str, parsed: &Parsed, other: &Tree, found: &Ambiguity) -> String {
    let on_channel: Vec<_> = parsed.lexed.tokens.iter().filter(|token| token.channel == 0).collect();
    let offset = on_channel.get(found.token).map_or(text.len(), |token| token.start as usize);
    let (line, column) = Positions::new(text).human(offset);
    let (rule, _) = parser.decisions().location(found.decision);
    let (one, two) = differing(&parsed.tree, other);
    format!(
        "{line}:{column}: rule `{}` can be read in two ways\n  taken: {}\n  other: {}",
        parser.grammar().rule(rule).name,
        sexpr(&one, parser),
        sexpr(&two, parser)
    )
}

/// The smallest rules in which two trees differ.
fn differing(a: &Tree, b: &Tree) -> (Tree, Tree) {
    let (mut x, mut y) = (NodeId::ROOT, NodeId::ROOT);
    let (mut rule_x, mut rule_y) = (x, y);
    loop {
        if matches!(a.kind(x), Kind::Rule { .. }) {
            (rule_x, rule_y) = (x, y);
        }
        let (xs, ys): (Vec<NodeId>, Vec<NodeId>) = (a.children(x).collect(), b.children(y).collect());
        if xs.len() != ys.len() {
            break;
        }
        let differs = |(p, q): &(&NodeId, &NodeId)| a.digest(**p) != b.digest(**q);
        let pairs: Vec<(&NodeId, &NodeId)> = xs.iter().zip(&ys).filter(differs).collect();
        match pairs[..] {
            [(p, q)] if same_shape(a.kind(*p), b.kind(*q)) => (x, y) = (*p, *q),
            _ => break,
        }
    }
    (part(a, rule_x), part(b, rule_y))
}

/// Whether both are rules, lists or items, and of the same rule or group.
fn same_shape(a: Kind, b: Kind) -> bool {
    match (a, b) {
        (Kind::Rule { rule: a, .. }, Kind::Rule { rule: b, .. }) => a == b,
        (Kind::List { block: a }, Kind::List { block: b }) => a == b,
        (Kind::Item { .. }, Kind::Item { .. }) => true,
        _ => false,
    }
}

fn part(tree: &Tree, node: NodeId) -> Tree {
    let mut builder = TreeBuilder::new();
    builder.subtree(tree, node);
    builder.finish()
}
