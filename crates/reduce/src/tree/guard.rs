//! The grammar as a guard: what the passes without a grammar propose must parse as well as the best text does.

use std::sync::PoisonError;

use super::Language;
use crate::candidate::Candidate;
use crate::problem::Guard;
use crate::text::Text;

/// Longer texts are left to the passes by tree: every candidate of the others is parsed as a whole.
const GUARD_BYTES: usize = 128 << 10;

impl Language {
    fn errors(&self, text: &[u8]) -> Option<usize> {
        let text = std::str::from_utf8(text).ok()?;
        let parsed = self.parser().parse(self.start, text, &self.limits).ok()?;
        Some(parsed.errors.len())
    }
}

impl Guard for Language {
    fn has_say(&self) -> bool {
        let usable = self.usable.lock().unwrap_or_else(PoisonError::into_inner);
        usable.is_empty() || usable.contains(&true)
    }

    fn can_watch(&self, text: &Text) -> bool {
        text.bytes().len() <= GUARD_BYTES
    }

    fn watch(&self, text: &Text) {
        let errors = text.parts().iter().map(|part| self.errors(text.slice(&part.range))).collect();
        *self.best.lock().unwrap_or_else(PoisonError::into_inner) = errors;
    }

    fn allows(&self, candidate: &Candidate) -> bool {
        let best = self.best.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let as_good = candidate.files().all(|file| {
            // A file that could not be parsed in the first place has no say.
            best.get(file).copied().flatten().is_none_or(|most| {
                let text: Vec<u8> = candidate.pieces(file).flatten().copied().collect();
                self.errors(&text).is_some_and(|errors| errors <= most)
            })
        });
        self.count(|counts| {
            counts.built += 1;
            counts.filtered += usize::from(!as_good);
        });
        as_good
    }
}
