//! The files under reduction: where they come from, what they are called in the test's folder, where results go.
//!
//! Standard input (`-`) is one file whose result goes to stdout. It has no folder for answers: they are kept in a temporary
//! one, so such a run cannot be continued.

use super::options::ResultOptions;
use crate::failure::Failure;
use crate::input;
use crate::talk::Talk;
use anyhow::Context as _;
use polysmith_asker::{QuestionFolder, find_result};
use polysmith_reduce::Text;
use polysmith_run::files::{Target, write_file};
use std::ffi::OsString;
use std::fs;
use std::io::Write as _;
use std::path::{Component, Path, PathBuf};

/// Files under reduction.
#[derive(Debug)]
pub(super) struct Files {
    paths: Vec<PathBuf>,
    names: Vec<PathBuf>,
    outputs: Vec<Output>,
    originals: Vec<Vec<u8>>,
    in_place: bool,
    /// The folder for the answers about standard input; removed at the end.
    temporary: Option<tempfile::TempDir>,
}

/// Where a result goes.
#[derive(Debug)]
enum Output {
    Stdout,
    File(PathBuf),
}

impl Output {
    /// The file; `None` for stdout.
    fn path(&self) -> Option<&Path> {
        match self {
            Output::Stdout => None,
            Output::File(path) => Some(path),
        }
    }
}

impl Files {
    /// Reads the input files and decides where the results go. `stdin_name` is what standard input is called in the folder
    /// of the test.
    pub(super) fn read(
        paths: &[PathBuf],
        results: &ResultOptions,
        stdin_name: &Path,
    ) -> anyhow::Result<Files> {
        let is_stdin = paths.iter().any(|path| path == Path::new("-"));
        check_streams(paths, results, is_stdin)?;
        let originals: Vec<Vec<u8>> = paths.iter().map(|path| input::read(path)).collect::<Result<_, _>>()?;
        let names: Vec<PathBuf> = match is_stdin {
            true => vec![stdin_name.to_owned()],
            false => paths.iter().map(|path| name_in_folder(path, paths.len() > 1)).collect(),
        };
        for (at, name) in names.iter().enumerate() {
            if names[..at].contains(name) {
                let what =
                    format!("two files would be called `{}` in the folder of the test", name.display());
                return Err(Failure::usage(what).help("name them by relative paths").into());
            }
        }
        let output = |path: &PathBuf| match &results.output {
            Some(output) if output == Path::new("-") => Output::Stdout,
            Some(output) => {
                let name = if is_stdin { stdin_name } else { path };
                let name = name.file_name().unwrap_or_default().to_string_lossy().into_owned();
                Output::File(PathBuf::from(output.to_string_lossy().replace("{}", &name)))
            }
            None if is_stdin => Output::Stdout,
            None if results.in_place => Output::File(path.clone()),
            None => Output::File(reduced_name(path)),
        };
        let temporary = is_stdin.then(|| tempfile::Builder::new().prefix("polysmith-").tempdir());
        let temporary = temporary.transpose().context("cannot create a folder for temporary files")?;
        let outputs = paths.iter().map(output).collect();
        let in_place = results.in_place;
        let mut files = Files { paths: paths.to_vec(), names, outputs, originals, in_place, temporary };
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
        for output in self.outputs().filter(|_| !self.in_place) {
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
        let is_result = |output: &Output| {
            let path = output.path().filter(|path| is_kept_file(path));
            path.is_some_and(|path| fs::read(path).is_ok_and(|bytes| question.has_written(&bytes)))
        };
        self.outputs.iter().all(is_result)
    }

    pub(super) fn originals(&self) -> &[Vec<u8>] {
        &self.originals
    }

    pub(super) fn names(&self) -> &[PathBuf] {
        &self.names
    }

    /// The files that get results.
    pub(super) fn outputs(&self) -> impl Iterator<Item = &Path> {
        self.outputs.iter().filter_map(Output::path)
    }

    /// Whether the input is standard input, whose answers are not kept.
    pub(super) fn is_stdin(&self) -> bool {
        self.temporary.is_some()
    }

    /// The folder of the original: where the first file has the name that it has in the folder of the test.
    pub(super) fn folder(&self) -> PathBuf {
        let depth = self.names[0].components().count();
        let folder = self.paths[0].ancestors().nth(depth).unwrap_or(Path::new(""));
        if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_owned() }
    }

    /// `FILE.polysmith`, beside the first file.
    pub(super) fn state_folder(&self) -> PathBuf {
        if let Some(temporary) = &self.temporary {
            return temporary.path().join("state");
        }
        let mut name = self.paths[0].clone().into_os_string();
        name.push(".polysmith");
        PathBuf::from(name)
    }

    /// Writes the files of a text, each as a whole; those that are left out are removed.
    pub(super) fn write(&self, text: &Text, talk: Talk) -> anyhow::Result<()> {
        for (part, output) in text.parts().iter().zip(&self.outputs) {
            let bytes = text.slice(&part.range);
            match output {
                Output::Stdout if part.present => {
                    let mut out = talk.out();
                    out.write_all(bytes)?;
                    out.flush()?;
                }
                Output::File(path) if part.present => write_file(path, bytes)?,
                Output::File(path) if path.is_file() => {
                    fs::remove_file(path).with_context(|| format!("cannot remove `{}`", path.display()))?;
                }
                Output::Stdout | Output::File(_) => {}
            }
        }
        Ok(())
    }

    /// Whether results may be written at every step. A pipe, a device and stdout get the last one only.
    pub(super) fn are_replaced(&self) -> anyhow::Result<bool> {
        for output in &self.outputs {
            match output {
                Output::File(path) if Target::of(path)?.is_replaced() => {}
                Output::File(_) | Output::Stdout => return Ok(false),
            }
        }
        Ok(true)
    }
}

/// Refuses what cannot share standard input or stdout.
fn check_streams(paths: &[PathBuf], results: &ResultOptions, is_stdin: bool) -> Result<(), Failure> {
    let to_stdout = match &results.output {
        Some(output) => output == Path::new("-"),
        None => is_stdin,
    };
    let named = results.output.as_ref().is_some_and(|output| output.to_string_lossy().contains("{}"));
    if is_stdin && paths.len() > 1 {
        return Err(
            Failure::usage("standard input is reduced alone").help("name the other files with `--with`")
        );
    }
    if is_stdin && results.in_place {
        return Err(
            Failure::usage("standard input cannot be changed in place").help("`-o FILE` writes a file")
        );
    }
    if to_stdout && results.json {
        let what = "the result and the objects of `--json` cannot both go to stdout";
        return Err(Failure::usage(what).help("`-o FILE` writes the result to a file"));
    }
    if paths.len() > 1 && results.output.is_some() && !named {
        let help = "`-o 'out/{}'` puts each file under its own name into a folder";
        return Err(Failure::usage("several files cannot go to one `--output`").help(help));
    }
    Ok(())
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
