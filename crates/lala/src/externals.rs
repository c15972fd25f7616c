//! What the external leaves of expressions stand for, as the reader knows it.
//!
//! The value core knows nothing of attributes: where a rule reads one, the expression has a leaf with a number.
//! The reader can only number `.name` and `$`; `resolve.rs` rebuilds each expression with numbers that count
//! what the expression reads.

use polysmith_value::syntax::{ExternalId, Name};

/// The meaning of one external leaf.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum External {
    /// `.name`
    Local(Name),
    /// `$`
    Generated,
}

/// All of them, by number.
#[derive(Debug, Clone, Default)]
pub(crate) struct Externals {
    all: Vec<External>,
}

impl Externals {
    pub(crate) fn add(&mut self, external: External) -> ExternalId {
        self.all.push(external);
        ExternalId(u32::try_from(self.all.len() - 1).expect("sources are under 4 GiB"))
    }

    pub(crate) fn get(&self, id: ExternalId) -> &External {
        &self.all[id.0 as usize]
    }
}
