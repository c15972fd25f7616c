//! Answers in an append-only file of 17-byte records: the key of the candidate and the answer.
//!
//! Each record is appended with one `write` as the answer comes. Whatever ends the process, what was answered is there,
//! and an incomplete last record is ignored. The system may still lose the last seconds when the machine itself dies.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use polysmith_reduce::{Answer, Key};
use rustc_hash::FxHashMap;

const RECORD: usize = 17;

/// Answers on disk and in memory.
#[derive(Debug)]
pub(crate) struct Answers {
    known: FxHashMap<Key, Answer>,
    file: File,
}

impl Answers {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let known = read(path)?;
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        file.set_len(file.metadata()?.len() / RECORD as u64 * RECORD as u64)?;
        Ok(Self { known, file })
    }

    pub(crate) fn get(&self, key: Key) -> Option<Answer> {
        self.known.get(&key).copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.known.len()
    }

    pub(crate) fn add(&mut self, key: Key, answer: Answer) -> io::Result<()> {
        self.known.insert(key, answer);
        let mut record = [0; RECORD];
        record[..8].copy_from_slice(&key.0[0].to_le_bytes());
        record[8..16].copy_from_slice(&key.0[1].to_le_bytes());
        record[16] = encode(answer);
        self.file.write_all(&record)
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
    Ok(records.map(|r| (Key([number(&r[..8]), number(&r[8..16])]), decode(r[16]))).collect())
}

fn encode(answer: Answer) -> u8 {
    match answer {
        Answer::No => 0,
        Answer::Yes => 1,
        Answer::TimedOut => 2,
    }
}

fn decode(code: u8) -> Answer {
    match code {
        1 => Answer::Yes,
        2 => Answer::TimedOut,
        _ => Answer::No,
    }
}
