//! `polysmith generate`: tests from a description.

use crate::engines::{self, EngineOptions};
use crate::exit::Exit;
use crate::generate::{GenerateOptions, run as run_frame};
use crate::language::{Purpose, locate};
use crate::load::LanguageOptions;
use crate::talk::Talk;

/// Make random texts of a language
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    polysmith generate figure3 --seed 7\n  \
    polysmith generate mini -n 100 -o 'out/{index}.txt' --stats")]
pub struct Args {
    /// A description file or a built-in name
    #[arg(value_name = "LANGUAGE")]
    language: String,
    #[command(flatten)]
    frame: GenerateOptions,
    #[command(flatten)]
    options: LanguageOptions,
    #[command(flatten)]
    engine: EngineOptions,
}

/// Makes them.
///
/// # Errors
/// A description that cannot be used, wrong use, files that cannot be written.
pub fn run(args: Args, talk: Talk) -> anyhow::Result<Exit> {
    let located = locate(&args.language, Purpose::Generate)?;
    let opened = engines::open(located, &args.options, &args.engine, talk)?;
    let ended = run_frame(&*opened.engine, &opened.extension, &args.frame, talk);
    if let Some(report) = opened.report {
        talk.say(report());
    }
    ended
}
