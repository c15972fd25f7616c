//! When an outcome means yes.

use polysmith_run::{Ended, Outcome};
use regex::bytes::Regex;

/// A condition on what was printed.
#[derive(Clone, Debug)]
pub struct Pattern {
    regex: Regex,
    negated: bool,
}

impl Pattern {
    /// Reads `REGEX` or `!REGEX`.
    ///
    /// # Errors
    /// When the expression is wrong.
    pub fn new(text: &str) -> Result<Self, regex::Error> {
        let (negated, text) = match text.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        Ok(Self { regex: Regex::new(text)?, negated })
    }

    fn holds(&self, output: &[u8]) -> bool {
        self.regex.is_match(output) != self.negated
    }
}

/// What must hold of an outcome: all conditions that are given.
#[derive(Clone, Debug, Default)]
pub struct Rule {
    /// The exit code; 0 if nothing at all is asked for, any if only the output is.
    pub exit: Option<i32>,
    /// A condition on standard output.
    pub stdout: Option<Pattern>,
    /// A condition on standard error.
    pub stderr: Option<Pattern>,
}

impl Rule {
    /// Whether the output must be kept to decide.
    #[must_use]
    pub fn needs_output(&self) -> bool {
        self.stdout.is_some() || self.stderr.is_some()
    }

    /// Whether an outcome means yes. A test that ran out of time never does.
    #[must_use]
    pub fn holds(&self, outcome: &Outcome) -> bool {
        let exit = match (outcome.ended, self.exit) {
            (Ended::TimedOut, _) => false,
            (_, None) if self.needs_output() => true,
            (Ended::Exited(code), expected) => code == expected.unwrap_or(0),
            (Ended::Killed(signal), Some(expected)) => expected == 128 + signal,
            (Ended::Killed(_), None) => false,
        };
        let matches =
            |pattern: &Option<Pattern>, output: &[u8]| pattern.as_ref().is_none_or(|p| p.holds(output));
        exit && matches(&self.stdout, &outcome.stdout) && matches(&self.stderr, &outcome.stderr)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(ended: Ended, stdout: &str) -> Outcome {
        Outcome { ended, stdout: stdout.into(), stderr: Vec::new(), time: std::time::Duration::ZERO }
    }

    #[test]
    fn the_exit_code_counts_unless_only_output_is_asked_for() {
        let zero = Rule::default();
        assert!(zero.holds(&outcome(Ended::Exited(0), "")) && !zero.holds(&outcome(Ended::Exited(1), "")));
        let output = Rule { stdout: Some(Pattern::new("pan+ic").unwrap()), ..Rule::default() };
        assert!(output.holds(&outcome(Ended::Exited(3), "a panic")));
        assert!(!output.holds(&outcome(Ended::Exited(0), "fine")));
        let both = Rule { exit: Some(3), ..output };
        assert!(!both.holds(&outcome(Ended::Exited(0), "a panic")));
    }

    #[test]
    fn negation_timeouts_and_signals() {
        let not = Rule { stdout: Some(Pattern::new("!ok").unwrap()), ..Rule::default() };
        assert!(not.holds(&outcome(Ended::Exited(0), "bad")) && !not.holds(&outcome(Ended::Exited(0), "ok")));
        assert!(!not.holds(&outcome(Ended::TimedOut, "bad")));
        // As a shell would report it.
        let segfault = Rule { exit: Some(139), ..Rule::default() };
        assert!(segfault.holds(&outcome(Ended::Killed(11), "")));
    }
}
