//! Where tests go: files made whole or not at all, or stdout.
//!
//! A file is written under a temporary name and renamed, so that whoever looks sees whole files only. A pattern
//! with `{index}` or `{hash}` owns the names that it makes, so a run can be repeated; any other existing file is
//! overwritten with `--force` only. (A list of what was made, kept in the folder, would be safer still, but it
//! would be one file more in every corpus.)

use super::options::{GenerateOptions, TreeForm};
use super::pattern::Pattern;
use crate::failure::Failure;
use crate::talk::{Out, Talk};
use polysmith_engine::{Engine, Test};
use polysmith_grammar::Grammar;
use polysmith_run::files::write_file;
use polysmith_tree::save::{Header, to_json, to_pst};
use std::io::{self, IsTerminal as _, Write as _};
use std::ops::Range;
use std::path::Path;

/// The place that the options name.
pub(crate) enum Sink<'a> {
    Files(Files<'a>),
    Stdout(Stdout),
}

/// One file per test.
pub(crate) struct Files<'a> {
    grammar: &'a Grammar,
    pattern: Pattern,
    seed: u64,
    overwrite: bool,
    trees: Option<(TreeForm, Header)>,
}

/// One test after the other.
pub(crate) struct Stdout {
    out: Out,
    /// The text after each test.
    end: &'static [u8],
}

impl<'a> Sink<'a> {
    pub(crate) fn open(
        options: &GenerateOptions,
        engine: &'a dyn Engine,
        extension: &str,
        indices: &Range<u64>,
        seed: u64,
        talk: Talk,
    ) -> anyhow::Result<Sink<'a>> {
        let one = indices.end - indices.start <= 1;
        match options.output.as_deref() {
            Some("-") => Stdout::open(options, one, talk).map(Sink::Stdout),
            None if one || options.null => Stdout::open(options, one, talk).map(Sink::Stdout),
            None => Err(Failure::usage("many tests need a place to go to")
                .help(format!("for example -o 'out/{{index}}.{extension}', or -o - for stdout"))
                .into()),
            Some(written) => {
                let pattern = Pattern::parse(written, extension)?;
                Ok(Sink::Files(Files::open(options, engine, pattern, one, seed)?))
            }
        }
    }

    /// Whether a person reads the tests as they come: a progress line would stand in between.
    pub(crate) fn is_terminal(&self) -> bool {
        matches!(self, Sink::Stdout(_)) && io::stdout().is_terminal()
    }
}

impl Stdout {
    fn open(options: &GenerateOptions, one: bool, talk: Talk) -> anyhow::Result<Stdout> {
        if options.trees.is_some() {
            return Err(Failure::usage("--trees needs files to stand beside")
                .help("for example -o 'out/{index}.txt'")
                .into());
        }
        let end: &[u8] = match (options.null, one) {
            (true, _) => b"\0",
            (_, false) => b"\n",
            // Exactly the test, so that `> file` and `-o file` make the same file; a person gets a line end.
            (_, true) if io::stdout().is_terminal() => b"\n",
            _ => b"",
        };
        Ok(Stdout { out: talk.out(), end })
    }

    pub(crate) fn write(&mut self, test: &Test) -> io::Result<()> {
        self.out.write_all(&test.text)?;
        let ended = self.end == b"\n" && test.text.ends_with(b"\n");
        if ended { Ok(()) } else { self.out.write_all(self.end) }
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl<'a> Files<'a> {
    fn open(
        options: &GenerateOptions,
        engine: &'a dyn Engine,
        pattern: Pattern,
        one: bool,
        seed: u64,
    ) -> Result<Files<'a>, Failure> {
        if !one && !pattern.varies() {
            return Err(Failure::usage(format!("all tests would go to one file, `{}`", pattern.written()))
                .help("put {index} or {hash} into the pattern"));
        }
        let overwrite = options.force || pattern.varies();
        let trees = options.trees.map(|form| (form, Header::of(engine.grammar())));
        Ok(Files { grammar: engine.grammar(), pattern, seed, overwrite, trees })
    }

    /// Whether file names need the hash.
    pub(crate) fn needs_hash(&self) -> bool {
        self.pattern.needs_hash()
    }

    /// Writes a test, and its tree beside it. Called by the worker threads.
    pub(crate) fn write(&self, index: u64, hash: u64, test: &Test) -> anyhow::Result<()> {
        let path = self.pattern.path(index, self.seed, hash);
        self.place(&path, &test.text)?;
        if let Some((form, header)) = &self.trees {
            let mut name = path.into_os_string();
            name.push(form.suffix());
            let bytes = match form {
                TreeForm::Pst => to_pst(&test.tree, header),
                TreeForm::Json => to_json(&test.tree, self.grammar, header).into_bytes(),
            };
            self.place(Path::new(&name), &bytes)?;
        }
        Ok(())
    }

    fn place(&self, path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
        // Devices and pipes are written into, so there is nothing to lose.
        if !self.overwrite && path.is_file() {
            return Err(Failure::unusable(format!("`{}` is there already", path.display()))
                .help("--force overwrites it; or choose another -o")
                .into());
        }
        Ok(write_file(path, bytes)?)
    }
}
