//! The naive checker by grammar: no node of a result can go or be replaced by something below it.

use super::cases::Case;
use anyhow::{Context as _, ensure};
use polysmith_antlr::ReadOptions;
use polysmith_naive::Checker;
use polysmith_reduce::count_tokens;
use polysmith_source::Disk;
use std::fs;
use std::path::Path;

/// Tries every deletion and replacement that leaves no more errors; an error names the first that could be done.
pub(crate) fn check(case: &Case, grammar: &Path, result: &Path) -> anyhow::Result<()> {
    let grammar = polysmith_antlr::read(&Disk, grammar, &ReadOptions::default()).grammar;
    let text = fs::read_to_string(result).context("a result that is not UTF-8 has no tree")?;
    let extension = result.extension().unwrap_or_default().to_string_lossy().into_owned();
    let file = result.with_file_name(format!("less.{extension}"));
    let mut broken = None;
    let tokens = count_tokens(text.as_bytes());
    let mut checker = Checker::new(&grammar);
    ensure!(checker.errors(&text).is_some(), "the result has no tree to be searched by");
    let left = checker.step_left(&text, &mut |less| {
        // A step that leaves more tokens (a lost quote) is no step down.
        if count_tokens(less.as_bytes()) > tokens {
            return false;
        }
        let answer =
            fs::write(&file, less).map_err(anyhow::Error::from).and_then(|()| case.surely_holds(&file));
        answer.unwrap_or_else(|error| {
            broken = Some(error);
            true
        })
    });
    if file.exists() {
        fs::remove_file(&file)?;
    }
    if let Some(error) = broken {
        return Err(error);
    }
    match left {
        Ok(tried) => println!("{}: {tried} texts one step away, none interesting", case.name()),
        Err(step) => ensure!(false, "the result can become {step:?}"),
    }
    Ok(())
}
