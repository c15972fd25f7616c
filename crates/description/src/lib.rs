//! Descriptions of languages: what a user names by the word LANGUAGE, found and loaded.
//!
//! [`locate`] finds the file or the built-in folder that a word names. [`Description::load`] reads it with the
//! front end of its kind, reads the side file beside it, and always returns everything that is wrong. A
//! [`Description`] then says what it [can](Description::can) do, so callers ask it and never look at its kind.
//!
//! ```
//! use polysmith_description::{Capability, Description, LoadOptions, locate};
//! use polysmith_source::Memory;
//!
//! let files = Memory::default().with("Greet.g4", "grammar Greet; s : 'hello' ID EOF ; ID : [a-z]+ ;");
//! let located = locate(&files, "Greet.g4", Some(Capability::Parse))?;
//! let loaded = Description::load(&located, &LoadOptions::default());
//! let description = loaded.description.expect("the grammar has no errors");
//! assert!(description.can(Capability::Parse) && !description.can(Capability::Check));
//! assert_eq!(description.grammar().map(|grammar| grammar.name()), Some("Greet"));
//! # Ok::<(), polysmith_description::LocateError>(())
//! ```
//!
//! The crate does no I/O: the caller gives a [`polysmith_source::Files`], and the built-in languages are part of
//! the binary.
//!
//! A new kind of description is an entry in [`DescriptionKind`] and an arm in [`Description::load`]; a new table of
//! side files is a file in `side_file/` and a line in its list of tables.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod built_in;
mod description;
mod hooks;
mod kind;
mod load;
mod locate;
pub mod side_file;

pub use description::{Description, StartError};
pub use kind::{Capability, DescriptionKind};
pub use load::{LoadOptions, Loaded};
pub use locate::{LocateError, Located, claiming, locate};
pub use polysmith_antlr::ExtraChecks;
pub use side_file::SideFile;
