//! The user's test: a script or a shell command, and how the candidate reaches it.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use polysmith_run::shell;

/// How the candidate reaches the test. In both ways its files lie in the working folder under their own names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Delivery {
    /// The path as argument, and on standard input as well: scripts for creduce, cvise and shrinkray all work.
    #[default]
    Path,
    /// Standard input only, without an argument.
    Stdin,
}

/// What to run for a question.
#[derive(Clone, Debug)]
pub struct Test {
    kind: Kind,
    delivery: Delivery,
}

#[derive(Clone, Debug)]
enum Kind {
    /// A file to execute. One without `#!` is given to the shell, as a shell would do.
    Script {
        path: PathBuf,
        by_shell: bool,
    },
    Command(String),
}

/// The test cannot be used as it is.
#[derive(Debug, thiserror::Error)]
pub enum TestError {
    /// It is a file that cannot be run.
    #[error("`{}` has no run bit; say `chmod +x {}`", .0.display(), .0.display())]
    NotExecutable(PathBuf),
    /// The line `#!…` of a script ends with a carriage return, which the system takes for a part of the program's name.
    #[error("the first line of `{}` ends with CR LF, so the system looks for a program called `{program}\\r`", path.display())]
    CarriageReturn {
        /// The script.
        path: PathBuf,
        /// What the line names.
        program: String,
    },
    /// The line `#!…` of a script names a program that does not exist.
    #[error("the first line of `{}` names `{program}`, which does not exist", path.display())]
    NoInterpreter {
        /// The script.
        path: PathBuf,
        /// What the line names.
        program: String,
    },
    /// It looks like a path and there is nothing.
    #[error("there is no test `{}`", .0.display())]
    Missing(PathBuf),
    /// It cannot be read.
    #[error("cannot read the test `{}`", .0.display())]
    Unreadable(PathBuf, #[source] io::Error),
}

impl Test {
    /// Understands TEST: a file is a script, anything else a shell command.
    ///
    /// # Errors
    /// When it is a file without run bit, or a path to nothing.
    pub fn new(test: &str, delivery: Delivery) -> Result<Self, TestError> {
        let path = Path::new(test);
        let kind = match fs::canonicalize(path) {
            Ok(path) if path.is_file() => {
                let mode = fs::metadata(&path).map_err(|error| TestError::Unreadable(path.clone(), error))?;
                if mode.permissions().mode() & 0o111 == 0 {
                    return Err(TestError::NotExecutable(PathBuf::from(test)));
                }
                let bytes = fs::read(&path).map_err(|error| TestError::Unreadable(path.clone(), error))?;
                check_first_line(Path::new(test), &bytes)?;
                let by_shell = !bytes.starts_with(b"#!") && !bytes.starts_with(b"\x7fELF");
                Kind::Script { path, by_shell }
            }
            _ if test.contains('/') && !test.contains(char::is_whitespace) => {
                return Err(TestError::Missing(path.to_owned()));
            }
            _ => Kind::Command(test.to_owned()),
        };
        Ok(Self { kind, delivery })
    }

    /// The script; `None` for a shell command.
    #[must_use]
    pub fn script(&self) -> Option<&Path> {
        match &self.kind {
            Kind::Script { path, .. } => Some(path),
            Kind::Command(_) => None,
        }
    }

    /// What the test is made of, to notice that it changed.
    #[must_use]
    pub fn content(&self) -> Vec<u8> {
        match &self.kind {
            Kind::Script { path, .. } => fs::read(path).unwrap_or_default(),
            Kind::Command(text) => text.clone().into_bytes(),
        }
    }

    /// Program and arguments for a candidate whose files lie at `paths`.
    pub(crate) fn command_line(&self, paths: &[PathBuf]) -> (OsString, Vec<OsString>) {
        let paths = if self.delivery == Delivery::Path { paths } else { &[] };
        let files = paths.iter().map(OsString::from);
        match &self.kind {
            Kind::Script { path, by_shell: false } => (path.into(), files.collect()),
            Kind::Script { path, by_shell: true } => {
                ("/bin/sh".into(), std::iter::once(path.into()).chain(files).collect())
            }
            Kind::Command(text) => {
                let head = ["-c".into(), fill(text, paths), "sh".into()];
                ("/bin/sh".into(), head.into_iter().chain(files).collect())
            }
        }
    }
}

/// Checks that the system can start a script: it reports any fault of the first line as "No such file" alone.
fn check_first_line(path: &Path, script: &[u8]) -> Result<(), TestError> {
    let line = script.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let Some(line) = line.strip_prefix(b"#!") else { return Ok(()) };
    let text = String::from_utf8_lossy(line);
    let (path, named) = (path.to_owned(), text.trim());
    if line.ends_with(b"\r") {
        // `env` looks for its argument, all others are the first word.
        let program = named.split_whitespace().last().unwrap_or_default().to_owned();
        return Err(TestError::CarriageReturn { path, program });
    }
    match named.split_whitespace().next() {
        Some(program) if program.starts_with('/') && !Path::new(program).exists() => {
            Err(TestError::NoInterpreter { path, program: program.to_owned() })
        }
        _ => Ok(()),
    }
}

/// Puts the quoted paths in the place of `{}`.
fn fill(text: &str, paths: &[PathBuf]) -> OsString {
    let all = shell::join(paths);
    let mut filled = OsString::new();
    for (n, piece) in text.split("{}").enumerate() {
        if n > 0 {
            filled.push(&all);
        }
        filled.push(piece);
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_become_the_quoted_path() {
        let test = Test::new("cc {} | grep -q x", Delivery::Path).unwrap();
        let (program, arguments) = test.command_line(&[PathBuf::from("/t/it's.c")]);
        assert_eq!(program, "/bin/sh");
        assert_eq!(arguments, ["-c", r"cc '/t/it'\''s.c' | grep -q x", "sh", "/t/it's.c"]);
    }

    #[test]
    fn a_path_to_nothing_is_not_taken_for_a_command() {
        assert!(matches!(Test::new("./missing.sh", Delivery::Path), Err(TestError::Missing(_))));
    }
}
