//! `polysmith report`: a campaign as a page, or for other programs.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::hunt::report::{html, junit, sarif};
use crate::talk::Talk;
use polysmith_hunt::store::{SqliteStore, Store as _};
use polysmith_run::files::write_file;
use std::fs;
use std::path::PathBuf;

/// Write a report of a campaign: a page for a browser, JUnit or SARIF
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    polysmith hunt -q --language mini --runs 20 --unconfined -- sh -c 'kill -SEGV $$'\n  \
    polysmith report -o report/\n  \
    polysmith report --junit junit.xml --sarif findings.sarif")]
pub struct Args {
    /// The folder of findings
    #[arg(long, value_name = "DIR", default_value = "hunt")]
    store: PathBuf,
    /// Write `index.html` to this folder: one page without scripts that needs no other file
    #[arg(short, long, value_name = "DIR", required_unless_present_any = ["junit", "sarif"])]
    output: Option<PathBuf>,
    /// Write findings as failed tests in JUnit's XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write findings as a SARIF 2.1.0 log
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
}

/// Writes them.
///
/// # Errors
/// A store that is not there, and files that cannot be written.
pub fn run(args: Args, talk: Talk) -> anyhow::Result<Exit> {
    let Some(store) = SqliteStore::open_existing(&args.store)? else {
        return Err(Failure::unusable(format!("there are no findings in `{}`", args.store.display()))
            .help("`polysmith hunt` makes them; --store names another folder")
            .into());
    };
    let findings = store.findings()?;
    if let Some(folder) = &args.output {
        fs::create_dir_all(folder)?;
        let page = folder.join("index.html");
        let name = args.store.display().to_string();
        write_file(&page, html(&name, &store.progress()?.counts, &findings).as_bytes())?;
        talk.say(format_args!("`{}` is written", page.display()));
    }
    if let Some(file) = &args.junit {
        write_file(file, junit(&findings).as_bytes())?;
    }
    if let Some(file) = &args.sarif {
        write_file(file, sarif(&findings).as_bytes())?;
    }
    Ok(Exit::Yes)
}
