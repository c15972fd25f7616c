//! The options of `polysmith reduce`, in groups with one job each.

use crate::load::LanguageOptions;
use crate::units::{Size, parse_seconds, parse_size, parse_time};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Make a file as small as possible while a test still says yes
///
/// TEST is a script or a shell command. It runs in a fresh folder that holds the file under its own name; the path is
/// `$1` and stands for `{}`, and the file is on standard input too. Exit code 0 means yes. The result goes to
/// `NAME.reduced.EXT` beside the input, which is never touched; that of standard input (`-`) goes to stdout.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    seq 1000 > input.txt; polysmith reduce 'grep -q 500 {}' input.txt --language none\n  \
    echo 'int x; int main(){}' > a.c; polysmith reduce 'cc -c {} && grep main {}' a.c --for 5s\n  \
    polysmith reduce --list-passes")]
pub struct Args {
    /// The test: a script, or a shell command in which `{}` is the path of the file
    #[arg(value_name = "TEST", required_unless_present = "list_passes")]
    test: Option<String>,
    /// The files to reduce, together; all but these stay as they are. `-` is stdin
    #[arg(value_name = "FILE", required_unless_present = "list_passes")]
    pub(super) files: Vec<PathBuf>,
    /// The language of the files; `none` for plain text, which needs no grammar
    #[arg(long, value_name = "LANGUAGE")]
    pub(super) language: Option<String>,
    #[command(flatten)]
    pub(super) description: LanguageOptions,
    #[command(flatten)]
    pub(super) question: QuestionOptions,
    #[command(flatten)]
    pub(super) effort: EffortOptions,
    #[command(flatten)]
    pub(super) search: SearchOptions,
    #[command(flatten)]
    pub(super) results: ResultOptions,
}

impl Args {
    /// The test as given; empty if only passes are listed.
    pub(super) fn test(&self) -> &str {
        self.test.as_deref().unwrap_or_default()
    }
}

/// What is asked: how the test gets a candidate, and which outcome means yes.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "The question")]
pub(super) struct QuestionOptions {
    /// Give the file to the test on standard input only
    #[arg(long)]
    pub(super) stdin: bool,
    /// The exit code that means yes; 128 + N for a test killed by signal N
    #[arg(long, value_name = "N")]
    pub(super) exit_code: Option<i32>,
    /// What the test must print on stdout; `!REGEX` for what it must not
    #[arg(long, value_name = "REGEX")]
    pub(super) stdout: Option<String>,
    /// What the test must print on stderr; `!REGEX` for what it must not
    #[arg(long, value_name = "REGEX")]
    pub(super) stderr: Option<String>,
    /// Keep candidates whose test ends with CODE in DIR: other bugs met on the way
    #[arg(long, value_name = "CODE=DIR", value_parser = parse_also)]
    pub(super) also: Vec<(i32, PathBuf)>,
    /// A file that lies beside the candidate, unchanged
    #[arg(long, value_name = "FILE")]
    pub(super) with: Vec<PathBuf>,
    /// Seconds that a test may take; without it ten times the slowest yes, at least 1
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub(super) timeout: Option<Duration>,
    /// Accept a test that says yes to an empty file
    #[arg(long)]
    pub(super) allow_empty: bool,
    /// Memory that each process of a test may use, such as 500M; `none` for no limit
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = parse_size)]
    pub(super) memory: Size,
    /// Only say, by the exit code, whether the test says yes to the files as they are
    #[arg(long)]
    pub(super) ask: bool,
}

impl QuestionOptions {
    /// The options that ask the same question in another folder: paths are absolute, as seen from `here`.
    pub(super) fn to_arguments(&self, here: &Path) -> Vec<OsString> {
        let Self { stdin, exit_code, stdout, stderr, also, with, timeout, allow_empty, memory, ask: _ } =
            self;
        let mut arguments: Vec<OsString> = vec!["--ask".into()];
        let mut add = |option: &str, value: OsString| {
            let mut argument = OsString::from(format!("--{option}="));
            argument.push(value);
            arguments.push(argument);
        };
        add("memory", memory.to_string().into());
        exit_code.iter().for_each(|code| add("exit-code", code.to_string().into()));
        stdout.iter().for_each(|pattern| add("stdout", pattern.into()));
        stderr.iter().for_each(|pattern| add("stderr", pattern.into()));
        for (code, folder) in also {
            let mut value = OsString::from(format!("{code}="));
            value.push(here.join(folder));
            add("also", value);
        }
        with.iter().for_each(|path| add("with", here.join(path).into()));
        timeout.iter().for_each(|time| add("timeout", time.as_secs_f64().to_string().into()));
        let flags = [("--stdin", stdin), ("--allow-empty", allow_empty)];
        arguments.extend(flags.iter().filter(|(_, is_set)| **is_set).map(|(flag, _)| flag.into()));
        arguments
    }
}

/// How long and how hard to search, and where to begin.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "The effort")]
pub(super) struct EffortOptions {
    /// How many tests run at once; never changes the result [default: the machine's cores]
    #[arg(short, long, value_name = "N")]
    pub(super) jobs: Option<usize>,
    /// End after this time with the best so far, such as 90s, 10m or 2h
    #[arg(long = "for", value_name = "TIME", value_parser = parse_time)]
    pub(super) time: Option<Duration>,
    /// End after this many questions with the best so far
    #[arg(long, value_name = "N")]
    pub(super) max_questions: Option<usize>,
    /// Go on with an earlier result, even if the test or an option has changed
    #[arg(long, conflicts_with = "restart")]
    pub(super) resume: bool,
    /// Start over; the earlier result and answers are kept in FILE.polysmith
    #[arg(long)]
    pub(super) restart: bool,
}

/// What is tried, and in which order.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "The search")]
pub(super) struct SearchOptions {
    /// What is done as a whole
    #[arg(long, value_name = "NAME", value_enum, default_value_t)]
    pub(super) algorithm: Method,
    /// Repeat all passes until a round brings nothing
    #[arg(long, value_name = "on|off", value_enum, default_value_t)]
    pub(super) fixpoint: Switch,
    /// How lists are minimized: halving, ddmin, probdd, weighted or one-by-one
    #[arg(long, value_name = "NAME", default_value = "halving")]
    pub(super) minimizer: String,
    /// How many levels below a node to look for what could take its place [default: all]
    #[arg(long, value_name = "N")]
    pub(super) hoist_depth: Option<u32>,
    /// When to ask about candidates that do not parse, too: `last` is when nothing else helps any more
    #[arg(long, value_name = "WHEN", value_enum, default_value_t, num_args = 0..=1, require_equals = true,
          default_missing_value = "always")]
    pub(super) beyond_grammar: Beyond,
    /// Print what each pass does, and end
    #[arg(long)]
    pub(super) list_passes: bool,
    /// Run only these passes
    #[arg(long, value_name = "PASS,…", value_delimiter = ',')]
    pub(super) only: Vec<String>,
    /// Do not run these passes
    #[arg(long, value_name = "PASS,…", value_delimiter = ',')]
    pub(super) without: Vec<String>,
}

/// What is written, and where.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Results")]
pub(super) struct ResultOptions {
    /// Where the result goes; `{}` is the name of a file, `-` is stdout
    #[arg(short, long, value_name = "FILE", conflicts_with = "in_place")]
    pub(super) output: Option<PathBuf>,
    /// Overwrite an existing file that no reduction of FILE wrote
    #[arg(long)]
    pub(super) force: bool,
    /// Change the input files themselves; the originals are kept as FILE.orig
    #[arg(long)]
    pub(super) in_place: bool,
    /// Print one object per line on stdout: the beginning, each accepted step, the end
    #[arg(long)]
    pub(super) json: bool,
    /// Write a line of JSON for each accepted step
    #[arg(long, value_name = "FILE")]
    pub(super) log: Option<PathBuf>,
    /// Keep every accepted candidate in a folder
    #[arg(long, value_name = "DIR")]
    pub(super) history: Option<PathBuf>,
    /// Keep every candidate that is asked about in a folder, beside the text that it was made from
    #[arg(long, value_name = "DIR")]
    pub(super) record: Option<PathBuf>,
    /// Hand the result to another reducer and take a smaller answer back, such as 'cvise {test} {}'
    #[arg(long, value_name = "COMMAND")]
    pub(super) then: Option<String>,
    /// Lay the result out with a formatter, such as `clang-format`, if the test agrees; with `{}` it changes that file
    #[arg(long, value_name = "COMMAND")]
    pub(super) format_with: Option<String>,
    /// Counts of candidates: built, filtered and asked; in a file as JSON
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    pub(super) stats: Option<PathBuf>,
}

/// What is done as a whole.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
pub(super) enum Method {
    /// Lines, without a grammar.
    DdminLines,
    /// Tokens, without a grammar.
    DdminTokens,
    /// Items of lists, level by level of the tree.
    Hdd,
    /// Items of lists and descendants for nodes, largest first.
    Perses,
    /// All passes.
    #[default]
    Full,
}

/// When the grammar does not bind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Beyond {
    /// At no time.
    Never,
    /// For a last clean-up, when nothing else helps.
    #[default]
    Last,
    /// From the start.
    Always,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Switch {
    #[default]
    On,
    Off,
}

fn parse_also(text: &str) -> Result<(i32, PathBuf), String> {
    let (code, folder) = text.split_once('=').ok_or("expected CODE=DIR, such as 101=other-bugs")?;
    let code = code.parse().map_err(|_| format!("`{code}` is no exit code"))?;
    Ok((code, PathBuf::from(folder)))
}
