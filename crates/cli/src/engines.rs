//! The generating engines, and which one a description needs.
//!
//! To add one: a file `engines/NAME.rs` with its options (`clap::Args`) and a function that turns a description
//! and those options into an [`Opened`]; a field in [`EngineOptions`]; a line in [`open`]. An option of another
//! engine is wrong use: [`options`] knows which engine each option belongs to.

mod grammar;
mod options;
mod specification;

pub use options::EngineOptions;

use crate::failure::Failure;
use crate::load::Usable;
use crate::talk::Talk;
use polysmith_engine::Engine;

/// The result of [`open`].
pub enum Opened {
    /// An engine.
    Engine(Ready),
    /// Only a text to print.
    Text(String),
}

/// An engine that is ready.
pub struct Ready {
    /// The engine.
    pub engine: Box<dyn Engine>,
    /// The extension of the files that it makes, without the dot.
    pub extension: String,
    /// The report to print after the run, for `--profile`.
    pub report: Option<Box<dyn Fn() -> String>>,
    /// Whether the engine knows when it is done: without `-n`, it runs until then.
    pub until_done: bool,
}

/// Creates the engine for a description. `k` is the length of the k-paths, for engines that cover them.
///
/// # Errors
/// The description or an option cannot be used.
pub fn open(usable: Usable, options: &EngineOptions, k: usize, talk: Talk) -> anyhow::Result<Opened> {
    let description = &usable.description;
    options.refuse_others(description)?;
    if description.grammar().is_some() {
        return grammar::open(description, options, k, talk);
    }
    if description.specification().is_some() {
        return specification::open(usable, &options.specification, &options.common);
    }
    Err(Failure::unusable(format!("nothing can be generated from {} yet", description.kind().with_article()))
        .into())
}
