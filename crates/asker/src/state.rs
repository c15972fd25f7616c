//! The journal on disk: `FILE.polysmith/`.
//!
//! `answers` is a list of 17-byte records (the key of the candidate and the answer), appended with one `write` each as
//! the answers come: whatever ends the process, what was answered is there, and a torn last record is ignored. The
//! system may still lose the last seconds when the machine itself dies. `identity` holds hashes of the input, the
//! test and the options; `limits` the slowest yes; `scratch` the folder to clean up after a `kill -9`.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use polysmith_reduce::{Answer, Key};
use polysmith_run::files::write_file;
use rustc_hash::FxHashMap;

/// What a state belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Hash of the files under reduction.
    pub input: String,
    /// Hash of the test.
    pub test: String,
    /// Hash of the options that change the steps.
    pub options: String,
}

impl Identity {
    /// Hashes what a reduction depends on.
    #[must_use]
    pub fn new(input: &[Vec<u8>], test: &[u8], options: &str) -> Self {
        let mut hasher = blake3::Hasher::new();
        for file in input {
            hasher.update(&(file.len() as u64).to_le_bytes()).update(file);
        }
        let short = |hash: blake3::Hash| hash.to_hex()[..32].to_owned();
        Self {
            input: short(hasher.finalize()),
            test: short(blake3::hash(test)),
            options: short(blake3::hash(options.as_bytes())),
        }
    }

    fn to_text(&self) -> String {
        format!("polysmith reduce 1\ninput {}\ntest {}\noptions {}\n", self.input, self.test, self.options)
    }
}

/// What an earlier run left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// Nothing, or something else.
    Nothing,
    /// The same input with the same test and options: its answers hold.
    Same,
    /// The same input, but the test or the options changed: only its best result can be used.
    Changed,
}

/// Answers on disk and in memory.
#[derive(Debug)]
pub struct State {
    folder: PathBuf,
    answers: FxHashMap<Key, Answer>,
    file: File,
}

const RECORD: usize = 17;

impl State {
    /// Looks at what an earlier run left in a folder.
    #[must_use]
    pub fn find(folder: &Path, identity: &Identity) -> Found {
        let Ok(text) = fs::read_to_string(folder.join("identity")) else { return Found::Nothing };
        let input = format!("input {}", identity.input);
        match text == identity.to_text() {
            true => Found::Same,
            false if text.lines().any(|line| line == input) => Found::Changed,
            false => Found::Nothing,
        }
    }

    /// Opens the state in a folder; `resume` keeps the answers that are there.
    ///
    /// # Errors
    /// When the folder cannot be made, read or written.
    pub fn open(folder: &Path, identity: &Identity, resume: bool) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        remove_old_scratch(folder);
        let path = folder.join("answers");
        let answers = if resume { read(&path)? } else { FxHashMap::default() };
        let file = OpenOptions::new().create(true).append(true).open(&path)?;
        // A torn record at the end goes; so does everything when the answers do not hold.
        let whole = if resume { file.metadata()?.len() / RECORD as u64 * RECORD as u64 } else { 0 };
        file.set_len(whole)?;
        fs::write(folder.join("identity"), identity.to_text())?;
        Ok(Self { folder: folder.to_owned(), answers, file })
    }

    /// The answer to a question, if it is known.
    #[must_use]
    pub fn known(&self, key: Key) -> Option<Answer> {
        self.answers.get(&key).copied()
    }

    /// How many answers there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.answers.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    /// Keeps an answer.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(&mut self, key: Key, answer: Answer) -> io::Result<()> {
        self.answers.insert(key, answer);
        let mut record = [0; RECORD];
        record[..8].copy_from_slice(&key.0[0].to_le_bytes());
        record[8..16].copy_from_slice(&key.0[1].to_le_bytes());
        record[16] = code(answer);
        self.file.write_all(&record)
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
    pub fn keep_slowest_yes(&self, time: Duration) -> io::Result<()> {
        let text = format!("{}\n", time.as_millis());
        write_file(&self.folder.join("limits"), text.as_bytes()).map_err(io::Error::other)
    }

    /// Remembers which folder to remove if this process is killed.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep_scratch(&self, scratch: &Path) -> io::Result<()> {
        fs::write(self.folder.join("scratch"), scratch.as_os_str().as_encoded_bytes())
    }

    /// Removes the state: the reduction came to its end.
    ///
    /// # Errors
    /// When the folder cannot be removed.
    pub fn remove(self) -> io::Result<()> {
        fs::remove_dir_all(&self.folder)
    }
}

fn read(path: &Path) -> io::Result<FxHashMap<Key, Answer>> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(error),
    };
    let number = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap_or_default());
    let records = bytes.chunks_exact(RECORD);
    Ok(records.map(|r| (Key([number(&r[..8]), number(&r[8..16])]), answer(r[16]))).collect())
}

fn code(answer: Answer) -> u8 {
    match answer {
        Answer::No => 0,
        Answer::Yes => 1,
        Answer::TimedOut => 2,
    }
}

fn answer(code: u8) -> Answer {
    match code {
        1 => Answer::Yes,
        2 => Answer::TimedOut,
        _ => Answer::No,
    }
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
