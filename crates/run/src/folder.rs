//! A fresh folder for each run, under one scratch folder that vanishes with its owner.
//!
//! Each run gets `N/` as working folder and `N.tmp/` as private `TMPDIR`, so that a run can neither see another
//! one nor leave anything behind, whatever kills it.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The folder in which the folders of all runs are made.
#[derive(Debug)]
pub struct Scratch {
    root: tempfile::TempDir,
    made: u64,
}

/// The two folders of one run; removed when dropped.
#[derive(Debug)]
pub struct Folder {
    work: PathBuf,
    temporary: PathBuf,
}

impl Scratch {
    /// A scratch folder below the system's folder for temporary files.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn new() -> io::Result<Self> {
        let root = tempfile::Builder::new().prefix("polysmith-").tempdir()?;
        Ok(Self { root, made: 0 })
    }

    /// The scratch folder itself.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.root.path()
    }

    /// Makes the folders of the next run.
    ///
    /// # Errors
    /// When they cannot be made, most often because the disk is full.
    pub fn folder(&mut self) -> io::Result<Folder> {
        let work = self.root.path().join(self.made.to_string());
        let temporary = self.root.path().join(format!("{}.tmp", self.made));
        self.made += 1;
        fs::create_dir(&work)?;
        // From here on dropping `folder` removes what was made.
        let folder = Folder { work, temporary };
        fs::create_dir(&folder.temporary)?;
        Ok(folder)
    }
}

impl Folder {
    /// The working folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.work
    }

    /// The private folder for temporary files.
    #[must_use]
    pub fn temporary(&self) -> &Path {
        &self.temporary
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        remove(&self.temporary);
        remove(&self.work);
    }
}

/// Removes a folder with everything in it, also when a test took away the permissions.
fn remove(folder: &Path) {
    // Nearly always the folder for temporary files is empty: one call instead of a walk.
    if fs::remove_dir(folder).is_ok() {
        return;
    }
    match fs::remove_dir_all(folder) {
        Ok(()) => {}
        // The test may have deleted it as well.
        Err(error) if error.kind() == io::ErrorKind::NotFound && !folder.exists() => {}
        Err(_) => {
            permit(folder);
            // What cannot be removed now goes, if at all, with the scratch folder.
            let _ = fs::remove_dir_all(folder);
        }
    }
}

fn permit(root: &Path) {
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let _ = fs::set_permissions(&folder, fs::Permissions::from_mode(0o700));
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        // `file_type` does not follow links, so the walk stays inside.
        folders.extend(entries.filter(|e| e.file_type().is_ok_and(|t| t.is_dir())).map(|e| e.path()));
    }
}
