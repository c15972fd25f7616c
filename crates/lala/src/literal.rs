//! The regular expressions of literal classes, in both dialects.
//!
//! `.lala` files have the usual syntax. The older dialect of `.ls` files has sequences, `|`, `(…)`, `[…]` and, after a
//! bracket, `{m,n}`; the characters `+ * . ^ ? $` and the backslash have no special meaning.

use crate::codes;
use crate::syntax::{Dialect, Text};
use polysmith_random::regex::{Builder, ExprId, MAX_REPEAT, Regex};
use polysmith_source::{Diagnostics, Span};
use polysmith_value::syntax::Name;
use std::fmt;

/// The maximum nesting depth of brackets in the older dialect.
const MAX_NESTING: usize = 100;

/// Reads the regular expression of a class. Reports errors, and classes that match no text.
pub(crate) fn regex(
    class: &Name,
    literal: &Text,
    dialect: Dialect,
    found: &mut Diagnostics,
) -> Option<Regex> {
    let regex = match dialect {
        Dialect::Usual => usual(literal, found)?,
        Dialect::Old => old(literal, found)?,
    };
    if regex.size() == 0 {
        found
            .error(
                codes::REGEX_NOTHING,
                literal.span,
                format!("no text matches the literal class `{}`", class.text),
            )
            .help("each node of the class needs a text");
    } else if regex.matches_empty() {
        found
            .warning(
                codes::REGEX_EMPTY,
                literal.span,
                format!("a node of `{}` may be the empty text", class.text),
            )
            .help("if that is meant, a production with an empty template says it more clearly");
    }
    Some(regex)
}

fn usual(literal: &Text, found: &mut Diagnostics) -> Option<Regex> {
    if let Some(bar) = bar_in_brackets(&literal.text) {
        found
            .warning(
                codes::REGEX_BAR,
                inside(literal, bar, bar + 1),
                "`|` inside brackets is the character itself",
            )
            .help(
                "brackets list single characters without separators: `[-+*/]`; write `[|]` alone if the bar is meant",
            );
    }
    match Regex::parse(&literal.text) {
        Ok(regex) => Some(regex),
        Err(error) => {
            let span = inside(literal, error.range.start, error.range.end);
            let message = format!("this regular expression cannot be used: {error}");
            found.error(codes::REGEX, span, message);
            None
        }
    }
}

/// Finds the first `|` between brackets that also contain other characters: most likely, alternatives were intended.
fn bar_in_brackets(pattern: &str) -> Option<usize> {
    let mut open = None;
    let mut escaped = false;
    for (at, c) in pattern.char_indices() {
        match c {
            _ if std::mem::take(&mut escaped) => {}
            '\\' => escaped = true,
            '[' if open.is_none() => open = Some(at),
            ']' => open = None,
            '|' if open.is_some_and(|open| open + 1 < at) => return Some(at),
            _ => {}
        }
    }
    None
}

/// The span of a part of the expression; the whole span if the string has escapes or line breaks.
fn inside(literal: &Text, start: usize, end: usize) -> Span {
    let plain = (literal.span.end - literal.span.start) as usize == literal.text.len() + 2;
    if !plain {
        return literal.span;
    }
    let first = literal.span.start as usize + 1;
    Span::new(literal.span.source, first + start, first + end.max(start + 1))
}

fn old(literal: &Text, found: &mut Diagnostics) -> Option<Regex> {
    let mut parser = OldParser {
        chars: literal.text.char_indices().collect(),
        at: 0,
        builder: Builder::default(),
        depth: 0,
    };
    let parsed = parser.choice().and_then(|root| match parser.peek() {
        None => Ok(root),
        Some(_) => Err(OldRegexError::Unopened(parser.chars[parser.at].1)),
    });
    match parsed {
        Ok(root) => Some(parser.builder.finish(root)),
        Err(error) => {
            let at = parser.chars.get(parser.at).map_or(literal.text.len(), |(at, _)| *at);
            let span = inside(literal, at, at + 1);
            found.error(codes::REGEX, span, format!("this regular expression cannot be used: {error}")).help(
                "files named `.ls` have the older dialect: `|`, `(…)`, `[…]`, and `{m,n}` after a bracket",
            );
            None
        }
    }
}

/// Why an expression of the older dialect cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OldRegexError {
    /// A closing bracket without an opening one.
    Unopened(char),
    /// An opening bracket without a closing one.
    Unclosed(char),
    /// A bracket that cannot occur here.
    Unexpected(char),
    /// A repetition that is not written `{m,n}`.
    Bounds,
    /// More than [`MAX_REPEAT`] repetitions.
    TooManyRepetitions,
    /// More than [`MAX_NESTING`] levels of brackets.
    TooDeep,
}

impl fmt::Display for OldRegexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OldRegexError::Unopened(c) => write!(f, "`{c}` has no counterpart"),
            OldRegexError::Unclosed(c) => write!(f, "`{c}` is not closed"),
            OldRegexError::Unexpected(c) => write!(f, "`{c}` is not allowed here"),
            OldRegexError::Bounds => f.write_str("bounds are written `{m,n}`"),
            OldRegexError::TooManyRepetitions => {
                write!(f, "it repeats a part more than {MAX_REPEAT} times")
            }
            OldRegexError::TooDeep => write!(f, "it nests deeper than {MAX_NESTING} levels"),
        }
    }
}

/// Parses the older dialect by recursive descent.
struct OldParser {
    chars: Vec<(usize, char)>,
    at: usize,
    builder: Builder,
    depth: usize,
}

impl OldParser {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).map(|(_, c)| *c)
    }

    fn choice(&mut self) -> Result<ExprId, OldRegexError> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return Err(OldRegexError::TooDeep);
        }
        let mut parts = vec![self.sequence()?];
        while self.peek() == Some('|') {
            self.at += 1;
            parts.push(self.sequence()?);
        }
        self.depth -= 1;
        Ok(if parts.len() == 1 { parts[0] } else { self.builder.choice(parts) })
    }

    fn sequence(&mut self) -> Result<ExprId, OldRegexError> {
        let mut parts = Vec::new();
        while let Some(c) = self.peek() {
            let part = match c {
                '|' | ')' => break,
                '(' => {
                    self.at += 1;
                    let inner = self.choice()?;
                    if self.peek() != Some(')') {
                        return Err(OldRegexError::Unclosed('('));
                    }
                    self.at += 1;
                    self.bounds(inner)?
                }
                '[' => {
                    let set = self.set()?;
                    self.bounds(set)?
                }
                ']' | '{' | '}' => return Err(OldRegexError::Unexpected(c)),
                c => {
                    self.at += 1;
                    self.builder.text(c)
                }
            };
            parts.push(part);
        }
        Ok(if parts.len() == 1 { parts[0] } else { self.builder.sequence(parts) })
    }

    fn set(&mut self) -> Result<ExprId, OldRegexError> {
        self.at += 1;
        let mut ranges = Vec::new();
        loop {
            let Some(first) = self.peek() else { return Err(OldRegexError::Unclosed('[')) };
            if first == ']' && !ranges.is_empty() {
                break;
            }
            self.at += 1;
            let next = self.chars.get(self.at + 1).map(|(_, c)| *c);
            if self.peek() == Some('-') && next.is_some_and(|next| next != ']') {
                let last = next.unwrap_or(first);
                self.at += 2;
                ranges.push((first.min(last), first.max(last)));
            } else {
                ranges.push((first, first));
            }
        }
        self.at += 1;
        Ok(self.builder.set(ranges))
    }

    fn bounds(&mut self, part: ExprId) -> Result<ExprId, OldRegexError> {
        if self.peek() != Some('{') {
            return Ok(part);
        }
        self.at += 1;
        let min = self.number()?;
        if self.peek() != Some(',') {
            return Err(OldRegexError::Bounds);
        }
        self.at += 1;
        let max = self.number()?;
        if self.peek() != Some('}') {
            return Err(OldRegexError::Bounds);
        }
        self.at += 1;
        // In this dialect, `{m,n}` with m > n means no repetition at all.
        let (min, max) = if min > max { (0, 0) } else { (min, max) };
        Ok(self.builder.repeat(part, min, max))
    }

    fn number(&mut self) -> Result<u32, OldRegexError> {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        let digits: String = self.chars[start..self.at].iter().map(|(_, c)| *c).collect();
        let number = digits.parse::<u32>().map_err(|_| OldRegexError::Bounds)?;
        if number > MAX_REPEAT {
            return Err(OldRegexError::TooManyRepetitions);
        }
        Ok(number)
    }
}
