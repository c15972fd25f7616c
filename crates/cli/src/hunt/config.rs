//! `hunt.toml`: a campaign as a file.
//!
//! Every key is in `docs/book/hunt-toml.md`. A mistake is reported with its line: unknown keys, values of another type, and
//! values that mean nothing, such as an oracle that does not exist.

use super::open::known_oracles;
use super::plan::{self, Plan, PlannedSource, PlannedTarget, Settings, SourceKind};
use crate::engines::EngineOptions;
use crate::failure::Failure;
use crate::load::LanguageOptions;
use crate::units::{Size, parse_seconds, parse_size, parse_time};
use clap::Parser as _;
use polysmith_hunt::oracle;
use regex::Regex;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A campaign, as the file has it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    seed: Option<u64>,
    store: Option<PathBuf>,
    oracles: Option<Vec<OracleName>>,
    #[serde(rename = "for")]
    time: Option<Time>,
    runs: Option<u64>,
    jobs: Option<usize>,
    reduce: Option<bool>,
    #[serde(rename = "source")]
    sources: Vec<SourceEntry>,
    #[serde(rename = "target")]
    targets: Vec<TargetEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(try_from = "RawSource")]
struct SourceEntry(PlannedSource);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSource {
    language: Option<String>,
    files: Option<PathBuf>,
    command: Option<String>,
    weight: Option<Weight>,
    #[serde(default)]
    options: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TargetEntry {
    name: Option<String>,
    command: Words,
    timeout: Option<Seconds>,
    memory: Option<Memory>,
    processes: Option<u32>,
    #[serde(default)]
    expect: Vec<Pattern>,
    #[serde(default)]
    rewrite: Vec<Rewrite>,
    #[serde(default)]
    environment: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
struct OracleName(String);

#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
struct Time(Duration);

#[derive(Debug, Deserialize)]
#[serde(try_from = "f64")]
struct Seconds(Duration);

#[derive(Debug, Deserialize)]
#[serde(try_from = "f64")]
struct Weight(f64);

#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
struct Memory(Size);

#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
struct Pattern(Regex);

#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
struct Rewrite((Regex, String));

#[derive(Debug, Deserialize)]
#[serde(try_from = "Vec<String>")]
struct Words(Vec<OsString>);

impl TryFrom<String> for OracleName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        match name.starts_with("command:") || oracle::named(&name).is_some() {
            true => Ok(Self(name)),
            false => Err(format!("there is no oracle `{name}`: one of {}", known_oracles())),
        }
    }
}

impl TryFrom<String> for Time {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        parse_time(&text).map(Self)
    }
}

impl TryFrom<f64> for Seconds {
    type Error = String;

    fn try_from(seconds: f64) -> Result<Self, String> {
        parse_seconds(&seconds.to_string()).map(Self)
    }
}

impl TryFrom<f64> for Weight {
    type Error = String;

    fn try_from(weight: f64) -> Result<Self, String> {
        match weight.is_finite() && weight > 0.0 {
            true => Ok(Self(weight)),
            false => Err("a weight is a positive number".to_owned()),
        }
    }
}

impl TryFrom<String> for Memory {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        parse_size(&text).map(Self)
    }
}

impl TryFrom<String> for Pattern {
    type Error = regex::Error;

    fn try_from(text: String) -> Result<Self, regex::Error> {
        Regex::new(&text).map(Self)
    }
}

impl TryFrom<String> for Rewrite {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        plan::rewrite(&text).map(Self)
    }
}

impl TryFrom<Vec<String>> for Words {
    type Error = String;

    fn try_from(words: Vec<String>) -> Result<Self, String> {
        match words.first().is_some_and(|program| !program.is_empty()) {
            true => Ok(Self(words.into_iter().map(OsString::from).collect())),
            false => Err("a command names at least a program".to_owned()),
        }
    }
}

/// Options of a source: those of `polysmith generate` that shape tests.
#[derive(Debug, clap::Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Shape {
    #[command(flatten)]
    reading: LanguageOptions,
    #[command(flatten)]
    engine: EngineOptions,
}

impl TryFrom<RawSource> for SourceEntry {
    type Error = String;

    fn try_from(raw: RawSource) -> Result<Self, String> {
        let weight = raw.weight.map_or(1.0, |weight| weight.0);
        let has_options = !raw.options.is_empty();
        let kind = match (raw.language, raw.files, raw.command) {
            (Some(word), None, None) => {
                let shape = Shape::try_parse_from(raw.options).map_err(|error| first_line(&error))?;
                SourceKind::Language { word, reading: shape.reading, engine: Box::new(shape.engine) }
            }
            (None, Some(_), None) | (None, None, Some(_)) if has_options => {
                return Err("`options` are for a source with a `language`".to_owned());
            }
            (None, Some(folder), None) => SourceKind::Files(folder),
            (None, None, Some(line)) => SourceKind::Command(line),
            _ => return Err("a source has one of `language`, `files` and `command`".to_owned()),
        };
        Ok(Self(PlannedSource { weight, kind }))
    }
}

fn first_line(error: &clap::Error) -> String {
    let text = error.to_string();
    text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
}

impl Config {
    /// Reads a file.
    ///
    /// # Errors
    /// A file that cannot be read or has a mistake.
    pub fn read(path: &Path) -> anyhow::Result<Config> {
        let text = fs::read_to_string(path)
            .map_err(|error| Failure::unusable(format!("cannot read `{}`: {error}", path.display())))?;
        Ok(Self::parse(&text, &path.display().to_string())?)
    }

    fn parse(text: &str, name: &str) -> Result<Config, Failure> {
        toml::from_str(text).map_err(|error| {
            Failure::unusable(match error.span() {
                Some(span) => located(name, text, &span, error.message()),
                None => format!("{name}: {}", error.message()),
            })
            .help("the book describes every key: hunt.toml")
        })
    }

    /// The plan that the file at `path` describes. Relative paths start in its folder.
    ///
    /// # Errors
    /// A file without sources or targets, or oracles that need more targets.
    pub fn plan(self, path: &Path) -> anyhow::Result<Plan> {
        if self.sources.is_empty() || self.targets.is_empty() {
            let failure = format!("`{}` needs a [[source]] and a [[target]]", path.display());
            return Err(Failure::unusable(failure)
                .help("`polysmith init --list` shows known targets")
                .into());
        }
        let folder = std::path::absolute(path)?.parent().map(Path::to_owned).unwrap_or_default();
        let target = |entry: TargetEntry| PlannedTarget {
            name: entry.name,
            command: entry.command.0,
            timeout: entry.timeout.map(|seconds| seconds.0),
            memory: entry.memory.map(|memory| memory.0),
            processes: entry.processes,
            expect: entry.expect.into_iter().map(|pattern| pattern.0).collect(),
            rewrite: entry.rewrite.into_iter().map(|rewrite| rewrite.0).collect(),
            environment: entry.environment.into_iter().collect(),
        };
        let settings = Settings {
            seed: self.seed,
            store: self.store.map(|store| folder.join(store)),
            runs: self.runs,
            time: self.time.map(|time| time.0),
            jobs: self.jobs,
            reduces: self.reduce,
        };
        Ok(Plan {
            sources: self.sources.into_iter().map(|entry| entry.0).collect(),
            targets: self.targets.into_iter().map(target).collect(),
            oracles: self.oracles.unwrap_or_default().into_iter().map(|name| name.0).collect(),
            folder,
            settings,
        })
    }
}

/// A message with its line, as a compiler prints it.
fn located(name: &str, text: &str, span: &Range<usize>, message: &str) -> String {
    let start = span.start.min(text.len());
    let before = text.get(..start).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let head = before.rfind('\n').map_or(0, |at| at + 1);
    let shown = text.get(head..).unwrap_or_default().lines().next().unwrap_or_default();
    let column = before.get(head..).unwrap_or_default().chars().count();
    let width =
        text.get(start..span.end).unwrap_or_default().lines().next().unwrap_or_default().chars().count();
    let number = line.to_string();
    let margin = " ".repeat(number.len());
    format!(
        "{}\n{margin}--> {name}:{line}:{}\n{margin} |\n{number} | {shown}\n{margin} | {}{}",
        message.trim(),
        column + 1,
        " ".repeat(column),
        "^".repeat(width.max(1))
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = r#"
        seed = 7
        store = "found"
        oracles = ["crash", "command:./judge"]
        for = "10m"
        runs = 1000
        jobs = 2
        reduce = false
        [[source]]
        language = "json"
        weight = 3
        options = ["--max-tokens", "20"]
        [[source]]
        command = "csmith --seed {seed}"
        [[target]]
        name = "first"
        command = ["jq", "."]
        timeout = 0.5
        memory = "none"
        processes = 10
        expect = ["too deep"]
        rewrite = ["-0=>0"]
        environment = { LC_ALL = "C" }
        [[target]]
        command = ["cat"]
    "#;

    #[test]
    fn every_key_is_read() {
        let plan =
            Config::parse(WHOLE, "hunt.toml").unwrap().plan(Path::new("/somewhere/hunt.toml")).unwrap();
        assert_eq!((plan.sources.len(), plan.targets.len(), plan.oracles.len()), (2, 2, 2));
        assert!((plan.sources[0].weight - 3.0).abs() < 1e-9);
        assert_eq!(plan.settings.store.as_deref(), Some(Path::new("/somewhere/found")));
        assert_eq!(plan.settings.time, Some(Duration::from_secs(600)));
        assert_eq!(plan.settings.reduces, Some(false));
        let first = &plan.targets[0];
        assert_eq!(first.memory.map(|size| size.0), Some(None));
        assert_eq!(first.timeout, Some(Duration::from_millis(500)));
        assert_eq!(first.environment, [("LC_ALL".to_owned(), "C".to_owned())]);
    }

    #[test]
    fn a_mistake_points_at_its_line() {
        let mistakes = [
            ("tragets = 1\n", "hunt.toml:1:1", "unknown field"),
            ("\noracles = [\"crash\", \"magic\"]\n", "hunt.toml:2:11", "there is no oracle `magic`"),
            ("for = \"10 parsecs\"\n", "hunt.toml:1:7", "is no unit of time"),
            ("[[source]]\nweight = 1\n", "hunt.toml:1:1", "a source has one of"),
            ("[[source]]\nlanguage = \"json\"\noptions = [\"--nonsense\"]\n", "hunt.toml:1:1", "--nonsense"),
            ("[[target]]\ncommand = []\n", "hunt.toml:2:11", "at least a program"),
            ("[[target]]\ncommand = [\"x\"]\nexpect = [\"(\"]\n", "hunt.toml:3:10", "regex"),
            ("[[target]]\ncommand = [\"x\"]\ntimeout = -1\n", "hunt.toml:3:11", "negative"),
            ("seed = \n", "hunt.toml:1:", ""),
        ];
        for (text, place, message) in mistakes {
            let failure = Config::parse(text, "hunt.toml").unwrap_err().to_string();
            assert!(failure.contains(place) && failure.contains(message), "{text}: {failure}");
        }
    }
}
