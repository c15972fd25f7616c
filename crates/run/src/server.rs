//! A process that stays and answers many requests: an interpreter, a shell, a language server.
//!
//! It is started at the first request and again after it died, hung or broke the limits; restarts are counted. The
//! [`Limits`] hold for each answer (time, output) and for the process (memory, file size). How a request is written
//! and where an answer ends is the caller's choice: a [`Framing`].

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write as _};
use std::ops::Range;
use std::os::fd::AsFd as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};

use crate::limits::Limits;
use crate::outcome::Ended;
use crate::process::{Process, Start, Stdin, timespec};

/// A pipe that `poll` calls writable takes this much without blocking (`PIPE_BUF`).
const CHUNK: usize = 4096;

/// What to start, and where.
#[derive(Clone, Debug)]
pub struct ServerCommand {
    /// The program: a path, or a name that `PATH` knows.
    pub program: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Its working folder.
    pub folder: PathBuf,
    /// Variables set beside the inherited environment.
    pub environment: Vec<(String, OsString)>,
}

/// How requests are written and where answers end.
pub trait Framing {
    /// Appends a request as the process reads it.
    fn encode(&self, request: &[u8], to: &mut Vec<u8>);

    /// Looks for a whole answer at the start of what the process wrote. `None` while there is more to come.
    fn decode(&self, received: &[u8]) -> Option<Frame>;
}

/// A whole answer within what was received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The bytes of the answer itself.
    pub answer: Range<usize>,
    /// Where the next answer begins.
    pub end: usize,
}

/// A request is one or more lines; an answer ends with a line that is only the sentinel.
///
/// The caller makes the process write the sentinel: a shell, for example, by `; echo SENTINEL` at the end of the request.
#[derive(Clone, Debug)]
pub struct Lines {
    sentinel: Vec<u8>,
}

impl Lines {
    /// Answers end with this line.
    pub fn until(sentinel: impl Into<Vec<u8>>) -> Self {
        Self { sentinel: sentinel.into() }
    }
}

impl Framing for Lines {
    fn encode(&self, request: &[u8], to: &mut Vec<u8>) {
        to.extend_from_slice(request);
        if !request.ends_with(b"\n") {
            to.push(b'\n');
        }
    }

    fn decode(&self, received: &[u8]) -> Option<Frame> {
        let mut start = 0;
        while let Some(length) = received[start..].iter().position(|byte| *byte == b'\n') {
            let line = &received[start..start + length];
            if line.strip_suffix(b"\r").unwrap_or(line) == self.sentinel {
                return Some(Frame { answer: 0..start, end: start + length + 1 });
            }
            start += length + 1;
        }
        None
    }
}

/// Requests and answers follow their length as four bytes, the lowest first.
#[derive(Clone, Copy, Debug, Default)]
pub struct LengthPrefixed;

impl Framing for LengthPrefixed {
    fn encode(&self, request: &[u8], to: &mut Vec<u8>) {
        let length = u32::try_from(request.len()).unwrap_or(u32::MAX);
        to.extend_from_slice(&length.to_le_bytes());
        to.extend_from_slice(request);
    }

    fn decode(&self, received: &[u8]) -> Option<Frame> {
        let (length, rest) = received.split_first_chunk::<4>()?;
        let length = u32::from_le_bytes(*length) as usize;
        (rest.len() >= length).then(|| Frame { answer: 4..4 + length, end: 4 + length })
    }
}

/// What came of a request.
#[derive(Clone, Debug)]
pub struct Reply {
    /// How it ended.
    pub end: ReplyEnd,
    /// The answer; what there was of it if it is not whole.
    pub answer: Vec<u8>,
    /// The kept part of what was written on standard error since the last reply.
    pub stderr: Vec<u8>,
    /// Wall time from the request to the end.
    pub time: Duration,
}

/// How a request ended. After anything but an answer the process is gone, and the next request starts another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyEnd {
    /// There is a whole answer.
    Answered,
    /// The process ended before the answer was whole.
    Died(Ended),
    /// The time was over.
    TimedOut,
    /// The answer was longer than allowed.
    TooLong,
}

/// A process that answers many requests.
#[derive(Debug)]
pub struct Server<F> {
    command: ServerCommand,
    framing: F,
    limits: Limits,
    running: Option<Running>,
    starts: usize,
}

#[derive(Debug)]
struct Running {
    process: Process,
    stdin: File,
}

impl<F: Framing> Server<F> {
    /// Prepares a server; its process starts with the first request.
    pub fn new(command: ServerCommand, framing: F, limits: Limits) -> Self {
        Self { command, framing, limits, running: None, starts: 0 }
    }

    /// How many times the process was started again after its first start.
    #[must_use]
    pub fn restarts(&self) -> usize {
        self.starts.saturating_sub(1)
    }

    /// Sends a request and waits for its answer.
    ///
    /// # Errors
    /// When the process cannot be started.
    pub fn request(&mut self, request: &[u8]) -> io::Result<Reply> {
        let started = Instant::now();
        let mut running = match self.running.take() {
            Some(running) => running,
            None => self.start()?,
        };
        let mut bytes = Vec::new();
        self.framing.encode(request, &mut bytes);
        let (end, answer) = self.converse(&mut running, &bytes, started + self.limits.time);
        let (end, stderr) = if end == Some(ReplyEnd::Answered) {
            let stderr = std::mem::take(&mut running.process.stderr.kept);
            self.running = Some(running);
            (ReplyEnd::Answered, stderr)
        } else {
            let outcome = running.finish();
            (end.unwrap_or(ReplyEnd::Died(outcome.ended)), outcome.stderr)
        };
        Ok(Reply { end, answer, stderr, time: started.elapsed() })
    }

    /// Starts the process and waits until what it wrote is a sign that it is ready, or it ends, or the time is over: the
    /// time limit of the first request then does not include the start.
    ///
    /// # Errors
    /// When the process cannot be started.
    pub fn wait_until(&mut self, is_ready: impl Fn(&[u8]) -> bool, time: Duration) -> io::Result<()> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => self.start()?,
        };
        let deadline = Instant::now() + time;
        loop {
            let has_ended = running.process.has_ended();
            running.process.stdout.read_ready(self.limits.output.saturating_add(1));
            running.process.stderr.read_ready(self.limits.output);
            let left = deadline.saturating_duration_since(Instant::now());
            if has_ended || left.is_zero() || is_ready(&running.process.stdout.kept) {
                self.running = Some(running);
                return Ok(());
            }
            running.sleep(false, left.min(running.process.rest()));
        }
    }

    /// Whether the process of the last request is still there for the next.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Ends the process; the next request starts another.
    pub fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            running.finish();
        }
    }

    fn start(&mut self) -> io::Result<Running> {
        let ServerCommand { program, arguments, folder, environment } = &self.command;
        let environment: Vec<_> =
            environment.iter().map(|(name, value)| (name.as_str(), value.as_os_str())).collect();
        let start = Start {
            program,
            arguments,
            folder,
            environment: &environment,
            stdin: Stdin::Empty,
            capture: true,
        };
        // The time limit is that of an answer; the process itself may stay as long as it is asked.
        let limits = Limits { time: Duration::MAX, ..self.limits.clone() };
        let (process, stdin) = Process::start_piped(&start, &limits)?;
        self.starts += 1;
        Ok(Running { process, stdin })
    }

    /// Writes the request and reads until the answer is whole; `None` if the process ended before.
    fn converse(
        &self,
        running: &mut Running,
        mut request: &[u8],
        deadline: Instant,
    ) -> (Option<ReplyEnd>, Vec<u8>) {
        loop {
            // What is read now was written before the end that is seen now.
            let has_ended = running.process.has_ended() || running.process.is_crowded();
            running.process.stdout.read_ready(self.limits.output.saturating_add(1));
            running.process.stderr.read_ready(self.limits.output);
            let received = &mut running.process.stdout.kept;
            if let Some(Frame { answer, end }) = self.framing.decode(received) {
                let answer = received[answer].to_vec();
                received.drain(..end);
                return (Some(ReplyEnd::Answered), answer);
            }
            let ended = match (has_ended, received.len() > self.limits.output) {
                (_, true) => Some(Some(ReplyEnd::TooLong)),
                (true, _) => Some(None),
                _ if Instant::now() >= deadline => Some(Some(ReplyEnd::TimedOut)),
                _ => None,
            };
            if let Some(ended) = ended {
                received.truncate(self.limits.output);
                return (ended, std::mem::take(received));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            running.sleep(!request.is_empty(), left.min(running.process.rest()));
            if !request.is_empty() && running.can_write() {
                let chunk = &request[..request.len().min(CHUNK)];
                match running.stdin.write(chunk) {
                    Ok(written) => request = &request[written..],
                    // It does not read any more; what it still answers is awaited.
                    Err(_) => request = &[],
                }
            }
        }
    }
}

impl<F> Drop for Server<F> {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            running.finish();
        }
    }
}

impl Running {
    fn finish(self) -> crate::outcome::Outcome {
        drop(self.stdin);
        self.process.finish(&[])
    }

    fn can_write(&self) -> bool {
        let mut fds = [PollFd::from_borrowed_fd(self.stdin.as_fd(), PollFlags::OUT)];
        matches!(poll(&mut fds, Some(&timespec(Duration::ZERO))), Ok(1..))
    }

    /// Sleeps until something can be read, or written if that is wanted, or the time is over.
    fn sleep(&self, writes: bool, time: Duration) {
        let mut fds: Vec<PollFd<'_>> = self
            .process
            .descriptors()
            .map(|descriptor| PollFd::from_borrowed_fd(descriptor, PollFlags::IN))
            .collect();
        if writes {
            fds.push(PollFd::from_borrowed_fd(self.stdin.as_fd(), PollFlags::OUT));
        }
        let _ = poll(&mut fds, Some(&timespec(time)));
    }
}
