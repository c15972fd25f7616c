//! The kinds of descriptions, and what each kind can do.

use std::fmt;
use std::path::Path;

/// A description language. The order is the order of preference of commands that take any kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DescriptionKind {
    /// An ANTLR v4 grammar, `.g4`.
    Grammar,
    /// A LALA specification, an attribute grammar with guards: `.lala`, or `.ls` in the older dialect.
    Specification,
}

/// What a description can be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capability {
    /// Texts can be generated from it.
    Generate,
    /// Texts can be parsed with it, and therefore also reduced and mutated.
    Parse,
    /// Rules beyond the syntax can be checked on a tree.
    Check,
}

impl Capability {
    /// The verb of it: `generate`, `parse`, `check`.
    pub const fn verb(self) -> &'static str {
        match self {
            Capability::Generate => "generate",
            Capability::Parse => "parse",
            Capability::Check => "check",
        }
    }
}

impl DescriptionKind {
    /// All kinds.
    pub const ALL: [DescriptionKind; 2] = [DescriptionKind::Grammar, DescriptionKind::Specification];

    /// The kinds that have a capability, the preferred one first. A specification says more about what a valid
    /// text is, so it generates before a grammar does.
    pub const fn preferred(wanted: Option<Capability>) -> &'static [DescriptionKind] {
        match wanted {
            None => &DescriptionKind::ALL,
            Some(Capability::Generate) => &[DescriptionKind::Specification, DescriptionKind::Grammar],
            Some(Capability::Parse) => &[DescriptionKind::Grammar],
            Some(Capability::Check) => &[DescriptionKind::Specification, DescriptionKind::Grammar],
        }
    }

    /// Whether descriptions of this kind can have a capability. A grammar can check if its side file has rules about
    /// names.
    pub fn can(self, capability: Capability) -> bool {
        DescriptionKind::preferred(Some(capability)).contains(&self)
    }

    /// The extensions of its files; the first is the usual one.
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            DescriptionKind::Grammar => &["g4"],
            DescriptionKind::Specification => &["lala", "ls"],
        }
    }

    /// The kind of a file, by its extension.
    pub fn of(path: &Path) -> Option<DescriptionKind> {
        let extension = path.extension()?.to_str()?;
        DescriptionKind::ALL.into_iter().find(|kind| kind.extensions().contains(&extension))
    }

    /// The kind of a text, by its first word that is in no comment. A text that begins like no kind is taken for a
    /// grammar, the usual kind.
    pub fn of_text(text: &str) -> DescriptionKind {
        let code = without_comments(text);
        let word = code.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        match word {
            "class" | "extend" | "override" | "use" | "import" | "fn" | "type" => {
                DescriptionKind::Specification
            }
            _ if code.starts_with('@') => DescriptionKind::Specification,
            _ => DescriptionKind::Grammar,
        }
    }

    /// The name with its article, for a sentence: `an ANTLR v4 grammar`.
    pub const fn with_article(self) -> &'static str {
        match self {
            DescriptionKind::Grammar => "an ANTLR v4 grammar",
            DescriptionKind::Specification => "a LALA specification",
        }
    }

    /// The name in the plural: `ANTLR v4 grammars`.
    pub const fn plural(self) -> &'static str {
        match self {
            DescriptionKind::Grammar => "ANTLR v4 grammars",
            DescriptionKind::Specification => "LALA specifications",
        }
    }
}

/// The rest of a text after the comments and blanks that it begins with, in the form of any kind.
fn without_comments(text: &str) -> &str {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let end = match rest.as_bytes() {
            [b'#', ..] | [b'/', b'/', ..] => rest.find('\n'),
            [b'/', b'*', ..] => rest.find("*/").map(|at| at + 2),
            _ => return rest,
        };
        rest = rest[end.unwrap_or(rest.len())..].trim_start();
    }
}

impl fmt::Display for DescriptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DescriptionKind::Grammar => "ANTLR v4 grammar",
            DescriptionKind::Specification => "LALA specification",
        })
    }
}
