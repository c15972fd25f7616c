//! Input files of a command line: `-` is stdin, and every error names the file.

use crate::failure::Failure;
use std::io::{self, Read as _};
use std::path::Path;

/// Reads a file; `-` is stdin.
///
/// # Errors
/// The file cannot be read.
pub fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    if path != Path::new("-") {
        return std::fs::read(path);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a file that must be there; `-` is stdin.
///
/// # Errors
/// The file cannot be read: the message names it, exit 3.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    read_bytes(path).map_err(|error| Failure::unusable(format!("cannot read {}: {error}", shown(path))))
}

/// Reads a text file in UTF-8; `-` is stdin.
///
/// # Errors
/// The file cannot be read or is not text: the message names it, exit 3.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    String::from_utf8(read(path)?)
        .map_err(|error| Failure::unusable(format!("{} is not UTF-8 text: {error}", shown(path))))
}

/// The name of an input in a message.
fn shown(path: &Path) -> String {
    match path == Path::new("-") {
        true => "standard input".to_owned(),
        false => format!("`{}`", path.display()),
    }
}
