//! Answers questions by running the test: one fresh folder per question, several at a time.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use polysmith_reduce::{Answer, Candidate, Question, Stop, Ticket};
use polysmith_run::{Ended, FileError, Folder, Limits, Outcome, Pool, Scratch, Start, Stdin};

use crate::error::AskError;
use crate::mirror::mirror;
use crate::test::Test;
use crate::verdict::Rule;

/// How long a test may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// Ten times the slowest yes so far, at least a second.
    Adaptive,
    /// As the user says.
    Fixed(Duration),
}

/// Everything a question needs to know.
#[derive(Debug)]
pub struct Setup {
    /// What to run.
    pub test: Test,
    /// When its outcome means yes.
    pub rule: Rule,
    /// The names of the files under reduction, relative to the working folder.
    pub names: Vec<PathBuf>,
    /// Files that lie beside them, unchanged.
    pub side_files: Vec<PathBuf>,
    /// Candidates whose test ends with this code are kept in this folder.
    pub also: Vec<(i32, PathBuf)>,
    /// Limits of one run; the time is set by `timing`.
    pub limits: Limits,
    /// How long a run may take.
    pub timing: Timing,
    /// How many tests run at once.
    pub jobs: usize,
    /// Set when the user wants to stop.
    pub interrupt: Arc<AtomicBool>,
    /// When the whole reduction must end.
    pub deadline: Option<Instant>,
}

/// The first run has no measure yet; it may take this long.
const FIRST_RUN: Duration = Duration::from_secs(300);
/// Time limits are never shorter than this.
const SHORTEST_LIMIT: Duration = Duration::from_secs(1);
/// How many times the slowest yes a run may take.
const PATIENCE: u32 = 10;
/// How often the wish to stop is looked at.
const TICK: Duration = Duration::from_millis(50);

/// Runs the test. Implements [`Question`].
#[derive(Debug)]
pub struct Asker {
    setup: Setup,
    scratch: Scratch,
    pool: Pool,
    running: Vec<(Ticket, Folder, Option<Candidate>)>,
    slowest_yes: Option<Duration>,
    kept: usize,
}

impl Asker {
    /// Prepares to ask.
    ///
    /// # Errors
    /// When there is no place for temporary files.
    pub fn new(setup: Setup, pool: Pool) -> Result<Self, AskError> {
        let scratch = Scratch::new().map_err(AskError::Temporary)?;
        Ok(Self { setup, scratch, pool, running: Vec::new(), slowest_yes: None, kept: 0 })
    }

    /// Where the folders of the runs are.
    #[must_use]
    pub fn scratch(&self) -> &Path {
        self.scratch.path()
    }

    /// The slowest yes so far, which sets the time limit.
    #[must_use]
    pub fn slowest_yes(&self) -> Option<Duration> {
        self.slowest_yes
    }

    /// Takes up the time limit of an earlier run.
    pub fn set_slowest_yes(&mut self, time: Duration) {
        self.slowest_yes = Some(time);
    }

    /// The limit for the next run.
    #[must_use]
    pub fn time_limit(&self) -> Duration {
        match (self.setup.timing, self.slowest_yes) {
            (Timing::Fixed(time), _) => time,
            (Timing::Adaptive, Some(yes)) => (yes * PATIENCE).max(SHORTEST_LIMIT),
            (Timing::Adaptive, None) => FIRST_RUN,
        }
    }

    /// How many candidates were kept because of `also`.
    #[must_use]
    pub fn kept(&self) -> usize {
        self.kept
    }

    /// The test.
    #[must_use]
    pub fn test(&self) -> &Test {
        &self.setup.test
    }

    /// Runs the test on a candidate with its output kept, in a folder that stays.
    ///
    /// # Errors
    /// When it cannot be run.
    pub fn show(&mut self, candidate: &Candidate) -> Result<(Outcome, PathBuf), AskError> {
        let folder = temporary_folder()?;
        let outcome = self.look(candidate, folder.path())?;
        Ok((outcome, folder.keep()))
    }

    /// Runs the test on a candidate with its output kept, in a folder that has links to all that is in `original`.
    ///
    /// # Errors
    /// When it cannot be run.
    pub fn show_beside(&mut self, candidate: &Candidate, original: &Path) -> Result<Outcome, AskError> {
        let root = temporary_folder()?;
        let side_names = self.setup.side_files.iter().map(|side| side_name(side));
        let written: Vec<PathBuf> = self.setup.names.iter().cloned().chain(side_names).collect();
        let folder = mirror(original, root.path(), &written)
            .map_err(FileError::when("mirror the folder", original))?;
        self.look(candidate, &folder)
    }

    /// Runs the test in a folder, with its output kept.
    fn look(&mut self, candidate: &Candidate, folder: &Path) -> Result<Outcome, AskError> {
        let paths = self.fill(folder, candidate)?;
        let (program, arguments) = self.setup.test.command_line(&paths);
        let start = Start {
            program: &program,
            arguments: &arguments,
            folder,
            environment: &[],
            stdin: paths.first().map_or(Stdin::Empty, |path| Stdin::File(path)),
            capture: true,
        };
        let limits = Limits { time: self.time_limit(), ..self.setup.limits.clone() };
        self.pool.run(&start, &limits).map_err(|error| AskError::Start { program: program.into(), error })
    }

    /// Whether an outcome means yes.
    #[must_use]
    pub fn is_yes(&self, outcome: &Outcome) -> bool {
        self.setup.rule.holds(outcome)
    }

    fn start(&mut self, ticket: Ticket, candidate: &Candidate) -> Result<(), AskError> {
        let folder = self.scratch.folder().map_err(AskError::Temporary)?;
        let paths = self.fill(folder.path(), candidate)?;
        let (program, arguments) = self.setup.test.command_line(&paths);
        let start = Start {
            program: &program,
            arguments: &arguments,
            folder: folder.path(),
            environment: &[("TMPDIR", folder.temporary().as_os_str())],
            stdin: paths.first().map_or(Stdin::Empty, |path| Stdin::File(path)),
            capture: self.setup.rule.needs_output(),
        };
        let limits = Limits { time: self.time_limit(), ..self.setup.limits.clone() };
        self.pool
            .start(ticket, &start, &limits)
            .map_err(|error| AskError::Start { program: (&program).into(), error })?;
        let kept = (!self.setup.also.is_empty()).then(|| candidate.clone());
        self.running.push((ticket, folder, kept));
        Ok(())
    }

    /// Writes the files of a candidate and the side files; gives the paths of those that exist.
    fn fill(&self, folder: &Path, candidate: &Candidate) -> Result<Vec<PathBuf>, AskError> {
        for side in &self.setup.side_files {
            let copy = folder.join(side_name(side));
            fs::copy(side, copy).map_err(FileError::when("copy", side))?;
        }
        candidate.files().map(|file| write(candidate, file, folder, &self.setup.names[file])).collect()
    }

    fn answer(&mut self, outcome: &Outcome, candidate: Option<Candidate>) -> Result<Answer, AskError> {
        if let (Ended::Exited(code), Some(candidate)) = (outcome.ended, candidate) {
            let wanted = self.setup.also.iter().find(|(wanted, _)| *wanted == code);
            if let Some((_, folder)) = wanted.cloned() {
                self.kept += 1;
                fs::create_dir_all(&folder).map_err(FileError::when("create the folder", &folder))?;
                for file in candidate.files() {
                    let name = &self.setup.names[file];
                    let name = format!("{:04}-{}", self.kept, name.display().to_string().replace('/', "-"));
                    write(&candidate, file, &folder, Path::new(&name))?;
                }
            }
        }
        if self.setup.rule.holds(outcome) {
            self.slowest_yes = self.slowest_yes.max(Some(outcome.time));
            return Ok(Answer::Yes);
        }
        Ok(if outcome.ended == Ended::TimedOut { Answer::TimedOut } else { Answer::No })
    }
}

/// The name of a side file in the folder of the test.
fn side_name(side: &Path) -> PathBuf {
    PathBuf::from(side.file_name().unwrap_or(side.as_os_str()))
}

fn write(candidate: &Candidate, file: usize, folder: &Path, name: &Path) -> Result<PathBuf, AskError> {
    let path = folder.join(name);
    if let Some(parent) = name.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        let parent = folder.join(parent);
        fs::create_dir_all(&parent).map_err(FileError::when("create the folder", &parent))?;
    }
    let created = File::create(&path).map_err(FileError::when("create", &path))?;
    let mut to = BufWriter::with_capacity(64 << 10, created);
    let written = candidate.write(file, &mut to).and_then(|()| to.flush());
    written.map_err(FileError::when("write", &path))?;
    Ok(path)
}

fn temporary_folder() -> Result<tempfile::TempDir, AskError> {
    tempfile::Builder::new().prefix("polysmith-look-").tempdir().map_err(AskError::Temporary)
}

fn broken(error: &AskError) -> Stop {
    Stop::Broken(format!("cannot run the test: {error}{}", error.advice()))
}

impl Question for Asker {
    fn width(&self) -> usize {
        self.setup.jobs
    }

    fn submit(&mut self, ticket: Ticket, candidate: &Candidate) -> Result<(), Stop> {
        self.start(ticket, candidate).map_err(|error| broken(&error))
    }

    fn wait(&mut self) -> Result<(Ticket, Answer), Stop> {
        loop {
            if self.setup.interrupt.load(Ordering::Relaxed) {
                return Err(Stop::Interrupted);
            }
            let left = self.setup.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                // Said once: the result may still be checked.
                self.setup.deadline = None;
                return Err(Stop::TimeUp);
            }
            if self.pool.is_empty() {
                return Err(broken(&AskError::NothingAsked));
            }
            let Some((ticket, outcome)) = self.pool.wait(left.map_or(TICK, |left| left.min(TICK))) else {
                continue;
            };
            let at = self.running.iter().position(|(running, ..)| *running == ticket);
            let Some((_, _folder, candidate)) = at.map(|at| self.running.swap_remove(at)) else { continue };
            let answer = self.answer(&outcome, candidate).map_err(|error| broken(&error))?;
            return Ok((ticket, answer));
        }
    }

    fn cancel(&mut self, ticket: Ticket) {
        self.pool.cancel(ticket);
        self.running.retain(|(running, ..)| *running != ticket);
    }
}
