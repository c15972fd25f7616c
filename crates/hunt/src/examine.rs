//! A closer look at a failure: does it repeat, and how small can its test be?

use std::io;
use std::sync::LazyLock;

use regex::bytes::Regex;

use crate::halt::Halt;
use crate::oracle::{Care, Failure, Oracle, Verdict, judge};
use crate::panel::Panel;
use crate::reduction::{self, Reduced, ReductionPlan};
use crate::signature::{Signature, TEST};

/// How often a failure must repeat in fresh processes.
const REPETITIONS: usize = 2;

/// Features of a reduced test in a signature: more of them than this say little.
const MAX_FEATURES: usize = 24;

/// Characters of a word that is taken for a name: keywords are longer.
const SHORT_NAME: usize = 1;

/// What a closer look needs.
pub(crate) struct Examiner<'a> {
    pub(crate) oracles: &'a [Box<dyn Oracle>],
    pub(crate) reduction: Option<&'a ReductionPlan>,
    pub(crate) halt: &'a Halt<'a>,
}

/// A failure that repeats.
pub(crate) struct Examined {
    pub(crate) signature: Signature,
    pub(crate) reduced: Option<Vec<u8>>,
    /// Whether the signature tells bugs apart: not if it needs the features of a reduced test and the reduction was cut off.
    pub(crate) is_reliable: bool,
}

impl Examiner<'_> {
    /// Repeats a failure, then reduces its test. `None` if it does not repeat.
    pub(crate) fn examine(
        &self,
        panel: &mut Panel,
        test: &[u8],
        failure: &Failure,
    ) -> io::Result<Option<Examined>> {
        let key = failure.signature.key();
        if !self.repeats(panel, test, &key, REPETITIONS)? {
            return Ok(None);
        }
        let reduced = match self.reduction {
            Some(plan) => {
                let question = reduction::SameFailure::new(panel, self.oracles, &key, plan, self.halt);
                reduction::reduce(test, question, plan)?
            }
            None => Reduced::default(),
        };
        // The reduced test was seen to fail in processes that met other tests before.
        let is_reliable = failure.is_specific || !reduced.is_cut;
        let reduced = match reduced.test {
            Some(reduced) if self.repeats(panel, &reduced, &key, 1)? => Some(reduced),
            _ => None,
        };
        let signature = match failure.is_specific {
            true => failure.signature.clone(),
            false => failure.signature.clone().with(TEST, &features(reduced.as_deref().unwrap_or(test))),
        };
        Ok(Some(Examined { signature, reduced, is_reliable }))
    }

    fn repeats(&self, panel: &mut Panel, test: &[u8], key: &str, times: usize) -> io::Result<bool> {
        for _ in 0..times {
            let (_, verdict) = judge(panel, self.oracles, test, Care::Fresh)?;
            if !matches!(verdict, Verdict::Failed(failure) if failure.signature.key() == key) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The distinct words of a test, sorted, without case; where it has none, its tokens, with numbers, texts in quotes and short names made equal: two
/// reduced tests of one bug mostly have the same.
pub(crate) fn features(test: &[u8]) -> String {
    static NUMBER: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"\d+(?:\.\d+)?(?:[eE][+-]?\d+)?").ok());
    let test = NUMBER.as_ref().map_or(test.into(), |number| number.replace_all(test, &b"0"[..]));
    let tokens = polysmith_reduce::tokens(&test).map(|range| {
        let token = String::from_utf8_lossy(&test[range]).into_owned();
        match token.chars().next() {
            Some(c @ ('"' | '\'' | '`')) => format!("{c}{c}"),
            Some(c) if c.is_alphabetic() && token.chars().count() <= SHORT_NAME => "x".to_owned(),
            _ => token.to_lowercase(),
        }
    });
    let mut tokens: Vec<String> = tokens.collect();
    // Words say which construct it is; beside them, operators and brackets only tell variants of one bug apart.
    let is_word =
        |token: &String| token.chars().count() > SHORT_NAME && token.starts_with(char::is_alphabetic);
    if tokens.iter().any(is_word) {
        tokens.retain(is_word);
    }
    tokens.sort();
    tokens.dedup();
    tokens.truncate(MAX_FEATURES);
    tokens.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_do_not_depend_on_order_and_numbers() {
        assert_eq!(features(b"POINT ( 1 2.5 )"), features(b"( 17 POINT )"));
        assert_ne!(features(b"POINT ( 1 )"), features(b"LINE ( 1 )"));
        assert_eq!(features(b"pOinT ( a )"), features(b"POINT ( B )"));
    }
}
