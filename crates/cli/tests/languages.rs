//! The built-in languages keep their promises: examples are accepted or rejected as their names say and print back
//! byte for byte, and what is generated parses.
#![expect(clippy::unwrap_used, reason = "a failed call fails the test")]

use polysmith_description::Capability;
use polysmith_description::built_in::{ALL, BuiltIn};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn polysmith(arguments: &[&str], files: &[PathBuf]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_polysmith")).args(arguments).args(files).output().unwrap()
}

fn languages() -> impl Iterator<Item = &'static BuiltIn> {
    ALL.iter().filter(|language| language.can(Capability::Parse))
}

/// Writes the examples of a language into a folder: those that are right, and those that are wrong by their names.
fn write_examples(language: &BuiltIn, folder: &Path) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let examples =
        language.files.iter().filter_map(|(path, bytes)| Some((path.strip_prefix("examples/")?, bytes)));
    let paths = examples.map(|(name, bytes)| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    });
    paths.partition(|path| !path.file_name().unwrap().to_string_lossy().starts_with("invalid"))
}

#[test]
fn examples_are_accepted_or_rejected_as_their_names_say() {
    for language in languages() {
        let folder = tempfile::tempdir().unwrap();
        let (right, wrong) = write_examples(language, folder.path());
        assert!(!right.is_empty() && !wrong.is_empty(), "{} has examples of both kinds", language.name);
        let output = polysmith(&["parse", language.name, "--format", "none"], &right);
        assert_eq!(output.status.code(), Some(0), "{}: {output:?}", language.name);
        for file in wrong {
            let output = polysmith(&["parse", language.name, "--format", "none"], &[file]);
            assert_eq!(output.status.code(), Some(1), "{}: {output:?}", language.name);
        }
    }
}

#[test]
fn examples_print_back_byte_for_byte() {
    for language in languages() {
        let folder = tempfile::tempdir().unwrap();
        for file in write_examples(language, folder.path()).0 {
            let tree = folder.path().join("tree.pst");
            let saved = ["parse", language.name, "--format", "none", "--save-tree", tree.to_str().unwrap()];
            assert!(polysmith(&saved, std::slice::from_ref(&file)).status.success(), "{file:?}");
            let printed = polysmith(&["print", language.name], &[tree]);
            assert_eq!(printed.stdout, std::fs::read(&file).unwrap(), "{file:?}");
        }
    }
}

#[test]
fn generated_texts_parse() {
    for language in languages() {
        let folder = tempfile::tempdir().unwrap();
        let pattern = folder.path().join("{index}.txt");
        let made = ["generate", language.name, "-n", "50", "--seed", "1", "-o", pattern.to_str().unwrap()];
        let output = polysmith(&made, &[]);
        assert!(output.status.success(), "{}: {output:?}", language.name);
        let files: Vec<PathBuf> =
            std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(files.len(), 50, "{}", language.name);
        let output = polysmith(&["parse", language.name, "--format", "none"], &files);
        assert_eq!(output.status.code(), Some(0), "{}: {output:?}", language.name);
    }
}
