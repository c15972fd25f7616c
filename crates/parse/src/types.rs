//! Sets of token types as bits.
//!
//! Index 0 is the end of the input. The words are as many as the grammar's types need, so two sets of one
//! grammar always have the same length.

use polysmith_grammar::TokenType;

/// A set of token types, with one extra mark: "the end of the rule can be reached" where it is a LOOK set.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct TypeSet {
    words: Box<[u64]>,
    /// The rule can end here without another token (ANTLR's EPSILON).
    pub(crate) epsilon: bool,
    /// A predicate is on the way to some token (ANTLR's HIT_PRED).
    pub(crate) predicate: bool,
}

impl TypeSet {
    /// The empty set over `n` types (EOF included).
    pub(crate) fn empty(n: usize) -> TypeSet {
        TypeSet { words: vec![0; n.div_ceil(64)].into(), epsilon: false, predicate: false }
    }

    /// Every type but EOF.
    pub(crate) fn all_but_eof(n: usize) -> TypeSet {
        let mut set = TypeSet::empty(n);
        for token in 1..n {
            set.insert(token);
        }
        set
    }

    pub(crate) fn insert(&mut self, token: usize) {
        self.words[token / 64] |= 1 << (token % 64);
    }

    pub(crate) fn remove(&mut self, token: usize) {
        self.words[token / 64] &= !(1 << (token % 64));
    }

    /// Whether a type is in it; types that the grammar does not know never are.
    #[inline]
    pub(crate) fn contains(&self, token: usize) -> bool {
        self.words.get(token / 64).is_some_and(|word| word >> (token % 64) & 1 == 1)
    }

    /// Adds all types of another set; its marks are not taken over.
    pub(crate) fn add(&mut self, other: &TypeSet) {
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }

    /// Adds types and marks; says whether anything is new.
    pub(crate) fn absorb(&mut self, other: &TypeSet) -> bool {
        let before = self.clone();
        self.add(other);
        self.epsilon |= other.epsilon;
        self.predicate |= other.predicate;
        *self != before
    }

    pub(crate) fn intersects(&self, other: &TypeSet) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// The types in ascending order, EOF first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = TokenType> + '_ {
        let bits = self.words.len() * 64;
        (0..bits).filter(|token| self.contains(*token)).map(TokenType::new)
    }
}
