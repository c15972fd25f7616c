//! Reduction by running a test: the question as a process, the journal as a folder.

mod asker;
mod explain;
mod state;
mod test;
mod verdict;

pub use asker::{Asker, Setup, Timing};
pub use explain::explain;
pub use state::{Found, Identity, State};
pub use test::{Delivery, Test, TestError};
pub use verdict::{Pattern, Rule};
