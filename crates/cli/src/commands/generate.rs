//! `polysmith generate`: tests from a description.

use crate::engines::{self, EngineOptions, Opened};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::generate::{Count, GenerateOptions, run as run_frame};
use crate::load::{LanguageOptions, load};
use crate::stage::Stage;
use crate::talk::Talk;
use polysmith_description::Capability;
use std::io::Write as _;

/// Make random texts of a language
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    polysmith generate figure3 --seed 7\n  \
    polysmith generate mini -n 100 -o 'out/{index}.txt' --stats")]
#[command(disable_help_flag = true)]
pub struct Args {
    /// A description file (`-` is stdin) or a built-in name
    #[arg(value_name = "LANGUAGE")]
    language: String,
    #[command(flatten)]
    frame: GenerateOptions,
    #[command(flatten)]
    options: LanguageOptions,
    #[command(flatten)]
    engine: EngineOptions,
    /// Print help
    #[arg(short, long, action = clap::ArgAction::HelpShort, help_heading = "Global options")]
    help: Option<bool>,
    /// Print help on all options, those for experiments included
    #[arg(long, action = clap::ArgAction::HelpLong, help_heading = "Global options")]
    help_all: Option<bool>,
}

/// Makes them.
///
/// # Errors
/// A description that cannot be used, wrong use, files that cannot be written.
pub fn run(args: Args, talk: Talk) -> anyhow::Result<Exit> {
    let usable = load(&args.language, Some(Capability::Generate), &args.options, talk)?;
    let mut frame = args.frame;
    let stage = Stage::begin(talk);
    let ready = match engines::open(usable, &args.engine, frame.k.into(), talk)? {
        Opened::Engine(ready) => ready,
        Opened::Text(text) => {
            let mut out = talk.out();
            out.write_all(text.as_bytes())?;
            out.flush()?;
            return Ok(Exit::Yes);
        }
    };
    stage.end("prepared the engine");
    if ready.until_done && frame.index.is_some() {
        let failure =
            Failure::usage("`--cover` makes each test for what those before it left: it has no `--index`");
        return Err(failure.help("`--cover -n N` makes the first N tests").into());
    }
    if ready.until_done {
        frame.count.get_or_insert(Count::Endless);
    }
    let stage = Stage::begin(talk);
    let ended = run_frame(&*ready.engine, &ready.extension, &frame, talk);
    stage.end("generated");
    if let Some(report) = ready.report {
        talk.say(report());
    }
    ended
}
