//! Finds and reads files: the grammar, its imports, its vocabulary.

use crate::ReadOptions;
use crate::report::Report;
use crate::syntax::parse;
use crate::syntax::tree::{File, GrammarKind, Name};
use polysmith_source::{Encoding, Files, Location, SourceId, SourceMap, decode};
use std::path::{Path, PathBuf};

/// Reads files and keeps their texts.
pub(crate) struct Loader<'a> {
    files: &'a dyn Files,
    options: &'a ReadOptions,
    pub(crate) sources: SourceMap,
}

/// A file that was read, with its syntax tree.
pub(crate) struct Loaded {
    pub(crate) path: PathBuf,
    pub(crate) file: File,
}

impl<'a> Loader<'a> {
    pub(crate) fn new(files: &'a dyn Files, options: &'a ReadOptions) -> Loader<'a> {
        Loader { files, options, sources: SourceMap::default() }
    }

    /// Reads the main file. An unreadable file is reported and treated as empty.
    pub(crate) fn main(&mut self, path: &Path, report: &mut Report<'_>) -> Loaded {
        match self.files.read(path) {
            Ok(bytes) => self.parse(path, bytes, report),
            Err(error) => {
                let message = format!("cannot read `{}`: {error}", path.display());
                report
                    .extra_error(polysmith_source::codes::UNREADABLE, Location::Nowhere, message)
                    .help("check the path");
                let source = self.sources.add(path.display().to_string(), "");
                Loaded { path: path.to_owned(), file: empty(source) }
            }
        }
    }

    /// Finds a grammar by name: in the folder of the main file, of the importing file, then in the library folders;
    /// first as `.g4`, then as `.g`.
    pub(crate) fn grammar(
        &mut self,
        name: &str,
        main: &Path,
        from: &Path,
        report: &mut Report<'_>,
    ) -> Option<Loaded> {
        for extension in ["g4", "g"] {
            let file_name = format!("{name}.{extension}");
            for folder in self.folders(main, from) {
                let path = folder.join(&file_name);
                if let Ok(bytes) = self.files.read(&path) {
                    return Some(self.parse(&path, bytes, report));
                }
            }
        }
        None
    }

    /// The text of a `.tokens` file.
    pub(crate) fn tokens(&self, name: &str, main: &Path) -> Option<(PathBuf, String)> {
        let libraries = self.options.libraries.iter().map(PathBuf::as_path);
        libraries.chain([folder_of(main)]).find_map(|folder| {
            let path = folder.join(format!("{name}.tokens"));
            let bytes = self.files.read(&path).ok()?;
            Some((path, String::from_utf8_lossy(&bytes).into_owned()))
        })
    }

    fn folders(&self, main: &Path, from: &Path) -> Vec<PathBuf> {
        let mut folders = vec![folder_of(main).to_owned(), folder_of(from).to_owned()];
        folders.extend(self.options.libraries.iter().cloned());
        folders
    }

    pub(crate) fn parse(&mut self, path: &Path, bytes: Vec<u8>, report: &mut Report<'_>) -> Loaded {
        let name = path.display().to_string();
        let text = match decode(bytes, Encoding::Utf8) {
            Ok(text) => text,
            Err(error) => {
                let source = self.sources.add(name, "");
                let message = format!("this is not UTF-8 text: {error}");
                report
                    .extra_error(polysmith_source::codes::NOT_TEXT, source, message)
                    .help("save the file as UTF-8");
                return Loaded { path: path.to_owned(), file: empty(source) };
            }
        };
        let source = self.sources.add(name, text);
        let text = self.sources.get(source).text().clone();
        Loaded { path: path.to_owned(), file: parse(source, &text, report) }
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

fn empty(source: SourceId) -> File {
    let span = polysmith_source::Span::new(source, 0, 0);
    File {
        source,
        kind: GrammarKind::Combined,
        name: Name { text: String::new(), span },
        prequels: Vec::new(),
        rules: Vec::new(),
        modes: Vec::new(),
        broken: true,
    }
}
