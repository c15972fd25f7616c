//! The target refuses a test that is valid by its description.

use std::io;

use super::{Failure, Oracle, Trial, Verdict};
use crate::signature::{Signature, without_quotes};
use crate::text::one_line;

/// Takes every rejection for a failure: for descriptions that the target should follow exactly.
#[derive(Debug)]
pub(super) struct RejectsValid;

impl Oracle for RejectsValid {
    fn name(&self) -> &'static str {
        "rejects-valid"
    }

    fn summary(&self) -> &'static str {
        "a valid test is refused; told apart by the message"
    }

    fn judge(&self, trial: &mut Trial<'_>) -> io::Result<Verdict> {
        let refused = trial.executions.iter().enumerate().find(|(_, execution)| execution.is_rejected());
        let Some((n, execution)) = refused.filter(|(_, execution)| execution.can_vote()) else {
            return Ok(Verdict::Fine);
        };
        let target = trial.panel.target(n);
        let text = execution.message_text();
        let message = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("no message");
        let signature = Signature::new("rejects-valid", &target.name)
            .with_normalized("message", &without_quotes(message, trial.test));
        let detail = format!("{}: {}", target.name, one_line(&execution.message, 2000));
        Ok(Verdict::Failed(Failure { signature, is_specific: true, detail }))
    }
}
