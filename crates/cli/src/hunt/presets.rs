//! Programs that `polysmith init` knows, as data: `presets.toml`.

use polysmith_hunt::text::one_line;
use polysmith_run::{Ended, Limits, Pool, Scratch, Start, Stdin};
use serde::Deserialize;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// All presets.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Presets {
    /// Programs to test.
    #[serde(rename = "target")]
    pub targets: Vec<Preset>,
    /// Generators.
    #[serde(rename = "source")]
    pub sources: Vec<GeneratorPreset>,
}

/// A program to test.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    /// What `PATH` is searched for.
    pub program: String,
    /// Names that a description of its input may have.
    pub languages: Vec<String>,
    /// How a test is given to it.
    pub command: Vec<String>,
    /// Arguments that make it print its version; none if it has none.
    pub version: Vec<String>,
    /// Whether its input is a program, which may run for ever.
    #[serde(default)]
    pub executes: bool,
    /// Memory, where the usual limit is too low.
    pub memory: Option<String>,
    /// Rules that make results comparable.
    #[serde(default)]
    pub rewrite: Vec<String>,
}

/// A generator of tests.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GeneratorPreset {
    /// What `PATH` is searched for.
    pub program: String,
    /// Names that a description of its output may have.
    pub languages: Vec<String>,
    /// The shell command that prints a test.
    pub command: String,
    /// Arguments that make it print its version.
    pub version: Vec<String>,
}

impl Presets {
    /// The presets that are part of the program. A test reads them.
    pub fn read() -> anyhow::Result<Presets> {
        Ok(toml::from_str(include_str!("presets.toml"))?)
    }
}

/// The name by which presets know a description: `grammars/LuaParser.g4` is `lua`.
pub fn language_name(word: &str) -> String {
    let stem = Path::new(word).file_stem().unwrap_or(OsStr::new(word)).to_string_lossy().to_lowercase();
    let stem = stem.strip_suffix("parser").unwrap_or(&stem);
    stem.trim_end_matches(['-', '_']).to_owned()
}

/// Where a program is.
pub fn find(program: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(program)).find(|path| {
        path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
    })
}

/// The first line that a program prints about its version, escaped.
pub fn version(program: &Path, arguments: &[String]) -> Option<String> {
    if arguments.is_empty() {
        return None;
    }
    let mut scratch = Scratch::new().ok()?;
    let folder = scratch.folder().ok()?;
    let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
    let start = Start {
        program: program.as_os_str(),
        arguments: &arguments,
        folder: folder.path(),
        environment: &[("TMPDIR", folder.temporary().as_os_str())],
        stdin: Stdin::Empty,
        capture: true,
    };
    let limits = Limits { time: Duration::from_secs(10), ..Limits::default() };
    let outcome = Pool::new().run(&start, &limits).ok()?;
    if !matches!(outcome.ended, Ended::Exited(_)) {
        return None;
    }
    let text = [outcome.stdout, outcome.stderr].concat();
    let line = text.split(|byte| *byte == b'\n').find(|line| !line.trim_ascii().is_empty())?;
    Some(one_line(line, 80))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_presets_are_well_formed() {
        let presets = Presets::read().unwrap();
        assert!(presets.targets.len() > 20);
        for preset in &presets.targets {
            assert_eq!(preset.command.first(), Some(&preset.program));
            assert!(!preset.languages.is_empty());
            assert!(preset.rewrite.iter().all(|rule| super::super::plan::rewrite(rule).is_ok()));
        }
    }

    #[test]
    fn a_description_is_known_by_its_stem() {
        assert_eq!(language_name("grammars/LuaParser.g4"), "lua");
        assert_eq!(language_name("json"), "json");
        assert!(find("sh").is_some() && find("no-such-program").is_none());
    }
}
