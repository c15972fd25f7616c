//! One process of somebody else, from its start to its last trace.
//!
//! It is the leader of its own process group, so that everything it started can be killed at once. Its end is
//! seen through a pidfd, which `poll` can wait for beside the output pipes: no thread and no polling interval.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Seek as _, Write as _};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{MemfdFlags, memfd_create};
use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions, kill_process_group, pidfd_open, waitpgid};

use crate::crowd::Crowd;
use crate::limits::Limits;
use crate::mark::{self, Mark};
use crate::outcome::{Ended, Outcome};
use crate::strays::sweep;

/// What to start, and where.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// The program: a path, or a name that `PATH` knows.
    pub program: &'a OsStr,
    /// Its arguments.
    pub arguments: &'a [OsString],
    /// Its working folder.
    pub folder: &'a Path,
    /// Variables set beside the inherited environment.
    pub environment: &'a [(&'a str, &'a OsStr)],
    /// What it reads on its standard input.
    pub stdin: Stdin<'a>,
    /// Whether its output is kept (within [`Limits::output`]) or thrown away.
    pub capture: bool,
}

/// What a process reads on its standard input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stdin<'a> {
    /// Nothing: the end comes at once.
    #[default]
    Empty,
    /// The content of a file.
    File(&'a Path),
    /// These bytes. The process reads them at its own pace, or never: nobody waits for it.
    Bytes(&'a [u8]),
}

impl Stdin<'_> {
    fn open(self) -> io::Result<Stdio> {
        Ok(match self {
            Self::Empty => Stdio::null(),
            Self::File(path) => Stdio::from(File::open(path)?),
            Self::Bytes(bytes) => {
                let mut file = File::from(memfd_create("stdin", MemfdFlags::CLOEXEC)?);
                file.write_all(bytes)?;
                file.rewind()?;
                Stdio::from(file)
            }
        })
    }
}

/// A process under way.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    id: Pid,
    end: OwnedFd,
    started: Instant,
    limits: Limits,
    mark: Mark,
    crowd: Option<Crowd>,
    folder: PathBuf,
    pub(crate) stdout: Stream,
    pub(crate) stderr: Stream,
}

/// One output pipe and what was kept of it.
#[derive(Debug, Default)]
pub(crate) struct Stream {
    pipe: Option<File>,
    pub(crate) kept: Vec<u8>,
}

impl Process {
    pub(crate) fn start(start: &Start<'_>, limits: &Limits) -> io::Result<Self> {
        Self::spawn(start, start.stdin.open()?, limits)
    }

    /// Starts a process whose standard input is a pipe, which is given back.
    pub(crate) fn start_piped(start: &Start<'_>, limits: &Limits) -> io::Result<(Self, File)> {
        let mut process = Self::spawn(start, Stdio::piped(), limits)?;
        let stdin = process.child.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
        Ok((process, File::from(OwnedFd::from(stdin))))
    }

    fn spawn(start: &Start<'_>, stdin: Stdio, limits: &Limits) -> io::Result<Self> {
        let output = || if start.capture { Stdio::piped() } else { Stdio::null() };
        let mark = Mark::new();
        // No `pre_exec` hook here: it would cost the fast `posix_spawn`.
        let mut child = Command::new(start.program)
            .args(start.arguments)
            .current_dir(start.folder)
            .envs(start.environment.iter().copied())
            .env(mark::VARIABLE, mark.variable())
            .stdin(stdin)
            .stdout(output())
            .stderr(output())
            .process_group(0)
            .spawn()?;
        let started = Instant::now();
        let id = Pid::from_child(&child);
        mark.impose(id);
        limits.impose(id);
        let end = pidfd_open(id, PidfdFlags::empty())?;
        let stdout = Stream::new(child.stdout.take().map(|pipe| File::from(OwnedFd::from(pipe))));
        let stderr = Stream::new(child.stderr.take().map(|pipe| File::from(OwnedFd::from(pipe))));
        let crowd = limits.processes.map(|most| Crowd::new(id, most, started));
        let (limits, folder) = (limits.clone(), start.folder.to_owned());
        Ok(Self { child, id, end, started, limits, mark, crowd, folder, stdout, stderr })
    }

    pub(crate) fn id(&self) -> Pid {
        self.id
    }

    /// Time until the limit; zero when it is over.
    pub(crate) fn left(&self) -> Duration {
        self.limits.time.saturating_sub(self.started.elapsed())
    }

    /// Time until the run must be looked at, whatever its descriptors say.
    pub(crate) fn rest(&self) -> Duration {
        self.crowd.as_ref().map_or(self.left(), |crowd| crowd.rest().min(self.left()))
    }

    /// Whether the run has more processes than it may have.
    pub(crate) fn is_crowded(&mut self) -> bool {
        self.crowd.as_mut().is_some_and(Crowd::is_over)
    }

    /// The descriptors to wait for: the end first, then the open pipes.
    pub(crate) fn descriptors(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        let pipes = [&self.stdout, &self.stderr].into_iter().filter_map(|stream| stream.pipe.as_ref());
        std::iter::once(self.end.as_fd()).chain(pipes.map(|pipe| pipe.as_fd()))
    }

    /// Whether the leader has ended.
    pub(crate) fn has_ended(&self) -> bool {
        is_ready(self.end.as_fd())
    }

    /// Reads what the pipes hold now.
    pub(crate) fn read(&mut self) {
        self.stdout.read_ready(self.limits.output);
        self.stderr.read_ready(self.limits.output);
    }

    /// Kills and reaps what is left of the run, and says how its leader ended. `others` are leaders of other runs.
    pub(crate) fn finish(mut self, others: &[Pid]) -> Outcome {
        let over = !self.has_ended();
        let is_crowded = self.is_crowded();
        let time = self.started.elapsed();
        // The leader is not reaped yet, so its number still names this group and no other.
        let _ = kill_process_group(self.id, Signal::KILL);
        let status = self.child.wait();
        self.read();
        reap_group(self.id);
        sweep(&self.mark, &self.folder, others);
        let ended = match status {
            Ok(_) if over && is_crowded => Ended::Killed(Signal::KILL.as_raw()),
            Ok(_) if over => Ended::TimedOut,
            Ok(status) => Ended::of(status),
            // Somebody else reaped our child: its answer is unknown, which must not look like a yes.
            Err(_) => Ended::Killed(0),
        };
        Outcome { ended, stdout: self.stdout.kept, stderr: self.stderr.kept, time }
    }
}

/// Reaps members of a killed group that have become our children (we may be their subreaper).
fn reap_group(group: Pid) {
    while let Ok(Some(_)) = waitpgid(group, WaitOptions::empty()) {}
}

impl Stream {
    fn new(pipe: Option<File>) -> Self {
        Self { pipe, kept: Vec::new() }
    }

    /// Reads until the pipe is empty for the moment, closed, or has delivered plenty for one turn.
    pub(crate) fn read_ready(&mut self, keep: usize) {
        const TURN: usize = 64;
        let mut buffer = [0; 16 << 10];
        for _ in 0..TURN {
            let Some(pipe) = &mut self.pipe else { return };
            if !is_ready(pipe.as_fd()) {
                return;
            }
            match pipe.read(&mut buffer) {
                Ok(0) | Err(_) => self.pipe = None,
                Ok(n) => {
                    let room = keep.saturating_sub(self.kept.len()).min(n);
                    self.kept.extend_from_slice(&buffer[..room]);
                }
            }
        }
    }
}

fn is_ready(descriptor: BorrowedFd<'_>) -> bool {
    let mut fds = [PollFd::from_borrowed_fd(descriptor, PollFlags::IN)];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    matches!(poll(&mut fds, Some(&now)), Ok(1..))
}

/// A time as `poll` takes it.
pub(crate) fn timespec(time: Duration) -> Timespec {
    let seconds = i64::try_from(time.as_secs()).unwrap_or(i64::MAX);
    Timespec { tv_sec: seconds, tv_nsec: time.subsec_nanos().into() }
}
