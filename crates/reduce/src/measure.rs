//! Tokens, and the order in which every accepted step goes down.
//!
//! The tokenizer knows no language: a word is a run of letters, digits, `_`, `$` and bytes above 127; a quoted string
//! that closes on its line is one token; white space separates; any other byte is a token. No token crosses a line,
//! so the count of a text is the sum over its lines, and an edit changes the count of the lines it touches only.

use std::cmp::Ordering;
use std::ops::Range;

/// How large a text is. Smaller means fewer tokens, then fewer bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size {
    /// Tokens, as [`tokens`] finds them.
    pub tokens: usize,
    /// Bytes.
    pub bytes: usize,
}

/// The tokens of a text, as byte ranges.
pub fn tokens(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < text.len() && is_space(text[at]) {
            at += 1;
        }
        let start = at;
        at = token_end(text, start)?;
        Some(start..at)
    })
}

/// How many tokens a text has.
#[must_use]
pub fn count_tokens(text: &[u8]) -> usize {
    tokens(text).count()
}

/// The end of the token that starts at `start`; `None` at the end of the text.
pub(crate) fn token_end(text: &[u8], start: usize) -> Option<usize> {
    let first = *text.get(start)?;
    if is_word(first) {
        return Some(start + text[start..].iter().take_while(|byte| is_word(**byte)).count());
    }
    if matches!(first, b'"' | b'\'') {
        return Some(string_end(text, start).unwrap_or(start + 1));
    }
    Some(start + 1)
}

/// The end of a quoted string, if it closes on its line.
fn string_end(text: &[u8], start: usize) -> Option<usize> {
    let quote = text[start];
    let mut at = start + 1;
    loop {
        match *text.get(at)? {
            b'\n' => return None,
            b'\\' if text.get(at + 1).is_none_or(|next| *next == b'\n') => return None,
            b'\\' => at += 2,
            byte if byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
}

pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..)
}

/// The order of texts of the same size: white space before digits before lower case before upper case before
/// the rest. It gives equal results one form.
pub(crate) fn canonical_order(a: impl Iterator<Item = u8>, b: impl Iterator<Item = u8>) -> Ordering {
    a.map(rank).cmp(b.map(rank))
}

fn rank(byte: u8) -> (u8, u8) {
    let class = match byte {
        b' ' => 0,
        b'\n' => 1,
        _ if is_space(byte) => 2,
        b'0'..=b'9' => 3,
        b'a'..=b'z' => 4,
        b'A'..=b'Z' => 5,
        _ => 6,
    };
    (class, byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = tokens(text.as_bytes()).map(|range| &text[range]).collect();
        assert_eq!(found, expected);
    }

    // The cases agree with the counting script of the benchmark folder.
    #[test]
    fn words_strings_and_single_bytes() {
        check("int x_1 = 0x1F;", &["int", "x_1", "=", "0x1F", ";"]);
        check("a->b == 1.5", &["a", "-", ">", "b", "=", "=", "1", ".", "5"]);
        check(r#"f("a \" b", 'c')"#, &["f", "(", r#""a \" b""#, ",", "'c'", ")"]);
    }

    #[test]
    fn a_quote_without_its_partner_stands_alone() {
        check("don't\nwon't", &["don", "'", "t", "won", "'", "t"]);
        check("'a\\\nb'", &["'", "a", "\\", "b", "'"]);
    }

    #[test]
    fn the_order_of_texts_of_one_size() {
        let less = |a: &str, b: &str| canonical_order(a.bytes(), b.bytes()) == Ordering::Less;
        assert!(less("a 1", "a1 ") && less("0", "a") && less("a", "A") && less("Z", "+"));
    }
}
