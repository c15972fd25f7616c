//! Real files of a language: found in packages, drawn with a seed, prepared, and valid for the reference tool.

use super::fetch;
use super::plan::Plan;
use super::reference::{Reference, Verdict, headers};
use anyhow::{Context as _, ensure};
use polysmith_random::Stream;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Shorter texts say nothing about a grammar: often the preprocessor has removed all of them.
const MIN_WORDS: usize = 100;

/// A real file, prepared.
#[derive(Debug)]
pub(super) struct Sample {
    /// Package and path.
    pub(super) name: String,
    pub(super) text: String,
}

struct Candidate {
    name: String,
    path: PathBuf,
    package: usize,
}

/// Draws `count` files that the reference tool takes as they are. Says how many were not used, and why.
pub(super) fn sample(
    plan: &Plan,
    reference: &Reference<'_>,
    corpus: &Path,
    count: usize,
    seed: u64,
) -> anyhow::Result<Vec<Sample>> {
    let (mut candidates, headers) = candidates(plan, corpus)?;
    println!("{} files in {} packages", candidates.len(), headers.len());
    Stream::keyed(&[seed, 0]).shuffle(&mut candidates);
    let mut samples = Vec::new();
    let mut seen = BTreeSet::new();
    let mut unused: BTreeMap<&str, usize> = BTreeMap::new();
    for candidate in candidates {
        if samples.len() == count {
            break;
        }
        match usable(reference, &candidate, &headers[candidate.package])? {
            Ok(text) if !seen.insert(blake3::hash(text.as_bytes()).to_hex().to_string()) => {
                *unused.entry("the same text again").or_default() += 1;
            }
            Ok(text) => samples.push(Sample { name: candidate.name, text }),
            Err(why) => *unused.entry(why).or_default() += 1,
        }
    }
    for (why, count) in unused {
        println!("not used: {count} files: {why}");
    }
    ensure!(!samples.is_empty(), "no file can be used; `--fetch` fetches the packages");
    Ok(samples)
}

fn usable(
    reference: &Reference<'_>,
    candidate: &Candidate,
    headers: &[OsString],
) -> anyhow::Result<Result<String, &'static str>> {
    let Ok(bytes) = reference.prepare(&candidate.path, headers)? else {
        return Ok(Err("cannot be prepared: they need headers that only configuring makes"));
    };
    let Ok(text) = String::from_utf8(bytes) else {
        return Ok(Err("not UTF-8"));
    };
    if text.split_whitespace().take(MIN_WORDS).count() < MIN_WORDS {
        return Ok(Err("nearly empty"));
    }
    Ok(match reference.check(&text)? {
        Verdict::Valid => Ok(text),
        _ => Err("the reference tool rejects them as they are"),
    })
}

/// All files of all packages, in a fixed order, and the header options of each package.
fn candidates(plan: &Plan, corpus: &Path) -> anyhow::Result<(Vec<Candidate>, Vec<Vec<OsString>>)> {
    let (mut candidates, mut options) = (Vec::new(), Vec::new());
    for (name, folder) in fetch::packages(plan, corpus) {
        let Some(folder) = folder else {
            println!("missing: {name} (--fetch fetches it)");
            continue;
        };
        let mut files = files_below(&folder)?;
        files.retain(|path| !plan.skip.iter().any(|part| path.to_string_lossy().contains(part.as_str())));
        for path in files.iter().filter(|path| path.to_string_lossy().ends_with(&plan.files)) {
            let inside = path.strip_prefix(&folder).unwrap_or(path).display();
            candidates.push(Candidate {
                name: format!("{name}/{inside}"),
                path: path.clone(),
                package: options.len(),
            });
        }
        options.push(headers(plan, &files));
    }
    Ok((candidates, options))
}

fn files_below(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let (mut open, mut files) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = open.pop() {
        let entries = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        for entry in entries {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                open.push(entry.path());
            } else if kind.is_file() {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}
