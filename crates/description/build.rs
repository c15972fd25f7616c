//! Embeds the folders of `languages/` and `formats/` into the binary.
//!
//! Writes a Rust slice of folders, each with its files as `include_bytes!`, in sorted order, so that the same
//! tree always gives the same binary.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../..");
    let mut code = String::from("&[\n");
    for kind in ["languages", "formats"] {
        let folder = root.join(kind);
        println!("cargo:rerun-if-changed={}", folder.display());
        if folder.is_dir() {
            for entry in sorted(&folder)?.into_iter().filter(|path| path.is_dir()) {
                if has_side_file(&entry)? {
                    embed(&entry, &mut code)?;
                }
            }
        }
    }
    code.push_str("]\n");
    fs::write(PathBuf::from(env::var("OUT_DIR").expect("cargo sets it")).join("built_in.rs"), code)
}

/// Whether a language is ready: a folder without a side file is a grammar that is still being written.
fn has_side_file(folder: &Path) -> io::Result<bool> {
    Ok(sorted(folder)?.iter().any(|path| path.extension().is_some_and(|extension| extension == "toml")))
}

fn embed(folder: &Path, code: &mut String) -> io::Result<()> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let _ = writeln!(code, "BuiltIn {{ name: {name:?}, files: &[");
    let mut open = vec![folder.to_path_buf()];
    let mut files = Vec::new();
    while let Some(next) = open.pop() {
        for path in sorted(&next)? {
            if path.is_dir() { open.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    for path in files {
        let inside =
            path.strip_prefix(folder).expect("it was found in there").to_string_lossy().replace('\\', "/");
        let _ = writeln!(code, "({inside:?}, include_bytes!({:?})),", path.display().to_string());
    }
    code.push_str("] },\n");
    Ok(())
}

fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>()?;
    paths.sort();
    Ok(paths)
}
