//! Alternatives that a parser with ordered choice never takes, shown and not guessed.
//!
//! Where several alternatives of a decision can read the input to its end, ANTLR takes the first of them. So an
//! alternative is *shadowed* if an earlier one of the same decision derives everything that it derives: that one
//! is there whenever the later one is. The same from further up: if an alternative `A` of a rule occurs only
//! through calls, and at each call an earlier alternative of the caller derives the caller with `A` in place of the
//! call, then `A` is never taken either; and what only shadowed alternatives lead to is never reached.
//!
//! "Derives" is decided on *forms*: sequences of tokens, rules and groups. A form is derived by an alternative if a
//! chart over its places says so, rules and groups of the form standing for themselves; if not, one of them is
//! written out in all ways, and each of the longer forms must be derived. Everything is bounded by named limits;
//! beyond them nothing is shown. Operators of left-recursive rules are not compared, for their operands are not
//! whole rules; they and optional parts may be *swallowed* by what stands before them ([`swallow`]).

mod swallow;

use super::nullable::Nullable;
use super::shape::Shapes;
use super::uses::Uses;
use crate::coverage::Times;
use crate::ids::{AltId, BlockId, ElementId, RuleId};
use crate::model::{Element, ElementKind, Grammar, Quantifier};
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// The longest form.
const MOST_PARTS: usize = 24;
/// Forms for one comparison of two alternatives.
const MOST_FORMS: usize = 120;
/// Entries of a chart.
const MOST_ENTRIES: usize = 4_000;
/// Loops that are compared with loops, one inside the other.
const MOST_LOOPS: usize = 2;
/// Calls that are followed upwards.
const MOST_CALLS: usize = 4;
/// Ways upwards for one alternative.
const MOST_WAYS: usize = 200;
/// Entries looked at for one alternative.
const MOST_WORK: u64 = 300_000;
/// Entries looked at for all of them.
const ALL_WORK: u64 = 30_000_000;

/// What is never taken.
#[derive(Debug)]
pub struct Shadow<'a> {
    grammar: &'a Grammar,
    uses: &'a Uses,
    shapes: Shapes,
    nullable: Nullable,
    start: RuleId,
    /// By alternative: it is known to be never taken.
    dead: Vec<bool>,
    /// Entries of charts looked at: in all, and when the present question began.
    work: Cell<u64>,
    began: Cell<u64>,
    /// Loops that are being compared, one inside the other.
    depth: Cell<usize>,
}

type Form = Vec<ElementKind>;

impl<'a> Shadow<'a> {
    /// Nothing is known yet, except for alternatives that are closed or out of reach anyway.
    pub fn new(
        grammar: &'a Grammar,
        uses: &'a Uses,
        start: RuleId,
        closed: &dyn Fn(AltId) -> bool,
    ) -> Shadow<'a> {
        let dead = (0..grammar.n_alternatives()).map(|at| closed(AltId::new(at))).collect();
        let (work, began, depth) = (Cell::new(0), Cell::new(0), Cell::new(0));
        let nullable = Nullable::of(grammar, uses);
        Shadow { grammar, uses, shapes: Shapes::of(grammar), nullable, start, dead, work, began, depth }
    }

    /// An alternative is known to be never taken for another reason.
    pub fn bury(&mut self, alt: AltId) {
        self.dead[alt.index()] = true;
    }

    /// Whether an alternative was shown to be never taken.
    pub fn is_dead(&self, alt: AltId) -> bool {
        self.dead[alt.index()]
    }

    /// Tries to show it for some alternatives, again and again until nothing more follows; true if anything did.
    pub fn show(&mut self, suspects: &[AltId]) -> bool {
        let mut any = false;
        let mut changed = true;
        while changed {
            changed = false;
            for alt in suspects {
                if !self.dead[alt.index()] && (self.is_shadowed(*alt) || self.is_taken_away(*alt)) {
                    self.dead[alt.index()] = true;
                    changed = true;
                }
            }
            any |= changed;
        }
        any
    }

    /// Whether a group is never repeated so often, in no place where it stands.
    pub fn never_counts(&self, block: BlockId, times: Times) -> bool {
        let (Some(place), quantifier) = (self.uses.place(block), self.grammar.block(block).quantifier) else {
            return false;
        };
        self.began.set(self.work.get());
        let items: Vec<AltId> =
            self.grammar.alternatives(block).filter(|alt| !self.dead[alt.index()]).collect();
        let mut ways = MOST_WAYS;
        let mut never = |form: &Form| self.never_at(place, form, MOST_CALLS, &mut ways);
        match times {
            // An empty iteration comes before none at all.
            Times::Never => {
                let nothing = |alt: &AltId| Chart::new(self, &Form::new()).derives(*alt);
                (quantifier.greedy && items.iter().any(nothing)) || never(&Form::new())
            }
            Times::Once => items.iter().all(|alt| self.form(*alt).is_some_and(|form| never(&form))),
            Times::Many => items.is_empty(),
        }
    }

    /// Whether the work for the present question, or all of it, is spent.
    fn is_spent(&self) -> bool {
        self.work.get() > ALL_WORK || self.work.get() - self.began.get() > MOST_WORK
    }

    fn is_shadowed(&self, alt: AltId) -> bool {
        self.began.set(self.work.get());
        let mut ways = MOST_WAYS;
        match self.form(alt) {
            Some(form) if !self.is_operator(alt) => self.never(alt, &form, MOST_CALLS, &mut ways),
            _ => false,
        }
    }

    /// Whether what stands before an alternative always takes its text.
    fn is_taken_away(&self, alt: AltId) -> bool {
        self.began.set(self.work.get());
        match self.class(alt) {
            Some(class) if class.is_left_recursive() => {
                let rule = self.grammar.block(self.grammar.alternative(alt).block).rule;
                self.swallowed_operators(rule).contains(&alt)
            }
            _ => self.is_swallowed(alt),
        }
    }

    /// Whether an alternative, read as this form, is never taken.
    fn never(&self, alt: AltId, form: &Form, calls: usize, ways: &mut usize) -> bool {
        if self.dead[alt.index()] {
            return true;
        }
        if form.len() > MOST_PARTS || *ways == 0 || self.is_spent() {
            return false;
        }
        *ways -= 1;
        if self.is_operator(alt) {
            return false;
        }
        let block = self.grammar.alternative(alt).block;
        let mut earlier = self.grammar.alternatives(block).take_while(|other| *other != alt);
        if earlier.any(|other| !self.is_operator(other) && self.derives_all(other, form.clone())) {
            return true;
        }
        if calls == 0 {
            return false;
        }
        // Upwards: the group that the alternative stands in, or all calls of its rule.
        let rule = self.grammar.block(block).rule;
        if self.grammar.rule(rule).body() != block {
            let once = self.grammar.block(block).quantifier.max == Some(1);
            return once
                && self.uses.place(block).is_some_and(|place| self.never_at(place, form, calls, ways));
        }
        let places = self.uses.calls(rule);
        self.start != rule
            && self.grammar.rule(rule).recursion.is_none()
            && places.iter().all(|place| self.never_at(*place, form, calls - 1, ways))
    }

    /// The same for what stands around a place, with the form in place of it.
    fn never_at(&self, place: ElementId, form: &Form, calls: usize, ways: &mut usize) -> bool {
        let alt = self.uses.alternative(place);
        let mut whole = Form::new();
        for id in self.grammar.element_ids(alt) {
            if id == place {
                whole.extend(form);
            } else {
                whole.extend(visible(self.grammar.element(id).kind));
            }
        }
        self.never(alt, &whole, calls, ways)
    }

    fn is_operator(&self, alt: AltId) -> bool {
        self.class(alt).is_some_and(|class| class != crate::OperatorClass::Primary)
    }

    /// How an alternative of a left-recursive rule takes part; `None` for all others.
    fn class(&self, alt: AltId) -> Option<crate::OperatorClass> {
        let block = self.grammar.alternative(alt).block;
        let rule = self.grammar.rule(self.grammar.block(block).rule);
        let table = rule.recursion.as_ref().filter(|_| rule.body() == block)?;
        Some(table.operators[self.grammar.alternative_number(alt) - 1].class)
    }

    fn form(&self, alt: AltId) -> Option<Form> {
        let form: Form =
            self.grammar.elements(alt).iter().flat_map(|element| visible(element.kind)).collect();
        (form.len() <= MOST_PARTS).then_some(form)
    }

    /// Whether an alternative derives a form, written out as far as needed.
    fn derives_all(&self, alt: AltId, form: Form) -> bool {
        self.holds_for_all(form, |form| Chart::new(self, form).derives(alt))
    }

    /// Whether something holds for a form, written out as far as needed.
    fn holds_for_all(&self, form: Form, holds: impl Fn(&Form) -> bool) -> bool {
        let mut todo = vec![form];
        let mut looked_at = 0;
        while let Some(form) = todo.pop() {
            looked_at += 1;
            if looked_at + todo.len() > MOST_FORMS || form.len() > MOST_PARTS || self.is_spent() {
                return false;
            }
            if holds(&form) {
                continue;
            }
            match self.written_out(&form) {
                Some(longer) => todo.extend(longer),
                None => return false,
            }
        }
        true
    }

    /// The forms that a form becomes when a rule or group of it, one with few alternatives, is replaced by all that it
    /// can be.
    fn written_out(&self, form: &Form) -> Option<Vec<Form>> {
        let block_of = |kind: &ElementKind| match *kind {
            ElementKind::Rule(rule) if self.grammar.rule(rule).recursion.is_none() => {
                Some(self.grammar.rule(rule).body())
            }
            ElementKind::Block(block) if self.grammar.block(block).quantifier.max == Some(1) => Some(block),
            _ => None,
        };
        let open = |block: BlockId| self.grammar.alternatives(block).filter(|alt| !self.dead[alt.index()]);
        let (at, block) = form
            .iter()
            .enumerate()
            .filter_map(|(at, kind)| block_of(kind).map(|block| (at, block)))
            .min_by_key(|(at, block)| (open(*block).count(), *at))?;
        let splice = |middle: &[ElementKind]| [&form[..at], middle, &form[at + 1..]].concat();
        let mut found = Vec::new();
        for alt in open(block) {
            found.push(splice(&self.form(alt)?));
        }
        if self.grammar.block(block).quantifier.min == 0 {
            found.push(splice(&[]));
        }
        Some(found)
    }

    /// Whether one loop takes all that another loop does: each iteration of the one can be one of the other.
    fn repeats_all(&self, wanted: BlockId, there: BlockId) -> bool {
        let (ours, theirs) = (self.grammar.block(wanted).quantifier, self.grammar.block(there).quantifier);
        if ours.max.is_some()
            || theirs.max.is_some()
            || ours.min > theirs.min
            || self.depth.get() > MOST_LOOPS
        {
            return false;
        }
        self.depth.set(self.depth.get() + 1);
        let mut items = self.grammar.alternatives(there).filter(|alt| !self.dead[alt.index()]);
        let all = items.all(|item| {
            let mut open = self.grammar.alternatives(wanted).filter(|alt| !self.dead[alt.index()]);
            self.form(item).is_some_and(|form| open.any(|alt| self.derives_all(alt, form.clone())))
        });
        self.depth.set(self.depth.get() - 1);
        all
    }
}

/// Target code is empty text.
fn visible(kind: ElementKind) -> Option<ElementKind> {
    (!matches!(kind, ElementKind::Code(_))).then_some(kind)
}

/// Where the parts of a grammar can end in a form, by the part and where it begins: least sets, found by going
/// over the entries until nothing changes. A set is a mask of places.
struct Chart<'a> {
    shadow: &'a Shadow<'a>,
    form: &'a Form,
    masks: FxHashMap<(BlockId, u32), u32>,
    order: Vec<(BlockId, u32)>,
}

impl<'a> Chart<'a> {
    fn new(shadow: &'a Shadow<'a>, form: &'a Form) -> Chart<'a> {
        Chart { shadow, form, masks: FxHashMap::default(), order: Vec::new() }
    }

    /// Whether an alternative derives the form.
    fn derives(&mut self, alt: AltId) -> bool {
        self.derives_from(alt, 0)
    }

    /// Whether the parts of an alternative do, from one of them on.
    fn derives_from(&mut self, alt: AltId, from: usize) -> bool {
        let elements = &self.shadow.grammar.elements(alt)[from..];
        self.complete(|chart| chart.elements(elements, 0))
    }

    /// Whether one part derives the form.
    fn derives_element(&mut self, kind: ElementKind) -> bool {
        self.complete(|chart| chart.element(kind, 0))
    }

    /// Fills the chart until something ends with the form, or nothing changes any more.
    fn complete(&mut self, ends: impl Fn(&mut Chart<'a>) -> u32) -> bool {
        if self.form.len() > MOST_PARTS {
            return false;
        }
        let whole = 1_u32 << self.form.len();
        loop {
            let mut changed = false;
            if ends(self) & whole != 0 {
                return true;
            }
            let mut at = 0;
            while let Some((block, from)) = self.order.get(at).copied() {
                at += 1;
                self.shadow.work.set(self.shadow.work.get() + 1);
                let before = self.masks[&(block, from)];
                let mut mask = before;
                for alt in self.shadow.grammar.alternatives(block) {
                    if !self.shadow.dead[alt.index()] {
                        mask |= self.sequence(alt, from);
                    }
                }
                if mask != before {
                    self.masks.insert((block, from), mask);
                    changed = true;
                }
                if self.order.len() > MOST_ENTRIES || self.shadow.is_spent() {
                    return false;
                }
            }
            if !changed {
                return ends(self) & whole != 0;
            }
        }
    }

    /// Where an alternative can end that begins at a place.
    fn sequence(&mut self, alt: AltId, from: u32) -> u32 {
        self.elements(self.shadow.grammar.elements(alt), from)
    }

    fn elements(&mut self, elements: &[Element], from: u32) -> u32 {
        let mut ends = 1_u32 << from;
        for element in elements {
            let mut next = 0;
            for place in places(ends) {
                next |= self.element(element.kind, place);
            }
            ends = next;
            if ends == 0 {
                break;
            }
        }
        ends
    }

    fn element(&mut self, kind: ElementKind, from: u32) -> u32 {
        let itself = match self.form.get(from as usize) {
            Some(there) if self.same(kind, *there) => 2_u32 << from,
            _ => 0,
        };
        itself
            | match kind {
                ElementKind::Rule(rule) => self.once(self.body(rule), from),
                ElementKind::Block(block) => {
                    self.repeated(block, self.shadow.grammar.block(block).quantifier, from)
                }
                ElementKind::Code(code) if !self.shadow.grammar.code(code).is_never() => 1 << from,
                _ => 0,
            }
    }

    fn body(&self, rule: RuleId) -> BlockId {
        self.shadow.grammar.rule(rule).body()
    }

    /// Whether what stands in the form is always what is wanted.
    fn same(&self, wanted: ElementKind, there: ElementKind) -> bool {
        if self.shadow.shapes.element(wanted) == self.shadow.shapes.element(there) {
            return true;
        }
        match (wanted, there) {
            (ElementKind::AnyToken, ElementKind::Token(token)) => token != crate::TokenType::EOF,
            (ElementKind::NotTokens(set), ElementKind::Token(token)) => {
                token != crate::TokenType::EOF && !self.shadow.grammar.token_set(set).contains(&token)
            }
            (ElementKind::Block(wanted), ElementKind::Block(there)) => self.shadow.repeats_all(wanted, there),
            _ => false,
        }
    }

    fn repeated(&mut self, block: BlockId, quantifier: Quantifier, from: u32) -> u32 {
        let mut all = 0;
        let mut ends = 1_u32 << from;
        let mut count = 0;
        loop {
            if count >= quantifier.min {
                all |= ends;
            }
            if quantifier.max.is_some_and(|max| count >= max) {
                return all;
            }
            let mut next = 0;
            for place in places(ends) {
                next |= self.once(block, place);
            }
            if next == 0 || (count >= quantifier.min && next & !all == 0) {
                return all;
            }
            ends = next;
            count += 1;
        }
    }

    /// One iteration, as far as is known by now.
    fn once(&mut self, block: BlockId, from: u32) -> u32 {
        if let Some(mask) = self.masks.get(&(block, from)) {
            return *mask;
        }
        self.masks.insert((block, from), 0);
        self.order.push((block, from));
        0
    }
}

fn places(mask: u32) -> impl Iterator<Item = u32> {
    (0..u32::BITS).filter(move |place| mask & (1 << place) != 0)
}
