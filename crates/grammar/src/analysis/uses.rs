//! Who mentions whom: the grammar read backwards.

use crate::ids::{AltId, BlockId, ElementId, RuleId};
use crate::model::{ElementKind, Grammar};

/// For each rule the places that call it, for each group the place where it stands, for each place its
/// alternative. Built in one pass over the elements.
#[derive(Debug, Clone)]
pub struct Uses {
    /// Calls sorted by callee; those of rule `r` are `calls[starts[r]..starts[r + 1]]`.
    calls: Vec<ElementId>,
    starts: Vec<u32>,
    place_of_block: Vec<Option<ElementId>>,
    alternative_of: Vec<AltId>,
}

impl Uses {
    /// Reads a grammar backwards.
    pub fn of(grammar: &Grammar) -> Uses {
        let mut starts = vec![0; grammar.rules.len() + 1];
        for element in &grammar.elements {
            if let ElementKind::Rule(rule) = element.kind {
                starts[rule.index() + 1] += 1;
            }
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut free = starts.clone();
        let mut calls = vec![ElementId::new(0); starts[grammar.rules.len()] as usize];
        let mut place_of_block = vec![None; grammar.blocks.len()];
        for (at, element) in grammar.elements.iter().enumerate() {
            match element.kind {
                ElementKind::Rule(rule) => {
                    let slot = &mut free[rule.index()];
                    calls[*slot as usize] = ElementId::new(at);
                    *slot += 1;
                }
                ElementKind::Block(block) => place_of_block[block.index()] = Some(ElementId::new(at)),
                _ => {}
            }
        }
        let mut alternative_of = vec![AltId::new(0); grammar.elements.len()];
        for (at, alternative) in grammar.alternatives.iter().enumerate() {
            for element in ElementId::range(alternative.elements.clone()) {
                alternative_of[element.index()] = AltId::new(at);
            }
        }
        Uses { calls, starts, place_of_block, alternative_of }
    }

    /// The places that call a rule, in the order of the text.
    pub fn calls(&self, rule: RuleId) -> &[ElementId] {
        &self.calls[self.starts[rule.index()] as usize..self.starts[rule.index() + 1] as usize]
    }

    /// Where a group stands; `None` for the body of a rule.
    pub fn place(&self, block: BlockId) -> Option<ElementId> {
        self.place_of_block[block.index()]
    }

    /// The alternative that a place is part of.
    pub fn alternative(&self, element: ElementId) -> AltId {
        self.alternative_of[element.index()]
    }
}
