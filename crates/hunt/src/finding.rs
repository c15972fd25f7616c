//! One bug: what is known about it.

use std::time::Duration;

use crate::signature::Signature;

/// A test that showed a failure, with what makes it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The test.
    pub test: Vec<u8>,
    /// The source that made it.
    pub source: String,
    /// The seed of the campaign.
    pub seed: u64,
    /// Its index.
    pub index: u64,
}

/// A failure that repeats, as a worker reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Discovery {
    /// Tells bugs apart; for unspecific failures with features of the reduced test.
    pub signature: Signature,
    /// The key of the signature without features of the reduced test: known before a reduction.
    pub coarse_key: String,
    /// What happened, for people.
    pub detail: String,
    /// The commands that show it, with the test at a path that is called `@TEST@`.
    pub commands: Vec<String>,
    /// The test.
    pub case: Case,
    /// A smaller test with the same failure.
    pub reduced: Option<Vec<u8>>,
}

/// What a batch saw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sighting {
    /// A failure that repeats and may be a bug that nobody knows.
    Discovered(Box<Discovery>),
    /// A failure whose coarse key is known. The case is there if few are kept so far.
    Repeated {
        /// The coarse key.
        coarse_key: String,
        /// The test.
        case: Option<Case>,
    },
}

/// What people decided about a finding, or what became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum State {
    /// Nobody looked at it.
    #[default]
    New,
    /// It is a known bug.
    Known,
    /// It does not fail any more.
    Fixed,
    /// It is no bug, or nobody cares.
    Ignored,
}

impl State {
    /// All states.
    pub const ALL: [Self; 4] = [Self::New, Self::Known, Self::Fixed, Self::Ignored];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Known => "known",
            Self::Fixed => "fixed",
            Self::Ignored => "ignored",
        }
    }

    /// The state with a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }
}

/// One bug, as it is in the store.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Its number in the store, from 1.
    pub id: i64,
    /// The key of its signature.
    pub key: String,
    /// Why other failures are or are not the same bug.
    pub signature: Signature,
    /// What happened, for people; not escaped.
    pub detail: String,
    /// The commands that show it, with the test at a path that is called `@TEST@`.
    pub commands: Vec<String>,
    /// What people decided.
    pub state: State,
    /// How often it was seen.
    pub count: u64,
    /// When it was first seen: since 1970.
    pub first_seen: Duration,
    /// When it was last seen.
    pub last_seen: Duration,
    /// The kept cases, the first one first.
    pub cases: Vec<Case>,
    /// The smallest known test.
    pub reduced: Option<Vec<u8>>,
}

impl Finding {
    /// The smallest test.
    #[must_use]
    pub fn best(&self) -> &[u8] {
        self.reduced.as_deref().or(self.cases.first().map(|case| case.test.as_slice())).unwrap_or_default()
    }

    /// The oracle that found it.
    #[must_use]
    pub fn oracle(&self) -> &str {
        self.signature.part("oracle").unwrap_or_default()
    }

    /// The target, or the suspects among several.
    #[must_use]
    pub fn target(&self) -> &str {
        self.signature.part("target").unwrap_or_default()
    }
}
