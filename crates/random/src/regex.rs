//! Texts of a regular expression.
//!
//! A [`Regex`] is a small arena in which parts stand before what contains them, so sizes and lists of all
//! texts are loops over it and nothing recurses. It is made from `regex-syntax` ([`Regex::parse`]) or by hand
//! ([`Builder`], for other dialects). Drawing is uniform over the alternatives of a choice, over the lengths of
//! a repetition and over the characters of a set; a repetition without end stops [`UNBOUNDED`] after its
//! least length.

use crate::Stream;
use regex_syntax::hir::{Class, Hir, HirKind, Look};
use std::collections::{BTreeSet, HashSet};

/// How much longer than its least length a repetition without end may become.
pub const UNBOUNDED: u32 = 8;

/// How often a part may be repeated at most.
pub const MAX_REPEAT: u32 = 10_000;

/// Sets with more characters than this (`.`, `\w`, `[^"]`) give printable ASCII in 15 of 16 draws: uniform
/// draws would be CJK for the most part.
const LARGE_SET: u64 = 256;

/// A set of texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Regex {
    parts: Vec<Part>,
    /// For each part, how many texts it has, ambiguous ones counted several times; saturating.
    sizes: Vec<u64>,
    root: PartId,
}

/// Names a part of a [`Builder`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartId(u32);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Set { ranges: Vec<(char, char)>, ascii: Vec<(char, char)> },
    Sequence(Vec<PartId>),
    Choice(Vec<PartId>),
    Repeat { part: PartId, min: u32, max: u32 },
}

/// Makes a [`Regex`] from the inside out.
#[derive(Debug, Clone, Default)]
pub struct Builder {
    parts: Vec<Part>,
}

impl Builder {
    /// A text.
    pub fn text(&mut self, text: impl Into<String>) -> PartId {
        self.add(Part::Text(text.into()))
    }

    /// One character of these inclusive ranges.
    pub fn set(&mut self, ranges: impl IntoIterator<Item = (char, char)>) -> PartId {
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
        self.add(Part::Set { ranges, ascii })
    }

    /// One after the other.
    pub fn sequence(&mut self, parts: Vec<PartId>) -> PartId {
        self.add(Part::Sequence(parts))
    }

    /// One of them.
    pub fn choice(&mut self, parts: Vec<PartId>) -> PartId {
        self.add(Part::Choice(parts))
    }

    /// `min` to `max` times. With `max < min` there is no such text.
    pub fn repeat(&mut self, part: PartId, min: u32, max: u32) -> PartId {
        self.add(Part::Repeat { part, min, max })
    }

    /// The expression whose outermost part is `root`.
    pub fn finish(self, root: PartId) -> Regex {
        let mut sizes: Vec<u64> = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let size = |id: &PartId| sizes[id.0 as usize];
            let size = match part {
                Part::Text(_) => 1,
                Part::Set { ranges, .. } => n_chars(ranges),
                Part::Sequence(parts) => parts.iter().map(size).fold(1, u64::saturating_mul),
                Part::Choice(parts) => parts.iter().map(size).fold(0, u64::saturating_add),
                Part::Repeat { part, min, max } => n_repeated(size(part), *min, *max),
            };
            sizes.push(size);
        }
        Regex { parts: self.parts, sizes, root }
    }

    fn add(&mut self, part: Part) -> PartId {
        self.parts.push(part);
        PartId(u32::try_from(self.parts.len() - 1).expect("an expression has fewer than 2^32 parts"))
    }

    fn hir(&mut self, hir: &Hir) -> Result<PartId, String> {
        Ok(match hir.kind() {
            HirKind::Empty => self.text(""),
            HirKind::Literal(literal) => {
                let text =
                    std::str::from_utf8(&literal.0).map_err(|_| "it matches bytes that are no text")?;
                self.text(text)
            }
            HirKind::Class(Class::Unicode(class)) => {
                self.set(class.iter().map(|range| (range.start(), range.end())))
            }
            HirKind::Class(Class::Bytes(class)) => {
                self.set(class.iter().map(|range| (char::from(range.start()), char::from(range.end()))))
            }
            // A text is drawn whole, so anchors at its ends say nothing; elsewhere they cannot be met.
            HirKind::Look(Look::Start | Look::End) => self.text(""),
            HirKind::Look(_) => return Err("assertions such as `\\b` cannot be drawn from".to_owned()),
            HirKind::Repetition(repetition) => {
                let part = self.hir(&repetition.sub)?;
                let max = repetition.max.unwrap_or(repetition.min.saturating_add(UNBOUNDED));
                if max > MAX_REPEAT {
                    return Err(format!("it repeats a part more than {MAX_REPEAT} times"));
                }
                self.repeat(part, repetition.min, max)
            }
            HirKind::Capture(capture) => self.hir(&capture.sub)?,
            HirKind::Concat(parts) => {
                let parts = parts.iter().map(|part| self.hir(part)).collect::<Result<_, _>>()?;
                self.sequence(parts)
            }
            HirKind::Alternation(parts) => {
                let parts = parts.iter().map(|part| self.hir(part)).collect::<Result<_, _>>()?;
                self.choice(parts)
            }
        })
    }
}

/// An expression that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// What is wrong, as the end of a sentence.
    pub message: String,
    /// The bytes of the pattern that are meant.
    pub range: std::ops::Range<usize>,
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
            Error { message, range }
        })?;
        let mut builder = Builder::default();
        // The parser bounds how deep expressions nest, so this recursion is bounded.
        let root = builder.hir(&hir).map_err(|message| Error { message, range: 0..pattern.len() })?;
        Ok(builder.finish(root))
    }

    /// How many texts there are at most: ambiguous ones count several times, and `u64::MAX` is "very many".
    /// 0 means that nothing matches.
    pub fn size(&self) -> u64 {
        self.sizes[self.root.0 as usize]
    }

    /// Whether the empty text is among them.
    pub fn matches_empty(&self) -> bool {
        let mut empty: Vec<bool> = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let is_empty = |id: &PartId| empty[id.0 as usize];
            let part = match part {
                Part::Text(text) => text.is_empty(),
                Part::Set { .. } => false,
                Part::Sequence(parts) => parts.iter().all(is_empty),
                Part::Choice(parts) => parts.iter().any(is_empty),
                Part::Repeat { part, min, max } => min <= max && (*min == 0 || is_empty(part)),
            };
            empty.push(part);
        }
        empty[self.root.0 as usize]
    }

    /// Draws a text onto the end of `out`; adds nothing if nothing matches.
    pub fn sample(&self, stream: &mut Stream, out: &mut String) {
        self.sample_with(stream, out, &mut Vec::new());
    }

    /// As [`Regex::sample`]; `todo` lends memory.
    fn sample_with(&self, stream: &mut Stream, out: &mut String, todo: &mut Vec<PartId>) {
        if self.size() == 0 {
            return;
        }
        todo.push(self.root);
        while let Some(id) = todo.pop() {
            match &self.parts[id.0 as usize] {
                Part::Text(text) => out.push_str(text),
                Part::Set { ranges, ascii } => {
                    let likely = !ascii.is_empty() && stream.chance(15, 16);
                    out.push(pick_char(if likely { ascii } else { ranges }, stream));
                }
                Part::Sequence(parts) => todo.extend(parts.iter().rev()),
                Part::Choice(parts) => {
                    let possible = |id: &&PartId| self.sizes[id.0 as usize] > 0;
                    let n = parts.iter().filter(possible).count();
                    todo.extend(parts.iter().filter(possible).nth(stream.index(n)));
                }
                Part::Repeat { part, min, max } => {
                    let possible = self.sizes[part.0 as usize] > 0;
                    let n = if possible { stream.between(u64::from(*min), u64::from(*max)) } else { 0 };
                    todo.extend(std::iter::repeat_n(*part, n as usize));
                }
            }
        }
    }

    /// All texts, sorted, if there are at most `limit`.
    pub fn all(&self, limit: u64) -> Option<Vec<String>> {
        if self.size() > limit {
            return None;
        }
        let mut all: Vec<BTreeSet<String>> = Vec::with_capacity(self.parts.len());
        for (part, size) in self.parts.iter().zip(&self.sizes) {
            // A part with more texts than the whole is never used (`x{0}`).
            let texts = if *size > limit {
                BTreeSet::new()
            } else {
                let of = |id: &PartId| &all[id.0 as usize];
                match part {
                    Part::Text(text) => BTreeSet::from([text.clone()]),
                    Part::Set { ranges, .. } => {
                        ranges.iter().flat_map(|(low, high)| *low..=*high).map(String::from).collect()
                    }
                    Part::Sequence(parts) => parts
                        .iter()
                        .fold(BTreeSet::from([String::new()]), |so_far, id| product(&so_far, of(id))),
                    Part::Choice(parts) => parts.iter().flat_map(|id| of(id).iter().cloned()).collect(),
                    Part::Repeat { part, min, max } => repeated(of(part), *min, *max),
                }
            };
            all.push(texts);
        }
        all.pop()
            .filter(|_| self.root.0 as usize + 1 == self.parts.len())
            .map(|texts| texts.into_iter().collect())
    }

    /// Up to `count` distinct texts in random order: all there are if there are no more, else drawn ones.
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
        assert_eq!((error.range.start, error.message.as_str()), (2, "unclosed character class"));
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
