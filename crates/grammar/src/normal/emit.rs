//! From sequences back to a grammar: what is reached, each quantified item of a longer sequence a rule of its own.

use super::form::{Form, Item, Sequence, Symbol};
use crate::builder::{Alt, Builder, DraftBlock, Part};
use crate::ids::{BlockId, RuleId};
use crate::model::{ElementKind, Grammar, Quantifier, RuleKind};
use rustc_hash::FxHashMap;

struct Emitter<'a> {
    form: Form,
    b: Builder,
    rules: Vec<Option<RuleId>>,
    /// Rules for quantified items, with what they need to be written.
    quantified: FxHashMap<Item, RuleId>,
    pending: Vec<(RuleId, Item)>,
    grammar: &'a Grammar,
}

pub(super) fn emit(grammar: &Grammar, form: &Form) -> Grammar {
    let mut b = Builder::new(grammar.name());
    b.copy_vocabulary(grammar);
    let mut form = form.clone();
    let reached = reached(&form);
    let start = form.empty.then(|| {
        let name = format!("{}_or_nothing", form.names[form.start]);
        b.rule(form.fresh(&name))
    });
    let rules: Vec<Option<RuleId>> =
        (0..form.rules.len()).map(|at| reached[at].then(|| b.rule(form.names[at].clone()))).collect();
    let mut emitter =
        Emitter { form, b, rules, quantified: FxHashMap::default(), pending: Vec::new(), grammar };
    let first = emitter.rules[emitter.form.start].expect("the start is reached");
    if let Some(start) = start {
        emitter.b.body(start, [Alt::of([first.into()]), Alt::default()]);
        emitter.b.start(start);
    } else {
        emitter.b.start(first);
    }
    emitter.write();
    emitter.lexer();
    emitter.b.finish()
}

/// Nonterminals that the start leads to.
fn reached(form: &Form) -> Vec<bool> {
    let mut reached = vec![false; form.rules.len()];
    reached[form.start] = true;
    let mut open = vec![form.start];
    while let Some(at) = open.pop() {
        for item in form.rules[at].iter().flatten() {
            if let Symbol::Nonterminal(to) = item.symbol
                && !std::mem::replace(&mut reached[to], true)
            {
                open.push(to);
            }
        }
    }
    reached
}

impl Emitter<'_> {
    fn write(&mut self) {
        for at in 0..self.rules.len() {
            let Some(rule) = self.rules[at] else { continue };
            let sequences = std::mem::take(&mut self.form.rules[at]);
            let alternatives: Vec<Alt> =
                sequences.iter().map(|sequence| self.alternative(at, sequence)).collect();
            self.b.body(rule, alternatives);
        }
        while let Some((rule, item)) = self.pending.pop() {
            let block = self.block(item);
            self.b.body(rule, [Alt::of([block.into()])]);
        }
    }

    fn alternative(&mut self, owner: usize, sequence: &Sequence) -> Alt {
        if let [item] = sequence.as_slice()
            && !item.is_one()
        {
            return Alt::of([Part::from(self.block(*item))]);
        }
        Alt::of(sequence.iter().map(|item| self.part(owner, *item)).collect::<Vec<_>>())
    }

    fn part(&mut self, owner: usize, item: Item) -> Part {
        if item.is_one() {
            return self.symbol(item.symbol);
        }
        if let Some(rule) = self.quantified.get(&item) {
            return (*rule).into();
        }
        let suffix = match (item.min, item.max) {
            (0, Some(1)) => "opt",
            (0, None) => "star",
            (1, None) => "plus",
            _ => "times",
        };
        let owner = match item.symbol {
            Symbol::Nonterminal(at) if at < self.form.declared => at,
            _ => owner,
        };
        let name = self.form.fresh(&format!("{}_{suffix}", self.form.names[owner]));
        let rule = self.b.rule(name);
        self.quantified.insert(item, rule);
        self.pending.push((rule, item));
        rule.into()
    }

    fn block(&mut self, item: Item) -> DraftBlock {
        let part = self.symbol(item.symbol);
        self.b.block(item.quantifier(), [Alt::of([part])])
    }

    fn symbol(&mut self, symbol: Symbol) -> Part {
        match symbol {
            Symbol::Nonterminal(at) => self.rules[at].expect("what is reached is declared").into(),
            Symbol::Leaf(ElementKind::NotTokens(set)) => {
                let set = self.grammar.token_set(set).to_vec();
                self.b.not_tokens(set)
            }
            Symbol::Leaf(kind) => Part::new(kind),
        }
    }

    /// Token rules and fragments, as they are.
    fn lexer(&mut self) {
        let grammar = self.grammar;
        let tokens = || grammar.rules().filter(|rule| grammar.rule(*rule).kind != RuleKind::Parser);
        let mut numbers: FxHashMap<RuleId, RuleId> = FxHashMap::default();
        for rule in tokens() {
            let name = grammar.rule(rule).name.clone();
            let new = match grammar.rule(rule).kind {
                RuleKind::Token { token, mode } => self.b.token_rule(name, token, mode),
                _ => self.b.fragment(name),
            };
            numbers.insert(rule, new);
        }
        for rule in tokens() {
            self.copy_body(rule, &numbers);
        }
    }

    /// Inner groups have higher numbers: made first.
    fn copy_body(&mut self, rule: RuleId, numbers: &FxHashMap<RuleId, RuleId>) {
        let grammar = self.grammar;
        let blocks = grammar.rule(rule).blocks.clone();
        let mut made: FxHashMap<BlockId, DraftBlock> = FxHashMap::default();
        for block in BlockId::range(blocks.clone()).rev() {
            let mut alternatives = Vec::new();
            for alt in grammar.alternatives(block) {
                let mut parts = Vec::new();
                for element in grammar.elements(alt) {
                    parts.push(match element.kind {
                        ElementKind::Block(inner) => made.remove(&inner).expect("made before").into(),
                        ElementKind::Rule(callee) => numbers[&callee].into(),
                        ElementKind::Chars(set) => self.b.chars(grammar.chars(set).clone()).into(),
                        ElementKind::Text(text) => self.b.text(grammar.text(text)).into(),
                        ElementKind::Code(code) => self.b.code(grammar.code(code).clone()).into(),
                        kind => Part::new(kind),
                    });
                }
                alternatives.push(Alt::of(parts).commands(grammar.alternative(alt).commands.clone()));
            }
            if block == blocks.start {
                self.b.body(numbers[&rule], alternatives);
            } else {
                let quantifier: Quantifier = grammar.block(block).quantifier;
                made.insert(block, self.b.block(quantifier, alternatives));
            }
        }
    }
}
