//! Characters of lexer rules: literals, ranges, sets, and what `caseInsensitive` adds to them.
//!
//! Everything here is a pure function of the written text. Problems are returned as data: the checker reports them,
//! lowering uses as much of the set as is valid.

use crate::unicode;
use polysmith_grammar::{CharSet, MAX_CODE_POINT};

/// A problem in a character set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SetProblem {
    /// An unknown escape; the whole set is ignored.
    Escape(String),
    /// A Unicode property as a bound of a range; the whole set is ignored.
    PropertyInRange,
    /// The bounds of a range are reversed.
    Reversed(u32, u32),
    /// The set is empty.
    Empty,
    /// These characters are in the set more than once.
    Twice(u32, u32),
    /// `A-z`, which also contains the characters between the letters.
    Between(u32, u32),
}

/// The code points of a literal, given with its quotes. `None` if it has an invalid escape.
pub(crate) fn literal(spelled: &str) -> Option<Vec<u32>> {
    let inner = spelled.strip_prefix('\'')?;
    let inner = inner.strip_suffix('\'').unwrap_or(inner);
    let mut points = Vec::new();
    let mut rest = inner;
    while let Some(c) = rest.chars().next() {
        if c == '\\' {
            let (point, length) = match escape(rest) {
                Escape::Point(point, length) => (point, length),
                _ if rest.starts_with("\\'") => (u32::from('\''), 2),
                _ => return None,
            };
            points.push(point);
            rest = &rest[length..];
        } else {
            points.push(c.into());
            rest = &rest[c.len_utf8()..];
        }
    }
    Some(join_surrogates(points))
}

/// `\uD83D\uDE00` is one character, as in Java's strings.
fn join_surrogates(points: Vec<u32>) -> Vec<u32> {
    let mut joined: Vec<u32> = Vec::with_capacity(points.len());
    for point in points {
        match joined.last_mut() {
            Some(high @ 0xD800..=0xDBFF) if (0xDC00..=0xDFFF).contains(&point) => {
                *high = 0x1_0000 + ((*high - 0xD800) << 10) + (point - 0xDC00);
            }
            _ => joined.push(point),
        }
    }
    joined
}

/// The code point of a literal that has exactly one.
pub(crate) fn single(spelled: &str) -> Option<u32> {
    match literal(spelled)?[..] {
        [point] => Some(point),
        _ => None,
    }
}

/// The text of a literal. Surrogates, which no text contains, become replacement characters.
pub(crate) fn text(points: &[u32]) -> String {
    points.iter().map(|point| char::from_u32(*point).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

enum Escape {
    Point(u32, usize),
    Property(CharSet, usize),
    Wrong(usize),
}

/// Reads the escape of a set at the start of `text`, with its length in bytes.
fn escape(text: &str) -> Escape {
    let Some(c) = text[1..].chars().next() else { return Escape::Wrong(text.len()) };
    let simple = |point: char| Escape::Point(point.into(), 2);
    match c {
        'n' => simple('\n'),
        'r' => simple('\r'),
        't' => simple('\t'),
        'b' => simple('\u{8}'),
        'f' => simple('\u{c}'),
        '\\' | ']' | '-' => simple(c),
        'u' => unicode_escape(text),
        'p' | 'P' => property_escape(text, c == 'P'),
        c => Escape::Wrong(1 + c.len_utf8()),
    }
}

fn unicode_escape(text: &str) -> Escape {
    let (digits, length) = match text[2..].strip_prefix('{') {
        Some(braced) => match braced.find('}') {
            Some(end) => (&braced[..end], end + 4),
            None => return Escape::Wrong(text.len()),
        },
        None => match text.get(2..6) {
            Some(digits) => (digits, 6),
            None => return Escape::Wrong(text.len()),
        },
    };
    let hex = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit());
    match u32::from_str_radix(digits, 16).ok().filter(|point| hex && *point <= MAX_CODE_POINT) {
        Some(point) => Escape::Point(point, length),
        None => Escape::Wrong(length),
    }
}

fn property_escape(text: &str, inverted: bool) -> Escape {
    let Some(braced) = text[2..].strip_prefix('{') else { return Escape::Wrong(2) };
    let Some(end) = braced.find('}') else { return Escape::Wrong(text.len()) };
    match unicode::property(&braced[..end]) {
        Some(set) if inverted => Escape::Property(set.complement(), end + 4),
        Some(set) => Escape::Property(set, end + 4),
        None => Escape::Wrong(end + 4),
    }
}

/// Collects the elements of a set.
#[derive(Debug, Default)]
pub(crate) struct SetBuilder {
    ranges: Vec<(u32, u32)>,
    fold_case: bool,
    pub(crate) problems: Vec<SetProblem>,
}

impl SetBuilder {
    pub(crate) fn new(fold_case: bool) -> SetBuilder {
        SetBuilder { ranges: Vec::new(), fold_case, problems: Vec::new() }
    }

    pub(crate) fn finish(self) -> CharSet {
        CharSet::from_ranges(self.ranges)
    }

    /// Adds a range of a rule, in both cases if the rule ignores case.
    pub(crate) fn add(&mut self, low: u32, high: u32) {
        let folded = folded(low, high);
        if folded.mixed && is_suspicious(low, high) {
            self.problems.push(SetProblem::Between(low, high));
        }
        let parts = match folded.both_cases.filter(|_| self.fold_case) {
            Some(both) => both.to_vec(),
            None => vec![(low, high)],
        };
        let mut reported = false;
        for (low, high) in parts {
            if !reported && self.ranges.iter().any(|have| have.0 <= high && low <= have.1) {
                self.problems.push(SetProblem::Twice(low, high));
                reported = true;
            }
            if low <= high {
                self.ranges.push((low, high));
            }
        }
    }

    /// Adds a set unchanged.
    pub(crate) fn add_all(&mut self, set: &CharSet) {
        self.ranges.extend_from_slice(set.ranges());
    }

    /// Adds the content of a `[…]`, given with its brackets.
    pub(crate) fn add_spelled(&mut self, spelled: &str) {
        let mut inner = SetBuilder::new(self.fold_case);
        if inner.read(spelled).is_none() {
            inner.ranges.clear();
        } else if inner.ranges.is_empty() {
            inner.problems.push(SetProblem::Empty);
        }
        self.problems.append(&mut inner.problems);
        self.ranges.append(&mut inner.ranges);
    }

    /// Reads a set from left to right. `None` after an error that invalidates the whole set.
    fn read(&mut self, spelled: &str) -> Option<()> {
        let inner = spelled.get(1..spelled.len().saturating_sub(1)).unwrap_or("");
        let mut before = Preceding::Nothing;
        let mut rest = inner;
        while let Some(c) = rest.chars().next() {
            let at_edge = rest.len() == inner.len() || rest.len() == 1;
            if c == '\\' {
                rest = &rest[self.read_escape(rest, &mut before)?..];
                continue;
            }
            rest = &rest[c.len_utf8()..];
            match before {
                Preceding::Point(low) if c == '-' && !at_edge => before = Preceding::Open(low),
                Preceding::Property if c == '-' && !at_edge => {
                    self.problems.push(SetProblem::PropertyInRange);
                    return None;
                }
                _ => self.point(c.into(), &mut before),
            }
        }
        match before {
            Preceding::Point(last) | Preceding::Open(last) => self.add(last, last),
            Preceding::Nothing | Preceding::Property => {}
        }
        Some(())
    }

    fn read_escape(&mut self, rest: &str, before: &mut Preceding) -> Option<usize> {
        match escape(rest) {
            Escape::Point(point, length) => {
                self.point(point, before);
                Some(length)
            }
            Escape::Property(..) if matches!(before, Preceding::Open(_)) => {
                self.problems.push(SetProblem::PropertyInRange);
                None
            }
            Escape::Property(set, length) => {
                if let Preceding::Point(point) = *before {
                    self.add(point, point);
                }
                self.add_all(&set);
                *before = Preceding::Property;
                Some(length)
            }
            Escape::Wrong(length) => {
                let length = (0..=length.min(rest.len())).rev().find(|at| rest.is_char_boundary(*at));
                let wrong = rest[..length.unwrap_or(0)].to_owned();
                self.problems.push(SetProblem::Escape(wrong));
                None
            }
        }
    }

    /// Adds one code point: the upper bound of a range, or a possible lower bound.
    fn point(&mut self, point: u32, before: &mut Preceding) {
        match *before {
            Preceding::Open(low) => {
                if low > point {
                    self.problems.push(SetProblem::Reversed(low, point));
                }
                self.add(low, point);
                *before = Preceding::Nothing;
                return;
            }
            Preceding::Point(previous) => self.add(previous, previous),
            Preceding::Nothing | Preceding::Property => {}
        }
        *before = Preceding::Point(point);
    }
}

/// What precedes the current position in a set.
#[derive(Clone, Copy)]
enum Preceding {
    /// The start, or a finished range.
    Nothing,
    /// A code point that may begin a range.
    Point(u32),
    /// A code point and `-`.
    Open(u32),
    /// A Unicode property.
    Property,
}

struct Folded {
    /// Whether exactly one bound is an upper case letter.
    mixed: bool,
    /// The range in lower and in upper case, if both are valid.
    both_cases: Option<[(u32, u32); 2]>,
}

fn folded(low: u32, high: u32) -> Folded {
    let lower = (to_lower(low), to_lower(high));
    let upper = (to_upper(low), to_upper(high));
    let mixed = (lower.0 == low) != (lower.1 == high);
    let same_length = i64::from(lower.1) - i64::from(lower.0) == i64::from(upper.1) - i64::from(upper.0);
    let both = lower != upper && !mixed && same_length;
    Folded { mixed, both_cases: both.then_some([lower, upper]) }
}

/// Whether ANTLR warns of a range such as `[A-z]`: an ASCII range with other characters between the letters.
fn is_suspicious(low: u32, high: u32) -> bool {
    high <= 127 && (low..high).any(|point| !char::from_u32(point).is_some_and(char::is_alphabetic))
}

/// Maps a code point to lower case, as Java's `Character.toLowerCase`.
fn to_lower(point: u32) -> u32 {
    match point {
        0x130 => 0x69,
        0x1F88..=0x1F8F | 0x1F98..=0x1F9F | 0x1FA8..=0x1FAF => point - 8,
        0x1FBC | 0x1FCC | 0x1FFC => point - 9,
        _ => one(point, char::to_lowercase),
    }
}

/// Maps a code point to upper case, as Java's `Character.toUpperCase`.
fn to_upper(point: u32) -> u32 {
    match point {
        0x1F80..=0x1F87 | 0x1F90..=0x1F97 | 0x1FA0..=0x1FA7 => point + 8,
        0x1FB3 | 0x1FC3 | 0x1FF3 => point + 9,
        _ => one(point, char::to_uppercase),
    }
}

fn one<I: Iterator<Item = char>>(point: u32, map: impl Fn(char) -> I) -> u32 {
    let Some(c) = char::from_u32(point) else { return point };
    let mut mapped = map(c);
    match (mapped.next(), mapped.next()) {
        (Some(single), None) => single.into(),
        _ => point,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(spelled: &str, fold_case: bool) -> (Vec<(u32, u32)>, Vec<SetProblem>) {
        let mut builder = SetBuilder::new(fold_case);
        builder.add_spelled(spelled);
        let problems = std::mem::take(&mut builder.problems);
        (builder.finish().ranges().to_vec(), problems)
    }

    fn points(text: &str) -> Vec<(u32, u32)> {
        CharSet::from_ranges(text.chars().map(|c| (c.into(), c.into()))).ranges().to_vec()
    }

    #[test]
    fn a_dash_is_literal_at_the_edges_and_after_a_range() {
        assert_eq!(set("[-a]", false), (points("-a"), vec![]));
        assert_eq!(set("[b-]", false), (points("b-"), vec![]));
        assert_eq!(set("[c-d-f]", false), (points("cd-f"), vec![]));
        assert_eq!(set("[a\\-c]", false), (points("a-c"), vec![]));
    }

    #[test]
    fn wrong_sets_are_empty_or_cut() {
        assert_eq!(set("[]", false), (vec![], vec![SetProblem::Empty]));
        assert_eq!(set("[z-a]", false), (vec![], vec![SetProblem::Reversed(122, 97), SetProblem::Empty]));
        assert_eq!(set("[a\\q]", false), (vec![], vec![SetProblem::Escape("\\q".into())]));
        assert_eq!(set("[\\p{L}-z]", false), (vec![], vec![SetProblem::PropertyInRange]));
        assert_eq!(set("[a-\\p{L}]", false), (vec![], vec![SetProblem::PropertyInRange]));
        assert_eq!(set("[\\u{110000}]", false).1, [SetProblem::Escape("\\u{110000}".into())]);
    }

    #[test]
    fn case_is_folded_by_range() {
        assert_eq!(set("[a-c]", true), (points("abcABC"), vec![]));
        assert_eq!(set("[^-b]", true), (points("^_`ab"), vec![]));
        assert_eq!(set("[aA]", true).1, [SetProblem::Twice(97, 97)]);
    }

    #[test]
    fn literals_are_decoded() {
        assert_eq!(literal("'a\\n\\u0041\\u{1F600}\\''"), Some(vec![97, 10, 0x41, 0x1F600, 39]));
        assert_eq!(literal("'\\q'"), None);
        assert_eq!((single("'x'"), single("'xy'"), single("''")), (Some(120), None, None));
    }
}
