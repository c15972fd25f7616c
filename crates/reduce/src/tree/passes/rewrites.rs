//! Rewrites from the side file of a language.

use crate::passes::define_pass;
use crate::text::Text;
use crate::tree::cut::Cut;
use crate::tree::session::Session;
use crate::tree::sweep::{Ideas, RankedPlace, nodes_by_size, sweep};

define_pass! {
    /// Carries out the rewrites of the language's side file.
    ///
    /// Each line `"pattern" = "template"` under `[rewrites]` is tried wherever its pattern matches a whole node.
    "rewrites", Late, Tree(|language, problem| sweep(language, problem, &mut Templates))
}

struct Templates;

impl Ideas for Templates {
    fn places(&mut self, session: &mut Session<'_>, _text: &Text) -> Vec<RankedPlace> {
        if session.language.syntax.rewrites.is_empty() {
            return Vec::new();
        }
        nodes_by_size(session, |_| true)
    }

    fn changes(&self, session: &Session<'_>, text: &Text, node: u32) -> Vec<Vec<Cut>> {
        let rewrites = session.language.syntax.rewrites.iter();
        let pieces = rewrites.filter_map(|rewrite| rewrite.replacement(session, text, node));
        pieces.map(|pieces| vec![Cut::replace(session.nodes.get(node).tokens.clone(), pieces)]).collect()
    }
}
