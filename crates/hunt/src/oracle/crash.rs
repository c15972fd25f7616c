//! The target crashed: a signal, a sanitizer's report, a failed assertion, a panic, an uncaught exception.

use std::io;

use super::{Failure, Oracle, Trial, Verdict};
use crate::execution::{Execution, How};
use crate::signature::{MAX_FRAMES, Signature};
use crate::target::Target;
use crate::trace::Trace;

/// Finds crashes in the executions; runs nothing.
#[derive(Debug)]
pub(super) struct Crash;

impl Oracle for Crash {
    fn name(&self) -> &'static str {
        "crash"
    }

    fn summary(&self) -> &'static str {
        "signals, sanitizer reports, failed assertions, internal errors, panics, uncaught exceptions"
    }

    fn judge(&self, trial: &mut Trial<'_>) -> io::Result<Verdict> {
        for (n, execution) in trial.executions.iter().enumerate() {
            match look(execution, trial.panel.target(n)) {
                Verdict::Fine => {}
                verdict => return Ok(verdict),
            }
        }
        Ok(Verdict::Fine)
    }
}

fn look(execution: &Execution, target: &Target) -> Verdict {
    if execution.ran_out_of_memory() {
        return Verdict::Discarded("out of memory");
    }
    let signal = match execution.how {
        How::Killed(signal) => match crash_signal(signal) {
            Some(name) => Some(name),
            None => return Verdict::Discarded("killed by a limit or by somebody else"),
        },
        // A crash report of a process that was stopped is a part of something.
        How::TimedOut => return Verdict::Fine,
        _ => None,
    };
    let text = execution.message_text();
    let trace = Trace::find(&text).filter(|trace| !trace.is_of_file(&target.file_name()));
    // A program that ends well may print the exceptions of others.
    let trace = trace.filter(|trace| !(trace.may_be_the_tests && execution.is_accepted()));
    let check = (execution.how == How::CheckFailed).then(|| text.trim());
    match (trace, signal, check) {
        (None, None, None) => Verdict::Fine,
        (Some(trace), ..) => Verdict::Failed(of_trace(&trace, execution, target)),
        (None, signal, check) => {
            let mut signature = Signature::new("crash", &target.name);
            if let Some(signal) = signal {
                signature = signature.with("signal", signal);
            }
            if let Some(check) = check {
                signature =
                    signature.with("kind", "failed check").with_normalized("message", first_line(check));
            }
            Verdict::Failed(Failure {
                signature,
                is_specific: check.is_some(),
                detail: detail(execution, target),
            })
        }
    }
}

fn of_trace(trace: &Trace, execution: &Execution, target: &Target) -> Failure {
    let mut signature = Signature::new("crash", &target.name).with("kind", &trace.kind);
    let functions: Vec<&str> =
        trace.frames.iter().map(|frame| frame.function.as_str()).filter(|name| !name.is_empty()).collect();
    // A stack says more than a message, which often quotes the test.
    let place = trace.place();
    match (&place, functions.as_slice()) {
        (_, [_, _, ..]) => {}
        (Some(place), _) => signature = signature.with("place", place),
        (None, _) => signature = signature.with_normalized("message", &trace.message),
    }
    for function in functions.iter().take(MAX_FRAMES) {
        signature = signature.with_normalized("frame", function);
    }
    let is_specific = place.is_some() || !functions.is_empty() || !trace.message.is_empty();
    Failure { signature, is_specific, detail: detail(execution, target) }
}

fn detail(execution: &Execution, target: &Target) -> String {
    format!("{}: {}\n{}", target.name, execution.summary(), execution.message_text().trim())
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// The name of a signal that a process causes by its own fault. Others come from limits or from outside.
fn crash_signal(signal: i32) -> Option<&'static str> {
    Some(match signal {
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        11 => "SIGSEGV",
        31 => "SIGSYS",
        _ => return None,
    })
}
