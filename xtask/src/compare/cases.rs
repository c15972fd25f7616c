//! The reduction cases, and one run of the tool on one of them.

use crate::paths;
use anyhow::{Context as _, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the cases and the tool are.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Where {
    /// The folder with the cases
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    /// The program to measure
    #[arg(long, value_name = "FILE")]
    polysmith: Option<PathBuf>,
}

impl Where {
    pub(crate) fn cases(&self) -> PathBuf {
        self.cases.clone().unwrap_or_else(|| paths::shared().join("data/reduce-cases"))
    }

    pub(crate) fn case(&self, name: &str) -> anyhow::Result<Case> {
        Case::at(&self.cases().join(name))
    }

    /// The names of all cases.
    pub(crate) fn names(&self) -> anyhow::Result<Vec<String>> {
        let folder = self.cases();
        let entries = fs::read_dir(&folder).with_context(|| format!("no cases in {}", folder.display()))?;
        let cases = entries.flatten().filter(|entry| entry.path().join("interesting.sh").is_file());
        let mut names: Vec<String> =
            cases.map(|case| case.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        Ok(names)
    }

    /// The release binary.
    pub(crate) fn binary(&self) -> anyhow::Result<PathBuf> {
        let binary = self.polysmith.clone().unwrap_or_else(|| paths::root().join("target/release/polysmith"));
        ensure!(
            binary.is_file(),
            "{} is missing: `cargo build --release -p polysmith` makes it",
            binary.display()
        );
        Ok(binary)
    }
}

/// The grammar of a case, by the first word of its name: the language.
const GRAMMARS: &[(&str, &str)] = &[
    ("awk", "awk/awkParser.g4"),
    ("c", "c/CParser.g4"),
    ("java", "java_java/JavaParser.g4"),
    ("js", "javascript_javascript/JavaScriptParser.g4"),
    ("json", "json/JSON.g4"),
    ("lua", "lua/LuaParser.g4"),
    ("smt", "smtlibv2/SMTLIBv2.g4"),
    ("sql", "sql_sqlite/SQLiteParser.g4"),
    ("xml", "xml/XMLParser.g4"),
];

/// An input with a test.
pub(crate) struct Case {
    name: String,
    folder: PathBuf,
}

impl Case {
    /// The case in a folder: an input, and a test `interesting.sh`.
    pub(crate) fn at(folder: &Path) -> anyhow::Result<Case> {
        ensure!(folder.join("interesting.sh").is_file(), "there is no case {}", folder.display());
        let name = folder.file_name().context("a case has a name")?.to_string_lossy().into_owned();
        Ok(Case { name, folder: folder.to_owned() })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The grammar of the collection for its language.
    pub(crate) fn grammar(&self) -> anyhow::Result<PathBuf> {
        let language = self.name.split('-').next().unwrap_or_default();
        let (_, file) = GRAMMARS
            .iter()
            .find(|(name, _)| *name == language)
            .with_context(|| format!("no grammar is known for {}", self.name))?;
        let path = paths::shared().join("data/grammars-v4").join(file);
        ensure!(path.is_file(), "there is no grammar {}", path.display());
        Ok(path)
    }

    pub(crate) fn test(&self) -> PathBuf {
        self.folder.join("interesting.sh")
    }

    /// A copy of the input in a folder, made by its script where there is one. Not made again if it is there.
    pub(crate) fn input(&self, folder: &Path) -> anyhow::Result<PathBuf> {
        let script = self.folder.join("make-input.py");
        if script.is_file() {
            let input = folder.join("input.json");
            if !input.is_file() {
                let status = Command::new("python3").arg(&script).arg(&input).status()?;
                ensure!(status.success(), "{} failed", script.display());
            }
            return Ok(input);
        }
        let is_input = |path: &PathBuf| path.file_stem().is_some_and(|stem| stem == "input");
        let mut entries = fs::read_dir(&self.folder)?.flatten().map(|entry| entry.path());
        let original = entries.find(is_input).context("no input")?;
        let input = folder.join(original.file_name().context("no name")?);
        if !input.is_file() {
            fs::write(&input, fs::read(&original)?)?;
        }
        Ok(input)
    }

    /// Whether the test says yes to a file.
    pub(crate) fn holds(&self, file: &Path) -> anyhow::Result<bool> {
        Ok(Command::new(self.test()).arg(file).output()?.status.success())
    }

    /// Whether the test says yes to a file every time: one that changes its answers does so only now and then to some
    /// files, and these the tool leaves alone on purpose.
    pub(crate) fn surely_holds(&self, file: &Path) -> anyhow::Result<bool> {
        /// As many as the tool asks for.
        const TIMES: usize = 8;
        for _ in 0..TIMES {
            if !self.holds(file)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The tool at work on an input, without a grammar.
pub(crate) fn reduce(binary: &Path, test: &Path, input: &Path) -> Command {
    reduce_by(binary, test, input, Path::new("none"))
}

/// The tool at work on an input, by a grammar.
pub(crate) fn reduce_by(binary: &Path, test: &Path, input: &Path, language: &Path) -> Command {
    let mut command = Command::new(binary);
    command.arg("reduce").args([test, input]).arg("--language").arg(language);
    command
}

/// Where the result goes.
pub(crate) fn result_of(input: &Path) -> PathBuf {
    let extension = input.extension().unwrap_or_default().to_string_lossy().into_owned();
    input.with_extension(format!("reduced.{extension}"))
}

/// Where answers and results are kept.
fn state_of(input: &Path) -> PathBuf {
    let mut name = input.as_os_str().to_owned();
    name.push(".polysmith");
    PathBuf::from(name)
}

/// Whether the last reduction of an input came to its end.
pub(crate) fn is_complete(input: &Path) -> bool {
    let questions = fs::read_dir(state_of(input)).into_iter().flatten().flatten();
    questions.map(|question| question.path()).any(|question| question.join("complete").is_file())
}

/// The number before a word of what the tool says, as in `2910 questions`.
pub(crate) fn number_before(said: &str, word: &str) -> Option<u64> {
    let before = &said[..said.find(word)?];
    before.split_whitespace().next_back()?.parse().ok()
}
