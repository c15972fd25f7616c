//! The regular expressions of literal classes, in both dialects.
//!
//! `.lala` files have the usual syntax. The older dialect of `.ls` files has sequences, `|`, `(…)`, `[…]` and
//! `{m,n}` behind a bracket, and nothing else: `+ * . ^ ? $` and the backslash are ordinary characters.

use crate::codes;
use crate::syntax::{Dialect, Text};
use polysmith_random::regex::{Builder, ExprId, MAX_REPEAT, Regex};
use polysmith_source::{Diagnostics, Span};
use polysmith_value::syntax::Name;

/// How deep brackets may nest in the older dialect.
const MAX_NESTING: usize = 100;

/// The texts of a class. What is wrong is reported; a class without texts has none.
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
                "characters stand side by side in brackets: `[-+*/]`; write `[|]` alone if the bar is meant",
            );
    }
    match Regex::parse(&literal.text) {
        Ok(regex) => Some(regex),
        Err(error) => {
            let span = inside(literal, error.range.start, error.range.end);
            let message = format!("this regular expression cannot be used: {}", error.message);
            found.error(codes::REGEX, span, message);
            None
        }
    }
}

/// The first `|` between brackets with other characters: most often somebody meant alternatives.
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

/// A part of the expression as a span, where the string is written without escapes or line breaks.
fn inside(literal: &Text, start: usize, end: usize) -> Span {
    let plain = (literal.span.end - literal.span.start) as usize == literal.text.len() + 2;
    if !plain {
        return literal.span;
    }
    let first = literal.span.start as usize + 1;
    Span::new(literal.span.source, first + start, first + end.max(start + 1))
}

fn old(literal: &Text, found: &mut Diagnostics) -> Option<Regex> {
    let mut parser =
        Old { chars: literal.text.char_indices().collect(), at: 0, builder: Builder::default(), depth: 0 };
    let parsed = parser.choice().and_then(|root| match parser.peek() {
        None => Ok(root),
        Some(_) => Err(format!("`{}` has no counterpart", parser.chars[parser.at].1)),
    });
    match parsed {
        Ok(root) => Some(parser.builder.finish(root)),
        Err(message) => {
            let at = parser.chars.get(parser.at).map_or(literal.text.len(), |(at, _)| *at);
            let span = inside(literal, at, at + 1);
            found
                .error(codes::REGEX, span, format!("this regular expression cannot be used: {message}"))
                .help("files named `.ls` have the older dialect: `|`, `(…)`, `[…]`, and `{m,n}` behind a bracket");
            None
        }
    }
}

struct Old {
    chars: Vec<(usize, char)>,
    at: usize,
    builder: Builder,
    depth: usize,
}

impl Old {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).map(|(_, c)| *c)
    }

    fn choice(&mut self) -> Result<ExprId, String> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return Err(format!("it nests deeper than {MAX_NESTING} levels"));
        }
        let mut parts = vec![self.sequence()?];
        while self.peek() == Some('|') {
            self.at += 1;
            parts.push(self.sequence()?);
        }
        self.depth -= 1;
        Ok(if parts.len() == 1 { parts[0] } else { self.builder.choice(parts) })
    }

    fn sequence(&mut self) -> Result<ExprId, String> {
        let mut parts = Vec::new();
        while let Some(c) = self.peek() {
            let part = match c {
                '|' | ')' => break,
                '(' => {
                    self.at += 1;
                    let inner = self.choice()?;
                    if self.peek() != Some(')') {
                        return Err("`(` is not closed".to_owned());
                    }
                    self.at += 1;
                    self.bounds(inner)?
                }
                '[' => {
                    let set = self.set()?;
                    self.bounds(set)?
                }
                ']' | '{' | '}' => return Err(format!("`{c}` cannot stand here")),
                c => {
                    self.at += 1;
                    self.builder.text(c)
                }
            };
            parts.push(part);
        }
        Ok(if parts.len() == 1 { parts[0] } else { self.builder.sequence(parts) })
    }

    fn set(&mut self) -> Result<ExprId, String> {
        self.at += 1;
        let mut ranges = Vec::new();
        loop {
            let Some(first) = self.peek() else { return Err("`[` is not closed".to_owned()) };
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

    fn bounds(&mut self, part: ExprId) -> Result<ExprId, String> {
        if self.peek() != Some('{') {
            return Ok(part);
        }
        self.at += 1;
        let min = self.number()?;
        if self.peek() != Some(',') {
            return Err("bounds are written `{m,n}`".to_owned());
        }
        self.at += 1;
        let max = self.number()?;
        if self.peek() != Some('}') {
            return Err("bounds are written `{m,n}`".to_owned());
        }
        self.at += 1;
        // `{m,n}` with m > n means no repetition at all in this dialect.
        let (min, max) = if min > max { (0, 0) } else { (min, max) };
        Ok(self.builder.repeat(part, min, max))
    }

    fn number(&mut self) -> Result<u32, String> {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        let digits: String = self.chars[start..self.at].iter().map(|(_, c)| *c).collect();
        let number = digits.parse::<u32>().map_err(|_| "bounds are written `{m,n}`".to_owned())?;
        if number > MAX_REPEAT {
            return Err(format!("it repeats a part more than {MAX_REPEAT} times"));
        }
        Ok(number)
    }
}
