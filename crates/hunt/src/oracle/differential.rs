//! Several targets must agree.
//!
//! Executions that cannot vote (time-out, crash, capped output, out of memory) are left out. The result of the largest group
//! is taken for right if no other group is as large; the others are suspects. In a tie all are suspects.

use std::io;

use super::{Failure, Oracle, Trial, Verdict};
use crate::execution::Execution;
use crate::signature::Signature;
use crate::target::Target;
use crate::text::one_line;

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// Whether the test is accepted, and the results of those that accept it.
    Results,
    /// Only whether the test is accepted.
    Acceptance,
}

/// Compares the targets with each other.
#[derive(Debug)]
pub struct Differential {
    /// What is compared.
    pub compare: Compare,
}

impl Oracle for Differential {
    fn name(&self) -> &'static str {
        match self.compare {
            Compare::Results => "differential",
            Compare::Acceptance => "acceptance",
        }
    }

    fn summary(&self) -> &'static str {
        match self.compare {
            Compare::Results => "the targets disagree about acceptance or result; the majority is right",
            Compare::Acceptance => "the targets disagree about acceptance; the majority is right",
        }
    }

    fn judge(&self, trial: &mut Trial<'_>) -> io::Result<Verdict> {
        let targets: Vec<&Target> = (0..trial.panel.len()).map(|n| trial.panel.target(n)).collect();
        let voters = targets.iter().zip(trial.executions).filter(|(_, execution)| execution.can_vote());
        let votes: Vec<Vote<'_>> = voters
            .map(|(target, execution)| Vote { target, execution, value: self.value(target, execution) })
            .collect();
        Ok(self.disagreement(&votes).map_or(Verdict::Fine, Verdict::Failed))
    }
}

/// What one target says.
struct Vote<'a> {
    target: &'a Target,
    execution: &'a Execution,
    /// `None` for a rejection.
    value: Option<String>,
}

impl Differential {
    fn value(&self, target: &Target, execution: &Execution) -> Option<String> {
        execution.is_accepted().then(|| match self.compare {
            Compare::Results => target.comparable(&execution.result),
            Compare::Acceptance => String::new(),
        })
    }

    fn disagreement(&self, votes: &[Vote<'_>]) -> Option<Failure> {
        let count = |value: &Option<String>| votes.iter().filter(|vote| vote.value == *value).count();
        let most = votes.iter().map(|vote| count(&vote.value)).max()?;
        if most == votes.len() {
            return None;
        }
        let leaders = votes.iter().filter(|vote| count(&vote.value) == most).count() / most;
        let majority = votes.iter().find(|vote| leaders == 1 && count(&vote.value) == most);
        let is_suspect = |vote: &&Vote<'_>| majority.is_none_or(|right| vote.value != right.value);
        let suspects: Vec<&Vote<'_>> = votes.iter().filter(is_suspect).collect();
        let names: Vec<&str> = suspects.iter().map(|vote| vote.target.name.as_str()).collect();
        let mut signature =
            Signature::new(self.name(), &names.join("+")).with("kind", kind(&suspects, majority));
        let refused = suspects.iter().find(|vote| vote.value.is_none());
        if let Some(refused) = refused {
            let text = refused.execution.message_text();
            signature = signature.with_normalized("message", text.lines().next().unwrap_or_default());
        }
        let lines = votes.iter().map(|vote| match &vote.value {
            Some(_) => format!("{}: accepted: {}", vote.target.name, one_line(&vote.execution.result, 500)),
            None => format!("{}: rejected: {}", vote.target.name, one_line(&vote.execution.message, 500)),
        });
        Some(Failure { signature, is_specific: false, detail: lines.collect::<Vec<_>>().join("\n") })
    }
}

fn kind(suspects: &[&Vote<'_>], majority: Option<&Vote<'_>>) -> &'static str {
    let rejects = |vote: &&&Vote<'_>| vote.value.is_none();
    match (suspects.iter().filter(rejects).count(), majority) {
        (0, Some(right)) if right.value.is_none() => "accepts what the others refuse",
        (0, _) => "different results",
        (_, Some(_)) => "refuses what the others accept",
        (_, None) => "no agreement about acceptance",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::execution::How;
    use std::time::Duration;

    fn judge(answers: &[(&str, Result<&str, &str>)]) -> Option<(String, String)> {
        let targets: Vec<Target> = answers
            .iter()
            .map(|(name, _)| Target {
                name: (*name).to_owned(),
                ..Target::new(&[], std::path::Path::new("."))
            })
            .collect();
        let executions: Vec<Execution> = answers
            .iter()
            .map(|(_, answer)| Execution {
                how: if answer.is_ok() { How::Accepted } else { How::Rejected(1) },
                result: answer.unwrap_or_default().into(),
                message: answer.err().unwrap_or_default().into(),
                is_capped: false,
                time: Duration::ZERO,
            })
            .collect();
        let oracle = Differential { compare: Compare::Results };
        let votes: Vec<Vote<'_>> = targets
            .iter()
            .zip(&executions)
            .map(|(target, execution)| Vote { target, execution, value: oracle.value(target, execution) })
            .collect();
        let signature = oracle.disagreement(&votes)?.signature;
        let part = |name| signature.part(name).unwrap_or_default().to_owned();
        Some((part("target"), part("kind")))
    }

    fn suspects(target: &str, kind: &str) -> Option<(String, String)> {
        Some((target.to_owned(), kind.to_owned()))
    }

    #[test]
    fn the_majority_is_right() {
        assert_eq!(judge(&[("a", Ok("1")), ("b", Ok("1 \n"))]), None);
        assert_eq!(
            judge(&[("a", Ok("1")), ("b", Ok("2")), ("c", Ok("1"))]),
            suspects("b", "different results")
        );
        let refuses = judge(&[("a", Ok("1")), ("b", Err("no")), ("c", Ok("1"))]);
        assert_eq!(refuses, suspects("b", "refuses what the others accept"));
        let accepts = judge(&[("a", Err("x")), ("b", Err("no")), ("c", Ok("1"))]);
        assert_eq!(accepts, suspects("c", "accepts what the others refuse"));
    }

    #[test]
    fn in_a_tie_all_are_suspects() {
        assert_eq!(judge(&[("a", Ok("1")), ("b", Ok("2"))]), suspects("a+b", "different results"));
        assert_eq!(
            judge(&[("a", Ok("1")), ("b", Err("x"))]),
            suspects("a+b", "no agreement about acceptance")
        );
        assert_eq!(judge(&[]), None);
    }
}
