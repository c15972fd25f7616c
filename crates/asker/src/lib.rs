//! Answers the questions of a reduction by running the user's test, and keeps the answers on disk.
//!
//! An [`Asker`] writes each candidate into a fresh folder, runs the [`Test`] there and judges the outcome by a [`Rule`].
//! A [`State`] is the folder in which answers survive the process, so that a second run goes on where the first
//! stopped. [`explain`] says why a test does not say yes to the original. Processes are started by `polysmith-run`.

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
