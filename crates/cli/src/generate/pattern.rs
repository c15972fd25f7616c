//! Output patterns: `out/{index}.json`, with `{index}`, `{seed}` and `{hash}`.

use crate::failure::Failure;
use std::fmt::Write as _;
use std::path::PathBuf;

/// A pattern that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    written: String,
    pieces: Vec<Piece>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Index,
    Seed,
    Hash,
}

impl Pattern {
    /// Reads a pattern. One that ends in `/` is a folder, in which tests are called `{index}.EXTENSION`.
    ///
    /// # Errors
    /// Unknown names in braces are wrong use.
    pub fn parse(written: &str, extension: &str) -> Result<Pattern, Failure> {
        let whole = match written.ends_with('/') {
            true => format!("{written}{{index}}.{extension}"),
            false => written.to_owned(),
        };
        let mut pieces = Vec::new();
        let mut rest = whole.as_str();
        while let Some(open) = rest.find('{') {
            let Some(close) = rest[open..].find('}').map(|at| open + at) else { break };
            if open > 0 {
                pieces.push(Piece::Text(rest[..open].to_owned()));
            }
            pieces.push(match &rest[open + 1..close] {
                "index" => Piece::Index,
                "seed" => Piece::Seed,
                "hash" => Piece::Hash,
                other => {
                    return Err(Failure::usage(format!(
                        "the pattern `{written}` has an unknown `{{{other}}}`"
                    ))
                    .help("patterns know {index}, {seed} and {hash}"));
                }
            });
            rest = &rest[close + 1..];
        }
        if !rest.is_empty() {
            pieces.push(Piece::Text(rest.to_owned()));
        }
        Ok(Pattern { written: whole, pieces })
    }

    /// The pattern as the user wrote it, a folder with the file name added.
    pub fn written(&self) -> &str {
        &self.written
    }

    /// Whether the name depends on the test: else all tests would share one file.
    pub fn varies(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Index | Piece::Hash))
    }

    /// Whether the hash of the text is needed.
    pub fn needs_hash(&self) -> bool {
        self.pieces.contains(&Piece::Hash)
    }

    /// The path of a test.
    pub fn path(&self, index: u64, seed: u64, hash: u64) -> PathBuf {
        let mut path = String::new();
        for piece in &self.pieces {
            let _ = match piece {
                Piece::Text(text) => write!(path, "{text}"),
                Piece::Index => write!(path, "{index}"),
                Piece::Seed => write!(path, "{seed}"),
                Piece::Hash => write!(path, "{hash:016x}"),
            };
        }
        PathBuf::from(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(pattern: &str) -> String {
        let pattern = Pattern::parse(pattern, "json").unwrap();
        pattern.path(3, 7, 0xabc).display().to_string()
    }

    #[test]
    fn names_are_filled_in() {
        assert_eq!(path("out/{index}.json"), "out/3.json");
        assert_eq!(path("{seed}-{index}-{hash}"), "7-3-0000000000000abc");
        assert_eq!(path("out/"), "out/3.json");
        assert_eq!(path("{index}/x{index}{index}"), "3/x33");
        assert_eq!(path("odd{"), "odd{");
    }

    #[test]
    fn what_a_pattern_says_of_itself() {
        let pattern = |text| Pattern::parse(text, "txt").unwrap();
        assert!(pattern("a/{hash}").varies() && !pattern("a/{seed}").varies());
        let error = Pattern::parse("{number}", "txt").unwrap_err();
        assert_eq!(error.to_string(), "the pattern `{number}` has an unknown `{number}`");
    }
}
