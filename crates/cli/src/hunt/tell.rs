//! What is told while a campaign runs and at its end.

use super::json_lines;
use crate::talk::Talk;
use polysmith_hunt::text::one_line;
use polysmith_hunt::{Finding, Observer, Status};
use std::time::{Duration, Instant};

/// How often a line of progress comes.
const EVERY: Duration = Duration::from_secs(10);

/// Acceptance below this deserves a warning: most tests do not get past the parser of the target.
const LOW_ACCEPTANCE: f64 = 0.05;

/// Tests before acceptance says something.
const ENOUGH_TESTS: u64 = 100;

/// Tells about a campaign: findings on stdout, everything else on stderr.
pub struct Teller {
    talk: Talk,
    json: bool,
    names: Vec<String>,
    last: Instant,
    warned: bool,
    /// Why a line could not be printed.
    pub error: Option<std::io::Error>,
}

impl Teller {
    /// Tells about a campaign against targets with these names.
    pub fn new(talk: Talk, json: bool, names: Vec<String>) -> Teller {
        Teller { talk, json, names, last: Instant::now(), warned: false, error: None }
    }

    /// The last lines.
    ///
    /// # Errors
    /// Fails if stdout cannot be written.
    pub fn end(&mut self, status: &Status) -> std::io::Result<()> {
        self.warn(status);
        self.talk.say(self.line(status));
        for (why, count) in &status.counts.discarded {
            self.talk.detail(format_args!("discarded: {count} ({why})"));
        }
        if self.json {
            let counts = serde_json::to_value(&status.counts).unwrap_or_default();
            let object = serde_json::json!({
                "counts": counts, "findings": status.findings, "new_findings": status.new_findings,
                "seconds": status.time.as_secs_f64(), "new_tests": status.new_tests, "new_runs": status.new_runs,
            });
            json_lines(self.talk, "end", object)?;
        }
        Ok(())
    }

    fn line(&self, status: &Status) -> String {
        let seconds = status.time.as_secs_f64().max(0.001);
        let accepted = self.names.iter().zip(&status.counts.targets).map(|(name, counts)| {
            format!("{} accepts {:.1} %, ", one_line(name.as_bytes(), 40), 100.0 * counts.acceptance())
        });
        let accepted: Vec<String> = accepted.collect();
        let mut line = format!(
            "{} tests, {:.0} runs/s, {}{} findings ({} new)",
            status.counts.tests,
            status.new_runs as f64 / seconds,
            accepted.concat(),
            status.findings,
            status.new_findings
        );
        if status.counts.flaky > 0 {
            line += &format!(", {} did not repeat", status.counts.flaky);
        }
        line
    }

    fn warn(&mut self, status: &Status) {
        if self.warned || status.counts.tests < ENOUGH_TESTS {
            return;
        }
        for (name, counts) in self.names.iter().zip(&status.counts.targets) {
            if counts.acceptance() < LOW_ACCEPTANCE {
                self.warned = true;
                let (message, times) = counts.main_message().unwrap_or(("no message", 0));
                self.talk.warning(format_args!(
                    "`{}` accepts {:.1} % of the tests; {times} times it said: {}",
                    one_line(name.as_bytes(), 40),
                    100.0 * counts.acceptance(),
                    one_line(message.as_bytes(), 200)
                ));
                self.talk.note(
                    "check the start rule (--start), the case of keywords and a missing final line end",
                );
            }
        }
    }
}

impl Observer for Teller {
    fn progress(&mut self, status: &Status) {
        self.warn(status);
        if self.last.elapsed() >= EVERY {
            self.last = Instant::now();
            self.talk.say(self.line(status));
        }
    }

    fn found(&mut self, finding: &Finding) {
        let told = match self.json {
            true => json_lines(self.talk, "finding", as_json(finding)),
            false => {
                self.talk.result(format_args!("{}\n    {}", title(finding), one_line(finding.best(), 160)))
            }
        };
        self.error = self.error.take().or(told.err());
    }

    fn complaint(&mut self, why: &str) {
        self.talk.warning(format_args!("the driver breaks the protocol: {}", one_line(why.as_bytes(), 200)));
    }
}

/// A finding on one line.
pub fn title(finding: &Finding) -> String {
    format!(
        "#{} {} {}: {}",
        finding.id,
        finding.oracle(),
        one_line(finding.target().as_bytes(), 60),
        one_line(finding.signature.title().as_bytes(), 160)
    )
}

/// A finding for machines.
pub fn as_json(finding: &Finding) -> serde_json::Value {
    let signature: Vec<_> = finding.signature.parts().map(|(name, text)| [name, text]).collect();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    serde_json::json!({
        "id": finding.id, "key": finding.key, "signature": signature, "state": finding.state.name(),
        "count": finding.count, "first_seen": finding.first_seen.as_secs(), "last_seen": finding.last_seen.as_secs(),
        "commands": finding.commands, "detail": finding.detail,
        "reduced": finding.reduced.as_deref().map(text),
        "cases": finding.cases.iter().map(|case| serde_json::json!({
            "test": text(&case.test), "source": case.source, "seed": case.seed, "index": case.index
        })).collect::<Vec<_>>(),
    })
}
