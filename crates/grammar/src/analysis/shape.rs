//! Which groups are written alike.
//!
//! From the inside out each group is looked up by its quantifier and the canonical forms of its parts; the first
//! of equal groups stands for all of them. Labels, options and lexer commands do not count. Linear.

use crate::ids::{AltId, BlockId, CodeId, TextId, TokenSetId};
use crate::model::{ElementKind, Grammar, Quantifier};
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// A part of an alternative in canonical form: parts are written alike if and only if these are equal.
pub type Shape = ElementKind;

/// The representative of every group, set, text and piece of code.
#[derive(Debug, Clone)]
pub struct Shapes {
    blocks: Vec<BlockId>,
    token_sets: Vec<TokenSetId>,
    texts: Vec<TextId>,
    code: Vec<CodeId>,
}

impl Shapes {
    /// Compares everything with everything.
    pub fn of(grammar: &Grammar) -> Shapes {
        let mut shapes = Shapes {
            blocks: vec![BlockId::new(0); grammar.n_blocks()],
            token_sets: first_equal(&grammar.token_sets, TokenSetId::new),
            texts: first_equal(&grammar.texts, TextId::new),
            code: first_equal(&grammar.code, CodeId::new),
        };
        let mut seen: FxHashMap<(Quantifier, Vec<Vec<Shape>>), BlockId> = FxHashMap::default();
        for block in (0..grammar.n_blocks()).rev().map(BlockId::new) {
            let alternatives =
                grammar.alternatives(block).map(|alt| shapes.alternative(grammar, alt)).collect();
            let key = (grammar.block(block).quantifier, alternatives);
            shapes.blocks[block.index()] = *seen.entry(key).or_insert(block);
        }
        shapes
    }

    /// The canonical form of a part.
    pub fn element(&self, kind: ElementKind) -> Shape {
        match kind {
            ElementKind::Block(block) => ElementKind::Block(self.blocks[block.index()]),
            ElementKind::NotTokens(set) => ElementKind::NotTokens(self.token_sets[set.index()]),
            ElementKind::Text(text) => ElementKind::Text(self.texts[text.index()]),
            ElementKind::Code(code) => ElementKind::Code(self.code[code.index()]),
            same => same,
        }
    }

    /// The canonical forms of the parts of an alternative.
    pub fn alternative(&self, grammar: &Grammar, alternative: AltId) -> Vec<Shape> {
        grammar.elements(alternative).iter().map(|element| self.element(element.kind)).collect()
    }
}

fn first_equal<T: Hash + Eq, Id: Copy>(all: &[T], id: impl Fn(usize) -> Id) -> Vec<Id> {
    let mut seen: FxHashMap<&T, Id> = FxHashMap::default();
    all.iter().enumerate().map(|(at, item)| *seen.entry(item).or_insert(id(at))).collect()
}
