//! The target does not come to an end.

use std::io;
use std::sync::atomic::{AtomicU32, Ordering};

use super::{Care, Failure, Oracle, Trial, Verdict};
use crate::execution::How;
use crate::signature::Signature;

/// How many times its limit a test may take when a time-out is confirmed: slow is not endless.
const PATIENCE: u32 = 4;

/// Confirmed hangs of a campaign after which a time-out is taken for one: most are the same bug again, and each confirmation
/// costs [`PATIENCE`] times the limit. A new finding is always confirmed.
const MAX_CONFIRMATIONS: u32 = 4;

/// Confirms time-outs with a longer limit.
#[derive(Debug, Default)]
pub(super) struct Hang {
    confirmed: AtomicU32,
}

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
            let is_likely = self.confirmed.load(Ordering::Relaxed) >= MAX_CONFIRMATIONS;
            let is_confirmed = match trial.care {
                Care::Quick => true,
                Care::Usual if is_likely => true,
                _ => trial.panel.run_alone(n, trial.test, PATIENCE)?.how == How::TimedOut,
            };
            if !is_confirmed {
                return Ok(Verdict::Discarded("slow"));
            }
            self.confirmed.fetch_add(u32::from(trial.care == Care::Usual), Ordering::Relaxed);
            let target = trial.panel.target(n);
            let signature = Signature::new("hang", &target.name).with("kind", "hang");
            let seconds = target.limits.time.as_secs_f64() * f64::from(PATIENCE);
            let detail = format!("{}: no end within {seconds} s", target.name);
            return Ok(Verdict::Failed(Failure { signature, is_specific: false, detail }));
        }
        Ok(Verdict::Fine)
    }
}
