//! What the target prints, it must read again, and print the same.

use std::io;

use super::{Failure, Oracle, Trial, Verdict};
use crate::execution::Execution;
use crate::signature::{Signature, without_quotes};
use crate::target::Target;
use crate::text::one_line;

/// Gives the result of an accepted test to the same target. For formatters and for parsers with a printer.
#[derive(Debug)]
pub(super) struct RoundTrip;

impl Oracle for RoundTrip {
    fn name(&self) -> &'static str {
        "round-trip"
    }

    fn summary(&self) -> &'static str {
        "the result of a test is a test itself: it must be accepted and give the same result"
    }

    fn judge(&self, trial: &mut Trial<'_>) -> io::Result<Verdict> {
        for (n, first) in trial.executions.iter().enumerate() {
            if !first.is_accepted() || !first.can_vote() {
                continue;
            }
            let second = trial.panel.run(n, &first.result)?;
            if let Some(failure) = compare(first, &second, trial.panel.target(n)) {
                return Ok(Verdict::Failed(failure));
            }
        }
        Ok(Verdict::Fine)
    }
}

fn compare(first: &Execution, second: &Execution, target: &Target) -> Option<Failure> {
    let printed = one_line(&first.result, 2000);
    let signature = Signature::new("round-trip", &target.name);
    let (signature, detail) = match () {
        () if second.is_rejected() => {
            let message = one_line(&second.message, 500);
            let signature = signature
                .with("kind", "own output is refused")
                .with_normalized("message", &without_quotes(&message, &first.result));
            let detail = format!("it printed: {printed}\nand refuses that: {message}");
            (signature, detail)
        }
        () if second.can_vote() && target.comparable(&first.result) != target.comparable(&second.result) => {
            let again = one_line(&second.result, 2000);
            let signature = signature.with("kind", "own output gives another result");
            (signature, format!("it printed: {printed}\nand from that: {again}"))
        }
        // A crash or time-out on its own output is found when that output comes up as a test.
        () => return None,
    };
    Some(Failure { signature, is_specific: false, detail: format!("{}: {detail}", target.name) })
}
