//! Input files of a command line: `-` is stdin, and every error names the file.

use crate::failure::Failure;
use polysmith_source::{Disk, Entry, Files, STDIN};
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Reads a file; `-` is stdin.
///
/// # Errors
/// The file cannot be read, or stdin was read before.
pub fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    match path == Path::new("-") {
        true => read_stdin(),
        false => std::fs::read(path),
    }
}

/// Reads stdin to its end, once in a process.
fn read_stdin() -> io::Result<Vec<u8>> {
    static WAS_READ: AtomicBool = AtomicBool::new(false);
    if WAS_READ.swap(true, Ordering::Relaxed) {
        // A second read would find it empty.
        return Err(io::Error::other("it was read already; `-` can be given once"));
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The files of descriptions: the disk, and stdin for the description or the lexer that is named `-`.
pub(crate) static DESCRIPTION_FILES: DescriptionFiles = DescriptionFiles { stdin: OnceLock::new() };

/// See [`DESCRIPTION_FILES`].
#[derive(Debug)]
pub(crate) struct DescriptionFiles {
    /// The bytes of stdin, read once: to determine the kind of the description, and to load it.
    stdin: OnceLock<Vec<u8>>,
}

impl Files for DescriptionFiles {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        if path != Path::new(STDIN) {
            return Disk.read(path);
        }
        if let Some(bytes) = self.stdin.get() {
            return Ok(bytes.clone());
        }
        let bytes = read_stdin()?;
        Ok(self.stdin.get_or_init(|| bytes).clone())
    }

    fn entry(&self, path: &Path) -> Option<Entry> {
        Disk.entry(path)
    }

    fn names(&self, folder: &Path) -> Option<Vec<String>> {
        Disk.names(folder)
    }
}

/// Reads a file that must exist; `-` is stdin.
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
