//! Diagnostics as text: for people ([`human`]) and for programs ([`json`]).

mod human;
mod json;

pub use human::{Style, human};
pub use json::{SCHEMA_VERSION, json};
