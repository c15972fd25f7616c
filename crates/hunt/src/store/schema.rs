//! The tables, and how those of earlier versions are brought up to date.

use rusqlite::Connection;

use super::StoreError;

/// The format that this version writes.
pub(super) const VERSION: i64 = 1;

/// One step per format, from the empty database on. A step is never changed once it is released.
const STEPS: &[&str] = &["
    CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    CREATE TABLE finding (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,
        coarse_key TEXT NOT NULL,
        signature TEXT NOT NULL,
        signature_version INTEGER NOT NULL,
        detail TEXT NOT NULL,
        commands TEXT NOT NULL,
        state TEXT NOT NULL DEFAULT 'new',
        count INTEGER NOT NULL,
        first_seen INTEGER NOT NULL,
        last_seen INTEGER NOT NULL,
        reduced TEXT
    ) STRICT;
    CREATE INDEX finding_by_coarse_key ON finding (coarse_key);
    CREATE TABLE kept_case (
        finding INTEGER NOT NULL REFERENCES finding (id),
        hash TEXT NOT NULL,
        source TEXT NOT NULL,
        seed TEXT NOT NULL,
        test_index TEXT NOT NULL,
        PRIMARY KEY (finding, hash)
    ) STRICT;
"];

/// Makes the tables of this version.
pub(super) fn prepare(connection: &mut Connection) -> Result<(), StoreError> {
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if version > VERSION {
        return Err(StoreError::TooNew(version));
    }
    for (n, step) in STEPS.iter().enumerate().skip(usize::try_from(version).unwrap_or_default()) {
        let transaction = connection.transaction()?;
        transaction.execute_batch(step)?;
        transaction.execute_batch(&format!("PRAGMA user_version = {}", n + 1))?;
        transaction.commit()?;
    }
    Ok(())
}
