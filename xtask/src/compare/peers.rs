//! The figures of other reducers, from the first table in the README of the cases.

use std::fs;
use std::path::Path;

use anyhow::Context as _;

/// A case and what its peers came to.
pub(crate) struct Row {
    pub(crate) case: String,
    pub(crate) peers: Vec<Peer>,
}

/// What one reducer came to.
#[derive(Clone)]
pub(crate) struct Peer {
    pub(crate) tool: String,
    /// As printed: a `+` marks a run that was cut off by its time.
    pub(crate) text: String,
    pub(crate) tokens: usize,
    pub(crate) calls: u64,
}

/// The reducers without a grammar: the ones to be measured against.
pub(crate) const WITHOUT_GRAMMAR: [&str; 3] = ["Shrink Ray", "C-Vise", "Picire (lines)"];

/// All cases, in the order of the table.
pub(crate) fn read(cases: &Path) -> anyhow::Result<Vec<Row>> {
    let readme = fs::read_to_string(cases.join("README.md"))
        .with_context(|| format!("no cases in {}", cases.display()))?;
    let mut lines = readme.lines().skip_while(|line| !line.starts_with("| case | tokens | bytes |"));
    let tools = cells(lines.next().context("the README of the cases has no table")?);
    let rows = lines.skip(1).take_while(|line| line.starts_with('|')).map(cells);
    Ok(rows.map(|row| Row { case: row[0].to_owned(), peers: peers(&tools, &row) }).collect())
}

fn cells(line: &str) -> Vec<&str> {
    line.trim_matches('|').split('|').map(str::trim).collect()
}

fn peers(tools: &[&str], row: &[&str]) -> Vec<Peer> {
    let pairs = tools.iter().zip(row).skip(3);
    let peer = |(tool, text): (&&str, &&str)| {
        let (tokens, calls) = text.split_once('/')?;
        let plain = |text: &str| text.replace([',', '+'], "").trim().to_owned();
        Some(Peer {
            tool: (*tool).to_owned(),
            text: (*text).to_owned(),
            tokens: plain(tokens).parse().ok()?,
            calls: plain(calls).parse().ok()?,
        })
    };
    pairs.filter_map(peer).collect()
}
