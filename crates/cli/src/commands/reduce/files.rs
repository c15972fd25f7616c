//! The files under reduction: where they come from, what they are called in the test's folder, where results go.

use crate::failure::Failure;
use anyhow::Context as _;
use polysmith_asker::{QuestionFolder, find_result};
use polysmith_reduce::Text;
use polysmith_run::files::{Target, write_file};
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Files under reduction.
#[derive(Debug)]
pub(super) struct Files {
    paths: Vec<PathBuf>,
    names: Vec<PathBuf>,
    outputs: Vec<PathBuf>,
    originals: Vec<Vec<u8>>,
    in_place: bool,
}

impl Files {
    /// Reads the input files and decides where the results go.
    pub(super) fn read(paths: &[PathBuf], output: Option<&Path>, in_place: bool) -> anyhow::Result<Files> {
        let read = |path: &PathBuf| {
            fs::read(path)
                .map_err(|error| Failure::unusable(format!("cannot read `{}`: {error}", path.display())))
        };
        let originals: Vec<Vec<u8>> = paths.iter().map(read).collect::<Result<_, _>>()?;
        let names: Vec<PathBuf> = paths.iter().map(|path| name_in_folder(path, paths.len() > 1)).collect();
        for (at, name) in names.iter().enumerate() {
            if names[..at].contains(name) {
                let what =
                    format!("two files would be called `{}` in the folder of the test", name.display());
                return Err(Failure::usage(what).help("name them by relative paths").into());
            }
        }
        let outputs = match output {
            Some(output) if paths.len() > 1 && !output.to_string_lossy().contains("{}") => {
                let help = "`-o 'out/{}'` puts each file under its own name into a folder";
                return Err(Failure::usage("several files cannot go to one `--output`").help(help).into());
            }
            Some(output) => {
                let named = |path: &PathBuf| {
                    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                    PathBuf::from(output.to_string_lossy().replace("{}", &name))
                };
                paths.iter().map(named).collect()
            }
            None if in_place => paths.to_vec(),
            None => paths.iter().map(|path| reduced_name(path)).collect(),
        };
        let mut files = Files { paths: paths.to_vec(), names, outputs, originals, in_place };
        if in_place {
            files.read_kept_originals()?;
        }
        Ok(files)
    }

    /// After `--in-place`, the text to reduce is the kept original. A file that was edited since is refused.
    fn read_kept_originals(&mut self) -> anyhow::Result<()> {
        let store = self.state_folder();
        for (path, original) in self.paths.iter().zip(&mut self.originals) {
            let kept = kept_name(path);
            let Ok(bytes) = fs::read(&kept) else { continue };
            if bytes != *original && find_result(&store, original).is_none() {
                let what = format!("`{}` was edited since `{}` was kept", path.display(), kept.display());
                let help = format!("to reduce it as it is now, move `{}` away", kept.display());
                return Err(Failure::usage(what).help(help).into());
            }
            *original = bytes;
        }
        Ok(())
    }

    /// Keeps the originals of files that are changed in place, before the first change.
    pub(super) fn keep_originals(&self) -> anyhow::Result<()> {
        for (path, original) in self.paths.iter().zip(&self.originals).filter(|_| self.in_place) {
            let kept = kept_name(path);
            if !kept.exists() {
                write_file(&kept, original)?;
            }
        }
        Ok(())
    }

    /// Refuses outputs that no reduction of these files wrote.
    pub(super) fn check_outputs(&self) -> anyhow::Result<()> {
        let store = self.state_folder();
        for output in self.outputs.iter().filter(|_| !self.in_place) {
            let is_foreign = |bytes: Vec<u8>| !bytes.is_empty() && find_result(&store, &bytes).is_none();
            if is_kept_file(output) && fs::read(output).is_ok_and(is_foreign) {
                let what = format!("`{}` is there already", output.display());
                let help = "no reduction of this file wrote it as it is now; --force overwrites it";
                return Err(Failure::usage(what).help(help).into());
            }
        }
        Ok(())
    }

    /// Whether every output holds a result of this question already.
    pub(super) fn are_results_of(&self, question: &QuestionFolder) -> bool {
        let is_result = |output: &PathBuf| {
            is_kept_file(output) && fs::read(output).is_ok_and(|bytes| question.has_written(&bytes))
        };
        self.outputs.iter().all(is_result)
    }

    pub(super) fn originals(&self) -> &[Vec<u8>] {
        &self.originals
    }

    pub(super) fn names(&self) -> &[PathBuf] {
        &self.names
    }

    pub(super) fn outputs(&self) -> &[PathBuf] {
        &self.outputs
    }

    /// The folder of the original: where the first file has the name that it has in the folder of the test.
    pub(super) fn folder(&self) -> PathBuf {
        let depth = self.names[0].components().count();
        let folder = self.paths[0].ancestors().nth(depth).unwrap_or(Path::new(""));
        if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_owned() }
    }

    /// `FILE.polysmith`, beside the first file.
    pub(super) fn state_folder(&self) -> PathBuf {
        let mut name = self.paths[0].clone().into_os_string();
        name.push(".polysmith");
        PathBuf::from(name)
    }

    /// Writes the files of a text, each as a whole; those that are left out are removed.
    pub(super) fn write(&self, text: &Text) -> anyhow::Result<()> {
        for (part, output) in text.parts().iter().zip(&self.outputs) {
            if part.present {
                write_file(output, text.slice(&part.range))?;
            } else if output.is_file() {
                fs::remove_file(output).with_context(|| format!("cannot remove `{}`", output.display()))?;
            }
        }
        Ok(())
    }

    /// Whether results may be written at every step. A pipe or a device gets the last one only.
    pub(super) fn are_replaced(&self) -> anyhow::Result<bool> {
        for output in &self.outputs {
            if !Target::of(output)?.is_replaced() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// One file keeps its name; several keep their relative paths, so that they find each other.
fn name_in_folder(path: &Path, several: bool) -> PathBuf {
    let plain = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if several && plain {
        return path.components().filter(|part| !matches!(part, Component::CurDir)).collect();
    }
    PathBuf::from(path.file_name().unwrap_or(path.as_os_str()))
}

/// `crash.c` is kept as `crash.c.orig`.
fn kept_name(path: &Path) -> PathBuf {
    let mut kept = path.to_owned().into_os_string();
    kept.push(".orig");
    PathBuf::from(kept)
}

/// Whether a path names a regular file whose content would be lost; `/dev/stdout` is what the shell made it.
fn is_kept_file(path: &Path) -> bool {
    path.is_file() && !path.starts_with("/dev") && !path.starts_with("/proc")
}

/// `crash.c` gives `crash.reduced.c`.
fn reduced_name(path: &Path) -> PathBuf {
    let mut name = OsString::from(path.file_stem().unwrap_or_default());
    name.push(".reduced");
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}
