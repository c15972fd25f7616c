//! The most tokens of rules, alternatives and groups. Whatever is recursive counts as unbounded.

use super::UNBOUNDED;
use super::curves::Curves;
use polysmith_grammar::analysis::{Components, Uses};
use polysmith_grammar::{BlockId, ElementKind, Grammar, RuleId, TokenType};

/// The most tokens, [`UNBOUNDED`] where there is no limit.
pub(super) struct Maxima {
    rules: Vec<u32>,
    pub(super) alternatives: Vec<u32>,
    /// By block: of one iteration.
    pub(super) items: Vec<u32>,
}

impl Maxima {
    pub(super) fn of(grammar: &Grammar, uses: &Uses, curves: &Curves) -> Maxima {
        let mut maxima = Maxima {
            rules: vec![0; grammar.rules().len()],
            alternatives: vec![0; grammar.n_alternatives()],
            items: vec![0; grammar.n_blocks()],
        };
        let components = Components::of_calls(grammar, uses);
        for component in 0..components.len() {
            let rules: Vec<RuleId> = components.nodes(component).map(RuleId::new).collect();
            for rule in &rules {
                if rules.len() > 1 || calls_itself(grammar, *rule) {
                    maxima.rules[rule.index()] = UNBOUNDED;
                }
            }
            for rule in &rules {
                let value = maxima.body(grammar, curves, *rule);
                if maxima.rules[rule.index()] != UNBOUNDED {
                    maxima.rules[rule.index()] = value;
                }
            }
        }
        maxima
    }

    fn body(&mut self, grammar: &Grammar, curves: &Curves, rule: RuleId) -> u32 {
        for block in BlockId::range(grammar.rule(rule).blocks.clone()).rev() {
            let mut largest = 0;
            for alt in grammar.alternatives(block) {
                if curves.alternatives[alt.index()].least_tokens().is_some() {
                    let elements = grammar.elements(alt).iter();
                    let sizes = elements.map(|element| self.element(grammar, element.kind));
                    let total = sizes.fold(0_u32, u32::saturating_add);
                    self.alternatives[alt.index()] = total;
                    largest = largest.max(total);
                }
            }
            self.items[block.index()] = largest;
        }
        self.items[grammar.rule(rule).body().index()]
    }

    /// The most tokens of one element.
    pub(super) fn element(&self, grammar: &Grammar, kind: ElementKind) -> u32 {
        match kind {
            ElementKind::Rule(rule) => self.rules[rule.index()],
            ElementKind::Block(block) => {
                match (self.items[block.index()], grammar.block(block).quantifier.max) {
                    (0, _) => 0,
                    (_, None) => UNBOUNDED,
                    (item, Some(max)) => item.saturating_mul(max),
                }
            }
            ElementKind::Code(_) | ElementKind::Token(TokenType::EOF) => 0,
            _ => 1,
        }
    }
}

fn calls_itself(grammar: &Grammar, rule: RuleId) -> bool {
    BlockId::range(grammar.rule(rule).blocks.clone())
        .flat_map(|block| grammar.alternatives(block))
        .flat_map(|alt| grammar.elements(alt))
        .any(|element| element.kind == ElementKind::Rule(rule))
}
