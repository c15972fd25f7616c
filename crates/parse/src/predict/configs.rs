//! Configurations and ordered sets of them.

use super::stacks::{StackId, Stacks};
use crate::index::{Index, Mix};
use crate::network::StateId;

/// One way to be somewhere: a state, the alternative that led there, the stacks below, what must hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Config {
    pub(crate) state: StateId,
    pub(crate) alt: u16,
    pub(crate) flags: u16,
    pub(crate) stack: StackId,
    /// Number of a conjunction of predicates; 0 is none.
    pub(crate) condition: u32,
}

impl Config {
    /// The walk left the rule of the decision, into whatever may call it.
    pub(crate) const OUTER: u16 = 1;
    /// Protected from the precedence filter.
    pub(crate) const SUPPRESSED: u16 = 2;

    pub(crate) fn has(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    /// A hash of its state, alternative and condition.
    fn place_hash(&self) -> u32 {
        Mix::default()
            .and(u64::from(self.state) << 32 | u64::from(self.condition) << 16 ^ u64::from(self.alt))
            .hash()
    }

    /// Its parts as two words, to hash it.
    #[inline]
    pub(crate) fn words(&self) -> [u64; 2] {
        [
            u64::from(self.state) << 32 | u64::from(self.alt) << 16 | u64::from(self.flags),
            u64::from(self.stack) << 32 | u64::from(self.condition),
        ]
    }

    pub(crate) fn at(self, state: StateId) -> Config {
        Config { state, ..self }
    }
}

/// Configurations in the order of their arrival; those with equal state, alternative and condition are one, with
/// the union of their stacks.
#[derive(Debug, Clone, Default)]
pub(crate) struct ConfigSet {
    pub(crate) list: Vec<Config>,
    index: Index,
}

impl ConfigSet {
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.index.clear();
    }

    /// Makes these the only configurations; no two of them are alike.
    pub(crate) fn replace(&mut self, list: Vec<Config>) {
        self.index.clear();
        for (at, config) in list.iter().enumerate() {
            self.index.insert(config.place_hash(), at as u32);
        }
        self.list = list;
    }

    pub(crate) fn add(&mut self, config: Config, stacks: &mut Stacks) {
        let is_same = |at: u32| {
            let old = &self.list[at as usize];
            (old.state, old.alt, old.condition) == (config.state, config.alt, config.condition)
        };
        match self.index.get_or_insert(config.place_hash(), self.list.len(), is_same) {
            None => self.list.push(config),
            Some(at) => {
                let old = &mut self.list[at as usize];
                old.stack = stacks.merge(old.stack, config.stack);
                old.flags |= config.flags;
            }
        }
    }
}

/// The alternative, if all have the same.
pub(crate) fn unique_alt(configs: &[Config]) -> Option<u16> {
    let first = configs.first()?.alt;
    configs.iter().all(|config| config.alt == first).then_some(first)
}

/// What groups of configurations with equal state and stacks say.
pub(crate) struct Conflicts {
    /// Some group has several alternatives.
    pub(crate) some: bool,
    /// Some state occurs with one alternative only.
    pub(crate) lone_state: bool,
    /// The least alternative of every group, if that is the same number everywhere.
    pub(crate) common_least: Option<u16>,
}

/// Groups configurations by state and stacks. `scratch` is only there to be used again.
pub(crate) fn conflicts(configs: &[Config], scratch: &mut Vec<(StateId, StackId, u16)>) -> Conflicts {
    scratch.clear();
    scratch.extend(configs.iter().map(|config| (config.state, config.stack, config.alt)));
    scratch.sort_unstable();
    let mut found = Conflicts { some: false, lone_state: false, common_least: None };
    let mut least = Vec::new();
    for group in scratch.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        found.some |= group[0].2 != group[group.len() - 1].2;
        if !least.contains(&group[0].2) {
            least.push(group[0].2);
        }
    }
    for state in scratch.chunk_by(|a, b| a.0 == b.0) {
        found.lone_state |= state.iter().all(|entry| entry.2 == state[0].2);
    }
    if let [only] = least[..] {
        found.common_least = Some(only);
    }
    found
}
