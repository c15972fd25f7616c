//! The passes: small, named, one file each. The doc comment of a pass is its manual page.
//!
//! A pass looks at the text and asks for changes through the [`Problem`]. It may assume that the text is interesting,
//! and must leave it so, which the engine sees to. It should try large changes before small ones, stop when it has
//! tried each of its changes once, and give the same proposals for the same text: nothing random, no clock.
//!
//! To add one: a file here with the `define_pass!` macro and a line in [`PASSES`], at the place in the order where it
//! runs. A crate above this one (reduction by grammar) implements [`Pass`] and hands its own list to
//! [`crate::Reducer::with_passes`]; its edits are edits of the printed text, whatever tree they come from.

mod blank;
mod blocks;
mod brackets;
mod bytes;
mod comments;
mod definitions;
mod files;
mod lines;
mod names;
mod numbers;
mod qualifiers;
mod spaces;
mod strings;
mod tokens;
mod windows;

use crate::problem::Problem;
use crate::question::Stop;

/// A way to make a text smaller.
pub trait Pass: Sync {
    /// The name on the command line, in logs and in tables.
    fn name(&self) -> &'static str;
    /// The manual page: a first line that says what goes, then when it pays and what it costs.
    fn manual(&self) -> &'static str;
    /// When it runs.
    fn when(&self) -> When;
    /// Whether it sees to it by itself that candidates are in the language. What others propose is checked by the
    /// [`Guard`](crate::Guard), if there is one.
    fn keeps_grammar(&self) -> bool {
        false
    }
    /// Tries its changes.
    ///
    /// # Errors
    /// When the reduction must end; the best text so far is kept.
    fn run(&self, problem: &mut Problem<'_>) -> Result<(), Stop>;
}

/// When a pass runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// In every round.
    Always,
    /// Once the passes before it have found nothing in this round, or little: it asks many questions.
    Late,
}

/// Defines a pass: `/// manual`, type, name, when, function.
macro_rules! define_pass {
    ($(#[doc = $doc:literal])+ $type:ident, $name:literal, $when:ident, $run:path) => {
        $(#[doc = $doc])+
        pub(crate) struct $type;

        impl $crate::passes::Pass for $type {
            fn name(&self) -> &'static str {
                $name
            }
            fn manual(&self) -> &'static str {
                concat!($($doc, "\n"),+)
            }
            fn when(&self) -> $crate::passes::When {
                $crate::passes::When::$when
            }
            fn run(&self, problem: &mut $crate::problem::Problem<'_>) -> Result<(), $crate::question::Stop> {
                $run(problem)
            }
        }
    };
}
use define_pass;

/// All passes, in the order in which they run.
pub const PASSES: &[&dyn Pass] = &[
    &files::Files,
    &comments::Comments,
    &blocks::Blocks,
    &lines::Lines,
    &blank::Blank,
    &brackets::Brackets,
    &tokens::Tokens,
    &strings::Strings,
    &numbers::Numbers,
    &qualifiers::Qualifiers,
    &windows::Windows,
    &definitions::Definitions,
    &names::Names,
    &spaces::Spaces,
    &bytes::Bytes,
];

/// Finds a pass by its name.
#[must_use]
pub fn pass(name: &str) -> Option<&'static dyn Pass> {
    PASSES.iter().copied().find(|pass| pass.name() == name)
}

/// The first line of a manual page.
#[must_use]
pub fn summary(pass: &dyn Pass) -> &str {
    pass.manual().lines().next().unwrap_or_default().trim()
}

pub(crate) use lines::ddmin as ddmin_lines;
pub(crate) use tokens::{ddmin as ddmin_tokens, token_run};
