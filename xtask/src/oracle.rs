//! ANTLR's own tool, lexer and parser, as a process that answers questions.
//!
//! The process reads tab-separated commands and answers each with JSON lines, the last of them
//! `{"cmd":"end"}`. Its start script lies in the shared data; it needs Java.

use anyhow::{Context as _, bail, ensure};
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running oracle. It ends with its handle.
#[derive(Debug)]
pub(crate) struct Oracle {
    child: Child,
    commands: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Oracle {
    /// Where the start script usually is.
    pub(crate) fn usual_script() -> PathBuf {
        crate::paths::shared().join("tools/antlr-oracle/oracle.sh")
    }

    /// The jar of ANTLR that it runs, if there is an oracle.
    pub(crate) fn jar() -> Option<PathBuf> {
        let output = Command::new("sh").arg(Self::usual_script()).arg("--jar").output().ok()?;
        let path = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
        path.is_file().then_some(path)
    }

    /// Starts the process with its own limit for one input: 20 seconds of processor time.
    pub(crate) fn start(script: &Path) -> anyhow::Result<Oracle> {
        Oracle::start_with_limit(script, 20_000)
    }

    /// Starts the process; an input that takes longer has no answer.
    pub(crate) fn start_with_limit(script: &Path, milliseconds: u64) -> anyhow::Result<Oracle> {
        ensure!(script.is_file(), "there is no oracle at {} (--oracle says where)", script.display());
        let mut child = Command::new("sh")
            .arg(script)
            .env("ORACLE_LIMIT_MS", milliseconds.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", script.display()))?;
        let commands = child.stdin.take().context("the oracle has no stdin")?;
        let answers = BufReader::new(child.stdout.take().context("the oracle has no stdout")?);
        Ok(Oracle { child, commands, answers })
    }

    /// Loads a grammar from absolute paths, parser and lexer file together. `work` receives what the tool
    /// writes, `.tokens` files among it.
    pub(crate) fn load(&mut self, work: &Path, start: &str, files: &[PathBuf]) -> anyhow::Result<Value> {
        let mut fields = vec!["U".to_owned(), "g".to_owned(), shown(work), start.to_owned()];
        fields.extend(files.iter().map(|file| shown(file)));
        self.ask(&fields)
    }

    /// Lexes and parses one input with the grammar that was loaded last; `tree` and `tokens` are files to write.
    pub(crate) fn input(
        &mut self,
        input: &Path,
        tree: Option<&Path>,
        tokens: Option<&Path>,
    ) -> anyhow::Result<Value> {
        let path_or_none = |path: Option<&Path>| path.map_or("-".to_owned(), shown);
        self.ask(&["I".to_owned(), shown(input), path_or_none(tree), path_or_none(tokens)])
    }

    /// Times lexing and parsing of one input with the grammar that was loaded last.
    pub(crate) fn bench(&mut self, input: &Path, warm_up: usize, measured: usize) -> anyhow::Result<Value> {
        self.ask(&["B".to_owned(), shown(input), warm_up.to_string(), measured.to_string()])
    }

    /// Asks for parses of inputs with the grammar that was loaded last, without waiting: one answer for each comes from
    /// [`Oracle::answer`]. A pipe holds so much: send a few dozen at once, then read.
    pub(crate) fn send_inputs(&mut self, inputs: &[PathBuf]) -> anyhow::Result<()> {
        for input in inputs {
            writeln!(self.commands, "I\t{}\t-\t-", shown(input))?;
        }
        Ok(self.commands.flush()?)
    }

    /// Sends one command; the first answer, without the end mark.
    fn ask(&mut self, fields: &[String]) -> anyhow::Result<Value> {
        writeln!(self.commands, "{}", fields.join("\t"))?;
        self.commands.flush()?;
        self.answer().with_context(|| format!("asked: {}", fields.join(" ")))
    }

    /// The first answer to the next command that was sent, without the end mark.
    pub(crate) fn answer(&mut self) -> anyhow::Result<Value> {
        let mut first = None;
        loop {
            let mut line = String::new();
            if self.answers.read_line(&mut line)? == 0 {
                bail!("the oracle died");
            }
            // The tool itself prints a line now and then.
            if !line.starts_with('{') {
                continue;
            }
            let answer: Value =
                serde_json::from_str(&line).with_context(|| format!("the oracle said {line:?}"))?;
            if answer["cmd"] == "end" {
                return Ok(first.unwrap_or(Value::Null));
            }
            first.get_or_insert(answer);
        }
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
