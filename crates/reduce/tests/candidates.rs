//! Candidates against their printed text: keys, lengths and the order, on random edits.

use std::sync::Arc;

use polysmith_reduce::{Candidate, Edit, Edits, Text, count_tokens};
use proptest::prelude::*;

fn text() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop_oneof![
        Just("word "),
        Just("x"),
        Just("\n"),
        Just("\"str ing\""),
        Just("'"),
        Just("\\"),
        Just("("),
        Just(") "),
        Just("\"")
    ];
    proptest::collection::vec(pieces, 1..60).prop_map(|pieces| pieces.concat().into_bytes())
}

fn edits(len: usize, cuts: &[usize], new: &[Vec<u8>]) -> Option<Edits> {
    let mut cuts: Vec<u32> = cuts.iter().map(|cut| (cut % (len + 1)) as u32).collect();
    cuts.sort_unstable();
    let ranges = cuts.chunks_exact(2).zip(new);
    Edits::new(ranges.map(|(cut, new)| Edit::replace(cut[0]..cut[1], new.clone())).collect())
}

proptest! {
    #[test]
    fn a_candidate_is_what_it_prints(
        text in text(),
        cuts in proptest::collection::vec(any::<usize>(), 2..8),
        new in proptest::collection::vec(prop_oneof![Just(Vec::new()), Just(b" ".to_vec()), Just(b"'a".to_vec())], 4),
    ) {
        let base = Arc::new(Text::new(&[&text]).unwrap());
        let Some(edits) = edits(text.len(), &cuts, &new) else { return Ok(()) };
        let candidate = Candidate::new(Arc::clone(&base), edits.clone());
        let applied = base.apply(&edits);
        prop_assert_eq!(candidate.bytes(), applied.bytes());
        prop_assert_eq!(candidate.len(), applied.bytes().len());
        let printed = Candidate::unchanged(Arc::new(Text::new(&[applied.bytes()]).unwrap()));
        prop_assert_eq!(candidate.key(), printed.key());
        prop_assert_eq!(candidate.key() == Candidate::unchanged(base).key(), applied.bytes() == text);
        prop_assert_eq!(applied.size().tokens, count_tokens(applied.bytes()));
        let sizes = (count_tokens(applied.bytes()), applied.bytes().len()).cmp(&(count_tokens(&text), text.len()));
        if sizes.is_ne() {
            prop_assert_eq!(candidate.is_lower(), Some(sizes.is_lt()));
        }
    }

    #[test]
    fn untouched_ranges_keep_their_bytes(
        text in text(), cuts in proptest::collection::vec(any::<usize>(), 2..8), a: usize, b: usize,
    ) {
        let base = Text::new(&[&text]).unwrap();
        let Some(edits) = edits(text.len(), &cuts, &vec![b"!".to_vec(); 4]) else { return Ok(()) };
        let (a, b) = ((a % (text.len() + 1)) as u32, (b % (text.len() + 1)) as u32);
        let range = a.min(b)..a.max(b);
        if !range.is_empty() && !edits.touches(&range) {
            let moved = edits.shift().range(&range).unwrap();
            let applied = base.apply(&edits);
            prop_assert_eq!(applied.slice(&moved), base.slice(&range));
        }
    }
}
