//! Subtrees replaced by smaller ones from elsewhere in the text.
//!
//! For each place, the smallest text in the file that may stand there: `x` or `0` for an expression, `x;` for a
//! statement, `int` for a type. Taken from the file itself, such a text is one that the test is used to: names are
//! declared, literals are of a kind that occurs.

use std::collections::VecDeque;

use polysmith_grammar::analysis::Symbol;
use polysmith_grammar::normal::Expected;
use rustc_hash::FxHashMap;

use super::Language;
use super::nodes::{Kind, NONE};
use super::session::Session;
use crate::edit::Edits;
use crate::passes::{Pass, When};
use crate::problem::{Problem, Proposer};
use crate::question::Stop;
use crate::text::Text;

/// Smaller texts that are tried for one place.
const DONORS: usize = 3;

/// Longer texts are left to Perses first: each accepted replacement parses the text again.
const REPLACE_BYTES: usize = 128 << 10;

/// Replacement of subtrees.
#[derive(Debug, Clone, Copy)]
pub struct Replace<'a> {
    language: &'a Language,
}

impl<'a> Replace<'a> {
    /// By a language.
    pub fn new(language: &'a Language) -> Replace<'a> {
        Replace { language }
    }
}

impl Pass for Replace<'_> {
    fn name(&self) -> &'static str {
        "replace"
    }

    fn manual(&self) -> &'static str {
        "Puts the smallest text of the file that fits in the place of a larger part.\n\n\
         An expression becomes a name or a number, a statement the shortest statement there is. Largest parts first."
    }

    fn when(&self) -> When {
        When::Late
    }

    fn keeps_grammar(&self) -> bool {
        true
    }

    fn run(&self, problem: &mut Problem<'_>) -> Result<(), Stop> {
        for file in 0..problem.text().parts().len() {
            // Each accepted step is a text to be parsed again; what was refused is known and costs no question.
            while problem.text().bytes().len() <= REPLACE_BYTES {
                let Some(session) = Session::new(self.language, problem.text(), file) else { break };
                let mut search = Search { pairs: pairs(&session), session, taken: false };
                problem.search(&mut search)?;
                if !search.taken {
                    break;
                }
            }
        }
        Ok(())
    }
}

/// Places and what could stand there instead, the largest gain first.
fn pairs(session: &Session<'_>) -> VecDeque<(u32, u32)> {
    let nodes = &session.nodes.nodes;
    // The smallest nodes of each symbol, in the order of first occurrence.
    let mut donors: Vec<(Symbol, Vec<u32>)> = Vec::new();
    let mut places: FxHashMap<Symbol, usize> = FxHashMap::default();
    for node in 0..nodes.len() as u32 {
        let Some(symbol) = nodes[node as usize].symbol else { continue };
        let at = *places.entry(symbol).or_insert_with(|| {
            donors.push((symbol, Vec::new()));
            donors.len() - 1
        });
        donors[at].1.push(node);
    }
    let key = |node: &u32| {
        let bytes = session.live.bytes(&nodes[*node as usize].tokens);
        (session.size(*node), bytes.end - bytes.start, *node)
    };
    for (_, same) in &mut donors {
        same.sort_by_key(key);
        same.truncate(DONORS);
    }
    let mut fitting: Vec<(Expected, Vec<u32>)> = Vec::new();
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    for node in 0..nodes.len() as u32 {
        let Some(expected) = nodes[node as usize].expected else { continue };
        if session.size(node) < 2
            || nodes[node as usize].kind == Kind::Token
            || nodes[node as usize].parent == NONE
        {
            continue;
        }
        let at = fitting.iter().position(|(known, _)| *known == expected).unwrap_or_else(|| {
            let mut all: Vec<u32> = donors
                .iter()
                .filter(|(symbol, _)| {
                    session.language.view.accepts(&session.language.grammar, expected, *symbol)
                })
                .flat_map(|(_, same)| same.iter().copied())
                .collect();
            all.sort_by_key(key);
            all.truncate(DONORS);
            fitting.push((expected, all));
            fitting.len() - 1
        });
        let smaller = fitting[at].1.iter().filter(|donor| session.size(**donor) < session.size(node));
        pairs.extend(smaller.map(|donor| (node, *donor)));
    }
    pairs.sort_by_key(|(node, donor)| (std::cmp::Reverse(session.size(*node)), *node, key(donor)));
    pairs.into()
}

struct Search<'a> {
    session: Session<'a>,
    pairs: VecDeque<(u32, u32)>,
    taken: bool,
}

impl Proposer for Search<'_> {
    fn propose(&mut self, text: &Text) -> Option<Edits> {
        while !self.taken {
            let (node, donor) = self.pairs.pop_front()?;
            if let Some(edits) = self.session.replacement(text, node, donor) {
                return Some(edits);
            }
        }
        None
    }

    fn accepted(&mut self, _text: &Text, _edits: &Edits) {
        self.taken = true;
    }
}
