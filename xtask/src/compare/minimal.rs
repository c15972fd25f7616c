//! The naive checker: no single line, token or byte of a result can go.

use super::cases::Case;
use anyhow::ensure;
use polysmith_reduce::{count_tokens, tokens};
use std::fs;
use std::path::Path;

/// Tries every line, token and byte alone; an error names the first that could go.
pub(crate) fn check(case: &Case, result: &Path) -> anyhow::Result<()> {
    let text = fs::read(result)?;
    let mut cuts: Vec<(usize, usize)> = tokens(&text).map(|token| (token.start, token.end)).collect();
    cuts.extend((0..text.len()).map(|at| (at, at + 1)));
    let mut start = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        cuts.push((start, start + line.len()));
        start += line.len();
    }
    cuts.sort_unstable();
    cuts.dedup();
    let extension = result.extension().unwrap_or_default().to_string_lossy().into_owned();
    let file = result.with_file_name(format!("less.{extension}"));
    for (start, end) in cuts {
        let less = [&text[..start], &text[end..]].concat();
        // A cut that leaves more tokens than before (a lost quote) is no step down.
        if count_tokens(&less) <= count_tokens(&text) {
            fs::write(&file, &less)?;
            ensure!(!case.surely_holds(&file)?, "bytes {start}..{end} of the result could go");
        }
    }
    Ok(fs::remove_file(&file).or_else(|error| if file.exists() { Err(error) } else { Ok(()) })?)
}
