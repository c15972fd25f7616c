//! Subtrees replaced by smaller ones from elsewhere in the text.
//!
//! For each place, the smallest text in the file that it accepts: `x` or `0` for an expression, `x;` for a
//! statement, `int` for a type. Taken from the file itself, such a text is one that the test is used to: names are
//! declared, literals are of a kind that occurs.

use polysmith_grammar::analysis::Symbol;
use polysmith_grammar::normal::Expected;
use rustc_hash::FxHashMap;

use crate::passes::define_pass;
use crate::text::Text;
use crate::tree::cut::{Cut, Piece};
use crate::tree::language::Syntax;
use crate::tree::nodes::NONE;
use crate::tree::session::Session;
use crate::tree::sweep::{Ideas, RankedPlace, nodes_by_size, sweep};

define_pass! {
    /// Puts the smallest text of the file that fits in the place of a larger part.
    ///
    /// An expression becomes a name or a number, a statement the shortest statement there is. Largest parts first.
    "replace", Late, Tree(|language, problem| sweep(language, problem, &mut Donors::default()))
}

/// Smaller texts that are tried for one place.
const DONORS: usize = 3;

/// The smallest nodes of each symbol, in the order of first occurrence.
#[derive(Default)]
struct Donors {
    by_symbol: Vec<(Symbol, Vec<u32>)>,
}

impl Donors {
    /// Tokens, bytes, and where it is.
    fn key(session: &Session<'_>, node: u32) -> (u32, u32, u32) {
        let bytes = session.live.bytes(&session.nodes.get(node).tokens);
        (session.size(node), bytes.end - bytes.start, node)
    }

    /// The smallest nodes that a place accepts.
    fn fitting(&self, session: &Session<'_>, expected: Expected) -> Vec<u32> {
        let Syntax { view, grammar, .. } = &session.language.syntax;
        let fitting = self.by_symbol.iter().filter(|(symbol, _)| view.accepts(grammar, expected, *symbol));
        let mut all: Vec<u32> = fitting.flat_map(|(_, same)| same.iter().copied()).collect();
        all.sort_by_key(|node| Self::key(session, *node));
        all.truncate(DONORS);
        all
    }
}

impl Ideas for Donors {
    fn places(&mut self, session: &mut Session<'_>, _text: &Text) -> Vec<RankedPlace> {
        self.by_symbol.clear();
        let mut places: FxHashMap<Symbol, usize> = FxHashMap::default();
        for node in 0..session.nodes.nodes.len() as u32 {
            let Some(symbol) = session.nodes.get(node).symbol else { continue };
            let at = *places.entry(symbol).or_insert(self.by_symbol.len());
            if at == self.by_symbol.len() {
                self.by_symbol.push((symbol, Vec::new()));
            }
            self.by_symbol[at].1.push(node);
        }
        for (_, same) in &mut self.by_symbol {
            same.sort_by_key(|node| Self::key(session, *node));
            same.truncate(DONORS);
        }
        nodes_by_size(session, |node| session.nodes.get(node).parent != NONE && session.size(node) > 1)
    }

    fn changes(&self, session: &Session<'_>, _text: &Text, node: u32) -> Vec<Vec<Cut>> {
        let here = session.nodes.get(node);
        let Some(expected) = here.expected else { return Vec::new() };
        let donors = self.fitting(session, expected).into_iter();
        let smaller = donors.filter(|donor| session.size(*donor) < session.size(node));
        let copy = |donor: u32| Piece::Tokens(session.nodes.get(donor).tokens.clone());
        smaller.map(|donor| vec![Cut::replace(here.tokens.clone(), [copy(donor)])]).collect()
    }
}
