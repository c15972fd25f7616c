//! Random texts of a regular expression.
//!
//! A [`Regex`] is an arena of subexpressions in which each has a lower number than the one that contains it. Counting
//! and listing texts are therefore loops over the arena, without recursion. It is made from `regex-syntax` ([`Regex::parse`]) or by hand
//! ([`Builder`], for other dialects). Drawing is uniform over the alternatives of a choice, over the lengths of
//! a repetition and over the characters of a set; a repetition without end stops [`UNBOUNDED`] after its
//! least length.

use crate::Stream;
use regex_syntax::hir::{Class, Hir, HirKind, Look};
use std::collections::{BTreeSet, HashSet};

/// How much longer than its least length a repetition without end may become.
pub const UNBOUNDED: u32 = 8;

/// The largest number of repetitions in a pattern.
pub const MAX_REPEAT: u32 = 10_000;

/// Sets with more characters than this (`.`, `\w`, `[^"]`) give printable ASCII in 15 of 16 draws: uniform
/// draws would be CJK for the most part.
const LARGE_SET: u64 = 256;

/// A set of texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Regex {
    exprs: Vec<Expr>,
    /// By subexpression: its number of texts, saturating; a text counts once for each way to derive it.
    sizes: Vec<u64>,
    root: ExprId,
}

/// Names a subexpression of a [`Builder`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExprId(u32);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Expr {
    Text(String),
    Set { ranges: Vec<(char, char)>, ascii: Vec<(char, char)> },
    Sequence(Vec<ExprId>),
    Choice(Vec<ExprId>),
    Repeat { expr: ExprId, min: u32, max: u32 },
}

/// Builds a [`Regex`] bottom-up.
#[derive(Debug, Clone, Default)]
pub struct Builder {
    exprs: Vec<Expr>,
}

impl Builder {
    /// Adds a fixed text.
    pub fn text(&mut self, text: impl Into<String>) -> ExprId {
        self.add(Expr::Text(text.into()))
    }

    /// Adds one character of these inclusive ranges.
    pub fn set(&mut self, ranges: impl IntoIterator<Item = (char, char)>) -> ExprId {
        let mut sorted: Vec<(char, char)> = ranges.into_iter().filter(|(low, high)| low <= high).collect();
        sorted.sort_unstable();
        let mut ranges: Vec<(char, char)> = Vec::new();
        for (low, high) in sorted {
            match ranges.last_mut() {
                Some(last) if low <= last.1 => last.1 = last.1.max(high),
                _ => ranges.push((low, high)),
            }
        }
        let mut ascii = Vec::new();
        if n_chars(&ranges) > LARGE_SET {
            let printable = ranges.iter().map(|(low, high)| ((*low).max(' '), (*high).min('~')));
            ascii = printable.filter(|(low, high)| low <= high).collect();
        }
        self.add(Expr::Set { ranges, ascii })
    }

    /// Adds the concatenation of subexpressions.
    pub fn sequence(&mut self, exprs: Vec<ExprId>) -> ExprId {
        self.add(Expr::Sequence(exprs))
    }

    /// Adds a choice between subexpressions.
    pub fn choice(&mut self, exprs: Vec<ExprId>) -> ExprId {
        self.add(Expr::Choice(exprs))
    }

    /// Adds `min` to `max` repetitions. With `max < min` nothing matches.
    pub fn repeat(&mut self, expr: ExprId, min: u32, max: u32) -> ExprId {
        self.add(Expr::Repeat { expr, min, max })
    }

    /// Finishes the expression whose outermost subexpression is `root`.
    pub fn finish(self, root: ExprId) -> Regex {
        let mut sizes: Vec<u64> = Vec::with_capacity(self.exprs.len());
        for expr in &self.exprs {
            let size = |id: &ExprId| sizes[id.0 as usize];
            let size = match expr {
                Expr::Text(_) => 1,
                Expr::Set { ranges, .. } => n_chars(ranges),
                Expr::Sequence(exprs) => exprs.iter().map(size).fold(1, u64::saturating_mul),
                Expr::Choice(exprs) => exprs.iter().map(size).fold(0, u64::saturating_add),
                Expr::Repeat { expr, min, max } => n_repeated(size(expr), *min, *max),
            };
            sizes.push(size);
        }
        Regex { exprs: self.exprs, sizes, root }
    }

    fn add(&mut self, expr: Expr) -> ExprId {
        self.exprs.push(expr);
        ExprId(u32::try_from(self.exprs.len() - 1).expect("an expression has fewer than 2^32 subexpressions"))
    }

    fn hir(&mut self, hir: &Hir) -> Result<ExprId, ErrorKind> {
        Ok(match hir.kind() {
            HirKind::Empty => self.text(""),
            HirKind::Literal(literal) => {
                let text = std::str::from_utf8(&literal.0).map_err(|_| ErrorKind::NotText)?;
                self.text(text)
            }
            HirKind::Class(Class::Unicode(class)) => {
                self.set(class.iter().map(|range| (range.start(), range.end())))
            }
            HirKind::Class(Class::Bytes(class)) => {
                self.set(class.iter().map(|range| (char::from(range.start()), char::from(range.end()))))
            }
            // A whole text is drawn, so anchors at its ends are always true; elsewhere they never are.
            HirKind::Look(Look::Start | Look::End) => self.text(""),
            HirKind::Look(_) => return Err(ErrorKind::Assertion),
            HirKind::Repetition(repetition) => {
                let expr = self.hir(&repetition.sub)?;
                let max = repetition.max.unwrap_or(repetition.min.saturating_add(UNBOUNDED));
                if max > MAX_REPEAT {
                    return Err(ErrorKind::TooManyRepetitions);
                }
                self.repeat(expr, repetition.min, max)
            }
            HirKind::Capture(capture) => self.hir(&capture.sub)?,
            HirKind::Concat(exprs) => {
                let exprs = exprs.iter().map(|expr| self.hir(expr)).collect::<Result<_, _>>()?;
                self.sequence(exprs)
            }
            HirKind::Alternation(exprs) => {
                let exprs = exprs.iter().map(|expr| self.hir(expr)).collect::<Result<_, _>>()?;
                self.choice(exprs)
            }
        })
    }
}

/// Why a pattern cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct Error {
    /// What is wrong.
    pub kind: ErrorKind,
    /// The bytes of the pattern with the error.
    pub range: std::ops::Range<usize>,
}

/// What is wrong with a pattern.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ErrorKind {
    /// It is not a regular expression. The text is the message of `regex-syntax`.
    #[error("{0}")]
    Syntax(String),
    /// It matches bytes that are not UTF-8.
    #[error("it matches bytes that are no text")]
    NotText,
    /// It has an assertion other than the start or the end of the text.
    #[error("assertions such as `\\b` cannot be drawn from")]
    Assertion,
    /// It repeats something more than [`MAX_REPEAT`] times.
    #[error("it repeats a part more than {MAX_REPEAT} times")]
    TooManyRepetitions,
}

impl Regex {
    /// Reads the usual syntax of regular expressions (of the `regex` crate).
    pub fn parse(pattern: &str) -> Result<Regex, Error> {
        let hir = regex_syntax::Parser::new().parse(pattern).map_err(|error| {
            let (span, message) = match &error {
                regex_syntax::Error::Parse(error) => (Some(*error.span()), error.kind().to_string()),
                regex_syntax::Error::Translate(error) => (Some(*error.span()), error.kind().to_string()),
                _ => (None, error.to_string()),
            };
            let range = span.map_or(0..pattern.len(), |span| span.start.offset..span.end.offset);
            Error { kind: ErrorKind::Syntax(message), range }
        })?;
        let mut builder = Builder::default();
        // The parser bounds how deep expressions nest, so this recursion is bounded.
        let root = builder.hir(&hir).map_err(|kind| Error { kind, range: 0..pattern.len() })?;
        Ok(builder.finish(root))
    }

    /// An upper bound on the number of texts: a text counts once for each way to derive it, and the count saturates.
    /// 0 means that nothing matches.
    pub fn size(&self) -> u64 {
        self.sizes[self.root.0 as usize]
    }

    /// Whether the empty text matches.
    pub fn matches_empty(&self) -> bool {
        let mut empty: Vec<bool> = Vec::with_capacity(self.exprs.len());
        for expr in &self.exprs {
            let is_empty = |id: &ExprId| empty[id.0 as usize];
            let expr = match expr {
                Expr::Text(text) => text.is_empty(),
                Expr::Set { .. } => false,
                Expr::Sequence(exprs) => exprs.iter().all(is_empty),
                Expr::Choice(exprs) => exprs.iter().any(is_empty),
                Expr::Repeat { expr, min, max } => min <= max && (*min == 0 || is_empty(expr)),
            };
            empty.push(expr);
        }
        empty[self.root.0 as usize]
    }

    /// Appends a random text to `out`; appends nothing if nothing matches.
    pub fn sample(&self, stream: &mut Stream, out: &mut String) {
        self.sample_with(stream, out, &mut Vec::new());
    }

    /// As [`Regex::sample`], with a reusable stack.
    fn sample_with(&self, stream: &mut Stream, out: &mut String, todo: &mut Vec<ExprId>) {
        if self.size() == 0 {
            return;
        }
        todo.push(self.root);
        while let Some(id) = todo.pop() {
            match &self.exprs[id.0 as usize] {
                Expr::Text(text) => out.push_str(text),
                Expr::Set { ranges, ascii } => {
                    let likely = !ascii.is_empty() && stream.chance(15, 16);
                    out.push(pick_char(if likely { ascii } else { ranges }, stream));
                }
                Expr::Sequence(exprs) => todo.extend(exprs.iter().rev()),
                Expr::Choice(exprs) => {
                    let possible = |id: &&ExprId| self.sizes[id.0 as usize] > 0;
                    let n = exprs.iter().filter(possible).count();
                    todo.extend(exprs.iter().filter(possible).nth(stream.index(n)));
                }
                Expr::Repeat { expr, min, max } => {
                    let possible = self.sizes[expr.0 as usize] > 0;
                    let n = if possible { stream.between(u64::from(*min), u64::from(*max)) } else { 0 };
                    todo.extend(std::iter::repeat_n(*expr, n as usize));
                }
            }
        }
    }

    /// All texts, sorted, if there are at most `limit`.
    pub fn all(&self, limit: u64) -> Option<Vec<String>> {
        if self.size() > limit {
            return None;
        }
        let mut all: Vec<BTreeSet<String>> = Vec::with_capacity(self.exprs.len());
        for (expr, size) in self.exprs.iter().zip(&self.sizes) {
            // A subexpression with more texts than the whole is never used (`x{0}`).
            let texts = if *size > limit {
                BTreeSet::new()
            } else {
                let of = |id: &ExprId| &all[id.0 as usize];
                match expr {
                    Expr::Text(text) => BTreeSet::from([text.clone()]),
                    Expr::Set { ranges, .. } => {
                        ranges.iter().flat_map(|(low, high)| *low..=*high).map(String::from).collect()
                    }
                    Expr::Sequence(exprs) => exprs
                        .iter()
                        .fold(BTreeSet::from([String::new()]), |so_far, id| product(&so_far, of(id))),
                    Expr::Choice(exprs) => exprs.iter().flat_map(|id| of(id).iter().cloned()).collect(),
                    Expr::Repeat { expr, min, max } => repeated(of(expr), *min, *max),
                }
            };
            all.push(texts);
        }
        all.pop()
            .filter(|_| self.root.0 as usize + 1 == self.exprs.len())
            .map(|texts| texts.into_iter().collect())
    }

    /// Up to `count` distinct texts in random order: all texts if there are at most `count`, else random ones.
    ///
    /// Where texts repeat so often that `16 * count` draws do not give enough, the pool stays smaller.
    pub fn pool(&self, count: u32, stream: &mut Stream) -> Vec<String> {
        if let Some(mut all) = self.all(u64::from(count)) {
            stream.shuffle(&mut all);
            return all;
        }
        let mut seen: HashSet<String> = HashSet::with_capacity(count as usize);
        let mut pool = Vec::with_capacity(count as usize);
        let (mut text, mut todo) = (String::new(), Vec::new());
        for _ in 0..u64::from(count) * 16 {
            if pool.len() == count as usize {
                break;
            }
            text.clear();
            self.sample_with(stream, &mut text, &mut todo);
            if !seen.contains(&text) {
                seen.insert(text.clone());
                pool.push(text.clone());
            }
        }
        pool
    }
}

fn n_chars(ranges: &[(char, char)]) -> u64 {
    ranges.iter().map(|(low, high)| (*low..=*high).size_hint().0 as u64).sum()
}

fn pick_char(ranges: &[(char, char)], stream: &mut Stream) -> char {
    let mut at = stream.below(n_chars(ranges)) as usize;
    for (low, high) in ranges {
        let n = (*low..=*high).size_hint().0;
        if at < n {
            return (*low..=*high).nth(at).unwrap_or(*low);
        }
        at -= n;
    }
    ranges[0].0
}

fn n_repeated(size: u64, min: u32, max: u32) -> u64 {
    if size == 1 && min <= max {
        return u64::from(max - min) + 1;
    }
    let mut total = 0_u64;
    let mut power = 1_u64;
    for n in 0..=u64::from(max) {
        if n >= u64::from(min) && min <= max {
            total = total.saturating_add(power);
        }
        if size == 0 && n > 0 || total == u64::MAX {
            break;
        }
        power = power.saturating_mul(size);
    }
    total
}

fn product(left: &BTreeSet<String>, right: &BTreeSet<String>) -> BTreeSet<String> {
    left.iter().flat_map(|a| right.iter().map(move |b| format!("{a}{b}"))).collect()
}

fn repeated(texts: &BTreeSet<String>, min: u32, max: u32) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut power = BTreeSet::from([String::new()]);
    for n in 0..=max {
        if n >= min {
            all.extend(power.iter().cloned());
        }
        if n < max {
            power = product(&power, texts);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(pattern: &str) -> Vec<String> {
        Regex::parse(pattern).unwrap().all(1000).unwrap()
    }

    #[test]
    fn small_languages_are_listed_exactly() {
        assert_eq!(all("[a]{1,3}"), ["a", "aa", "aaa"]);
        assert_eq!(all("x|[0-2]"), ["0", "1", "2", "x"]);
        assert_eq!(all("a|a|b"), ["a", "b"]);
        assert_eq!(all("(ab|c)?d"), ["abd", "cd", "d"]);
        assert_eq!(all("^a{0}$"), [""]);
    }

    #[test]
    fn nothing_matches_is_seen() {
        assert_eq!(Regex::parse("[a&&b]").unwrap().size(), 0);
        assert_eq!(Regex::parse("x[a&&b]{0,2}").unwrap().all(9).unwrap(), ["x"]);
        assert!(Regex::parse("[0-9]{0,2}").unwrap().matches_empty());
        assert!(!Regex::parse("[0-9]{1,2}").unwrap().matches_empty());
    }

    #[test]
    fn drawn_texts_match_and_pools_are_distinct() {
        let pattern = r"[a-z_][a-z0-9_]{0,4}(\.[0-9]+)?";
        let regex = Regex::parse(pattern).unwrap();
        let check = regex::Regex::new(&format!("^({pattern})$")).unwrap();
        let mut stream = Stream::keyed(&[7]);
        let pool = regex.pool(50, &mut stream);
        assert_eq!(pool.len(), 50);
        assert_eq!(pool.iter().collect::<BTreeSet<_>>().len(), 50);
        assert!(pool.iter().all(|text| check.is_match(text)), "{pool:?}");
    }

    #[test]
    fn errors_say_where() {
        let error = Regex::parse("ab[c").unwrap_err();
        assert_eq!((error.range.start, error.to_string().as_str()), (2, "unclosed character class"));
        assert!(Regex::parse(r"a\bb").is_err());
    }

    #[test]
    fn long_repetitions_are_drawn_without_recursion() {
        let regex = Regex::parse("(a|b){5000}").unwrap();
        let mut text = String::new();
        regex.sample(&mut Stream::keyed(&[1]), &mut text);
        assert_eq!(text.len(), 5000);
        assert_eq!(regex.size(), u64::MAX);
    }
}
