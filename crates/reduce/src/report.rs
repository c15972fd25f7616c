//! What a reduction did, counted by pass.

/// Counts of one pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The pass.
    pub pass: &'static str,
    /// Questions whose answer was needed.
    pub questions: usize,
    /// Accepted steps.
    pub accepted: usize,
    /// Tokens taken away.
    pub tokens: i64,
    /// Bytes taken away.
    pub bytes: i64,
}

/// Counts of a reduction.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Per pass, in the order of first use.
    pub passes: Vec<Row>,
    /// Runs of the test, with those that were cancelled or only repeated.
    pub runs: usize,
    /// Runs that were stopped after their time.
    pub timeouts: usize,
    /// Repeated questions, to find out whether answers can be trusted.
    pub checks: usize,
    /// Repeated questions that got another answer than before.
    pub flaky: usize,
}

impl Tally {
    pub(crate) fn of(&mut self, pass: &'static str) -> &mut Row {
        let at = self.passes.iter().position(|row| row.pass == pass).unwrap_or_else(|| {
            self.passes.push(Row { pass, ..Row::default() });
            self.passes.len() - 1
        });
        &mut self.passes[at]
    }
}
