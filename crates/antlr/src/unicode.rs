//! Unicode properties by the names that ANTLR's tool knows (`\p{…}`): Unicode 15, as in ICU 72.
//!
//! The table is a text file, one property per line: its names, a tab, its code points as the gap before and the length
//! of each range. Numbers are in base 32, low digit first; upper case letters and signs mark that more digits follow.
//! A line is decoded on demand.

use polysmith_grammar::CharSet;

static TABLE: &str = include_str!("unicode.txt");

/// The code points of a property. Case is ignored and `-` equals `_`; unknown names are `None`.
pub(crate) fn property(name: &str) -> Option<CharSet> {
    let wanted = name.to_lowercase().replace('-', "_");
    let line = TABLE.lines().find_map(|line| {
        let (names, ranges) = line.split_once('\t')?;
        names.split(' ').any(|name| name == wanted).then_some(ranges)
    })?;
    let set = CharSet::from_ranges(decode(line));
    (!set.is_empty()).then_some(set)
}

fn decode(line: &str) -> impl Iterator<Item = (u32, u32)> {
    let mut bytes = line.bytes();
    let mut next = 0;
    std::iter::from_fn(move || {
        let low = next + number(&mut bytes)?;
        let high = low + number(&mut bytes)?;
        next = high + 1;
        Some((low, high))
    })
}

fn number(bytes: &mut std::str::Bytes<'_>) -> Option<u32> {
    const MORE: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ!#$%&*";
    let (mut value, mut shift) = (0, 0);
    loop {
        let byte = bytes.next()?;
        if let Some(digit) = char::from(byte).to_digit(32).filter(|_| !byte.is_ascii_uppercase()) {
            return Some(value | digit << shift);
        }
        let digit = MORE.iter().position(|more| *more == byte)?;
        value |= u32::try_from(digit).ok()? << shift;
        shift += 5;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts as ANTLR's tool has them.
    #[test]
    fn names_are_found_in_every_spelling() {
        for (name, size) in [
            ("Lu", 1831),
            ("uppercase-letter", 1831),
            ("InBasic_Latin", 128),
            ("block=Basic_Latin", 128),
            ("Script=Greek", 518),
            ("Grek", 518),
            ("White_Space", 25),
            ("gcb=LV", 399),
            ("Cn", 825_345),
        ] {
            assert_eq!(property(name).map(|set| set.len()), Some(size), "{name}");
        }
    }

    #[test]
    fn unknown_names_are_unknown() {
        for name in ["Any", "Assigned", "ASCII", "LC", "", "L u"] {
            assert_eq!(property(name), None, "{name}");
        }
    }
}
