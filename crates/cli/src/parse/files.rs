//! Collects the files that a command line names, including those in folders.

use crate::failure::Failure;
use std::path::{Path, PathBuf};

/// All files, in the given order; a folder means the files below it, sorted by name. If there are extensions, only
/// files with one of them count below a folder.
pub(super) fn collect(paths: &[PathBuf], extensions: &[String]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            walk(path, extensions, &mut files)?;
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

fn walk(folder: &Path, extensions: &[String], files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let mut todo = vec![folder.to_path_buf()];
    while let Some(path) = todo.pop() {
        if !path.is_dir() {
            let extension = path.extension().unwrap_or_default().to_string_lossy();
            if extensions.is_empty() || extensions.iter().any(|known| *known == extension) {
                files.push(path);
            }
            continue;
        }
        let unreadable =
            |error| Failure::unusable(format!("cannot read the folder `{}`: {error}", path.display()));
        let entries = std::fs::read_dir(&path).map_err(unreadable)?;
        let mut inside = entries
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<Vec<_>, _>>()
            .map_err(unreadable)?;
        // Links could form cycles; hidden files are not texts of the user.
        inside.retain(|path| {
            let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
            !hidden && !path.is_symlink()
        });
        inside.sort();
        todo.extend(inside.into_iter().rev());
    }
    Ok(())
}
