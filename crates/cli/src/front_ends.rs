//! The description languages that Polysmith reads, and what the tool must know of each.
//!
//! A new front end is one entry in [`Kind`] and one list in [`EXPLANATIONS`]; the commands dispatch on `Kind`.

use polysmith_source::Explanation;
use std::fmt;
use std::path::Path;

/// A description language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// ANTLR v4 grammars, `.g4`.
    Antlr,
    /// LALA attribute grammars, `.lala`; `.ls` in the older dialect.
    Lala,
    /// DaeDaLus format descriptions, `.ddl`.
    Daedalus,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 3] = [Kind::Antlr, Kind::Lala, Kind::Daedalus];

    /// The extensions of its files; the first is the usual one.
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            Kind::Antlr => &["g4"],
            Kind::Lala => &["lala", "ls"],
            Kind::Daedalus => &["ddl"],
        }
    }

    /// The language of a file, by its extension.
    pub fn of(path: &Path) -> Option<Kind> {
        let extension = path.extension()?.to_str()?;
        Kind::ALL.into_iter().find(|kind| kind.extensions().contains(&extension))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Antlr => "ANTLR v4 grammar",
            Kind::Lala => "LALA specification",
            Kind::Daedalus => "DaeDaLus description",
        })
    }
}

/// The manual pages of all codes: one list per room that reports problems.
pub const EXPLANATIONS: &[&[Explanation]] = &[
    polysmith_parse::codes::EXPLANATIONS,
    polysmith_source::codes::EXPLANATIONS,
    polysmith_antlr::side_file::EXPLANATIONS,
    polysmith_lala::EXPLANATIONS,
    polysmith_value::codes::EXPLANATIONS,
];

/// All manual pages: those of the front ends first, then [`EXPLANATIONS`].
pub fn explanations() -> impl Iterator<Item = &'static Explanation> {
    polysmith_antlr::explain::EXPLANATIONS.iter().chain(EXPLANATIONS).copied().flatten()
}
