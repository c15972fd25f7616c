//! Resolves the argument LANGUAGE of a command line: a file, or a folder inside the binary.
//!
//! `-` is standard input. A word with a known extension or a slash is a path; if the file `lua.g4` does not exist, the
//! word means the `.g4` of the built-in `lua`; any other word is a built-in name. Which description of a folder is
//! meant depends on the wanted capability. No description is read here: the front end reads through
//! [`Located::files`].

use crate::built_in::{self, BuiltIn};
use crate::kind::{Capability, DescriptionKind};
use polysmith_source::{Entry, Files, STDIN, nearest};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// A description that was found.
pub struct Located<'a> {
    /// The kind, which determines the front end.
    pub kind: DescriptionKind,
    /// The path to read from [`Located::files`]; also shown in messages.
    pub path: PathBuf,
    /// The folder inside the binary, if it is built in.
    pub built_in: Option<&'static BuiltIn>,
    files: WithBuiltIns<'a>,
}

/// Why a word names no usable description.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LocateError {
    /// The word names a folder.
    #[error("`{word}` is a folder")]
    Folder {
        /// The word.
        word: String,
    },
    /// The file exists, but its extension is not that of a description.
    #[error("nothing is known of `{word}`: its name says no description language")]
    UnknownExtension {
        /// The word.
        word: String,
    },
    /// The path does not exist.
    #[error("there is no file `{word}`{}", beside(.near))]
    NoFile {
        /// The word.
        word: String,
        /// What exists instead.
        near: Near,
    },
    /// Standard input cannot be read.
    #[error("cannot read standard input: {kind}")]
    UnreadableInput {
        /// The cause.
        kind: io::ErrorKind,
    },
    /// The name is not built in.
    #[error("no built-in language and no file is called `{word}`")]
    NoName {
        /// The word.
        word: String,
        /// A built-in name that is similar.
        similar: Option<&'static str>,
    },
    /// The built-in language has no description with the capability.
    #[error("the built-in language `{word}` has no description that can {}", verb(*.wanted))]
    Incapable {
        /// The word.
        word: String,
        /// The wanted capability.
        wanted: Option<Capability>,
    },
}

/// What exists instead of a missing file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Near {
    /// Nothing similar.
    Nothing,
    /// A file with a similar name.
    File(PathBuf),
    /// The folder does not exist either.
    NoFolder(PathBuf),
}

fn verb(wanted: Option<Capability>) -> &'static str {
    wanted.map_or("be used", Capability::verb)
}

fn beside(near: &Near) -> String {
    match near {
        Near::Nothing => String::new(),
        Near::File(path) => format!("; there is `{}`", path.display()),
        Near::NoFolder(path) => format!(", nor the folder `{}`", path.display()),
    }
}

impl fmt::Debug for Located<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Located").field("kind", &self.kind).field("path", &self.path).finish_non_exhaustive()
    }
}

impl<'a> Located<'a> {
    /// The files of the description: those of the caller, and those inside the binary.
    pub fn files(&self) -> &(dyn Files + 'a) {
        &self.files
    }

    fn built_in(
        files: &'a dyn Files,
        folder: &'static BuiltIn,
        kind: DescriptionKind,
    ) -> Option<Located<'a>> {
        let path = folder.path(folder.main_file(kind)?);
        Some(Located { kind, path, built_in: Some(folder), files: WithBuiltIns(files) })
    }
}

/// The files of the caller and those inside the binary, so that a built-in grammar can have a lexer on disk.
struct WithBuiltIns<'a>(&'a dyn Files);

impl Files for WithBuiltIns<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match path.starts_with(built_in::ROOT) {
            true => built_in::read(path).map(<[u8]>::to_vec).ok_or_else(|| io::ErrorKind::NotFound.into()),
            false => self.0.read(path),
        }
    }
}

/// Finds what `word` names. `wanted` selects among the descriptions of a built-in language; `None` selects any.
///
/// # Errors
/// The word names nothing that can be used.
pub fn locate<'a>(
    files: &'a dyn Files,
    word: &str,
    wanted: Option<Capability>,
) -> Result<Located<'a>, LocateError> {
    if word == "-" {
        return standard_input(files);
    }
    let path = Path::new(word);
    match DescriptionKind::of(path) {
        Some(kind) if files.entry(path) == Some(Entry::File) => {
            Ok(Located { kind, path: path.to_path_buf(), built_in: None, files: WithBuiltIns(files) })
        }
        Some(kind) => forced(files, path, kind).ok_or_else(|| missing(files, word)),
        None => named(files, word, wanted),
    }
}

/// The description on standard input. It has no extension, so its text determines the kind.
fn standard_input(files: &dyn Files) -> Result<Located<'_>, LocateError> {
    let path = PathBuf::from(STDIN);
    let unreadable = |error: io::Error| LocateError::UnreadableInput { kind: error.kind() };
    let text = files.read(&path).map_err(unreadable)?;
    let kind = DescriptionKind::of_text(&String::from_utf8_lossy(&text));
    Ok(Located { kind, path, built_in: None, files: WithBuiltIns(files) })
}

/// The built-in description for files with this extension (without the dot). Only descriptions that can parse claim
/// extensions.
pub fn claiming<'a>(files: &'a dyn Files, extension: &str) -> Option<Located<'a>> {
    built_in::ALL.iter().find_map(|folder| {
        let kinds = DescriptionKind::preferred(Some(Capability::Parse));
        let claims = |kind: &&DescriptionKind| {
            let about = folder.main_file(**kind).map(|file| folder.about(file));
            about.is_some_and(|about| about.extensions.iter().any(|known| known == extension))
        };
        Located::built_in(files, folder, *kinds.iter().find(claims)?)
    })
}

/// If the file `lua.g4` does not exist: the `.g4` of the built-in `lua`.
fn forced<'a>(files: &'a dyn Files, path: &Path, kind: DescriptionKind) -> Option<Located<'a>> {
    let name = path.to_str()?.strip_suffix(path.extension()?.to_str()?)?.strip_suffix('.')?;
    Located::built_in(files, built_in::find(name)?, kind)
}

fn named<'a>(
    files: &'a dyn Files,
    word: &str,
    wanted: Option<Capability>,
) -> Result<Located<'a>, LocateError> {
    let Some(folder) = built_in::find(word) else { return Err(missing(files, word)) };
    let is_capable = wanted.is_none_or(|capability| folder.can(capability));
    let kinds = DescriptionKind::preferred(wanted).iter().filter(|_| is_capable);
    let found = kinds.into_iter().find_map(|kind| Located::built_in(files, folder, *kind));
    found.ok_or_else(|| LocateError::Incapable { word: word.to_owned(), wanted })
}

fn missing(files: &dyn Files, word: &str) -> LocateError {
    let path = Path::new(word);
    let name = word.to_owned();
    match files.entry(path) {
        Some(Entry::Folder) => LocateError::Folder { word: name },
        Some(Entry::File) => LocateError::UnknownExtension { word: name },
        None if word.contains('/') || DescriptionKind::of(path).is_some() => {
            LocateError::NoFile { word: name, near: near(files, path) }
        }
        None => {
            // A word of one or two letters, such as `c`, is similar to too many names.
            let similar = nearest(word, built_in::ALL.iter().map(|folder| folder.name));
            let similar = similar.filter(|_| word.len() > 2);
            LocateError::NoName { word: name, similar }
        }
    }
}

/// Finds what exists instead of a missing file.
fn near(files: &dyn Files, path: &Path) -> Near {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Some(names) = files.names(folder) else { return Near::NoFolder(folder.to_path_buf()) };
    let wanted = path.file_name().unwrap_or_default().to_string_lossy();
    match nearest(&wanted, names.iter().map(String::as_str)) {
        Some(name) => Near::File(path.with_file_name(name)),
        None => Near::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polysmith_source::Memory;

    #[test]
    fn a_built_in_name_is_found_without_any_file() {
        let none = Memory::default();
        let json = locate(&none, "json", Some(Capability::Parse)).unwrap();
        assert_eq!(
            (json.kind, json.path.to_str()),
            (DescriptionKind::Grammar, Some("<built-in>/json/JSON.g4"))
        );
        assert!(json.files().read(&json.path).unwrap().starts_with(b"/"));
        let forced = locate(&none, "json.g4", Some(Capability::Generate)).unwrap();
        assert_eq!(forced.kind, DescriptionKind::Grammar);
    }

    #[test]
    fn standard_input_shows_its_kind() {
        let kind = |text: &str| {
            let files = Memory::default().with(STDIN, text);
            locate(&files, "-", None).unwrap().kind
        };
        assert_eq!(kind("/* A */ // b\n lexer grammar T;"), DescriptionKind::Grammar);
        assert_eq!(kind("grammar class;"), DescriptionKind::Grammar);
        assert_eq!(kind(""), DescriptionKind::Grammar);
        assert_eq!(kind("# a comment\nclass A(\"a\");"), DescriptionKind::Specification);
        assert_eq!(kind("@copy\nuse Scope;"), DescriptionKind::Specification);
        let error = locate(&Memory::default(), "-", None).unwrap_err();
        assert_eq!(error.to_string(), "cannot read standard input: entity not found");
    }

    #[test]
    fn a_wrong_name_gets_a_suggestion() {
        let error = locate(&Memory::default(), "jsn", Some(Capability::Parse)).unwrap_err();
        assert_eq!(error, LocateError::NoName { word: "jsn".to_owned(), similar: Some("json") });
        let error = locate(&Memory::default(), "m", Some(Capability::Parse)).unwrap_err();
        assert_eq!(error, LocateError::NoName { word: "m".to_owned(), similar: None });
    }

    #[test]
    fn a_missing_path_says_what_is_there_instead() {
        let files = Memory::default().with("some/Thing.g4", "");
        let message = |word: &str| locate(&files, word, None).unwrap_err().to_string();
        assert_eq!(
            message("no/such/Thing.g4"),
            "there is no file `no/such/Thing.g4`, nor the folder `no/such`"
        );
        assert_eq!(message("some/Thin.g4"), "there is no file `some/Thin.g4`; there is `some/Thing.g4`");
        assert_eq!(message("some"), "`some` is a folder");
    }

    #[test]
    fn only_a_description_that_can_parse_claims_an_extension() {
        let none = Memory::default();
        let claimed = |extension| claiming(&none, extension).and_then(|located| Some(located.built_in?.name));
        assert_eq!(claimed("json"), Some("json"));
        assert_eq!(claimed("svg"), Some("xml"));
        assert_eq!(claimed("txt"), None, "figure3 and mini generate .txt files, but they cannot parse");
    }

    #[test]
    fn a_language_that_cannot_do_what_is_wanted_is_refused() {
        let error = locate(&Memory::default(), "figure3", Some(Capability::Parse)).unwrap_err();
        assert!(matches!(error, LocateError::Incapable { .. }), "{error:?}");
        let error = locate(&Memory::default(), "json", Some(Capability::Check)).unwrap_err();
        assert!(matches!(error, LocateError::Incapable { .. }), "{error:?}");
    }
}
