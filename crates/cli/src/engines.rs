//! The generating engines, by description language.
//!
//! To add one: a file `engines/NAME.rs` with its options (`pub struct NameOptions`, `clap::Args`) and
//! `pub fn open(located: Located, language: &LanguageOptions, options: &EngineOptions, talk: Talk) ->
//! anyhow::Result<Opened>`, which reads the description, shows what is wrong with it and makes it ready; a
//! field in [`EngineOptions`]; a line in [`open`].

mod antlr;
mod lala;

use crate::failure::Failure;
use crate::front_ends::Kind;
use crate::language::Located;
use crate::load::LanguageOptions;
use crate::talk::Talk;
use polysmith_engine::Engine;

/// The options of all engines. One that means nothing to the engine at hand is wrong use: the engine says so.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct EngineOptions {
    #[command(flatten)]
    antlr: antlr::AntlrOptions,
    #[command(flatten)]
    lala: lala::LalaOptions,
}

/// What options open.
pub enum Opened {
    /// An engine.
    Engine(Ready),
    /// Only something to print.
    Text(String),
}

/// An engine that is ready.
pub struct Ready {
    /// It.
    pub engine: Box<dyn Engine>,
    /// The extension of the files that it makes, without the dot.
    pub extension: String,
    /// What to say after the run, for `--profile`.
    pub report: Option<Box<dyn Fn() -> String>>,
    /// Knows itself when all is done: without `-n` it is asked until then.
    pub until_done: bool,
}

/// Makes the engine for a description. `k` is the number of symbols of a path, for engines that go for them.
///
/// # Errors
/// A description that cannot be used, and options that do not fit it.
pub fn open(
    located: Located,
    language: &LanguageOptions,
    options: &EngineOptions,
    k: usize,
    talk: Talk,
) -> anyhow::Result<Opened> {
    match located.kind {
        Kind::Antlr => antlr::open(located, language, options, k, talk),
        Kind::Lala => lala::open(&located, &options.lala, options.antlr.weights.as_deref(), talk),
        Kind::Daedalus => {
            Err(Failure::unusable(format!("nothing can be generated from a {} yet", located.kind)).into())
        }
    }
}
