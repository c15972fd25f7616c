//! A folder that looks like another one: each entry is a symbolic link to the entry there.
//!
//! A test that needs a file beside the original finds it here. Nothing is copied, and a test that removes what is in its
//! working folder removes links only.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// A folder with more entries than this is not mirrored further: it is no folder of a small project.
const MAX_ENTRIES: usize = 4096;

/// How many folders above the original are mirrored, so that `../include` exists.
const PARENTS: usize = 2;

/// Makes a mirror of `original` somewhere below `root` and gives its path. The files `except` are left out: the caller
/// writes them, which must not go through a link.
pub(crate) fn mirror(original: &Path, root: &Path, except: &[PathBuf]) -> io::Result<PathBuf> {
    let original = fs::canonicalize(original)?;
    let parents: Vec<&Path> = original.ancestors().skip(1).take(PARENTS).collect();
    let top = parents.last().copied().unwrap_or(&original);
    let below = original.strip_prefix(top).unwrap_or(Path::new(""));
    let except: Vec<PathBuf> = except.iter().map(|name| below.join(name)).collect();
    // The folder itself must exist as a folder even if none of its entries is left out.
    let inside = below.join("inside");
    let kept: Vec<&Path> = except.iter().chain([&inside]).map(PathBuf::as_path).collect();
    link_entries(top, root, &kept)?;
    Ok(root.join(below))
}

/// Links the entries of a folder. A folder that has one of `kept` in it becomes a folder of its own.
fn link_entries(from: &Path, to: &Path, kept: &[&Path]) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)?.take(MAX_ENTRIES) {
        let name = PathBuf::from(entry?.file_name());
        let below: Vec<&Path> = kept.iter().filter_map(|path| path.strip_prefix(&name).ok()).collect();
        if below.is_empty() {
            symlink(from.join(&name), to.join(&name))?;
        } else if !below.contains(&Path::new("")) {
            link_entries(&from.join(&name), &to.join(&name), &below)?;
        }
    }
    // An entry beyond the limit may be a folder on the way to the original.
    for path in kept {
        path.parent().map(|parent| fs::create_dir_all(to.join(parent))).transpose()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_links_and_left_out_files_are_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let original = folder.path().join("project/case");
        fs::create_dir_all(original.join("sub")).unwrap();
        for name in ["case/input.c", "case/helper.h", "case/sub/part.c", "case/sub/part.h", "include.h"] {
            fs::write(folder.path().join("project").join(name), name).unwrap();
        }
        let root = tempfile::tempdir().unwrap();
        let mirror = mirror(&original, root.path(), &["input.c".into(), "sub/part.c".into()]).unwrap();
        let read = |name: &str| fs::read_to_string(mirror.join(name)).ok();
        assert_eq!(read("helper.h").as_deref(), Some("case/helper.h"));
        assert_eq!(read("../include.h").as_deref(), Some("include.h"));
        assert_eq!(read("sub/part.h").as_deref(), Some("case/sub/part.h"));
        assert_eq!((read("input.c"), read("sub/part.c")), (None, None));
        fs::write(mirror.join("sub/part.c"), "changed").unwrap();
        fs::remove_dir_all(&mirror).unwrap();
        assert_eq!(fs::read_to_string(original.join("sub/part.c")).unwrap(), "case/sub/part.c");
        assert!(original.join("helper.h").exists());
    }
}
