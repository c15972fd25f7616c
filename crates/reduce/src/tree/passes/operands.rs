//! Nodes replaced by anything below them that still parses.

use crate::passes::define_pass;
use crate::text::Text;
use crate::tree::cut::{Cut, around};
use crate::tree::session::Session;
use crate::tree::sweep::{Ideas, RankedPlace, nodes_by_size, sweep};

define_pass! {
    /// Puts a part of a node in its place, of whatever rule, where the text around it still parses.
    ///
    /// An operation becomes one of its operands, a call its argument, a loop what is in its head. Perses replaces
    /// by what the grammar's rules say fits; here the parser decides, so it finds what only the context allows.
    "operands", Late, Tree(|language, problem| sweep(language, problem, &mut Below))
}

/// How deep to look, in nodes of more than one part.
const LEVELS: usize = 3;

/// How many parts are tried for one node.
const MOST: usize = 24;

struct Below;

impl Ideas for Below {
    fn places(&mut self, session: &mut Session<'_>, _text: &Text) -> Vec<RankedPlace> {
        nodes_by_size(session, |node| node != 0 && session.size(node) > 1)
    }

    fn changes(&self, session: &Session<'_>, _text: &Text, node: u32) -> Vec<Vec<Cut>> {
        let mut found: Vec<u32> = Vec::new();
        let mut level = vec![node];
        for _ in 0..LEVELS {
            level = level.into_iter().flat_map(|node| session.children(node)).collect();
            found.extend(&level);
            if found.len() > MOST {
                break;
            }
        }
        found.retain(|below| session.size(*below) < session.size(node));
        found.truncate(MOST);
        found.sort_by_key(|below| (session.size(*below), *below));
        let tokens = |node: u32| &session.nodes.get(node).tokens;
        found.dedup_by_key(|below| tokens(*below).clone());
        found.into_iter().map(|below| around(tokens(node), tokens(below))).collect()
    }
}
