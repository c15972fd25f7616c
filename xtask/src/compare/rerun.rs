//! Other reducers, run again on a case beside ours.
//!
//! Each gets a copy of the input and a script that counts its calls and keeps what was interesting, as for the figures
//! of the README: a run that was cut off has a result too. A reducer that is not installed is named as missing.

use super::cases::Case;
use crate::oracle::Oracle;
use anyhow::{Context as _, bail};
use polysmith_reduce::count_tokens;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The time for each run.
const TIME: Duration = Duration::from_secs(120);

/// What a reducer came to on a case: `tokens / calls`, with a `+` if it was cut off; runs it if it was not run yet.
/// One that never asked has failed.
pub(crate) fn cell(
    tool: &str,
    case: &Case,
    folder: &Path,
    antlr: Option<&Path>,
    only_print: bool,
) -> anyhow::Result<String> {
    let place = CaseFolder::new(tool, case, folder)?;
    if place.calls() == 0 && !only_print {
        let Some(command) = place.command(tool, antlr)? else { return Ok("missing".to_owned()) };
        place.run(command)?;
    }
    if place.calls() == 0 {
        // What it said instead lies in its folder.
        let was_run = place.folder.join("said").exists();
        return Ok(if was_run { "failed" } else { "-" }.to_owned());
    }
    let cut_off = if place.folder.join("cut-off").exists() { "+" } else { "" };
    Ok(format!("{}{cut_off} / {}", place.fewest_tokens()?, place.calls()))
}

/// The folder of one reducer on one case.
struct CaseFolder {
    folder: PathBuf,
    input: PathBuf,
    grammar: PathBuf,
    is_c: bool,
}

impl CaseFolder {
    fn new(tool: &str, case: &Case, folder: &Path) -> anyhow::Result<CaseFolder> {
        let folder = std::path::absolute(folder.join(tool))?;
        fs::create_dir_all(folder.join("kept"))?;
        let input = case.input(&folder)?;
        let test = folder.join("test.sh");
        let name = input.file_name().context("an input has a name")?.to_string_lossy().into_owned();
        // Some give the candidate as an argument, some on standard input, some put it under its name in a new folder.
        let found = match tool {
            "shrinkray" => format!(
                "d=$(mktemp -d) || exit 1\ntrap 'rm -rf \"$d\"' EXIT\nf=$d/{name}\ncat ${{1+\"$1\"}} > \"$f\""
            ),
            _ => format!("f=${{1:-{name}}}"),
        };
        let (here, original) = (folder.display(), case.test().canonicalize()?);
        let script = format!(
            "#!/bin/sh\n{found}\necho >> '{here}/calls'\n'{}' \"$f\" || exit 1\n\
             cp \"$f\" \"{here}/kept/$(wc -c < \"$f\")-$$\"\n",
            original.display()
        );
        fs::write(&test, script)?;
        fs::set_permissions(&test, fs::Permissions::from_mode(0o755))?;
        Ok(CaseFolder { input, grammar: case.grammar()?, is_c: case.name().starts_with("c-"), folder })
    }

    /// How the reducer is called; `None` if it is not installed. `antlr` is the jar for Picireny.
    fn command(&self, tool: &str, antlr: Option<&Path>) -> anyhow::Result<Option<Command>> {
        let installed = Command::new("sh").args(["-c", &format!("command -v {tool}")]).output()?;
        if !installed.status.success() {
            println!("missing: {tool}");
            return Ok(None);
        }
        let test = self.folder.join("test.sh");
        let mut command = Command::new(tool);
        match tool {
            "picire" | "picireny" => {
                command.arg("--input").arg(&self.input).arg("--test").arg(&test);
                command.arg("--out").arg(self.folder.join("out")).args(["--cache", "content"]);
                if tool == "picireny" {
                    command.args(["--phase", "prune+hoist", "--flatten-recursion", "--parser", "java"]);
                    command.arg("--grammar").args(self.grammar_files()?);
                    command.args(["--start", &self.start()?]);
                    // Without one it fetches one.
                    let given = antlr.map(std::path::absolute).transpose()?;
                    if let Some(jar) = given.or_else(Oracle::jar) {
                        command.arg("--antlr").arg(jar);
                    }
                }
            }
            "cvise" => {
                command
                    .args(["--n", "1"])
                    .args((!self.is_c).then_some("--not-c"))
                    .arg(&test)
                    // It takes a file of the folder that it runs in, and no path.
                    .args(self.input.file_name());
            }
            "shrinkray" => {
                command.args(["--parallelism", "1"]).arg(&test).arg(&self.input);
            }
            _ => bail!("there is no reducer `{tool}` to run again"),
        }
        Ok(Some(command))
    }

    /// The grammar and the lexer beside it.
    fn grammar_files(&self) -> anyhow::Result<Vec<PathBuf>> {
        let folder = self.grammar.parent().context("a grammar lies in a folder")?;
        let paths = fs::read_dir(folder)?.flatten().map(|entry| entry.path());
        Ok(paths.filter(|path| path.extension().is_some_and(|extension| extension == "g4")).collect())
    }

    fn start(&self) -> anyhow::Result<String> {
        let read = polysmith_antlr::read(&polysmith_source::Disk, &self.grammar, &Default::default());
        let start = read.grammar.start().context("a grammar without a start rule")?;
        Ok(read.grammar.rule(start).name.to_string())
    }

    /// Runs a reducer until its end or ours, in a process group of its own, which ends with it.
    fn run(&self, mut command: Command) -> anyhow::Result<()> {
        let said = fs::File::create(self.folder.join("said"))?;
        command.current_dir(&self.folder).stdin(Stdio::null()).process_group(0);
        let mut child = command.stdout(said.try_clone()?).stderr(said).spawn()?;
        let started = Instant::now();
        while child.try_wait()?.is_none() {
            if started.elapsed() > TIME {
                fs::write(self.folder.join("cut-off"), "")?;
                Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).status()?;
                child.wait()?;
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    fn calls(&self) -> usize {
        fs::read_to_string(self.folder.join("calls")).map_or(0, |calls| calls.lines().count())
    }

    fn fewest_tokens(&self) -> anyhow::Result<usize> {
        let kept = fs::read_dir(self.folder.join("kept"))?.flatten();
        let sizes = kept.map(|entry| Ok(count_tokens(&fs::read(entry.path())?)));
        let sizes: Vec<usize> = sizes.collect::<anyhow::Result<_>>()?;
        sizes.into_iter().min().context("nothing was interesting, not even the input")
    }
}
