//! The target does not come to an end.

use std::io;

use super::{Failure, Oracle, Trial, Verdict};
use crate::execution::How;
use crate::signature::Signature;

/// How many times its limit a test may take when a time-out is confirmed: slow is not endless.
const PATIENCE: u32 = 4;

/// Confirms time-outs with a longer limit.
#[derive(Debug)]
pub(super) struct Hang;

impl Oracle for Hang {
    fn name(&self) -> &'static str {
        "hang"
    }

    fn summary(&self) -> &'static str {
        "no end within the time limit, nor within four times the limit in a fresh process"
    }

    fn judge(&self, trial: &mut Trial<'_>) -> io::Result<Verdict> {
        for (n, execution) in trial.executions.iter().enumerate() {
            if execution.how != How::TimedOut {
                continue;
            }
            let again = trial.panel.run_alone(n, trial.test, PATIENCE)?;
            if again.how != How::TimedOut {
                return Ok(Verdict::Discarded("slow"));
            }
            let target = trial.panel.target(n);
            let signature = Signature::new("hang", &target.name).with("kind", "hang");
            let seconds = target.limits.time.as_secs_f64() * f64::from(PATIENCE);
            let detail = format!("{}: no end within {seconds} s", target.name);
            return Ok(Verdict::Failed(Failure { signature, is_specific: false, detail }));
        }
        Ok(Verdict::Fine)
    }
}
