//! One versioned JSON object per line.

use crate::talk::Talk;
use std::io;

/// Prints an object with its kind and version.
///
/// # Errors
/// Fails if stdout cannot be written.
pub fn json_lines(talk: Talk, kind: &str, mut object: serde_json::Value) -> io::Result<()> {
    if let Some(map) = object.as_object_mut() {
        map.insert("v".to_owned(), 1.into());
        map.insert("kind".to_owned(), kind.into());
    }
    talk.result(object)
}
