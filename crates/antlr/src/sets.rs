//! Groups that are sets: alternatives of one token (or one character) each.
//!
//! ANTLR's tool turns them into sets before it checks anything. This determines whether they can have a label, and
//! which messages are reported for them.

use crate::chars;
use crate::syntax::tree::{Atom, Block, Element};

/// Whether a group of a parser rule is a set of tokens.
pub(crate) fn is_token_set(block: &Block) -> bool {
    is_set(block, |element| matches!(element.atom, Atom::Token(_) | Atom::Literal(_)))
}

/// Whether a group of a lexer rule is a set of characters.
pub(crate) fn is_char_set(block: &Block) -> bool {
    is_set(block, |element| match &element.atom {
        Atom::Literal(literal) => chars::single(&literal.text).is_some(),
        Atom::Range(_) => true,
        _ => false,
    })
}

/// Whether a block has at least two alternatives, each with one element that satisfies `fits`; the first must not be
/// labelled.
fn is_set(block: &Block, fits: impl Fn(&Element) -> bool) -> bool {
    block.alternatives.len() > 1
        && block.alternatives[0].label.is_none()
        && block.alternatives.iter().all(|alternative| {
            let [element] = alternative.elements.as_slice() else { return false };
            let plain =
                element.label.is_none() && element.suffix.is_none() && alternative.commands.is_empty();
            plain && fits(element)
        })
}
