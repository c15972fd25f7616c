//! The passes: small, named, one file each. The doc comment of a pass is its manual page.
//!
//! A pass looks at the text and asks for changes through the [`Problem`]. It may assume that the text is interesting,
//! and must leave it so, which the engine sees to. It should try large changes before small ones, stop when it has
//! tried each of its changes once, and give the same proposals for the same text: nothing random, no clock.
//!
//! A pass works on the text alone, or by the tree that a [`Language`] gives; those by tree are in `tree/passes`.
//! To add one: a file with `define_pass!`, its `mod` line, and a line of [`PASSES`] at the place in the order where it
//! runs. A program that uses this crate may also make a [`Pass`] of its own and give it to
//! [`crate::Reducer::with_passes`].

mod blank;
mod blocks;
mod brackets;
mod bytes;
mod case;
mod comments;
mod definitions;
mod files;
mod lines;
mod names;
mod numbers;
mod occurrences;
mod qualifiers;
mod spaces;
mod strings;
mod tokens;
mod windows;

use std::fmt;

use crate::edit::Edits;
use crate::list::Hints;
use crate::problem::Problem;
use crate::question::Stop;
use crate::text::Text;
use crate::tree::Language;
use crate::tree::passes as tree;

/// A way to make a text smaller.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// The name on the command line, in logs and in tables.
    pub name: &'static str,
    /// The manual page: a first line that says what goes, then when it pays and what it costs.
    pub manual: &'static str,
    /// When it runs.
    pub when: When,
    /// How it tries its changes.
    pub work: Work,
}

/// When a pass runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// In every round.
    Always,
    /// Once the passes before it have found nothing in this round, or little: it asks many questions.
    Late,
}

/// How a pass tries its changes. An error ends the reduction; the best text so far is kept.
#[derive(Clone, Copy)]
pub enum Work {
    /// By the text alone. What it proposes is checked against the language, if there is one.
    Text(fn(&mut Problem<'_>) -> Result<(), Stop>),
    /// By the tree. It proposes only what is in the language, and does not run without one.
    Tree(fn(&mut Language, &mut Problem<'_>) -> Result<(), Stop>),
}

impl fmt::Debug for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Work::Text(_) => "Text",
            Work::Tree(_) => "Tree",
        })
    }
}

impl Pass {
    /// Whether it works by the tree of a language, so that its candidates are in the language.
    #[must_use]
    pub const fn is_by_tree(&self) -> bool {
        matches!(self.work, Work::Tree(_))
    }

    /// The first line of the manual page.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        self.manual.lines().next().unwrap_or_default().trim()
    }
}

/// Defines the pass of a file as `PASS`: `/// manual`, name, when, work. Another name may be given to the constant.
macro_rules! define_pass {
    ($(#[doc = $doc:literal])+ $name:literal, $when:ident, $work:ident($run:expr)) => {
        define_pass! { $(#[doc = $doc])+ PASS = $name, $when, $work($run) }
    };
    ($(#[doc = $doc:literal])+ $constant:ident = $name:literal, $when:ident, $work:ident($run:expr)) => {
        $(#[doc = $doc])+
        pub(crate) const $constant: $crate::passes::Pass = $crate::passes::Pass {
            name: $name,
            manual: concat!($($doc, "\n"),+),
            when: $crate::passes::When::$when,
            work: $crate::passes::Work::$work($run),
        };
    };
}
pub(crate) use define_pass;

/// All passes, in the order in which they run. Whole files and comments take few questions and spare the later
/// passes many. Without a language those by tree are left out.
pub const PASSES: &[&Pass] = &[
    &tree::perses::PASS,
    &files::PASS,
    &comments::PASS,
    &tree::declarations::PASS,
    &tree::replace::PASS,
    &tree::smallest::PASS,
    &tree::operands::PASS,
    &tree::wrap::PASS,
    &tree::rewrites::PASS,
    &tree::siblings::PASS,
    &tree::identifiers::PASS,
    &blocks::PASS,
    &lines::PASS,
    &blank::PASS,
    &brackets::PASS,
    &tokens::PASS,
    &strings::PASS,
    &numbers::PASS,
    &qualifiers::PASS,
    &windows::PASS,
    &definitions::PASS,
    &occurrences::PASS,
    &names::PASS,
    &case::PASS,
    &spaces::PASS,
    &bytes::PASS,
];

/// What is done as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// ddmin over lines and nothing else.
    DdminLines,
    /// ddmin over tokens and nothing else.
    DdminTokens,
    /// Hierarchical delta debugging and nothing else.
    Hdd,
    /// Perses and nothing else.
    Perses,
    /// All passes.
    #[default]
    Full,
}

impl Algorithm {
    /// What runs, in order.
    #[must_use]
    pub fn passes(self) -> &'static [&'static Pass] {
        match self {
            Algorithm::DdminLines => &[&lines::DDMIN],
            Algorithm::DdminTokens => &[&tokens::DDMIN],
            Algorithm::Hdd => &[&tree::hdd::PASS],
            Algorithm::Perses => &[&tree::perses::ALONE],
            Algorithm::Full => PASSES,
        }
    }
}

/// Finds a pass by its name.
#[must_use]
pub fn pass(name: &str) -> Option<&'static Pass> {
    PASSES.iter().copied().find(|pass| pass.name == name)
}

/// Tries hints about the whole text until none helps. A step changes what the other hints were about, so they are made
/// again after it.
fn sweep_again(problem: &mut Problem<'_>, hints: fn(&Text) -> Vec<Edits>) -> Result<(), Stop> {
    loop {
        let steps = problem.steps();
        let hints = hints(problem.text());
        problem.sweep(Hints { hints })?;
        if problem.steps() == steps {
            return Ok(());
        }
    }
}

pub(crate) use tokens::token_run;
