//! From a grammar to sequences without empty texts.
//!
//! Only what the start rule reaches and what has a finite text comes along; code goes. Groups become helpers, or are
//! put in place where they have one alternative. From the inside out, so no recursion.

use super::form::{Form, Item, Sequence, Symbol, dedup, filled};
use crate::analysis::{Nullable, Productive, Reach, Shapes, Uses};
use crate::ids::{AltId, BlockId, RuleId};
use crate::model::{ElementKind, Grammar};

struct Importer<'a> {
    grammar: &'a Grammar,
    nullable: Nullable,
    productive: Productive,
    shapes: Shapes,
    form: Form,
    /// By rule: its nonterminal.
    numbers: Vec<Option<usize>>,
    /// By block: its alternatives, until the place of the block takes them.
    contents: Vec<Vec<Sequence>>,
}

/// The sequences of what `start` reaches; `None` if it has no finite text.
pub(super) fn import(grammar: &Grammar, start: RuleId) -> Option<Form> {
    let uses = Uses::of(grammar);
    let productive = Productive::of(grammar, &uses);
    if !productive.rule(start) {
        return None;
    }
    let reach = Reach::from_rules(grammar, [start]);
    let names = grammar.rules().map(|rule| grammar.rule(rule).name.clone());
    let mut importer = Importer {
        nullable: Nullable::of(grammar, &uses),
        productive,
        shapes: Shapes::of(grammar),
        form: Form::new(names),
        numbers: vec![None; grammar.rules.len()],
        contents: vec![Vec::new(); grammar.n_blocks()],
        grammar,
    };
    let wanted: Vec<RuleId> = grammar.rules().filter(|rule| reach.contains(*rule)).collect();
    for rule in &wanted {
        importer.numbers[rule.index()] = Some(importer.form.declare(grammar.rule(*rule).name.clone()));
    }
    importer.form.declared = wanted.len();
    for rule in wanted {
        importer.rule(rule);
    }
    let mut form = importer.form;
    form.start = importer.numbers[start.index()].expect("the start rule reaches itself");
    form.empty = importer.nullable.rule(start);
    drop_what_is_only_empty(&mut form);
    Some(form)
}

impl Importer<'_> {
    fn rule(&mut self, rule: RuleId) {
        let number = self.numbers[rule.index()].expect("only reached rules are read");
        let blocks = self.grammar.rule(rule).blocks.clone();
        for block in BlockId::range(blocks.clone()).rev() {
            let alternatives =
                self.grammar.alternatives(block).filter(|alt| self.productive.alternative(*alt));
            let alternatives: Vec<AltId> = alternatives.collect();
            self.contents[block.index()] =
                alternatives.into_iter().map(|alt| self.sequence(number, alt)).collect();
        }
        let body = std::mem::take(&mut self.contents[blocks.start.index()]);
        let mut sequences = body.into_iter().flat_map(filled).collect();
        dedup(&mut sequences);
        self.form.rules[number] = sequences;
    }

    fn sequence(&mut self, owner: usize, alternative: AltId) -> Sequence {
        let mut sequence = Sequence::new();
        for at in 0..self.grammar.elements(alternative).len() {
            match self.grammar.elements(alternative)[at].kind {
                ElementKind::Code(_) => {}
                ElementKind::Rule(rule) => {
                    let number = self.numbers[rule.index()].expect("a reached rule calls reached rules");
                    let min = u32::from(!self.nullable.rule(rule));
                    sequence.push(Item { symbol: Symbol::Nonterminal(number), min, max: Some(1) });
                }
                ElementKind::Block(block) => self.group(owner, block, &mut sequence),
                leaf => sequence.push(Item::one(Symbol::Leaf(self.shapes.element(leaf)))),
            }
        }
        sequence
    }

    fn group(&mut self, owner: usize, block: BlockId, into: &mut Sequence) {
        let quantifier = self.grammar.block(block).quantifier;
        let mut content = std::mem::take(&mut self.contents[block.index()]);
        if quantifier.is_one() && content.len() == 1 {
            return into.append(&mut content[0]);
        }
        let nullable = self.nullable.iteration(block);
        let mut content: Vec<Sequence> = content.into_iter().flat_map(filled).collect();
        dedup(&mut content);
        if content.is_empty() || quantifier.max == Some(0) {
            return;
        }
        let symbol = self.form.symbol_for(owner, "group", content);
        let min = if nullable { 0 } else { quantifier.min };
        into.push(Item { symbol, min, max: quantifier.max });
    }
}

/// A nonterminal may have had nothing but the empty text, and is now without any: it goes, with every sequence that
/// needs it. (It was optional in all others.) Repeats until nothing changes, which is at most once per nonterminal.
fn drop_what_is_only_empty(form: &mut Form) {
    let mut alive = vec![false; form.rules.len()];
    loop {
        let needs_only_alive = |sequence: &Sequence| {
            sequence.iter().all(|item| match item.symbol {
                Symbol::Nonterminal(at) => item.min == 0 || alive[at],
                Symbol::Leaf(_) => true,
            })
        };
        let next: Vec<bool> = form.rules.iter().map(|rule| rule.iter().any(needs_only_alive)).collect();
        if next == alive {
            break;
        }
        alive = next;
    }
    for rule in &mut form.rules {
        rule.retain(|sequence| {
            sequence.iter().all(|item| match item.symbol {
                Symbol::Nonterminal(at) => item.min == 0 || alive[at],
                Symbol::Leaf(_) => true,
            })
        });
        for sequence in rule.iter_mut() {
            sequence.retain(|item| !matches!(item.symbol, Symbol::Nonterminal(at) if !alive[at]));
        }
        dedup(rule);
    }
}
