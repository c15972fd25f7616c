//! Turns the elements of an alternative into steps, and closes alternatives that have no text.

use super::{Operand, OperatorInfo, StepKind};
use polysmith_grammar::{AltId, ElementKind, Grammar, OperatorClass, RuleId, TokenType};

/// Sets the weight of every alternative to 0 that needs a token without text.
pub(super) fn close_impossible(
    grammar: &Grammar,
    mut weights: Vec<u32>,
    is_producible: &dyn Fn(TokenType) -> bool,
) -> Vec<u32> {
    for alt in (0..grammar.n_alternatives()).map(AltId::new) {
        let possible = grammar.elements(alt).iter().all(|element| match element.kind {
            ElementKind::Token(token) => token == TokenType::EOF || is_producible(token),
            ElementKind::NotTokens(_) | ElementKind::AnyToken => {
                candidates(grammar, element.kind).any(is_producible)
            }
            _ => true,
        });
        if !possible {
            weights[alt.index()] = 0;
        }
    }
    weights
}

/// The token types that an element can match.
fn candidates(grammar: &Grammar, kind: ElementKind) -> impl Iterator<Item = TokenType> + '_ {
    grammar.tokens().types().filter(move |token| match kind {
        ElementKind::NotTokens(set) => grammar.token_set(set).binary_search(token).is_err(),
        ElementKind::AnyToken => true,
        ElementKind::Token(only) => *token == only,
        _ => false,
    })
}

/// The step of an element, by its alternative and its index there. `None` for what derives no token.
pub(super) fn step_kind(
    grammar: &Grammar,
    (alt, at): (AltId, usize),
    is_producible: &dyn Fn(TokenType) -> bool,
    token_sets: &mut Vec<Vec<TokenType>>,
) -> Option<StepKind> {
    let kind = grammar.elements(alt)[at].kind;
    Some(match kind {
        ElementKind::Token(token) => StepKind::Token(token),
        ElementKind::NotTokens(_) | ElementKind::AnyToken => {
            token_sets.push(candidates(grammar, kind).filter(|token| is_producible(*token)).collect());
            StepKind::TokenSet(token_sets.len() as u32 - 1)
        }
        ElementKind::Rule(rule) => StepKind::Call(rule, operand(grammar, alt, at, rule)),
        ElementKind::Block(block) => StepKind::Group(block),
        // Token rules are walked by `lexical::token_text`, which reads the grammar itself.
        ElementKind::Chars(_) | ElementKind::Text(_) | ElementKind::Code(_) => return None,
    })
}

/// The part that a call plays in the precedence of its alternative.
fn operand(grammar: &Grammar, alt: AltId, at: usize, callee: RuleId) -> Operand {
    let block = grammar.alternative(alt).block;
    let rule = grammar.block(block).rule;
    let (Some(table), true) = (&grammar.rule(rule).recursion, callee == rule) else { return Operand::Free };
    if grammar.rule(rule).body() != block {
        return Operand::Free;
    }
    let operator = table.operators[grammar.alternative_number(alt) - 1];
    let elements = grammar.elements(alt);
    let is_code = |kind| matches!(kind, ElementKind::Code(_));
    if operator.class.is_left_recursive() && elements[..at].iter().all(|before| is_code(before.kind)) {
        return Operand::Left(operator.precedence);
    }
    let is_last = elements[at + 1..].iter().all(|after| is_code(after.kind));
    match operator.class {
        OperatorClass::Binary | OperatorClass::Prefix if is_last => Operand::Trailing(operator.operand),
        _ => Operand::Free,
    }
}

/// What an alternative is in a left-recursive rule; `None` in all other rules.
pub(super) fn operator_info(
    grammar: &Grammar,
    alt: AltId,
    recursive: &[Option<u32>],
) -> Option<OperatorInfo> {
    let block = grammar.alternative(alt).block;
    let rule = grammar.rule(grammar.block(block).rule);
    let table = rule.recursion.as_ref().filter(|_| rule.body() == block)?;
    let operator = table.operators[grammar.alternative_number(alt) - 1];
    let has_trailing = matches!(operator.class, OperatorClass::Binary | OperatorClass::Prefix);
    Some(OperatorInfo {
        rule: recursive[grammar.block(block).rule.index()]?,
        is_left_recursive: operator.class.is_left_recursive(),
        precedence: operator.precedence,
        trailing: has_trailing.then_some(operator.operand),
    })
}
