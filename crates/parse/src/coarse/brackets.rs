//! Pairs of token types that are always balanced, and where a pair ends.
//!
//! If two token types balance in every alternative of a grammar, as brackets do, they balance in every text of every rule.
//! So when a walk over the network has taken an opening token, it is after the closing token of the same alternative once
//! the text has reached the partner, whatever is between them. The tokens between need not be followed.

use crate::network::{Edge, NO_STATE, Network, StateId};
use polysmith_grammar::{AltId, BlockId, ElementKind, Grammar, TokenType};
use rustc_hash::FxHashMap;

/// The pairs of a grammar.
#[derive(Debug, Default)]
pub(crate) struct Brackets {
    /// By type: its partner, if it opens or closes something; else 0.
    closers: Vec<u32>,
    openers: Vec<u32>,
    /// By state before an opening token: the state after its partner.
    after_closers: FxHashMap<StateId, StateId>,
}

impl Brackets {
    /// `elements`: by element, its state of the network.
    pub(crate) fn new(grammar: &Grammar, network: &Network, elements: &[StateId]) -> Brackets {
        let alternatives = token_lists(grammar);
        let n_types = grammar.tokens().len();
        let mut brackets = Brackets {
            closers: vec![0; n_types],
            openers: vec![0; n_types],
            after_closers: FxHashMap::default(),
        };
        let in_sets = in_sets(grammar, network);
        let mut uses: Vec<Vec<usize>> = vec![Vec::new(); n_types];
        for (at, tokens) in alternatives.iter().enumerate() {
            for (token, _) in tokens {
                if uses[*token].last() != Some(&at) {
                    uses[*token].push(at);
                }
            }
        }
        for opener in 1..n_types {
            let Some(first) = uses[opener].first().filter(|_| !in_sets[opener]) else { continue };
            let balances = |closer: usize| {
                let mut lists = uses[opener].iter().chain(&uses[closer]);
                lists.all(|at| pairs(&alternatives[*at], opener, closer, &mut |_, _| {}))
            };
            let partners = alternatives[*first].iter().map(|(token, _)| *token);
            let found = partners.rev().find(|closer| {
                *closer != opener && !in_sets[*closer] && brackets.openers[*closer] == 0 && balances(*closer)
            });
            if let Some(closer) = found {
                let lists = uses[opener].iter().map(|at| alternatives[*at].as_slice());
                brackets.add(network, elements, lists, (opener, closer));
            }
        }
        brackets
    }

    fn add<'a>(
        &mut self,
        network: &Network,
        elements: &[StateId],
        lists: impl Iterator<Item = &'a [(usize, usize)]>,
        (opener, closer): (usize, usize),
    ) {
        let mut ends = Vec::new();
        for tokens in lists {
            pairs(tokens, opener, closer, &mut |from, to| ends.push((from, to)));
        }
        let target = |element: usize| match elements[element] {
            NO_STATE => None,
            state => match network.edges(state) {
                [Edge::Token(_, target)] => Some((state, *target)),
                _ => None,
            },
        };
        let states: Vec<_> = ends.iter().map(|(from, to)| Some((target(*from)?.0, target(*to)?.1))).collect();
        if states.iter().all(Option::is_some) {
            self.closers[opener] = closer as u32;
            self.openers[closer] = opener as u32;
            self.after_closers.extend(states.into_iter().flatten());
        }
    }

    /// The partner of a type that opens something; else 0.
    #[inline]
    pub(crate) fn closer(&self, token: u32) -> u32 {
        self.closers[token as usize]
    }

    /// The state after the partner of the opening token that is taken at a state.
    pub(crate) fn after_closer(&self, state: StateId) -> Option<StateId> {
        self.after_closers.get(&state).copied()
    }
}

/// By alternative of a parser rule: its own tokens, without those of its groups, with the numbers of their elements.
fn token_lists(grammar: &Grammar) -> Vec<Vec<(usize, usize)>> {
    let blocks = grammar.parser_rules().flat_map(|rule| BlockId::range(grammar.rule(rule).blocks.clone()));
    let tokens_of = |alt: AltId| {
        let tokens = grammar.element_ids(alt).filter_map(|id| match grammar.element(id).kind {
            ElementKind::Token(token) => Some((token.index(), id.index())),
            _ => None,
        });
        tokens.collect()
    };
    blocks.flat_map(|block| grammar.alternatives(block)).map(tokens_of).collect()
}

/// By type: whether it is an element of a set somewhere.
fn in_sets(grammar: &Grammar, network: &Network) -> Vec<bool> {
    let is_in = |token| token == TokenType::EOF.index() || network.sets.iter().any(|set| set.contains(token));
    (0..grammar.tokens().len()).map(is_in).collect()
}

/// Whether two types balance in a list of tokens. Calls `tell` with the elements of each pair.
fn pairs(
    tokens: &[(usize, usize)],
    opener: usize,
    closer: usize,
    tell: &mut dyn FnMut(usize, usize),
) -> bool {
    let mut open = Vec::new();
    for (token, element) in tokens {
        if *token == opener {
            open.push(*element);
        } else if *token == closer {
            match open.pop() {
                Some(from) => tell(from, *element),
                None => return false,
            }
        }
    }
    open.is_empty()
}
