//! One process for many tests.
//!
//! # The protocol
//!
//! The driver first writes the line [`HELLO`] on standard output. Then, for each test, it reads a line with the length of the
//! test in decimal, reads that many bytes, and answers with a line of three words, the answer's text, and a line end:
//!
//! ```text
//! STATUS NUMBER LENGTH
//! TEXT
//! ```
//!
//! STATUS is `ok` (the target took the test; TEXT is its result), `reject` (it refused it; TEXT is the message) or `fail` (a
//! check of the driver failed; TEXT says which). NUMBER counts the tests of the process from 0, LENGTH is the number
//! of bytes of TEXT. Lines that the target itself prints are ignored, unless they look like an answer with another
//! number. The driver ends when its standard input ends.

use std::cell::Cell;
use std::io;
use std::time::Duration;

use polysmith_run::{Ended, Folder, Frame, Framing, Limits, Reply, ReplyEnd, Scratch, Server, ServerCommand};

use super::Driver;
use super::one_shot::{OneShot, cannot_start};
use crate::execution::{Execution, How};
use crate::target::{Feed, Target};

/// The first line of every driver.
pub const HELLO: &str = "polysmith driver 1";

/// Tests of one process. A fresh process now and then bounds what leaks in the target add up to.
const MAX_TESTS_PER_PROCESS: u64 = 10_000;

/// Time that a driver has to say hello: interpreters load libraries first.
const HELLO_TIME: Duration = Duration::from_secs(10);

/// Keeps a process of the target and sends it test after test.
pub(super) struct Persistent {
    target: Target,
    scratch: Scratch,
    current: Option<Session>,
}

/// A process with the folder that it works in. The server ends before the folder is emptied.
struct Session {
    server: Server<Numbered>,
    tests: u64,
    _folder: Folder,
}

impl Persistent {
    pub(super) fn new(target: &Target) -> io::Result<Self> {
        Ok(Self { target: target.clone(), scratch: Scratch::new()?, current: None })
    }

    fn session(&mut self, time: Duration) -> io::Result<Session> {
        let folder = self.scratch.folder()?;
        let mut environment: Vec<_> =
            self.target.environment.iter().map(|(name, value)| (name.clone(), value.into())).collect();
        environment.push(("TMPDIR".to_owned(), folder.temporary().into()));
        let command = ServerCommand {
            program: self.target.command.first().cloned().unwrap_or_default(),
            arguments: self.target.command.get(1..).unwrap_or_default().to_vec(),
            folder: folder.path().to_owned(),
            environment,
        };
        let limits = Limits { time, ..self.target.limits.clone() };
        let program = command.program.clone();
        let mut server = Server::new(command, Numbered::default(), limits);
        server.wait_until(says_hello, HELLO_TIME).map_err(|error| cannot_start(&program, &error))?;
        Ok(Session { server, tests: 0, _folder: folder })
    }

    fn ask(&self, session: &mut Session, test: &[u8]) -> io::Result<Execution> {
        session.tests += 1;
        let reply = session.server.request(test);
        let program = self.target.command.first().cloned().unwrap_or_default();
        Ok(execution(reply.map_err(|error| cannot_start(&program, &error))?))
    }
}

impl Driver for Persistent {
    fn run(&mut self, test: &[u8]) -> io::Result<Execution> {
        let mut session = match self.current.take().filter(|session| session.tests < MAX_TESTS_PER_PROCESS) {
            Some(session) => session,
            None => self.session(self.target.limits.time)?,
        };
        let execution = self.ask(&mut session, test)?;
        // After a death or a broken answer the process is gone or out of step: the next test gets another one.
        if session.server.is_running() && !matches!(execution.how, How::Misframed(_)) {
            self.current = Some(session);
        }
        Ok(execution)
    }

    fn run_alone(&mut self, test: &[u8], time: Duration) -> io::Result<Execution> {
        let mut session = self.session(time)?;
        self.ask(&mut session, test)
    }
}

/// Whether a command is a persistent driver: it says hello although there is no test to read.
///
/// # Errors
/// When the command cannot be started.
pub fn speaks_protocol(target: &Target) -> io::Result<bool> {
    let target = Target { feed: Feed::Stdin, ..target.clone() };
    let greeting = OneShot::new(&target)?.run_alone(b"", HELLO_TIME)?;
    Ok(says_hello(&greeting.result))
}

fn says_hello(output: &[u8]) -> bool {
    output.split(|byte| *byte == b'\n').any(|line| line == HELLO.as_bytes())
}

/// Numbers requests and finds the answer with the same number.
#[derive(Debug, Default)]
struct Numbered {
    /// The number of the next request.
    next: Cell<u64>,
}

/// The first line of an answer.
struct Header<'a> {
    status: &'a str,
    number: u64,
    length: usize,
}

impl<'a> Header<'a> {
    fn parse(line: &'a [u8]) -> Option<Self> {
        let mut words = std::str::from_utf8(line).ok()?.split(' ');
        let status = words.next().filter(|word| matches!(*word, "ok" | "reject" | "fail"))?;
        let (number, length) = (words.next()?.parse().ok()?, words.next()?.trim_end().parse().ok()?);
        words.next().is_none().then_some(Self { status, number, length })
    }
}

impl Framing for Numbered {
    fn encode(&self, request: &[u8], to: &mut Vec<u8>) {
        self.next.set(self.next.get() + 1);
        to.extend_from_slice(format!("{}\n", request.len()).as_bytes());
        to.extend_from_slice(request);
    }

    /// The answer is the header line and the text. A header that cannot be right is an empty answer.
    fn decode(&self, received: &[u8]) -> Option<Frame> {
        let mut start = 0;
        while let Some(length) = received[start..].iter().position(|byte| *byte == b'\n') {
            let line = &received[start..start + length];
            let text = start + length + 1;
            if let Some(header) = Header::parse(line) {
                let end = text.checked_add(header.length).filter(|_| header.number + 1 == self.next.get());
                let Some(end) = end else { return Some(Frame { answer: 0..0, end: received.len() }) };
                return (received.len() > end).then(|| Frame { answer: start..end + 1, end: end + 1 });
            }
            start = text;
        }
        None
    }
}

/// What an answer, or its absence, says about the test.
fn execution(reply: Reply) -> Execution {
    let Reply { end, answer, mut stderr, time } = reply;
    let (how, result, message) = match end {
        ReplyEnd::Answered => read(&answer),
        ReplyEnd::TimedOut => (How::TimedOut, Vec::new(), Vec::new()),
        ReplyEnd::TooLong => {
            (How::Misframed("its answer is longer than the output limit".to_owned()), answer, Vec::new())
        }
        ReplyEnd::Died(Ended::Killed(signal)) => (How::Killed(signal), answer, Vec::new()),
        ReplyEnd::Died(Ended::Exited(code)) if code != 0 => (How::Rejected(code), answer, Vec::new()),
        ReplyEnd::Died(ended) => {
            (How::Misframed(format!("it ended before its answer ({ended})")), answer, Vec::new())
        }
    };
    let is_capped = end == ReplyEnd::TooLong;
    let mut message = message;
    message.append(&mut stderr);
    Execution { how, result, message, is_capped, time }
}

fn read(answer: &[u8]) -> (How, Vec<u8>, Vec<u8>) {
    let misframed = |why: &str| (How::Misframed(why.to_owned()), Vec::new(), answer.to_vec());
    let mut parts = answer.splitn(2, |byte| *byte == b'\n');
    let (Some(header), Some(rest)) = (parts.next().and_then(Header::parse), parts.next()) else {
        return misframed("an answer has another number than the test, or an impossible length");
    };
    let (text, end) = rest.split_at(header.length.min(rest.len()));
    if end != b"\n" {
        return misframed("the text of the answer is longer than its header says");
    }
    let text = text.to_vec();
    match header.status {
        "ok" => (How::Accepted, text, Vec::new()),
        "reject" => (How::Rejected(1), Vec::new(), text),
        _ => (How::CheckFailed, Vec::new(), text),
    }
}
