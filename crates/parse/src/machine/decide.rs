//! Which alternative the parser takes.
//!
//! The hot path is one table read: per site and token type, what sync and prediction answered last time, if that
//! depends on nothing else.

use super::{Failure, Machine, RuleFrame};
use crate::error::ParseError;
use crate::fast::{FastAnswer, KnownAnswer};
use crate::network::StateId;
use crate::predict::{Answer, Basis, Callers, Question};
use crate::program::Pc;

impl Machine<'_> {
    /// Syncs, predicts, and goes to the alternative.
    #[inline(always)]
    pub(super) fn decide(&mut self, site: u32, row: u32) -> Result<Pc, Failure> {
        if !self.recovery.recovering
            && !self.watched
            && let Some(answer) = self.learned.fast.get(row, self.token())
        {
            if answer.remembers() {
                let state = self.compiled.program.sites[site as usize].state;
                self.recovery.remember(state, self.frames.len());
            } else {
                self.recovery.forget();
            }
            return match answer.known() {
                KnownAnswer::GoTo(pc) => Ok(pc),
                KnownAnswer::PredictFrom(state) => self.decide_further(site, row, state),
            };
        }
        self.decide_slowly(site, row)
    }

    /// Prediction goes on after the token ahead.
    #[inline]
    fn decide_further(&mut self, site: u32, row: u32, state: u32) -> Result<Pc, Failure> {
        match self.learned.predictor.known_walk(self.input.types, self.at + 1, state) {
            Some((alt, last)) => {
                self.looked = self.looked.max(last);
                let place = &self.compiled.program.sites[site as usize];
                self.learned.predictor.history.note(
                    place.decision,
                    self.frames[self.frames.len() - 1].precedence,
                    self.at,
                );
                Ok(place.targets[alt as usize - 1])
            }
            None => self.decide_unknown(site, row, state),
        }
    }

    fn decide_unknown(&mut self, site: u32, row: u32, state: u32) -> Result<Pc, Failure> {
        if self.learned.forget_beyond(self.limits.max_memory, self.compiled) {
            return self.decide_slowly(site, row);
        }
        let place = &self.compiled.program.sites[site as usize];
        self.state = place.state;
        let (alt, _) = self.predict(place.decision, Some(state))?;
        Ok(place.targets[alt as usize - 1])
    }

    fn decide_slowly(&mut self, site: u32, row: u32) -> Result<Pc, Failure> {
        let compiled = self.compiled;
        let place = &compiled.program.sites[site as usize];
        self.state = place.state;
        let before = self.at;
        let was_recovering = self.recovery.recovering;
        self.sync()?;
        let (alt, basis) = self.choose(site)?;
        let target = place.targets[alt as usize - 1];
        let plain = before == self.at && !was_recovering && !self.recovery.recovering;
        let decision = compiled.network.state(compiled.network.decisions[place.decision as usize].state);
        let complete = place.by_precedence || !decision.precedence_decision;
        if plain && complete && !self.watched {
            let in_next = compiled.look.next(&compiled.network, place.state).contains(self.token() as usize);
            let known = match basis {
                Basis::Token => Some(KnownAnswer::GoTo(target)),
                Basis::Further(state) => Some(KnownAnswer::PredictFrom(state)),
                Basis::Other => None,
            };
            if let Some(known) = known {
                self.learned.fast.set(row, self.token(), FastAnswer::new(known, !in_next));
            }
        }
        Ok(target)
    }

    /// The alternative, and what it depends on.
    fn choose(&mut self, site: u32) -> Result<(u16, Basis), Failure> {
        let compiled = self.compiled;
        let place = &compiled.program.sites[site as usize];
        if let Some(forced) = self.forced
            && (forced.decision, forced.token) == (place.decision as usize, self.at)
        {
            self.forced = None;
            return Ok((forced.alternative, Basis::Other));
        }
        let table = compiled.one_token_table(place.decision as usize);
        if let Some(table) = table {
            if let Some(profile) = &mut self.profile {
                profile.by_table(place.decision);
            }
            return match table.get(self.token() as usize) {
                Some(0) | None => match place.otherwise {
                    Some(alt) => Ok((alt, Basis::Token)),
                    None => Err(Failure::NoViable { start: self.at, offending: self.at }),
                },
                Some(alt) => Ok((*alt, Basis::Token)),
            };
        }
        self.learned.forget_beyond(self.limits.max_memory, compiled);
        self.predict(place.decision, None)
    }

    /// Asks prediction, from the token ahead on or from a state after it.
    fn predict(&mut self, decision: u32, after: Option<u32>) -> Result<(u16, Basis), Failure> {
        let answers = self.ask_predicates(decision)?;
        let network = &self.compiled.network;
        let question = Question {
            decision,
            answers,
            types: self.input.types,
            at: self.at,
            callers: &OpenRules(&self.frames),
            precedence: self.frame().precedence,
        };
        let answer = match after {
            Some(state) => self.learned.predictor.predict_after(network, question, state),
            None => self.learned.predictor.predict(network, question),
        };
        let cost = self.learned.predictor.cost;
        if cost.lookahead > 1 {
            self.learned.predictor.history.note(decision, question.precedence, self.at);
        }
        self.looked = self.looked.max((self.at + cost.lookahead - 1).min(self.input.types.len() - 1));
        if let Some(profile) = &mut self.profile {
            profile.by_prediction(decision, self.at, cost);
        }
        match answer {
            Answer::Alt(alt) => Ok((alt, cost.basis)),
            Answer::NoViable { offending } => Err(Failure::NoViable { start: self.at, offending }),
            Answer::OutOfSteps => Err(Failure::Stopped(ParseError::Steps { limit: self.limits.max_steps })),
        }
    }
}

/// The open rules, as prediction sees them.
struct OpenRules<'a>(&'a [RuleFrame]);

impl Callers for OpenRules<'_> {
    fn depth(&self) -> usize {
        self.0.len() - 1
    }

    fn follow(&self, up: usize) -> StateId {
        self.0[self.0.len() - 1 - up].follow
    }
}
