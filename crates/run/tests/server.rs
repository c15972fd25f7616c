//! A process that answers many requests: answers, limits, deaths and restarts.

use std::path::Path;
use std::time::Duration;

use polysmith_run::{
    Ended, Framing, LengthPrefixed, Limits, Lines, Pool, ReplyEnd, Scratch, Server, ServerCommand, Start,
    Stdin,
};

fn shell(folder: &Path, limits: Limits) -> Server<Lines> {
    let command = ServerCommand {
        program: "/bin/sh".into(),
        arguments: Vec::new(),
        folder: folder.to_owned(),
        environment: Vec::new(),
    };
    Server::new(command, Lines::until("--end--"), limits)
}

fn short() -> Limits {
    Limits { time: Duration::from_millis(300), output: 10_000, ..Limits::default() }
}

#[test]
fn a_shell_keeps_its_state_between_requests() {
    let folder = tempfile::tempdir().unwrap();
    let mut shell = shell(folder.path(), Limits::default());
    for (request, expected) in [
        ("x=1; echo --end--", ""),
        ("echo $x; x=2; echo no >&2; echo --end--", "1\n"),
        ("echo $x; echo --end--", "2\n"),
    ] {
        let reply = shell.request(request.as_bytes()).unwrap();
        assert_eq!((reply.end, reply.answer.as_slice()), (ReplyEnd::Answered, expected.as_bytes()));
    }
    assert_eq!(shell.restarts(), 0);
}

#[test]
fn a_server_that_dies_hangs_or_floods_is_started_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut shell = shell(folder.path(), short());
    let reply = shell.request(b"echo half; exit 3").unwrap();
    assert_eq!((reply.end, reply.answer.as_slice()), (ReplyEnd::Died(Ended::Exited(3)), &b"half\n"[..]));
    let reply = shell.request(b"kill -SEGV $$").unwrap();
    assert_eq!(reply.end, ReplyEnd::Died(Ended::Killed(11)));
    let reply = shell.request(b"sleep 100").unwrap();
    assert_eq!(reply.end, ReplyEnd::TimedOut);
    let reply = shell.request(b"yes").unwrap();
    assert_eq!((reply.end, reply.answer.len()), (ReplyEnd::TooLong, 10_000));
    let reply = shell.request(b"echo fine; echo --end--").unwrap();
    assert_eq!((reply.end, reply.answer.as_slice()), (ReplyEnd::Answered, &b"fine\n"[..]));
    assert_eq!(shell.restarts(), 4);
}

#[test]
fn long_requests_and_answers_pass_each_other() {
    // `cat` writes while it is still being written to: nobody may wait for the other.
    let folder = tempfile::tempdir().unwrap();
    let command = ServerCommand {
        program: "cat".into(),
        arguments: Vec::new(),
        folder: folder.path().to_owned(),
        environment: Vec::new(),
    };
    let mut cat = Server::new(command, LengthPrefixed, Limits { output: 4 << 20, ..Limits::default() });
    let request: Vec<u8> = (0..3 << 20).map(|n| (n % 251) as u8).collect();
    for _ in 0..2 {
        let reply = cat.request(&request).unwrap();
        assert_eq!(reply.end, ReplyEnd::Answered);
        assert!(reply.answer == request);
    }
    assert_eq!(cat.request(b"").unwrap().answer, b"");
}

#[test]
fn an_answer_ends_at_its_sentinel_line_only() {
    let lines = Lines::until("END");
    assert_eq!(lines.decode(b"a END\nENDE\nEN"), None);
    let frame = lines.decode(b"a\nEND\r\nnext").unwrap();
    assert_eq!((frame.answer, frame.end), (0..2, 7));
}

#[test]
fn stdin_can_be_bytes() {
    let mut scratch = Scratch::new().unwrap();
    let folder = scratch.folder().unwrap();
    let bytes: Vec<u8> = (0..300_000_u32).map(|n| (n % 256) as u8).collect();
    let run = |program: &str| {
        let start = Start {
            program: program.as_ref(),
            arguments: &[],
            folder: folder.path(),
            environment: &[],
            stdin: Stdin::Bytes(&bytes),
            capture: true,
        };
        Pool::new().run(&start, &Limits::default()).unwrap()
    };
    assert!(run("cat").stdout == bytes);
    // One that does not read it ends all the same.
    assert_eq!(run("true").ended, Ended::Exited(0));
}
