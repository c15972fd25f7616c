//! Our own grammars against ANTLR: no messages, every example accepted, every wrong one rejected.
//!
//! Rates: `languages-load` (a grammar without messages, but for those that are intended), `languages-examples` (a file of `examples/`; those
//! whose name starts with `invalid` must be rejected). The oracle has no hooks: examples of a grammar with a script are
//! judged by the tests of the command line alone.

use super::Setting;
use crate::paths;
use crate::rates::Tally;
use anyhow::Context as _;
use std::path::{Path, PathBuf};

/// Messages that a grammar has on purpose: its language, and the code of the message.
const INTENDED: &[(&str, u64)] = &[
    // The lexer of JavaScript leaves a mode by a token without text.
    ("javascript", 146),
];

pub(crate) fn run(setting: &Setting, tally: &mut Tally) -> anyhow::Result<()> {
    let mut oracle = match setting.oracle() {
        Ok(oracle) => oracle,
        Err(error) => {
            println!("missing: {error:#}");
            return Ok(());
        }
    };
    let work = tempfile::tempdir()?;
    for folder in files_in(&paths::root().join("languages"))?.into_iter().filter(|path| path.is_dir()) {
        let name = name_of(&folder);
        let grammars: Vec<PathBuf> = files_in(&folder)?
            .into_iter()
            .filter(|path| path.extension().is_some_and(|e| e == "g4"))
            .collect();
        if grammars.is_empty() || !setting.wants(&name) {
            continue;
        }
        let Some(start) = start_rule(&folder)? else {
            println!("{name}: not built in yet (no side file), not counted");
            continue;
        };
        let here = work.path().join(&name);
        std::fs::create_dir_all(&here)?;
        let answer = oracle.load(&here, &start, &grammars)?;
        let is_intended = |message: &serde_json::Value| {
            message["code"].as_u64().is_some_and(|code| INTENDED.contains(&(name.as_str(), code)))
        };
        let messages = answer["msgs"].as_array();
        let clean = answer["ok"] == true && messages.is_some_and(|all| all.iter().all(is_intended));
        tally.record("languages-load", &name, (!clean).then(|| answer.to_string()));
        if files_in(&folder)?.iter().any(|path| path.extension().is_some_and(|e| e == "hooks")) {
            println!("{name}: its examples need hooks, which the oracle has not: not counted here");
            continue;
        }
        for example in files_in(&folder.join("examples"))? {
            let answer = oracle.input(&example, None, None)?;
            let expected = !name_of(&example).starts_with("invalid");
            let problem = (answer["gen"]["accepted"] != expected).then(|| answer["gen"].to_string());
            tally.record("languages-examples", &format!("{name}/{}", name_of(&example)), problem);
        }
    }
    Ok(())
}

/// The start rule that the side file of a folder names; `None` without a side file: the language is not built in.
fn start_rule(folder: &Path) -> anyhow::Result<Option<String>> {
    let mut side_files =
        files_in(folder)?.into_iter().filter(|path| path.extension().is_some_and(|e| e == "toml"));
    let Some(path) = side_files.next() else { return Ok(None) };
    let table: toml::Table = std::fs::read_to_string(&path)?.parse()?;
    let start =
        table.get("language").and_then(|language| language.get("start")).and_then(toml::Value::as_str);
    Ok(Some(start.with_context(|| format!("{} names no start rule", path.display()))?.to_owned()))
}

fn files_in(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<anyhow::Result<Vec<PathBuf>>>()?;
    paths.sort();
    Ok(paths)
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
