//! What a campaign runs, as data: findings can be run again without the options that found them.

use std::ffi::OsString;
use std::time::Duration;

use polysmith_run::Limits;
use regex::Regex;
use serde::{Deserialize, Serialize};

use crate::target::{Feed, Target};

/// Targets and oracles of a campaign.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recipe {
    targets: Vec<TargetRecipe>,
    /// Names of oracles; `command:LINE` is a program of the user.
    pub oracles: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct TargetRecipe {
    name: String,
    command: Vec<String>,
    feed: Feed,
    environment: Vec<(String, String)>,
    seconds: f64,
    memory: Option<u64>,
    file: Option<u64>,
    processes: Option<u32>,
    output: usize,
    extension: String,
    expected: Vec<String>,
    rewrites: Vec<(String, String)>,
}

impl Recipe {
    /// The recipe of these targets and oracles. Words of commands that are no UTF-8 are kept approximately.
    #[must_use]
    pub fn new(targets: &[Target], oracles: &[String]) -> Self {
        Self { targets: targets.iter().map(TargetRecipe::new).collect(), oracles: oracles.to_vec() }
    }

    /// The targets.
    ///
    /// # Errors
    /// A rule that is no regular expression: the recipe was damaged.
    pub fn targets(&self) -> Result<Vec<Target>, regex::Error> {
        self.targets.iter().map(TargetRecipe::target).collect()
    }
}

impl TargetRecipe {
    fn new(target: &Target) -> Self {
        let word = |word: &OsString| word.to_string_lossy().into_owned();
        let rule = |(rule, to): &(Regex, String)| (rule.as_str().to_owned(), to.clone());
        Self {
            name: target.name.clone(),
            command: target.command.iter().map(word).collect(),
            feed: target.feed,
            environment: target.environment.clone(),
            seconds: target.limits.time.as_secs_f64(),
            memory: target.limits.memory,
            file: target.limits.file,
            processes: target.limits.processes,
            output: target.limits.output,
            extension: target.extension.clone(),
            expected: target.expected.iter().map(|pattern| pattern.as_str().to_owned()).collect(),
            rewrites: target.rewrites.iter().map(rule).collect(),
        }
    }

    fn target(&self) -> Result<Target, regex::Error> {
        let pattern = |pattern: &String| Regex::new(pattern);
        let rule = |(rule, to): &(String, String)| Ok((Regex::new(rule)?, to.clone()));
        Ok(Target {
            name: self.name.clone(),
            command: self.command.iter().map(OsString::from).collect(),
            feed: self.feed,
            environment: self.environment.clone(),
            limits: Limits {
                time: Duration::try_from_secs_f64(self.seconds).unwrap_or(Duration::MAX),
                processor: None,
                processes: self.processes,
                memory: self.memory,
                file: self.file,
                output: self.output,
            },
            extension: self.extension.clone(),
            expected: self.expected.iter().map(pattern).collect::<Result<_, _>>()?,
            rewrites: self.rewrites.iter().map(rule).collect::<Result<_, _>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn a_recipe_gives_the_same_targets_again() {
        let mut target = Target::new(&["jq".into(), ".".into()], Path::new("/"));
        target.expected.push(Regex::new("too deep").unwrap());
        target.rewrites.push((Regex::new("-0").unwrap(), "0".to_owned()));
        let recipe = Recipe::new(&[target], &["crash".to_owned()]);
        let text = serde_json::to_string(&recipe).unwrap();
        let read: Recipe = serde_json::from_str(&text).unwrap();
        assert_eq!(read, recipe);
        assert_eq!(Recipe::new(&read.targets().unwrap(), &read.oracles), recipe);
    }
}
