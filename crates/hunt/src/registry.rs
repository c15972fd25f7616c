//! Which failures the workers of a campaign have seen.
//!
//! It bounds what a bug that shows on every second test costs: confirmation and reduction happen once per signature, or a
//! few times where only the reduced test tells bugs apart.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};

/// Reductions for one coarse key whose bugs only the reduced tests tell apart.
const MAX_REDUCTIONS_OF_UNSPECIFIC: u32 = 12;

/// Reductions in a row that lead to known bugs before the coarse key is taken for known: those of hangs take minutes.
const MAX_FRUITLESS: u32 = 3;

/// Failed confirmations of one key before its failures are counted as flaky without a look.
const MAX_FLAKY: u32 = 5;

/// Cases that are kept for one coarse key.
const MAX_CASES: u32 = 5;

/// What to do with a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// Repeat it and reduce it.
    Examine,
    /// Count it; keep its case if `keep`.
    Count { keep: bool },
    /// It never repeats.
    Flaky,
}

#[derive(Clone, Debug, Default)]
struct Known {
    examined: u32,
    /// Whether a worker looks at one now.
    is_open: bool,
    /// Keys of the bugs that examinations led to.
    keys: FxHashSet<String>,
    /// Examinations in a row that led to one of them.
    fruitless: u32,
    flaky: u32,
    cases: u32,
}

/// What is known about each coarse key.
#[derive(Debug, Default)]
pub(crate) struct Registry {
    known: Mutex<FxHashMap<String, Known>>,
}

impl Registry {
    /// Takes up the coarse keys of an earlier run of the campaign.
    pub(crate) fn with_known(keys: impl IntoIterator<Item = String>) -> Self {
        let registry = Self::default();
        for key in keys {
            let mut known = registry.lock();
            let known = known.entry(key).or_default();
            known.examined += 1;
            known.cases += 1;
        }
        registry
    }

    /// Decides what to do with a failure, and counts it.
    pub(crate) fn claim(&self, coarse_key: &str, is_specific: bool) -> Claim {
        let mut all = self.lock();
        let known = all.entry(coarse_key.to_owned()).or_default();
        let most = if is_specific { 1 } else { MAX_REDUCTIONS_OF_UNSPECIFIC };
        // While one is looked at, others are most likely the same bug: hangs would occupy every worker.
        if known.examined < most && known.fruitless < MAX_FRUITLESS && !known.is_open {
            if known.flaky >= MAX_FLAKY {
                return Claim::Flaky;
            }
            known.examined += 1;
            known.cases += 1;
            known.is_open = true;
            return Claim::Examine;
        }
        let keep = known.cases < MAX_CASES && !known.is_open;
        known.cases += u32::from(keep);
        Claim::Count { keep }
    }

    /// An examination led to the bug with this key.
    pub(crate) fn was_examined(&self, coarse_key: &str, key: &str) {
        let mut all = self.lock();
        let known = all.entry(coarse_key.to_owned()).or_default();
        known.is_open = false;
        known.fruitless = if known.keys.insert(key.to_owned()) { 0 } else { known.fruitless + 1 };
    }

    /// An examination was cut off before it could tell bugs apart. Returns whether a bug with this coarse key is known,
    /// which the failure then counts for.
    pub(crate) fn was_cut(&self, coarse_key: &str) -> bool {
        let mut all = self.lock();
        let known = all.entry(coarse_key.to_owned()).or_default();
        known.is_open = false;
        known.examined > 1 || !known.keys.is_empty()
    }

    /// A failure did not repeat: another one with its key may.
    pub(crate) fn was_flaky(&self, coarse_key: &str) {
        let mut all = self.lock();
        let known = all.entry(coarse_key.to_owned()).or_default();
        known.examined = known.examined.saturating_sub(1);
        known.cases = known.cases.saturating_sub(1);
        known.flaky += 1;
        known.is_open = false;
    }

    /// A panic elsewhere ends the campaign anyway; the map itself is consistent.
    fn lock(&self) -> MutexGuard<'_, FxHashMap<String, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_specific_failure_is_examined_once_and_kept_a_few_times() {
        let registry = Registry::default();
        assert_eq!(registry.claim("a", true), Claim::Examine);
        assert_eq!(registry.claim("a", true), Claim::Count { keep: false });
        registry.was_examined("a", "key");
        let kept = (0..100).filter(|_| registry.claim("a", true) == Claim::Count { keep: true }).count();
        assert_eq!(kept, 4);
        assert_eq!(registry.claim("b", false), Claim::Examine);
        registry.was_examined("b", "one");
        assert_eq!(registry.claim("b", false), Claim::Examine);
    }

    #[test]
    fn what_always_leads_to_the_same_bug_is_not_examined_for_long() {
        let registry = Registry::default();
        let examined = (0..100).filter(|_| registry.claim("a", false) == Claim::Examine);
        let examined = examined.inspect(|_| registry.was_examined("a", "the bug")).count();
        assert_eq!(examined, 4);
    }

    #[test]
    fn what_never_repeats_is_given_up() {
        let registry = Registry::default();
        for _ in 0..MAX_FLAKY {
            assert_eq!(registry.claim("a", true), Claim::Examine);
            registry.was_flaky("a");
        }
        assert_eq!(registry.claim("a", true), Claim::Flaky);
    }
}
