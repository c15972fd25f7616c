//! Options that messages and help pages name exist, in the command that shows them; libraries name none.
#![expect(clippy::unwrap_used, reason = "a failed call fails the test")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

/// Files whose `--words` are not options of ours, each with the reason.
const NOT_OPTIONS: &[(&str, &str)] = &[("cli/src/generate/page.rs", "variables of a style sheet")];

/// Folders and files of `cli` that serve some commands only. Those in `commands/` are known by their names.
const SERVES: &[(&str, &[&str])] = &[
    ("cli/src/engines", &["generate"]),
    ("cli/src/generate", &["generate"]),
    ("cli/src/hunt", &["hunt"]),
    ("cli/src/parse", &["parse"]),
];

/// The options of each command, global ones and those of its subcommands included.
fn options() -> BTreeMap<String, BTreeSet<String>> {
    let mut definition = polysmith::definition();
    definition.build();
    let commands = definition.get_subcommands();
    commands.map(|command| (command.get_name().to_owned(), options_of(command))).collect()
}

fn options_of(command: &clap::Command) -> BTreeSet<String> {
    let own = command.get_arguments().filter_map(|argument| argument.get_long()).map(str::to_owned);
    own.chain(command.get_subcommands().flat_map(options_of)).collect()
}

/// The options that a text names, with the command that they belong to if the text says it: `polysmith COMMAND` or
/// a backtick and the command.
fn mentions(text: &str) -> Vec<(Option<String>, String)> {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?:polysmith |`polysmith |`)([a-z]+)|(?:^|[^-\w])--([a-z][a-z0-9-]*)|(`)").unwrap()
    });
    let mut found = Vec::new();
    for line in text.lines() {
        let mut command = None;
        for part in PATTERN.captures_iter(line) {
            match (part.get(1), part.get(2), part.get(3)) {
                (Some(name), ..) => {
                    command = Some(name.as_str().to_owned()).filter(|name| name != "polysmith");
                }
                (.., Some(_)) => command = None,
                (_, Some(option), _) => found.push((command.clone(), option.as_str().to_owned())),
                _ => {}
            }
        }
    }
    found
}

/// The string literals of Rust code with their lines, without those of a test module at the end.
fn literals(code: &str) -> Vec<(usize, String)> {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
        let comments_and_characters = r"(?s)//[^\n]*|/\*.*?\*/|'(?:[^'\\\n]|\\(?:u\{[0-9a-f]+\}|x..|.))'";
        let strings = r###"|r#"(.*?)"#|r"([^"]*)"|"((?:[^"\\]|\\.)*)""###;
        Regex::new(&format!("{comments_and_characters}{strings}")).unwrap()
    });
    let code = code.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let found = PATTERN.captures_iter(code).filter_map(|part| {
        let literal = (1..=3).find_map(|group| part.get(group))?;
        let line = code[..literal.start()].matches('\n').count() + 1;
        Some((line, literal.as_str().replace("\\n", "\n")))
    });
    found.collect()
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => rust_files(&path, found),
            false if path.extension().is_some_and(|extension| extension == "rs") => found.push(path),
            false => {}
        }
    }
}

/// The source files of all crates, named from the folder of the crates.
fn sources() -> Vec<(String, String)> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    for entry in std::fs::read_dir(crates).unwrap() {
        let folder = entry.unwrap().path().join("src");
        if folder.is_dir() {
            rust_files(&folder, &mut files);
        }
    }
    files.sort();
    let named = files.into_iter().map(|path| {
        let name = path.strip_prefix(crates).unwrap().components();
        let name = name.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
        (name, std::fs::read_to_string(path).unwrap())
    });
    named.filter(|(name, _)| NOT_OPTIONS.iter().all(|(other, _)| other != name)).collect()
}

/// The commands that show the messages of a file of `cli`; none if any command may.
fn commands_of<'a>(file: &'a str, options: &'a BTreeMap<String, BTreeSet<String>>) -> Vec<&'a str> {
    if file == "cli/src/load.rs" {
        // Every command that reads a description has the options that are defined there.
        let reads = options.iter().filter(|(_, all)| all.contains("no-target-code"));
        return reads.map(|(command, _)| command.as_str()).collect();
    }
    if let Some(rest) = file.strip_prefix("cli/src/commands/") {
        let name = rest.split(['/', '.']).next().unwrap_or_default();
        return options.keys().any(|command| command == name).then_some(name).into_iter().collect();
    }
    let served = SERVES.iter().find(|(path, _)| file.strip_prefix(path).is_some());
    served.map(|(_, commands)| commands.to_vec()).unwrap_or_default()
}

#[test]
fn libraries_name_no_option() {
    let mut wrong = Vec::new();
    for (file, code) in sources().iter().filter(|(file, _)| !file.starts_with("cli/")) {
        for (line, literal) in literals(code) {
            for (_, option) in mentions(&literal) {
                wrong
                    .push(format!("crates/{file}:{line} names `--{option}`: let the command add the option"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn messages_name_options_of_the_command_that_shows_them() {
    let options = options();
    let mut wrong = Vec::new();
    let mut checked = 0;
    for (file, code) in sources().iter().filter(|(file, _)| file.starts_with("cli/")) {
        for (line, literal) in literals(code) {
            for (command, option) in mentions(&literal) {
                checked += 1;
                let commands = match &command {
                    Some(command) => vec![command.as_str()],
                    None => commands_of(file, &options),
                };
                let has = |name: &str| options.get(name).is_some_and(|all| all.contains(&option));
                let is_known = match commands.is_empty() {
                    true => options.values().any(|all| all.contains(&option)),
                    false => commands.iter().all(|command| has(command)),
                };
                if !is_known {
                    wrong.push(format!("crates/{file}:{line} names `--{option}`, unknown to {commands:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked > 50, "only {checked} mentions were found: does the test still read the sources?");
}

#[test]
fn help_pages_name_options_of_their_command() {
    let options = options();
    let mut definition = polysmith::definition();
    definition.build();
    for command in definition.get_subcommands() {
        let pages = [command.get_about(), command.get_long_about(), command.get_after_help()];
        let arguments = command.get_arguments().flat_map(|one| [one.get_help(), one.get_long_help()]);
        for text in pages.into_iter().chain(arguments).flatten() {
            for (other, option) in mentions(&text.to_string()) {
                let owner = other.unwrap_or_else(|| command.get_name().to_owned());
                let is_known = options.get(&owner).is_some_and(|all| all.contains(&option));
                assert!(is_known, "help of `{}`: `{owner}` has no `--{option}`: {text}", command.get_name());
            }
        }
    }
}

#[test]
fn a_file_in_another_encoding_gets_advice_that_its_command_obeys() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["g.g4", "s.lala", "a.json"] {
        std::fs::write(folder.path().join(name), b"grammar g; r: '\xff';").unwrap();
    }
    let stderr = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_polysmith"));
        let output = command.args(arguments).current_dir(folder.path()).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    for file in ["g.g4", "s.lala"] {
        let text = stderr(&["lint", file]);
        assert!(text.contains("0xff") && !text.contains("--encoding"), "{text}");
    }
    let text = stderr(&["parse", "json", "a.json"]);
    assert!(text.contains("--encoding latin-1"), "{text}");
}

#[test]
fn a_missing_import_gets_the_option_that_finds_it() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("g.g4"), "grammar g; import Words; r: 'a';").unwrap();
    for command in ["lint", "generate", "normalize"] {
        let mut polysmith = std::process::Command::new(env!("CARGO_BIN_EXE_polysmith"));
        let output = polysmith.args([command, "g.g4"]).current_dir(folder.path()).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(
            stderr.contains("`Words` was not found") && stderr.contains("--lib DIR"),
            "{command}: {stderr}"
        );
    }
}

#[test]
fn literals_and_mentions_are_found() {
    let code = "// \"--no\"\nlet a = '\"'; let b = \"x `--one`\\n\"; let c = r#\"polysmith parse --two\"#;";
    let found: Vec<_> = literals(code).iter().flat_map(|(_, text)| mentions(text)).collect();
    assert_eq!(found, [(None, "one".to_owned()), (Some("parse".to_owned()), "two".to_owned())]);
}
