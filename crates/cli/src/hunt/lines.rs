//! One versioned JSON object per line.

use crate::talk::Talk;
use std::io;

/// Prints an object with its kind and version.
///
/// # Errors
/// Fails if stdout cannot be written.
pub fn json_lines(talk: Talk, kind: &str, object: serde_json::Value) -> io::Result<()> {
    talk.json_line(kind, object)
}
