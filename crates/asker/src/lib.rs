//! Answers the questions of a reduction by running the user's test, and keeps the answers on disk.
//!
//! An [`Asker`] writes each candidate into a fresh folder, runs the [`Test`] there and judges the outcome by a [`Rule`].
//! A [`Store`] is the folder in which answers and results survive the process, so that a second run continues where the first
//! stopped. Processes are started by `polysmith-run`.

mod answers;
mod asker;
mod error;
mod identity;
mod mirror;
mod store;
mod test;
mod verdict;

pub use asker::{Asker, Setup, Timing};
pub use error::AskError;
pub use identity::Identity;
pub use store::{QuestionFolder, Store, StoreError, find_result, read_result};
pub use test::{Delivery, Test, TestError};
pub use verdict::{Pattern, Rule};
