//! What the word LANGUAGE on a command line names: a file of ours, or a folder inside the binary.
//!
//! A word with a known extension or a slash is a path; `lua.g4` that is no file is the `.g4` of the built-in
//! `lua`; any other word is a built-in name. Which of a folder's descriptions is meant depends on the
//! [`Purpose`]. Nothing is read here: the front end reads through [`Located::files`].

use crate::built_in::{self, BuiltIn};
use crate::failure::Failure;
use crate::front_ends::Kind;
use polysmith_source::{Disk, Files, nearest};
use std::path::{Path, PathBuf};

/// What the description is wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To make texts: the description that says most comes first.
    Generate,
    /// To read texts: parsing, reducing, mutating.
    Parse,
}

impl Purpose {
    fn preference(self) -> &'static [Kind] {
        match self {
            Purpose::Generate => &[Kind::Lala, Kind::Daedalus, Kind::Antlr],
            Purpose::Parse => &[Kind::Antlr, Kind::Daedalus],
        }
    }
}

/// A description that was found.
pub struct Located {
    /// Which front end reads it.
    pub kind: Kind,
    /// The path to ask [`Located::files`] for; also the name to show.
    pub path: PathBuf,
    /// The folder inside the binary, if it is from there.
    pub built_in: Option<&'static BuiltIn>,
    files: Box<dyn Files>,
}

impl std::fmt::Debug for Located {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Located").field("kind", &self.kind).field("path", &self.path).finish_non_exhaustive()
    }
}

impl Located {
    /// Where its files are: the disk, or memory for a built-in one.
    pub fn files(&self) -> &dyn Files {
        &*self.files
    }

    fn built_in(folder: &'static BuiltIn, kind: Kind) -> Option<Located> {
        let path = folder.path(folder.main_file(kind)?);
        Some(Located { kind, path, built_in: Some(folder), files: Box::new(folder.memory()) })
    }
}

/// Finds what `word` names.
///
/// # Errors
/// A word that names nothing is a [`Failure`] with a suggestion, exit 3.
pub fn locate(word: &str, purpose: Purpose) -> Result<Located, Failure> {
    let path = Path::new(word);
    match Kind::of(path) {
        Some(kind) if path.exists() && !path.is_dir() => {
            Ok(Located { kind, path: path.to_path_buf(), built_in: None, files: Box::new(Disk) })
        }
        Some(kind) => forced(path, kind).ok_or_else(|| missing(word)),
        None => named(word, purpose),
    }
}

/// `lua.g4`, when there is no such file: the `.g4` of the built-in `lua`.
fn forced(path: &Path, kind: Kind) -> Option<Located> {
    let name = path.to_str()?.strip_suffix(path.extension()?.to_str()?)?.strip_suffix('.')?;
    Located::built_in(built_in::find(name)?, kind)
}

fn named(word: &str, purpose: Purpose) -> Result<Located, Failure> {
    let Some(folder) = built_in::find(word) else { return Err(missing(word)) };
    let found = purpose.preference().iter().find_map(|kind| Located::built_in(folder, *kind));
    found.ok_or_else(|| {
        Failure::unusable(format!("the built-in language `{word}` has no description for this purpose"))
            .help("`polysmith languages` says what each can do")
    })
}

fn missing(word: &str) -> Failure {
    let path = Path::new(word);
    if path.is_dir() {
        return Failure::unusable(format!("`{word}` is a folder")).help("name the description in it");
    }
    if path.exists() {
        return Failure::unusable(format!(
            "nothing is known of `{word}`: its name says no description language"
        ))
        .help(format!("descriptions end in {}", known_extensions()));
    }
    if word.contains('/') || Kind::of(path).is_some() {
        return Failure::unusable(format!("there is no file `{word}`{}", similar_file(path)))
            .help("`polysmith languages` lists the built-in languages, which need no file");
    }
    let known = built_in::ALL.iter().map(|folder| folder.name);
    let list = "`polysmith languages` lists the built-in ones";
    Failure::unusable(format!("no built-in language and no file is called `{word}`")).help(
        match nearest(word, known) {
            Some(name) => format!("did you mean `{name}`? {list}"),
            None => format!("{list}; files end in {}", known_extensions()),
        },
    )
}

/// The file beside a missing one that was probably meant.
fn similar_file(path: &Path) -> String {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(entries) = std::fs::read_dir(folder) else {
        return format!(", nor the folder `{}`", folder.display());
    };
    let mut names: Vec<String> =
        entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    let wanted = path.file_name().unwrap_or_default().to_string_lossy();
    match nearest(&wanted, names.iter().map(String::as_str)) {
        Some(name) => format!("; there is `{}`", path.with_file_name(name).display()),
        None => String::new(),
    }
}

fn known_extensions() -> String {
    let all = Kind::ALL.iter().flat_map(|kind| kind.extensions());
    all.map(|extension| format!("`.{extension}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_built_in_name_is_found_without_any_file() {
        let json = locate("json", Purpose::Parse).unwrap();
        assert_eq!((json.kind, json.path.to_str()), (Kind::Antlr, Some("<built-in>/json/JSON.g4")));
        assert!(json.files().read(&json.path).unwrap().starts_with(b"/"));
        assert_eq!(locate("json.g4", Purpose::Generate).unwrap().kind, Kind::Antlr);
    }

    #[test]
    fn a_wrong_name_gets_a_suggestion() {
        let error = anyhow::Error::from(locate("jsn", Purpose::Parse).unwrap_err());
        assert_eq!(error.to_string(), "no built-in language and no file is called `jsn`");
        assert!(Failure::help_of(&error).unwrap().contains("did you mean `json`?"));
    }

    #[test]
    fn a_missing_path_says_so() {
        let error = locate("no/such/Thing.g4", Purpose::Parse).unwrap_err();
        assert_eq!(error.to_string(), "there is no file `no/such/Thing.g4`, nor the folder `no/such`");
    }
}
