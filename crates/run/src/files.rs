//! Writes result files: whole or not at all, and never in the place of a device.
//!
//! A regular file is written under a temporary name beside it and then renamed, so that a reader sees the old content or
//! the new one, whatever ends the process. Everything else that a path can name (a device, a pipe, a symbolic link such
//! as `/dev/stdout`) is opened and written into: a rename would replace it by a plain file. A folder is an error.

use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A result file cannot be written. The message names the path and what was being done.
#[derive(Debug, thiserror::Error)]
#[error("cannot write `{}`: {problem}", path.display())]
pub struct WriteError {
    path: PathBuf,
    problem: Problem,
}

/// What went wrong.
#[derive(Debug, thiserror::Error)]
enum Problem {
    #[error("it is a folder")]
    IsFolder,
    #[error("{action} failed: {error}")]
    Failed { action: Action, error: io::Error },
}

/// What was being done.
#[derive(Clone, Copy, Debug)]
enum Action {
    Look,
    CreateFolder,
    CreateTemporary,
    Open,
    Write,
    Rename,
}

impl std::fmt::Display for Action {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Look => "looking at what is there",
            Self::CreateFolder => "creating its folder",
            Self::CreateTemporary => "creating a temporary file beside it",
            Self::Open => "opening it",
            Self::Write => "writing",
            Self::Rename => "renaming the temporary file",
        })
    }
}

impl WriteError {
    /// The path that was to be written.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The system's error; `None` if the path is a folder.
    #[must_use]
    pub fn io_error(&self) -> Option<&io::Error> {
        match &self.problem {
            Problem::IsFolder => None,
            Problem::Failed { error, .. } => Some(error),
        }
    }
}

/// How a path is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Nothing is there: the file is created, and its folder if necessary.
    Missing,
    /// A regular file: it is replaced as a whole.
    Regular,
    /// A device, a pipe, a socket or a symbolic link: it is opened and written into.
    Special,
}

impl Target {
    /// Looks at what a path names.
    ///
    /// # Errors
    /// When it names a folder, or cannot be looked at.
    pub fn of(path: &Path) -> Result<Self, WriteError> {
        look(path).map_err(|problem| WriteError { path: path.to_owned(), problem })
    }

    /// Whether writing replaces the content, so that it may be written many times.
    #[must_use]
    pub fn is_replaced(self) -> bool {
        self != Self::Special
    }
}

/// Writes a result file. Missing folders are created.
///
/// # Errors
/// When the path is a folder or the system refuses.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let written = look(path).and_then(|target| match target {
        Target::Missing | Target::Regular => replace(path, bytes, target),
        Target::Special => write_into(path, bytes),
    });
    written.map_err(|problem| WriteError { path: path.to_owned(), problem })
}

fn look(path: &Path) -> Result<Target, Problem> {
    let kind: FileType = match fs::symlink_metadata(path) {
        Ok(meta) => meta.file_type(),
        // A component that is a file is reported when the folder is created.
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(Target::Missing);
        }
        Err(error) => return Err(failed(Action::Look)(error)),
    };
    if kind.is_dir() || kind.is_symlink() && path.is_dir() {
        return Err(Problem::IsFolder);
    }
    Ok(if kind.is_file() { Target::Regular } else { Target::Special })
}

fn replace(path: &Path, bytes: &[u8], target: Target) -> Result<(), Problem> {
    let temporary = temporary_name(path);
    let created = File::create_new(&temporary);
    let mut file = match created {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            fs::create_dir_all(folder_of(path)).map_err(failed(Action::CreateFolder))?;
            File::create_new(&temporary)
        }
        other => other,
    }
    .map_err(failed(Action::CreateTemporary))?;
    let written = file.write_all(bytes).map_err(failed(Action::Write)).and_then(|()| {
        if target == Target::Regular
            && let Ok(meta) = fs::metadata(path)
        {
            // A script stays executable. The content matters more than a mode that cannot be kept.
            let _ = file.set_permissions(meta.permissions());
        }
        fs::rename(&temporary, path).map_err(failed(Action::Rename))
    });
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

fn write_into(path: &Path, bytes: &[u8]) -> Result<(), Problem> {
    let is_pipe = fs::metadata(path).is_ok_and(|meta| meta.file_type().is_fifo());
    // Only a link to nothing is created, and only a link to a regular file is cut.
    let mut file = OpenOptions::new()
        .write(true)
        .create(!is_pipe)
        .truncate(!is_pipe)
        .open(path)
        .map_err(failed(Action::Open))?;
    file.write_all(bytes).map_err(failed(Action::Write))
}

fn failed(action: Action) -> impl Fn(io::Error) -> Problem {
    move |error| Problem::Failed { action, error }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A hidden neighbour. The process id and a counter keep writers apart.
fn temporary_name(path: &Path) -> PathBuf {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let number = COUNTER.fetch_add(1, Ordering::Relaxed);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}-{number}.part", std::process::id()))
}
