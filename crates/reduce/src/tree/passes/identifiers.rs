//! Names merged: a declaration goes, and its uses get another name.

use std::rc::Rc;

use crate::passes::define_pass;
use crate::text::Text;
use crate::tree::cut::{Cut, Piece};
use crate::tree::names::{Name, names, without};
use crate::tree::session::Session;
use crate::tree::sweep::{Ideas, RankedPlace, sweep};

define_pass! {
    /// Merges two names: the first occurrence of one goes with what it declares, the others become the other name.
    ///
    /// Two variables become one. To rename all of them and keep both declarations is what the pass `names` does; here
    /// the step makes the text smaller by itself.
    "identifiers", Late, Tree(|language, problem| sweep(language, problem, &mut Merged::default()))
}

/// With more names than this pairs are too many.
const MOST_NAMES: usize = 120;

/// Other names that are tried for one, the nearest before it first.
const OTHERS: usize = 8;

#[derive(Default)]
struct Merged {
    names: Vec<Name>,
}

impl Ideas for Merged {
    fn places(&mut self, session: &mut Session<'_>, text: &Text) -> Vec<RankedPlace> {
        self.names = names(session, text);
        if self.names.len() > MOST_NAMES {
            return Vec::new();
        }
        let used = self.names.iter().enumerate().filter(|(_, name)| name.tokens.len() > 1);
        used.map(|(at, name)| RankedPlace { rank: (0, name.tokens[0]), id: at as u32 }).collect()
    }

    fn changes(&self, session: &Session<'_>, _text: &Text, place: u32) -> Vec<Vec<Cut>> {
        let name = &self.names[place as usize];
        let (before, after) = (&self.names[..place as usize], &self.names[place as usize + 1..]);
        let others = before.iter().rev().chain(after).filter(|other| other.kind == name.kind).take(OTHERS);
        let declarations: Vec<Vec<Cut>> =
            (0..2).filter_map(|level| without(session, &name.tokens[..1], level)).collect();
        let mut changes = Vec::new();
        for other in others {
            let word: Rc<[u8]> = other.text.as_bytes().into();
            for declaration in &declarations {
                let gone = |token: u32| declaration.iter().any(|cut| cut.range.contains(&token));
                let uses = name.tokens[1..].iter().copied().filter(|token| !gone(*token));
                let renamed = uses
                    .map(|token| Cut::replace(token..token + 1, [Piece::Word(name.kind, Rc::clone(&word))]));
                let cuts: Vec<Cut> = declaration.iter().cloned().chain(renamed).collect();
                if cuts.len() > declaration.len() {
                    changes.push(cuts);
                }
            }
        }
        changes
    }
}
