//! The external leaves of expressions, as the parser numbers them.
//!
//! The `value` crate knows nothing of attributes: where a rule reads one, the expression has a numbered leaf. The
//! parser only numbers `.name` and `$`; `resolve.rs` rebuilds each expression with leaves numbered by its sources.

use polysmith_value::syntax::{ExternalId, Name};

/// The meaning of one external leaf.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum External {
    /// `.name`
    Local(Name),
    /// `$`
    Generated,
}

/// The meanings of all external leaves, by number.
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
