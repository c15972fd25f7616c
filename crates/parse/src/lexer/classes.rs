//! Characters that no rule tells apart are one class.
//!
//! The classes partition all code points along the borders of every set and literal of the token rules.
//! Finding the class of a code point is two array reads.

use polysmith_grammar::MAX_CODE_POINT;
use rustc_hash::FxHashMap;

const PAGE: usize = 256;

/// The partition.
#[derive(Debug, Clone)]
pub(crate) struct Classes {
    /// By code point / 256: the number of a page.
    index: Vec<u16>,
    /// Pages of classes, each kept once.
    pages: Vec<u16>,
    /// The first code point of each range between borders, and the class of the range.
    ranges: Vec<(u32, u16)>,
    /// The classes of ASCII characters.
    ascii: [u16; 128],
    n: usize,
}

impl Classes {
    /// The coarsest partition in which every set is a union of classes. Sets are sorted ranges.
    pub(crate) fn new(sets: &[&[(u32, u32)]]) -> Classes {
        let mut borders = vec![0];
        for (low, high) in sets.iter().flat_map(|set| set.iter()) {
            borders.push(*low);
            borders.push(high + 1);
        }
        borders.sort_unstable();
        borders.dedup();
        borders.retain(|border| *border <= MAX_CODE_POINT);
        let class_of = refine(&borders, sets);
        let ranges = borders.into_iter().zip(class_of.into_iter().map(|class| class as u16)).collect();
        Classes::from_ranges(ranges)
    }

    fn from_ranges(ranges: Vec<(u32, u16)>) -> Classes {
        let n = ranges.iter().map(|(_, class)| *class as usize + 1).max().unwrap_or(1);
        let mut index = Vec::with_capacity(MAX_CODE_POINT as usize / PAGE + 1);
        let mut pages: Vec<u16> = Vec::new();
        let mut known: FxHashMap<Vec<u16>, u16> = FxHashMap::default();
        let mut at = 0;
        for first in (0..=MAX_CODE_POINT).step_by(PAGE) {
            while ranges.get(at + 1).is_some_and(|(start, _)| *start <= first) {
                at += 1;
            }
            let page = page(&ranges[at..], first);
            let number = *known.entry(page).or_insert_with_key(|page| {
                pages.extend((0..PAGE).map(|offset| page.get(offset).copied().unwrap_or(page[0])));
                (pages.len() / PAGE - 1) as u16
            });
            index.push(number);
        }
        let first = index[0] as usize * PAGE;
        let ascii = std::array::from_fn(|byte| pages[first + byte]);
        Classes { index, pages, ranges, ascii, n }
    }

    /// The class of a code point.
    #[inline]
    pub(crate) fn of(&self, code_point: u32) -> usize {
        let page = self.index[code_point as usize / PAGE] as usize;
        self.pages[page * PAGE + code_point as usize % PAGE] as usize
    }

    /// The class of an ASCII character; `None` for a byte that is only a part of another one.
    #[inline(always)]
    pub(crate) fn of_byte(&self, byte: u8) -> Option<usize> {
        self.ascii.get(usize::from(byte)).map(|class| *class as usize)
    }

    /// The number of classes.
    pub(crate) fn len(&self) -> usize {
        self.n
    }

    /// The classes of a set, as flags.
    pub(crate) fn members(&self, set: &[(u32, u32)]) -> Box<[bool]> {
        let mut members = vec![false; self.len()];
        for (low, high) in set {
            let from = self.ranges.partition_point(|(start, _)| start < low);
            for (start, class) in &self.ranges[from..] {
                if start > high {
                    break;
                }
                members[*class as usize] = true;
            }
        }
        members.into()
    }
}

/// The class of each range between borders: ranges are alike if the same sets contain them. Classes are numbered in the
/// order of their first ranges.
fn refine(borders: &[u32], sets: &[&[(u32, u32)]]) -> Vec<u32> {
    let mut class_of = vec![0u32; borders.len()];
    let mut n_names = 1;
    for set in sets {
        // What is inside moves to a new class; what is outside keeps its own and need not be visited.
        let mut renamed: FxHashMap<u32, u32> = FxHashMap::default();
        for (low, high) in *set {
            let from = borders.partition_point(|border| border < low);
            let inside = borders[from..].iter().take_while(|border| *border <= high).count();
            for class in &mut class_of[from..from + inside] {
                *class = *renamed.entry(*class).or_insert_with(|| {
                    n_names += 1;
                    n_names - 1
                });
            }
        }
    }
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    for class in &mut class_of {
        let next = numbers.len() as u32;
        *class = *numbers.entry(*class).or_insert(next);
    }
    class_of
}

/// The classes of 256 code points, the first of which is in the first range; one number if all are alike.
fn page(ranges: &[(u32, u16)], first: u32) -> Vec<u16> {
    if ranges.get(1).is_none_or(|(start, _)| *start >= first + PAGE as u32) {
        return vec![ranges[0].1];
    }
    let mut at = 0;
    let class_of = |code_point: u32| {
        while ranges.get(at + 1).is_some_and(|(start, _)| *start <= code_point) {
            at += 1;
        }
        ranges[at].1
    };
    (first..first + PAGE as u32).map(class_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_unions_of_classes() {
        let (letters, vowels, all) = ([(97, 122)], [(97, 97), (101, 101)], [(0, MAX_CODE_POINT)]);
        let classes = Classes::new(&[&letters, &vowels, &all]);
        assert_eq!(classes.len(), 3);
        assert_eq!(classes.of(97), classes.of(101));
        assert_ne!(classes.of(97), classes.of(98));
        assert_eq!(classes.of(32), classes.of(MAX_CODE_POINT));
        let members = classes.members(&vowels);
        assert!(members[classes.of(97)] && !members[classes.of(98)] && !members[classes.of(32)]);
    }
}
