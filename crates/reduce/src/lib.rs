//! Makes a text smaller as long as a question about it is answered with yes.
//!
//! A [`Reducer`] runs [`passes`] over a [`Text`]. A pass proposes [`Edits`]; the engine ([`Problem`]) asks a
//! [`Question`] about each [`Candidate`] and keeps what lowers the order (tokens, bytes, canonical text). A [`Journal`]
//! remembers the answers. There are no processes, files or clocks here: the crate `polysmith-run` answers questions
//! by running a test and keeps the journal on disk.
//!
//! ```
//! use polysmith_reduce::{Memory, Reducer, Text, ask};
//!
//! let text = Text::new(&["int main() { int a = 1; puts(\"no\"); return crash(a, 2, 3); }"])?;
//! let mut question = ask(|candidate| String::from_utf8_lossy(&candidate.bytes()).contains("crash"));
//! let reduction = Reducer::default().run(text, &mut question, &mut Memory::default())?;
//! assert_eq!(reduction.text.bytes(), b"crash");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod candidate;
mod checkpoints;
mod edit;
mod fingerprint;
mod journal;
mod layout;
mod lex;
mod list;
mod measure;
pub mod minimize;
pub mod passes;
mod problem;
mod question;
mod reducer;
mod report;
mod rest;
mod structure;
mod text;
pub mod tree;

pub use candidate::Candidate;
pub use edit::{Edit, Edits, Shift};
pub use fingerprint::Key;
pub use journal::{Journal, Memory, Status, Step};
pub use layout::{lay_out, readable};
pub use list::{Elements, Follow, Hints, Run};
pub use measure::{Size, count_tokens, tokens};
pub use passes::Algorithm;
pub use problem::{Problem, Proposer};
pub use question::{Answer, Closure, Question, Stop, Ticket, ask};
pub use reducer::{Beyond, Reducer, Reduction, Refused};
pub use report::{Row, Tally};
pub use text::{FilePart, MAX_BYTES, Text, TooLong};
