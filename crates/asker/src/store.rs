//! What reductions of a file keep on disk: the folder `FILE.polysmith/`.
//!
//! A reduction takes hours, so nothing of it is thrown away, not even when it is complete:
//!
//! - one folder per question ([`Identity`]) with `answers`, `identity`, `result/` (the best files), `start/` (the files
//!   it began with, if these are not the input), `results` (hashes of every result that was written) and `limits`;
//! - `NAME.1/`, `NAME.2/`: earlier folders of questions that were started over;
//! - `lock`: one process at a time uses the folder; `scratch`: what to remove after a `kill -9`.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use polysmith_reduce::{Answer, Key, Text};
use polysmith_run::FileError;
use polysmith_run::files::{WriteError, write_file};

use crate::answers::Answers;
use crate::identity::Identity;

/// The folder cannot be used. The message names the path and what was being done.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process has it.
    #[error("another reduction of the same file is running: `{}` is in use", .0.display())]
    InUse(PathBuf),
    /// The system refuses something.
    #[error(transparent)]
    Failed(#[from] FileError),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// The folder of all questions about a file, in use by this process.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    /// Released when it is closed.
    _lock: File,
}

impl Store {
    /// Opens the folder; it is made if it is not there.
    ///
    /// # Errors
    /// When another process uses it or the system refuses.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        fs::create_dir_all(folder).map_err(FileError::when("create the folder", folder))?;
        let path = folder.join("lock");
        let lock = File::create(&path).map_err(FileError::when("create", &path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StoreError::InUse(folder.to_owned())),
            Err(TryLockError::Error(error)) => return Err(FileError::when("lock", &path)(error).into()),
        }
        remove_old_scratch(folder);
        Ok(Self { folder: folder.to_owned(), _lock: lock })
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Remembers which folder to remove if this process is killed.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep_scratch(&self, scratch: &Path) -> Result<(), StoreError> {
        Ok(write_file(&self.folder.join("scratch"), scratch.as_os_str().as_encoded_bytes())?)
    }

    /// The folder of a question that was asked before.
    #[must_use]
    pub fn find(&self, identity: &Identity) -> Option<PathBuf> {
        let folder = self.folder.join(identity.folder_name());
        let text = fs::read_to_string(folder.join("identity")).ok()?;
        (text == identity.to_string()).then_some(folder)
    }

    /// The folder of the last other question about the same input that has a result.
    #[must_use]
    pub fn find_other(&self, identity: &Identity) -> Option<PathBuf> {
        let this = self.folder.join(identity.folder_name());
        let is_other = |folder: &PathBuf| {
            let text = fs::read_to_string(folder.join("identity")).unwrap_or_default();
            *folder != this && identity.has_input_of(&text) && folder.join("result").is_dir()
        };
        question_folders(&self.folder).filter(is_other).max_by_key(|folder| last_change(folder))
    }

    /// Puts the folder of a question aside under a new name, which is given back.
    ///
    /// # Errors
    /// When it cannot be renamed.
    pub fn put_aside(&self, identity: &Identity) -> Result<Option<PathBuf>, StoreError> {
        let Some(folder) = self.find(identity) else { return Ok(None) };
        let name = identity.folder_name();
        let mut names = (1u32..).map(|n| self.folder.join(format!("{name}.{n}")));
        let Some(aside) = names.find(|path| !path.exists()) else { return Ok(None) };
        fs::rename(&folder, &aside).map_err(FileError::when("rename", &folder))?;
        Ok(Some(aside))
    }

    /// Opens the folder of a question with the answers that are there.
    ///
    /// # Errors
    /// When it cannot be made, read or written.
    pub fn open_question(&self, identity: &Identity) -> Result<QuestionFolder, StoreError> {
        let folder = self.folder.join(identity.folder_name());
        fs::create_dir_all(&folder).map_err(FileError::when("create the folder", &folder))?;
        let answers = folder.join("answers");
        let answers = Answers::open(&answers).map_err(FileError::when("read", &answers))?;
        write_file(&folder.join("identity"), identity.to_string().as_bytes())?;
        let results = folder.join("results");
        let results = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&results)
            .map_err(FileError::when("open", &results))?;
        Ok(QuestionFolder { folder, answers, results })
    }

    /// Removes a question without any result, and the whole folder if nothing else is in it.
    pub fn discard(self, question: QuestionFolder) {
        if question.folder.join("result").exists() {
            return;
        }
        // What cannot be removed does no harm.
        let _ = fs::remove_dir_all(&question.folder);
        if question_folders(&self.folder).next().is_none() {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// The folder of one question.
#[derive(Debug)]
pub struct QuestionFolder {
    folder: PathBuf,
    answers: Answers,
    results: File,
}

impl QuestionFolder {
    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// The answer to a question, if it is known.
    #[must_use]
    pub fn known(&self, key: Key) -> Option<Answer> {
        self.answers.get(key)
    }

    /// How many answers are known.
    #[must_use]
    pub fn answers(&self) -> usize {
        self.answers.len()
    }

    /// Keeps an answer.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep_answer(&mut self, key: Key, answer: Answer) -> Result<(), StoreError> {
        let path = self.folder.join("answers");
        Ok(self.answers.add(key, answer).map_err(FileError::when("write", &path))?)
    }

    /// Notes that these bytes are about to be written as a result, so that the file is recognized later.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn announce(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        let line = format!("{}\n", hash(bytes));
        let path = self.folder.join("results");
        Ok(self.results.write_all(line.as_bytes()).map_err(FileError::when("write", &path))?)
    }

    /// Whether this question wrote these bytes as a result.
    #[must_use]
    pub fn has_written(&self, bytes: &[u8]) -> bool {
        lists(&self.folder, &hash(bytes))
    }

    /// Keeps a copy of the best files. A file that is left out is removed.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep_result(&self, names: &[PathBuf], text: &Text) -> Result<(), StoreError> {
        let folder = self.folder.join("result");
        fs::create_dir_all(&folder).map_err(FileError::when("create the folder", &folder))?;
        for (part, name) in text.parts().iter().zip(names) {
            let path = folder.join(name);
            if part.present {
                write_file(&path, text.slice(&part.range))?;
            } else if path.is_file() {
                fs::remove_file(&path).map_err(FileError::when("remove", &path))?;
            }
        }
        Ok(())
    }

    /// The best files of earlier runs; one that was left out is `None`.
    #[must_use]
    pub fn result(&self, names: &[PathBuf]) -> Option<Vec<Option<Vec<u8>>>> {
        read_files(&self.folder.join("result"), names)
    }

    /// Keeps the files to start from, which are not the input. One that is left out is `None`.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn keep_start(&self, names: &[PathBuf], files: &[Option<Vec<u8>>]) -> Result<(), StoreError> {
        for (name, bytes) in names.iter().zip(files) {
            let Some(bytes) = bytes else { continue };
            write_file(&self.folder.join("start").join(name), bytes)?;
        }
        Ok(())
    }

    /// The files to start from, if they are not the input.
    #[must_use]
    pub fn start(&self, names: &[PathBuf]) -> Option<Vec<Option<Vec<u8>>>> {
        read_files(&self.folder.join("start"), names)
    }

    /// Notes whether the reduction came to its end: the file `complete` is there then.
    ///
    /// # Errors
    /// When the file cannot be written or removed.
    pub fn keep_complete(&self, is_complete: bool) -> Result<(), StoreError> {
        let path = self.folder.join("complete");
        if is_complete {
            write_file(&path, b"")?;
        } else if path.is_file() {
            fs::remove_file(&path).map_err(FileError::when("remove", &path))?;
        }
        Ok(())
    }

    /// The slowest yes of an earlier run.
    #[must_use]
    pub fn slowest_yes(&self) -> Option<Duration> {
        let text = fs::read_to_string(self.folder.join("limits")).ok()?;
        text.trim().parse().ok().map(Duration::from_millis)
    }

    /// Keeps the slowest yes.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep_slowest_yes(&self, time: Duration) -> Result<(), StoreError> {
        let text = format!("{}\n", time.as_millis());
        Ok(write_file(&self.folder.join("limits"), text.as_bytes())?)
    }
}

/// The result of the question in this folder; `None` if it has none.
#[must_use]
pub fn read_result(question: &Path, names: &[PathBuf]) -> Option<Vec<Option<Vec<u8>>>> {
    read_files(&question.join("result"), names)
}

/// The folder of the question whose result these bytes are, if a reduction with this store wrote them.
#[must_use]
pub fn find_result(store: &Path, bytes: &[u8]) -> Option<PathBuf> {
    let hash = hash(bytes);
    question_folders(store).find(|folder| lists(folder, &hash))
}

fn read_files(folder: &Path, names: &[PathBuf]) -> Option<Vec<Option<Vec<u8>>>> {
    folder.is_dir().then(|| names.iter().map(|name| fs::read(folder.join(name)).ok()).collect())
}

fn lists(question: &Path, hash: &str) -> bool {
    fs::read_to_string(question.join("results")).is_ok_and(|list| list.lines().any(|line| line == hash))
}

fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..32].to_owned()
}

fn question_folders(store: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(store).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| path.join("identity").is_file())
}

fn last_change(question: &Path) -> Option<SystemTime> {
    fs::metadata(question.join("answers")).and_then(|meta| meta.modified()).ok()
}

/// Removes the folder of a run that was killed, if it is one of ours.
fn remove_old_scratch(folder: &Path) {
    let Ok(old) = fs::read_to_string(folder.join("scratch")) else { return };
    let old = Path::new(&old);
    let ours = old.file_name().is_some_and(|name| name.to_string_lossy().starts_with("polysmith-"));
    if ours && old.starts_with(std::env::temp_dir()) {
        let _ = fs::remove_dir_all(old);
    }
}
