//! `cargo xtask conformance PATH…`: rates against data that was made with the originals.
//!
//! A PATH is a collection (a folder with `grammars.csv`), a list of cases (a `.jsonl` file), or a folder with
//! such lists. Every check in [`CHECKS`] looks at all of them and ignores what is not for it.
//!
//! To add a check: write `conformance/NAME.rs` with `pub(crate) fn run(setting: &Setting, tally: &mut Tally) ->
//! anyhow::Result<()>`, which calls [`Tally::hit`] or [`Tally::miss`] once per case (a case that it cannot run is
//! a miss with the reason), and one line in [`CHECKS`]. When its rate is good, `bars.txt` keeps it.

mod builtin_languages;
mod cover;
mod hooks;
pub(crate) mod lint;
mod load;
mod parse_cases;
mod parse_verdicts;
mod reduce;
mod round_trip;

pub(crate) use parse_verdicts::antlr_error;

use crate::oracle::Oracle;
use crate::paths;
use crate::rates::Tally;
use crate::table::Table;
use anyhow::{Context as _, bail};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Compare with answers of the originals and print rates
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// Collections (folders with `grammars.csv`) and case lists (`.jsonl`); by default those of `../shared`
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Only these checks
    #[arg(long, value_name = "CHECK")]
    pub(crate) only: Vec<String>,
    /// Only cases whose name contains this
    #[arg(long, value_name = "TEXT")]
    pub(crate) case: Option<String>,
    /// How many texts the round trip generates per grammar (0 for none)
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) generate: u64,
    /// Symbols of a path for the check `cover`; 2 or less leaves paths out
    #[arg(long, value_name = "K", default_value_t = 3)]
    pub(crate) k: usize,
    /// Tell what made the generator step back, by grammar
    #[arg(long)]
    pub(crate) why: bool,
    /// The start script of the ANTLR oracle
    #[arg(long, value_name = "FILE")]
    pub(crate) oracle: Option<PathBuf>,
    /// List the checks
    #[arg(long)]
    pub(crate) list: bool,
}

/// A kind of comparison.
struct Check {
    name: &'static str,
    about: &'static str,
    run: fn(&Setting, &mut Tally) -> anyhow::Result<()>,
}

const CHECKS: &[Check] = &[
    Check {
        name: "languages",
        about: "our own grammars and their examples against the oracle",
        run: builtin_languages::run,
    },
    Check {
        name: "parse-cases",
        about: "tokens, trees and errors of small cases made with ANTLR",
        run: parse_cases::run,
    },
    Check {
        name: "parse-verdicts",
        about: "verdicts, trees and tokens of real grammars made with ANTLR",
        run: parse_verdicts::run,
    },
    Check {
        name: "round-trip",
        about: "generated texts, parsed back by us and by ANTLR (--generate N)",
        run: round_trip::run,
    },
    Check { name: "lint", about: "messages about grammars against ANTLR's tool", run: lint::run },
    Check { name: "tokens", about: "token types against the oracle's .tokens files", run: lint::tokens },
];

/// Checks that take long, so that they run only when they are named.
const LONG_CHECKS: &[Check] = &[
    Check {
        name: "hooks",
        about: "grammars with base classes against generated Java parsers (only if named)",
        run: hooks::run,
    },
    Check {
        name: "cover",
        about: "what --cover reaches, and why not the rest (only if named)",
        run: cover::run,
    },
    Check {
        name: "reduce",
        about: "candidates of reductions by grammar, parsed afterwards; minimal results (only if named)",
        run: reduce::run,
    },
];

/// Runs the checks; true if every rate keeps its bar.
pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    if args.list {
        for check in CHECKS.iter().chain(LONG_CHECKS) {
            println!("{:<14} {}", check.name, check.about);
        }
        return Ok(true);
    }
    let all = CHECKS.iter().chain(LONG_CHECKS);
    if let Some(unknown) = args.only.iter().find(|name| all.clone().all(|check| check.name != **name)) {
        bail!("there is no check `{unknown}`; --list shows them");
    }
    let setting = Setting::new(args)?;
    let mut tally = Tally::default();
    let mut broken = false;
    let named = |check: &&Check| args.only.iter().any(|name| name == check.name);
    let chosen: Vec<&Check> =
        if args.only.is_empty() { CHECKS.iter().collect() } else { all.filter(named).collect() };
    for check in chosen {
        println!("== {}: {}", check.name, check.about);
        if let Err(error) = (check.run)(&setting, &mut tally) {
            println!("broken {}: {error:#}", check.name);
            broken = true;
        }
    }
    Ok(tally.finish() && !broken)
}

/// What the checks work on.
#[derive(Debug)]
pub(crate) struct Setting {
    /// Folders with `grammars.csv`.
    pub(crate) collections: Vec<PathBuf>,
    /// `.jsonl` files.
    pub(crate) case_lists: Vec<PathBuf>,
    /// The options as given.
    pub(crate) args: Args,
}

impl Setting {
    fn new(args: &Args) -> anyhow::Result<Setting> {
        let given = !args.paths.is_empty();
        let paths = if given { args.paths.clone() } else { paths::shared_data().to_vec() };
        let mut setting = Setting { collections: Vec::new(), case_lists: Vec::new(), args: args.clone() };
        for path in paths {
            if path.join("grammars.csv").is_file() {
                setting.collections.push(path);
            } else if path.is_dir() {
                setting.case_lists.append(&mut case_lists_in(&path)?);
            } else if path.is_file() {
                setting.case_lists.push(path);
            } else if given {
                bail!("there is no {}", path.display());
            } else {
                println!("missing: {}", path.display());
            }
        }
        Ok(setting)
    }

    /// The cases of all lists, each with a name to show. Lines that are no JSON are an error.
    pub(crate) fn cases(&self) -> anyhow::Result<Vec<(String, Value)>> {
        let mut cases = Vec::new();
        for list in &self.case_lists {
            let text = std::fs::read_to_string(list)?;
            for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty()) {
                let place = || format!("{}:{}", list.display(), at + 1);
                let case: Value = serde_json::from_str(&mended(line)).with_context(place)?;
                let name = case["id"].as_str().map_or_else(place, str::to_owned);
                if self.wants(&name) {
                    cases.push((name, case));
                }
            }
        }
        Ok(cases)
    }

    /// A table of a collection.
    pub(crate) fn table(&self, collection: &Path, name: &str) -> anyhow::Result<Table> {
        Table::read(&collection.join(name))
    }

    /// Whether `--case` lets a case through.
    pub(crate) fn wants(&self, case: &str) -> bool {
        self.args.case.as_ref().is_none_or(|part| case.contains(part.as_str()))
    }

    /// Starts the oracle of `--oracle`, or the usual one.
    pub(crate) fn oracle(&self) -> anyhow::Result<Oracle> {
        Oracle::start(&self.args.oracle.clone().unwrap_or_else(Oracle::usual_script))
    }
}

/// JSON in which half a surrogate pair, which Java can print and Rust cannot hold, is a replacement character.
fn mended(line: &str) -> String {
    let unit = |text: &str| {
        let digits = text.strip_prefix("\\u")?.get(..4)?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let pair = (unit(rest), rest.get(6..).and_then(unit));
        let taken = match pair {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => {
                out.push_str("\\ufffd");
                rest = &rest[6..];
                continue;
            }
            _ => 2,
        };
        out.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    out + rest
}

fn case_lists_in(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    let mut lists: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    lists.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    lists.sort();
    Ok(lists)
}
