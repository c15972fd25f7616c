//! `polysmith demo`: a hunt that needs nothing but this program.

use crate::commands::hunt;
use crate::exit::Exit;
use crate::hunt::config::Config;
use crate::hunt::demo::{CAMPAIGN, Calculator, GRAMMAR, serve};
use crate::talk::Talk;
use polysmith_run::files::write_file;
use std::fs;
use std::path::{Path, PathBuf};

/// Hunt a small calculator with three planted bugs
///
/// Writes a grammar and a campaign to a folder and runs it: the bugs are found, told apart and reduced to a line each.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    polysmith demo\n  \
    polysmith findings show 1 --store polysmith-demo/hunt")]
pub struct Args {
    /// The folder
    #[arg(short, long, value_name = "DIR", default_value = "polysmith-demo")]
    output: PathBuf,
    /// Be the program under test: a persistent driver
    #[arg(long, value_name = "WHICH", hide = true)]
    target: Option<Calculator>,
}

/// Planted bugs.
const BUGS: u64 = 3;

/// Runs the demo, or the program that it tests.
///
/// # Errors
/// A folder that cannot be written, and whatever ends a campaign.
pub fn run(args: Args, talk: Talk) -> anyhow::Result<Exit> {
    if let Some(calculator) = args.target {
        // Its panics are those of a stranger's program, without our advice.
        drop(std::panic::take_hook());
        serve(calculator, &mut std::io::stdin().lock(), &mut talk.out())?;
        return Ok(Exit::Yes);
    }
    fs::create_dir_all(&args.output)?;
    write_file(&args.output.join("Calc.g4"), GRAMMAR.as_bytes())?;
    let config = args.output.join("hunt.toml");
    write_file(&config, campaign(&std::env::current_exe()?).as_bytes())?;
    talk.say(format_args!(
        "`{}` has a grammar and a campaign against a calculator with {BUGS} planted bugs",
        args.output.display()
    ));
    let plan = Config::read(&config)?.plan(&config)?;
    let frame = hunt::Frame { findings: Some(BUGS), is_unconfined: true, ..hunt::Frame::default() };
    let exit = hunt::hunt(plan, frame, talk)?;
    let store = args.output.join("hunt");
    talk.say(format_args!("`polysmith findings show 1 --store {}` shows more of the first", store.display()));
    Ok(exit)
}

/// The campaign against the calculators that `program` contains.
fn campaign(program: &Path) -> String {
    CAMPAIGN.replace("PROGRAM", &toml::Value::String(program.display().to_string()).to_string())
}
