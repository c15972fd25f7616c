//! A fresh folder for each run, under one scratch folder that vanishes with its owner.
//!
//! Each run gets `N/` as working folder and `N.tmp/` as private `TMPDIR`, so that a run can neither see another
//! one nor leave anything behind, whatever kills it. To make and remove two folders costs half a millisecond on a
//! journalling file system, so a pair is emptied and lent again: to a run it is as good as new. A folder that is not
//! what was made (removed, replaced by a link, other permissions) or that cannot be emptied is never lent again.

use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// The folder in which the folders of all runs are made.
#[derive(Debug)]
pub struct Scratch {
    root: tempfile::TempDir,
    made: u64,
    idle: Idle,
}

/// Pairs that are empty and wait for their next run.
type Idle = Arc<Mutex<Vec<[Place; 2]>>>;

/// The two folders of one run; emptied when dropped.
#[derive(Debug)]
pub struct Folder {
    work: Place,
    temporary: Place,
    idle: Idle,
}

/// A folder as it was made.
#[derive(Clone, Debug)]
struct Place {
    path: PathBuf,
    identity: Identity,
}

/// Device, inode and mode: what a run must leave alone for the folder to be used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Identity(u64, u64, u32);

impl Scratch {
    /// A scratch folder below the system's folder for temporary files.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn new() -> io::Result<Self> {
        let root = tempfile::Builder::new().prefix("polysmith-").tempdir()?;
        Ok(Self { root, made: 0, idle: Idle::default() })
    }

    /// The scratch folder itself.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.root.path()
    }

    /// The empty folders of the next run.
    ///
    /// # Errors
    /// When they cannot be made, most often because the disk is full.
    pub fn folder(&mut self) -> io::Result<Folder> {
        let waiting = self.idle.lock().ok().and_then(|mut idle| idle.pop());
        let [work, temporary] = match waiting {
            Some(pair) => pair,
            None => self.make()?,
        };
        Ok(Folder { work, temporary, idle: Arc::clone(&self.idle) })
    }

    fn make(&mut self) -> io::Result<[Place; 2]> {
        let number = self.made;
        self.made += 1;
        let work = Place::make(self.root.path().join(number.to_string()))?;
        match Place::make(self.root.path().join(format!("{number}.tmp"))) {
            Ok(temporary) => Ok([work, temporary]),
            Err(error) => {
                remove(&work.path);
                Err(error)
            }
        }
    }
}

impl Folder {
    /// The working folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.work.path
    }

    /// The private folder for temporary files.
    #[must_use]
    pub fn temporary(&self) -> &Path {
        &self.temporary.path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let emptied = self.work.empty().and_then(|()| self.temporary.empty());
        match (emptied, self.idle.lock()) {
            (Ok(()), Ok(mut idle)) => idle.push([self.work.clone(), self.temporary.clone()]),
            _ => [&self.temporary, &self.work].into_iter().for_each(|place| remove(&place.path)),
        }
    }
}

impl Place {
    fn make(path: PathBuf) -> io::Result<Self> {
        fs::create_dir(&path)?;
        let identity = identity(&path)?;
        Ok(Self { path, identity })
    }

    /// Removes what a run left, if the folder is still the one that was made.
    fn empty(&self) -> io::Result<()> {
        if identity(&self.path)? != self.identity {
            return Err(io::Error::other("not the folder that was made"));
        }
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            // Neither call follows links.
            if entry.file_type()?.is_dir() {
                fs::remove_dir_all(entry.path())?;
            } else {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }
}

fn identity(path: &Path) -> io::Result<Identity> {
    let meta = fs::symlink_metadata(path)?;
    Ok(Identity(meta.dev(), meta.ino(), meta.mode()))
}

/// Removes a folder with everything in it, also when a test took away the permissions.
fn remove(folder: &Path) {
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
