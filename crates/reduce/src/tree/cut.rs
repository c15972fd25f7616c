//! A change of a parsed text: ranges of tokens that go, and what comes in their place.

use std::ops::Range;
use std::rc::Rc;

use polysmith_grammar::TokenType;
use polysmith_tree::Edit;

use super::live::Live;

/// Neighbouring tokens that go, and what comes in their place.
pub(crate) type Cut = Edit<Vec<Piece>>;

/// A part of what comes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// A copy of tokens of the text, as they are there.
    Tokens(Range<u32>),
    /// A token that need not be in the text.
    Word(TokenType, Rc<[u8]>),
}

/// What goes around a part of a range that stays.
pub(crate) fn around(all: &Range<u32>, kept: &Range<u32>) -> Vec<Cut> {
    let sides = [all.start..kept.start, kept.end..all.end];
    sides.into_iter().filter(|range| !range.is_empty()).map(Cut::delete).collect()
}

fn is_idle(cut: &Cut, live: &Live) -> bool {
    cut.new.is_empty() && live.size(&cut.range) == 0
}

/// Sorts cuts and joins those without a live token between them. `None` if two overlap, or if nothing goes.
pub(crate) fn ordered(live: &Live, mut cuts: Vec<Cut>) -> Option<Vec<Cut>> {
    cuts.retain(|cut| !is_idle(cut, live));
    cuts.sort_by_key(|cut| cut.range.start);
    let mut joined: Vec<Cut> = Vec::with_capacity(cuts.len());
    for cut in cuts {
        match joined.last_mut() {
            Some(last) if last.range.end > cut.range.start => return None,
            Some(last) if live.size(&(last.range.end..cut.range.start)) == 0 => {
                last.range.end = cut.range.end;
                last.new.extend(cut.new);
            }
            _ => joined.push(cut),
        }
    }
    // An edit replaces something: a place where nothing goes cannot take anything.
    let all_go = joined.iter().all(|cut| live.size(&cut.range) > 0);
    (all_go && !joined.is_empty()).then_some(joined)
}

/// The cut that a token goes with.
pub(crate) fn cut_of(cuts: &[Cut], token: u32) -> Option<&Cut> {
    let at = cuts.partition_point(|cut| cut.range.end <= token);
    cuts.get(at).filter(|cut| cut.range.start <= token)
}
