//! What the text before it takes away.
//!
//! A greedy loop, an optional part or an operator that can read on does so: the parser decides about it before it
//! comes to whatever stands behind, and going in is the first of its choices. So an optional part is never taken if
//! everything that can stand before it *swallows* it: ends, however it was read, with something that could have gone
//! on over its text. Then there is another tree of the same text in which that goes on and the optional part is left
//! out, and where the two trees differ first the other one takes the earlier choice. `NL*` behind a rule that ends
//! with `(';' | NL)*` is such a part.
//!
//! The same for operators of a left-recursive rule: in `u : '-' e | u '+' e` with `e : u | n` and
//! `n : ID | n '+' e` the operand `'-' e` ends with an `e`, which takes the plus. All operators of a rule are assumed
//! to be swallowed at first, and those for which it cannot be shown are let go until nothing changes. A tree with one
//! of the others has one whose left operand has none of them at its root, and that operand swallows it.

use super::{Chart, Form, Shadow, visible};
use crate::OperatorClass;
use crate::ids::{AltId, BlockId, ElementId, RuleId};
use crate::model::ElementKind;

/// Rules that are looked into one inside the other, and places that are looked at upwards. Beyond them nothing is shown.
const MOST_NESTED: usize = 100;
const MOST_PLACES: usize = 1_000;

/// Whether all texts of a part could have gone on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Swallows {
    /// Not all of them.
    No,
    /// All but the empty one.
    UnlessEmpty,
    /// All of them.
    Always,
}

impl Shadow<'_> {
    /// Whether an alternative of an optional part is swallowed wherever it stands.
    pub(super) fn is_swallowed(&self, alt: AltId) -> bool {
        let block = self.grammar.alternative(alt).block;
        let quantifier = self.grammar.block(block).quantifier;
        let (Some(place), Some(form)) = (self.uses.place(block), self.form(alt)) else { return false };
        if quantifier.min > 0 || !quantifier.greedy {
            return false;
        }
        self.holds_for_all(form, |form| self.is_never_empty(form) && self.is_swallowed_as(alt, place, form))
    }

    /// Whether a form has no empty text: going in for nothing comes before staying out.
    fn is_never_empty(&self, form: &Form) -> bool {
        form.iter().any(|kind| !self.nullable.element(self.grammar, *kind))
    }

    /// The same where its text is of this form.
    fn is_swallowed_as(&self, alt: AltId, place: ElementId, form: &Form) -> bool {
        let block = self.grammar.alternative(alt).block;
        let repeats = self.grammar.block(block).quantifier.max != Some(1);
        // A later iteration stands behind one of another kind, or behind one of this kind that is swallowed itself.
        let mut others = self.grammar.alternatives(block).filter(|other| *other != alt);
        let leaves = |other| self.alternative_swallows(other, form, &mut Vec::new()) == Swallows::No;
        !(repeats && others.any(leaves)) && self.is_swallowed_at(place, form, &mut Vec::new())
    }

    /// Whether everything that can stand before a place swallows a form.
    fn is_swallowed_at(&self, place: ElementId, form: &Form, seen: &mut Vec<ElementId>) -> bool {
        if seen.contains(&place) {
            return true;
        }
        if self.is_spent() || seen.len() == MOST_PLACES {
            return false;
        }
        seen.push(place);
        let alt = self.uses.alternative(place);
        if self.dead[alt.index()] {
            return true;
        }
        if self.begins_with_own_rule(alt) {
            // What the left operand could take is a choice of the same loop.
            return false;
        }
        let before: Vec<ElementKind> = self
            .grammar
            .element_ids(alt)
            .take_while(|id| *id != place)
            .map(|id| self.grammar.element(id).kind)
            .collect();
        match self.sequence_swallows(&before, form, &mut Vec::new()) {
            Swallows::No => return false,
            Swallows::Always => return true,
            Swallows::UnlessEmpty => {}
        }
        let block = self.grammar.alternative(alt).block;
        let rule = self.grammar.block(block).rule;
        let Some(around) = self.uses.place(block) else {
            let calls = self.uses.calls(rule);
            return rule != self.start && calls.iter().all(|call| self.is_swallowed_at(*call, form, seen));
        };
        if self.grammar.block(block).quantifier.max != Some(1) {
            let mut all = self.grammar.alternatives(block);
            if all.any(|other| self.alternative_swallows(other, form, &mut Vec::new()) == Swallows::No) {
                return false;
            }
        }
        self.is_swallowed_at(around, form, seen)
    }

    fn begins_with_own_rule(&self, alt: AltId) -> bool {
        self.class(alt).is_some_and(OperatorClass::is_left_recursive)
    }

    fn alternative_swallows(&self, alt: AltId, form: &Form, seen: &mut Vec<RuleId>) -> Swallows {
        if self.dead[alt.index()] {
            return Swallows::Always;
        }
        let kinds: Vec<ElementKind> = self.grammar.elements(alt).iter().map(|element| element.kind).collect();
        let from = usize::from(self.begins_with_own_rule(alt));
        self.sequence_swallows(&kinds[from.min(kinds.len())..], form, seen)
    }

    fn sequence_swallows(&self, kinds: &[ElementKind], form: &Form, seen: &mut Vec<RuleId>) -> Swallows {
        for kind in kinds.iter().rev().filter_map(|kind| visible(*kind)) {
            let swallows = match kind {
                ElementKind::Rule(rule) => self.rule_swallows(rule, form, seen),
                ElementKind::Block(block) => self.block_swallows(block, form, seen),
                _ => Swallows::No,
            };
            if swallows != Swallows::UnlessEmpty {
                return swallows;
            }
        }
        Swallows::UnlessEmpty
    }

    fn rule_swallows(&self, rule: RuleId, form: &Form, seen: &mut Vec<RuleId>) -> Swallows {
        if seen.contains(&rule) {
            // A smaller text of the rule, for which it holds if it holds for all.
            return if self.nullable.rule(rule) { Swallows::UnlessEmpty } else { Swallows::Always };
        }
        if self.is_spent() || seen.len() == MOST_NESTED {
            return Swallows::No;
        }
        seen.push(rule);
        let mut all = self.grammar.alternatives(self.grammar.rule(rule).body());
        let takes = |alt: AltId| {
            !self.dead[alt.index()]
                && self.class(alt) == Some(OperatorClass::Suffix)
                && Chart::new(self, form).derives_from(alt, 1)
        };
        let swallows = if all.clone().any(takes) {
            Swallows::Always
        } else {
            all.try_fold(Swallows::Always, |least, alt| match self.alternative_swallows(alt, form, seen) {
                Swallows::No => None,
                swallows => Some(least.min(swallows)),
            })
            .unwrap_or(Swallows::No)
        };
        seen.pop();
        swallows
    }

    fn block_swallows(&self, block: BlockId, form: &Form, seen: &mut Vec<RuleId>) -> Swallows {
        let quantifier = self.grammar.block(block).quantifier;
        let optional = quantifier.min == 0;
        let takes = !quantifier.is_one()
            && quantifier.greedy
            && Chart::new(self, form).derives_element(ElementKind::Block(block));
        match quantifier.max {
            None if takes => return Swallows::Always,
            None | Some(1) => {}
            Some(_) => return Swallows::No,
        }
        let inside = self
            .grammar
            .alternatives(block)
            .map(|alt| self.alternative_swallows(alt, form, seen))
            .min()
            .unwrap_or(Swallows::Always);
        match inside {
            Swallows::Always if optional && !takes => Swallows::UnlessEmpty,
            inside => inside,
        }
    }

    /// The operators of a left-recursive rule that no left operand leaves over.
    pub(super) fn swallowed_operators(&self, rule: RuleId) -> Vec<AltId> {
        let body = self.grammar.rule(rule).body();
        let open = |alt: &AltId| !self.dead[alt.index()];
        let mut closed: Vec<AltId> = self
            .grammar
            .alternatives(body)
            .filter(|alt| open(alt) && self.begins_with_own_rule(*alt))
            .collect();
        loop {
            let before = closed.clone();
            closed.retain(|operator| {
                let mut rest = self.grammar.elements(*operator).iter().skip(1);
                let form: Form = rest.by_ref().filter_map(|element| visible(element.kind)).collect();
                let operands =
                    self.grammar.alternatives(body).filter(|alt| open(alt) && !before.contains(alt));
                let mut operands = operands.peekable();
                self.is_never_empty(&form)
                    && operands.peek().is_some()
                    && operands
                        .all(|alt| self.alternative_swallows(alt, &form, &mut vec![rule]) == Swallows::Always)
            });
            if closed.len() == before.len() {
                return closed;
            }
        }
    }
}
