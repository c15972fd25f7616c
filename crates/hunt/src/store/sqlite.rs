//! The store of a folder: `findings.sqlite` and the tests in `cases/`.
//!
//! Tests are written before the rows that name them, and all rows of a commit in one transaction: whenever the process
//! is killed, every row has its file, and progress never runs ahead of findings.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

use super::cases::Cases;
use super::schema::prepare;
use super::{Commit, Progress, Store, StoreError};
use crate::finding::{Case, Discovery, Finding, Sighting, State};
use crate::signature::{Signature, VERSION};

/// Cases that are kept for one finding.
const MAX_CASES: i64 = 5;

/// How long a second program that uses the store may make us wait.
const PATIENCE: Duration = Duration::from_secs(30);

/// Characters of a detail that are kept.
const MAX_DETAIL: usize = 20_000;

/// Findings and progress in a folder.
pub struct SqliteStore {
    connection: Connection,
    cases: Cases,
    folder: PathBuf,
}

impl SqliteStore {
    /// Opens the store in a folder, which is made if it is not there.
    ///
    /// # Errors
    /// When the folder or the database cannot be used.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        fs::create_dir_all(folder)?;
        let mut connection = Connection::open(folder.join("findings.sqlite"))?;
        connection.busy_timeout(PATIENCE)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.pragma_update(None, "foreign_keys", "ON")?;
        prepare(&mut connection)?;
        Ok(Self { connection, cases: Cases::new(folder.join("cases")), folder: folder.to_owned() })
    }

    /// Opens a store only if there is one.
    ///
    /// # Errors
    /// When it cannot be used.
    pub fn open_existing(folder: &Path) -> Result<Option<Self>, StoreError> {
        folder.join("findings.sqlite").is_file().then(|| Self::open(folder)).transpose()
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// A text that was kept under a name: what the campaign is.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn note(&self, name: &str) -> Result<Option<String>, StoreError> {
        let query = "SELECT value FROM meta WHERE name = ?1";
        Ok(self.connection.query_row(query, [name], |row| row.get(0)).optional()?)
    }

    /// Keeps a text under a name.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn set_note(&mut self, name: &str, value: &str) -> Result<(), StoreError> {
        self.connection.execute(SET_NOTE, [name, value])?;
        Ok(())
    }

    fn read(&self, row: &Row<'_>) -> Result<Finding, StoreError> {
        let damaged = |error: serde_json::Error| StoreError::Damaged(error.to_string());
        let id: i64 = row.get("id")?;
        let (signature, commands): (String, String) = (row.get("signature")?, row.get("commands")?);
        let state: String = row.get("state")?;
        let state =
            State::named(&state).ok_or_else(|| StoreError::Damaged(format!("unknown state `{state}`")))?;
        let reduced: Option<String> = row.get("reduced")?;
        let seconds = |name: &str| row.get::<_, i64>(name).map(|n| Duration::from_secs(n.unsigned_abs()));
        Ok(Finding {
            id,
            key: row.get("key")?,
            signature: serde_json::from_str::<Signature>(&signature).map_err(damaged)?,
            detail: row.get("detail")?,
            commands: serde_json::from_str(&commands).map_err(damaged)?,
            state,
            count: row.get::<_, i64>("count")?.unsigned_abs(),
            first_seen: seconds("first_seen")?,
            last_seen: seconds("last_seen")?,
            cases: self.read_cases(id)?,
            reduced: reduced.map(|hash| self.cases.read(&hash)).transpose()?,
        })
    }

    fn read_cases(&self, finding: i64) -> Result<Vec<Case>, StoreError> {
        let query = "SELECT hash, source, seed, test_index FROM kept_case WHERE finding = ?1 ORDER BY rowid";
        let mut statement = self.connection.prepare_cached(query)?;
        let mut rows = statement.query([finding])?;
        let mut cases = Vec::new();
        while let Some(row) = rows.next()? {
            let number = |name: &str| -> Result<u64, StoreError> {
                let text: String = row.get(name)?;
                text.parse().map_err(|_| StoreError::Damaged(format!("`{text}` is no number")))
            };
            let hash: String = row.get("hash")?;
            cases.push(Case {
                test: self.cases.read(&hash)?,
                source: row.get("source")?,
                seed: number("seed")?,
                index: number("test_index")?,
            });
        }
        Ok(cases)
    }
}

const SET_NOTE: &str =
    "INSERT INTO meta (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";

impl Store for SqliteStore {
    fn progress(&self) -> Result<Progress, StoreError> {
        match self.note("progress")? {
            Some(text) => serde_json::from_str(&text).map_err(|error| StoreError::Damaged(error.to_string())),
            None => Ok(Progress::default()),
        }
    }

    fn commit(&mut self, commit: &Commit, progress: &Progress) -> Result<Vec<i64>, StoreError> {
        let transaction = self.connection.transaction()?;
        let mut new = Vec::new();
        for sighting in &commit.sightings {
            match sighting {
                Sighting::Discovered(discovery) => {
                    new.extend(discovered(&transaction, &self.cases, discovery)?);
                }
                Sighting::Repeated { coarse_key, case } => {
                    repeated(&transaction, &self.cases, coarse_key, case.as_ref())?;
                }
            }
        }
        let text = serde_json::to_string(progress).map_err(|error| StoreError::Damaged(error.to_string()))?;
        transaction.execute(SET_NOTE, ["progress", &text])?;
        transaction.commit()?;
        Ok(new)
    }

    fn coarse_keys(&self) -> Result<Vec<String>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT coarse_key FROM finding ORDER BY id")?;
        let keys = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok(keys)
    }

    fn count_findings(&self) -> Result<u64, StoreError> {
        let count: i64 = self.connection.query_row("SELECT count(*) FROM finding", [], |row| row.get(0))?;
        Ok(count.unsigned_abs())
    }

    fn finding(&self, id: i64) -> Result<Option<Finding>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT * FROM finding WHERE id = ?1")?;
        let mut rows = statement.query([id])?;
        rows.next()?.map(|row| self.read(row)).transpose()
    }

    fn findings(&self) -> Result<Vec<Finding>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT * FROM finding ORDER BY id")?;
        let mut rows = statement.query([])?;
        let mut findings = Vec::new();
        while let Some(row) = rows.next()? {
            findings.push(self.read(row)?);
        }
        Ok(findings)
    }

    fn set_state(&mut self, id: i64, state: State) -> Result<(), StoreError> {
        self.connection.execute("UPDATE finding SET state = ?2 WHERE id = ?1", params![id, state.name()])?;
        Ok(())
    }
}

/// Adds a discovery to the finding with its key, or makes a new finding and returns its number.
fn discovered(
    transaction: &Transaction<'_>,
    cases: &Cases,
    discovery: &Discovery,
) -> Result<Option<i64>, StoreError> {
    let key = discovery.signature.key();
    let reduced = discovery.reduced.as_ref().map(|test| cases.keep(test)).transpose()?;
    let query = "SELECT id, reduced FROM finding WHERE key = ?1";
    let known: Option<(i64, Option<String>)> =
        transaction.query_row(query, [&key], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let Some((id, before)) = known else {
        let id = insert(transaction, discovery, &key, reduced.as_deref())?;
        keep_case(transaction, cases, id, &discovery.case)?;
        return Ok(Some(id));
    };
    count(transaction, id)?;
    let size = |hash: &String| cases.read(hash).ok().map(|test| test.len());
    let (size_now, size_before) = (reduced.as_ref().and_then(size), before.as_ref().and_then(size));
    if size_now.is_some_and(|now| size_before.is_none_or(|before| now < before)) {
        transaction.execute("UPDATE finding SET reduced = ?2 WHERE id = ?1", params![id, reduced])?;
    }
    keep_case(transaction, cases, id, &discovery.case)?;
    Ok(None)
}

fn insert(
    transaction: &Transaction<'_>,
    discovery: &Discovery,
    key: &str,
    reduced: Option<&str>,
) -> Result<i64, StoreError> {
    let json =
        |value: serde_json::Result<String>| value.map_err(|error| StoreError::Damaged(error.to_string()));
    let signature = json(serde_json::to_string(&discovery.signature))?;
    let commands = json(serde_json::to_string(&discovery.commands))?;
    let detail: String = discovery.detail.chars().take(MAX_DETAIL).collect();
    transaction.execute(
        "INSERT INTO finding (key, coarse_key, signature, signature_version, detail, commands, count, first_seen, \
         last_seen, reduced) VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, ?7, ?7, ?8)",
        params![key, discovery.coarse_key, signature, VERSION, detail, commands, now(), reduced],
    )?;
    Ok(transaction.last_insert_rowid())
}

/// Counts a failure for the first finding with its coarse key.
fn repeated(
    transaction: &Transaction<'_>,
    cases: &Cases,
    coarse_key: &str,
    case: Option<&Case>,
) -> Result<(), StoreError> {
    let query = "SELECT min(id) FROM finding WHERE coarse_key = ?1";
    let id: Option<i64> = transaction.query_row(query, [coarse_key], |row| row.get(0))?;
    // The discovery that it repeats may be in a batch that is still under way.
    let Some(id) = id else { return Ok(()) };
    count(transaction, id)?;
    case.map_or(Ok(()), |case| keep_case(transaction, cases, id, case))
}

fn count(transaction: &Transaction<'_>, id: i64) -> Result<(), StoreError> {
    let update = "UPDATE finding SET count = count + 1, last_seen = ?2 WHERE id = ?1";
    transaction.execute(update, params![id, now()])?;
    Ok(())
}

fn keep_case(transaction: &Transaction<'_>, cases: &Cases, id: i64, case: &Case) -> Result<(), StoreError> {
    let query = "SELECT count(*) FROM kept_case WHERE finding = ?1";
    let count: i64 = transaction.query_row(query, [id], |row| row.get(0))?;
    if count < MAX_CASES {
        let hash = cases.keep(&case.test)?;
        transaction.execute(
            "INSERT OR IGNORE INTO kept_case (finding, hash, source, seed, test_index) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![id, hash, case.source, case.seed.to_string(), case.index.to_string()],
        )?;
    }
    Ok(())
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}
