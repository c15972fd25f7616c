//! Subtrees replaced by the smallest text of their rule.

use polysmith_grammar::normal::Expected;

use crate::passes::define_pass;
use crate::text::Text;
use crate::tree::cut::{Cut, Piece};
use crate::tree::session::Session;
use crate::tree::sweep::{Ideas, RankedPlace, by_size, sweep};
use crate::tree::texts::Texts;

define_pass! {
    /// Puts the smallest text of the grammar in the place of a part: a constant for a call, `;` for a statement.
    ///
    /// Needs nothing of the kind in the file. A part of several tokens becomes one of the single tokens that its
    /// place accepts, or the smallest text of one of the alternatives of its rule.
    "smallest", Late, Tree(|language, problem| sweep(language, problem, &mut Small::default()))
}

/// Texts that are tried for one place.
const MOST: usize = 6;

#[derive(Default)]
struct Small {
    texts: Texts,
}

impl Ideas for Small {
    fn places(&mut self, session: &mut Session<'_>, text: &Text) -> Vec<RankedPlace> {
        self.texts = Texts::of(session, text);
        let nodes = 1..session.nodes.nodes.len() as u32;
        let larger =
            nodes.filter(|node| session.size(*node) > 1 && session.nodes.get(*node).expected.is_some());
        larger.map(|node| RankedPlace { rank: by_size(session, node), id: node }).collect()
    }

    fn changes(&self, session: &Session<'_>, _text: &Text, node: u32) -> Vec<Vec<Cut>> {
        let here = session.nodes.get(node);
        let Some(expected) = here.expected else { return Vec::new() };
        let mut texts: Vec<Vec<Piece>> = self
            .texts
            .single(&session.language.syntax, expected)
            .into_iter()
            .map(|piece| vec![piece])
            .collect();
        let own = here.rule.map(|rule| Expected::Symbol(polysmith_grammar::analysis::Symbol::Rule(rule)));
        for expected in [Some(expected), own.filter(|own| *own != expected)].into_iter().flatten() {
            texts.extend(self.texts.several(&session.language.syntax, expected));
        }
        texts.retain(|pieces| (pieces.len() as u32) < session.size(node));
        let mut kept: Vec<Vec<Piece>> = Vec::new();
        for pieces in texts {
            if !kept.contains(&pieces) {
                kept.push(pieces);
            }
        }
        kept.truncate(MOST);
        kept.into_iter().map(|pieces| vec![Cut::replace(here.tokens.clone(), pieces)]).collect()
    }
}
