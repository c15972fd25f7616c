//! Campaigns: tests from sources, run on targets, judged by oracles, kept as findings.
//!
//! # Nouns
//!
//! | noun | what it is |
//! |---|---|
//! | [`Source`] | makes the test of an index: an engine over a description, a folder of files, a program of the user |
//! | [`Target`] | what is tested: a name, a command, limits, and how its results are compared |
//! | [`Driver`] | gives one test to a target and reports what happened: a process per test, or one for many tests |
//! | [`Execution`] | what a target did with one test: plain data |
//! | [`Oracle`] | judges the executions of one test; it may run the targets again |
//! | [`Verdict`] | fine, discarded, or a [`Failure`] with its [`Signature`] |
//! | [`Signature`] | says why two failures are the same bug, in words; its key is a hash of those words |
//! | [`Finding`] | one bug: its signature, a bounded number of cases, the smallest case, counts, state |
//! | [`Store`] | findings and progress on disk |
//! | [`Recipe`] | targets and oracles as data, kept in the store: findings can be run again ([`replay`]) |
//! | [`Campaign`] | runs sources × targets × oracles on several threads until its budget is spent |
//!
//! # Data flow
//!
//! ```text
//! index ─ Source ─→ test ─ Driver of each Target ─→ Executions ─ Oracles ─→ Verdict
//!                                                                   │ failure
//!                         repeat in fresh processes ←───────────────┘
//!                                │ same signature every time
//!                         reduce with the same oracles (first case of a signature only)
//!                                │
//!                         Store: one transaction with the progress of the batch
//! ```
//!
//! A worker is a thread with its own drivers, its own worker of the source and its own namespaces. It takes batches of
//! indices and returns a report per batch: counts and confirmed failures. The calling thread is the only one that
//! writes to the store.
//!
//! # Invariants
//!
//! - The test of an index follows from source, seed and index. Threads, time and targets never change it.
//! - A finding repeats: its failure was seen again, with the same key, in fresh processes.
//! - Progress and findings of a batch are committed together, so that a campaign that is killed at any moment neither
//!   loses nor counts a finding twice.
//! - Executions that were cut off (time limit, out of memory, capped output) never vote on what the right result is.
//! - Texts of targets are data: they are escaped where they are shown and bounded where they are kept.
//!
//! # Cost
//!
//! A test costs one `posix_spawn` per target, or one write and one read with a persistent driver; the oracles look at
//! the executions once. Extra runs happen only after a suspicion (confirmation, reduction) and for the round trip
//! (one more run per accepted test). The store is written at most once a second and for each new finding.

mod campaign;
mod counts;
pub mod driver;
mod examine;
mod execution;
mod finding;
mod halt;
pub mod oracle;
mod panel;
mod recipe;
mod reduction;
mod registry;
mod replay;
mod signature;
pub mod source;
pub mod store;
mod target;
pub mod text;
pub mod trace;
mod worker;

pub use campaign::{Budget, Campaign, HuntError, Observer, Status};
pub use counts::{Counts, TargetCounts};
pub use driver::Driver;
pub use execution::{Execution, How};
pub use finding::{Case, Discovery, Finding, Sighting, State};
pub use oracle::{Failure, Oracle, Verdict};
pub use panel::Panel;
pub use recipe::Recipe;
pub use reduction::ReductionPlan;
pub use replay::{Added, Addition, Replay, replay};
pub use signature::Signature;
pub use source::Source;
pub use store::Store;
pub use target::{Feed, Target};
