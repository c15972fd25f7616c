//! `match`: the tests of each arm in order, each jumping to the next arm when it fails.

use super::Unit;
use super::liveness::binders;
use crate::code::{Ins, Reg};
use crate::core::{Arm, Core, CoreId, Fit};
use polysmith_source::Span;
use rustc_hash::FxHashSet;

/// Where a value lies, and whether a variable may keep lying there.
#[derive(Clone, Copy)]
struct Place {
    at: Reg,
    /// A temporary of this match: nobody moves it away.
    own: bool,
}

impl Unit<'_> {
    /// The value of the first arm that fits, into a register or as the result of the function.
    pub(super) fn matching(&mut self, subject: CoreId, arms: &[Arm], dst: Option<Reg>, span: Span) {
        let own = !matches!(self.body.core(subject), Core::Local(_));
        let subject = Place { at: self.operand(subject), own };
        let mut ends = Vec::new();
        let mut open = true;
        for arm in arms {
            let top = self.top;
            let mut fails = Vec::new();
            // A condition may move what it binds, and fail: then the next arm needs the subject.
            let place = Place { own: subject.own && arm.condition.is_none(), ..subject };
            self.fit(&arm.pattern, place, &mut fails, span);
            if let Some(condition) = arm.condition {
                fails.extend(self.unless(condition));
            }
            match dst {
                Some(dst) => {
                    self.expr(arm.body, dst);
                    ends.push(self.emit(Ins::Jump { to: 0 }, span));
                }
                None => self.tail(arm.body),
            }
            self.top = top;
            open = !fails.is_empty();
            self.land_all(fails);
            if !open {
                break;
            }
        }
        if open {
            self.emit(Ins::NoArm, span);
        }
        self.land_all(ends);
    }

    /// Tests a value, jumping (to be landed) if the pattern does not fit, and binds what it binds.
    fn fit(&mut self, fit: &Fit, place: Place, fails: &mut Vec<usize>, span: Span) {
        let src = place.at;
        match fit {
            Fit::Any => {}
            Fit::Bind(local) => {
                if let Some(dst) = self.registers.get(local).copied() {
                    self.emit(Ins::Copy { dst, src }, span);
                } else if place.own {
                    self.registers.insert(*local, src);
                } else {
                    let dst = self.alloc(span);
                    self.emit(Ins::Copy { dst, src }, span);
                    self.registers.insert(*local, dst);
                }
            }
            Fit::Const(value) => {
                let constant = self.program.constant(value.clone());
                self.test(Ins::TestConst { src, constant }, fails, span);
            }
            Fit::Some(inner) => {
                self.test(Ins::TestSome { src }, fails, span);
                self.part(inner, |dst| Ins::Unwrap { dst, src }, fails, span);
            }
            Fit::Data(shape, fields) => {
                if self.tested.contains(shape) {
                    self.test(Ins::TestShape { src, shape: *shape }, fails, span);
                }
                for (index, field) in fields.iter().enumerate() {
                    let index = self.small(index, span);
                    self.part(field, |dst| Ins::Field { dst, src, index }, fails, span);
                }
            }
            Fit::List(items, rest) => {
                let len = self.small(items.len(), span);
                self.test(Ins::TestLen { src, len, more: rest.is_some() }, fails, span);
                for (index, item) in items.iter().enumerate() {
                    let index = self.small(index, span);
                    self.part(item, |dst| Ins::Item { dst, src, index }, fails, span);
                }
                if let Some(rest) = rest {
                    self.part(rest, |dst| Ins::Rest { dst, src, from: len }, fails, span);
                }
            }
            Fit::Or(choices) => self.choices(choices, place, fails, span),
        }
    }

    fn test(&mut self, test: Ins, fails: &mut Vec<usize>, span: Span) {
        self.emit(test, span);
        fails.push(self.emit(Ins::Jump { to: 0 }, span));
    }

    fn part(&mut self, fit: &Fit, load: impl Fn(Reg) -> Ins, fails: &mut Vec<usize>, span: Span) {
        if !matches!(fit, Fit::Any) {
            let at = self.alloc(span);
            self.emit(load(at), span);
            self.fit(fit, Place { at, own: true }, fails, span);
        }
    }

    /// All choices bind the same variables, so these get their registers first.
    fn choices(&mut self, choices: &[Fit], place: Place, fails: &mut Vec<usize>, span: Span) {
        let mut bound = FxHashSet::default();
        choices.iter().for_each(|choice| binders(choice, &mut bound));
        let mut bound: Vec<u32> = bound.into_iter().map(|local| local.0).collect();
        bound.sort_unstable();
        for local in bound {
            let register = self.alloc(span);
            self.registers.insert(crate::core::LocalId(local), register);
        }
        let mut ends = Vec::new();
        for (at, choice) in choices.iter().enumerate() {
            let mut misses = Vec::new();
            self.fit(choice, place, &mut misses, span);
            if at + 1 < choices.len() {
                ends.push(self.emit(Ins::Jump { to: 0 }, span));
                self.land_all(misses);
            } else {
                fails.append(&mut misses);
            }
        }
        self.land_all(ends);
    }
}
