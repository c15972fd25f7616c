//! The options that `generate` has whatever the engine.

use crate::failure::Failure;
use std::ops::Range;
use std::path::PathBuf;
use std::str::FromStr;

/// How many, which, from what, to where.
#[derive(Debug, Clone, clap::Args)]
pub struct GenerateOptions {
    /// How many tests (`inf` for no end)
    #[arg(short = 'n', long, value_name = "N")]
    pub count: Option<Count>,
    /// A pattern with {index}, {seed}, {hash}; a folder if it ends in `/`; `-` for stdout
    #[arg(short, long, value_name = "PATTERN")]
    pub output: Option<String>,
    /// Everything random follows from it [default: a fresh one, printed]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Only the test with this number; it does not depend on -n
    #[arg(long, value_name = "I")]
    pub index: Option<u64>,
    /// Threads; never changes the result [default: the machine's cores]
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<usize>,
    /// No text twice: tests that repeat one before are left out
    #[arg(long, conflicts_with = "index")]
    pub unique: bool,
    /// Stop at the first test that goes wrong
    #[arg(long)]
    pub fail_fast: bool,
    /// Overwrite a file that is there already (a pattern may always overwrite its own files)
    #[arg(long, help_heading = "Files and reports")]
    pub force: bool,
    /// On stdout, end each test with a NUL byte
    #[arg(long, hide = true, help_heading = "Files and reports")]
    pub null: bool,
    /// Save the tree of each test beside it, as OUTPUT.pst or as OUTPUT.tree.json
    #[arg(long, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "pst",
          help_heading = "Files and reports")]
    pub trees: Option<TreeForm>,
    /// Say what was done: on stderr, or as JSON in FILE (as CSV if it ends in `.csv`)
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-",
          help_heading = "Files and reports")]
    pub stats: Option<PathBuf>,
    /// Draw sizes and coverage as a page that needs nothing else
    #[arg(long, value_name = "FILE", help_heading = "Files and reports")]
    pub stats_html: Option<PathBuf>,
    /// Symbols of a path, for --stats and --cover
    #[arg(long, value_name = "K", default_value_t = 3, help_heading = "Files and reports", value_parser = clap::value_parser!(u8).range(1..=8))]
    pub k: u8,
}

/// How trees are saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum TreeForm {
    /// The compact form.
    Pst,
    /// JSON.
    Json,
}

impl TreeForm {
    /// What is added to the name of the test's file.
    pub fn suffix(self) -> &'static str {
        match self {
            TreeForm::Pst => ".pst",
            TreeForm::Json => ".tree.json",
        }
    }
}

/// A number, or no end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// So many.
    Finite(u64),
    /// Until somebody stops it.
    Endless,
}

impl FromStr for Count {
    type Err = String;

    fn from_str(text: &str) -> Result<Count, String> {
        match text {
            "inf" => Ok(Count::Endless),
            _ => text.parse().map(Count::Finite).map_err(|_| "a number or `inf` is expected".to_owned()),
        }
    }
}

impl GenerateOptions {
    /// The indices to make.
    ///
    /// # Errors
    /// `--index` beyond `-n` is wrong use.
    pub fn indices(&self) -> Result<Range<u64>, Failure> {
        let end = match self.count {
            Some(Count::Finite(count)) => count,
            Some(Count::Endless) => u64::MAX,
            None => self.index.map_or(1, |index| index.saturating_add(1)),
        };
        match self.index {
            Some(index) if index >= end => {
                Err(Failure::usage(format!("--index {index} is not one of -n {end} tests"))
                    .help("indices count from 0; leave -n out"))
            }
            Some(index) => Ok(index..index.saturating_add(1)),
            None => Ok(0..end),
        }
    }

    /// Whether anything is to be told about the run.
    pub fn wants_stats(&self) -> bool {
        self.stats.is_some() || self.stats_html.is_some()
    }

    /// How many threads to use.
    pub fn threads(&self) -> usize {
        crate::jobs::threads(self.jobs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        options: GenerateOptions,
    }

    fn indices(words: &str) -> Result<Range<u64>, String> {
        let words = std::iter::once("x").chain(words.split_whitespace());
        Line::parse_from(words).options.indices().map_err(|failure| failure.to_string())
    }

    #[test]
    fn which_indices() {
        assert_eq!(indices(""), Ok(0..1));
        assert_eq!(indices("-n 5"), Ok(0..5));
        assert_eq!(indices("-n 0"), Ok(0..0));
        assert_eq!(indices("-n inf"), Ok(0..u64::MAX));
        assert_eq!(indices("--index 7"), Ok(7..8));
        assert_eq!(indices("-n 8 --index 7"), Ok(7..8));
        assert!(indices("-n 7 --index 7").is_err());
    }

    #[test]
    fn an_option_with_an_optional_value_does_not_eat_the_next_word() {
        let line = Line::try_parse_from(["x", "--stats", "--trees", "-n", "3"]).unwrap().options;
        assert_eq!((line.stats, line.trees), (Some("-".into()), Some(TreeForm::Pst)));
        assert!(Line::try_parse_from(["x", "--trees", "json"]).is_err());
    }
}
