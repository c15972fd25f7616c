//! The normal form as a way to look at a tree of the grammar as written.
//!
//! Parsing with the normal form would lose precedence, so nobody does. What reduction wants of it are local facts
//! about the grammar as written, and this is the table of them: what kind of list a group is, which alternatives
//! make combs that are to be seen as lists, which places may be empty, and what each place accepts. A tree is
//! looked at through it without being rebuilt.

use crate::analysis::{Nullable, SeparatedList, SeparatedLists, Shapes, Subsume, Symbol, Uses};
use crate::ids::{AltId, BlockId, RuleId};
use crate::model::{ElementKind, Grammar};

/// How the node of a group is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupView {
    /// Exactly once: its parts stand directly in what is around it.
    Plain,
    /// At most once.
    Optional,
    /// Items of which at least `min` stay.
    List {
        /// How many must stay.
        min: u32,
    },
}

/// At which end an alternative calls its own rule: a chain of such nodes is one list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Comb {
    /// It begins with its own rule.
    pub left: bool,
    /// It ends with its own rule.
    pub right: bool,
}

/// What a place asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// A symbol.
    Symbol(Symbol),
    /// One repetition of a group, or the body of a rule.
    Block(BlockId),
    /// Any token that the element matches.
    Element(ElementKind),
}

/// The tables.
#[derive(Debug, Clone)]
pub struct View {
    nullable: Nullable,
    subsume: Subsume,
    lists: SeparatedLists,
    combs: Vec<Option<Comb>>,
}

impl View {
    /// Looks at a grammar. Near linear, like its analyses.
    pub fn of(grammar: &Grammar) -> View {
        let nullable = Nullable::of(grammar, &Uses::of(grammar));
        let combs = (0..grammar.n_alternatives()).map(|alt| comb(grammar, AltId::new(alt))).collect();
        View {
            subsume: Subsume::of(grammar, &nullable),
            lists: SeparatedLists::of(grammar, &Shapes::of(grammar)),
            combs,
            nullable,
        }
    }

    /// How a group is seen.
    pub fn group(&self, grammar: &Grammar, block: BlockId) -> GroupView {
        let quantifier = grammar.block(block).quantifier;
        let min = if self.nullable.iteration(block) { 0 } else { quantifier.min };
        match (min, quantifier.max) {
            (1, Some(1)) => GroupView::Plain,
            (0, Some(1)) => GroupView::Optional,
            (min, _) => GroupView::List { min },
        }
    }

    /// The separated list whose repeated part is this group.
    pub fn separated(&self, block: BlockId) -> Option<&SeparatedList> {
        self.lists.of_block(block).filter(|list| list.separator.start < list.separator.end)
    }

    /// Whether an alternative of a rule's body makes a comb.
    pub fn comb(&self, alternative: AltId) -> Option<Comb> {
        self.combs[alternative.index()]
    }

    /// Whether a place may be empty.
    pub fn may_be_empty(&self, grammar: &Grammar, kind: ElementKind) -> bool {
        self.nullable.element(grammar, kind)
    }

    /// Whether a rule derives the empty text.
    pub fn rule_may_be_empty(&self, rule: RuleId) -> bool {
        self.nullable.rule(rule)
    }

    /// Whether a symbol may stand at a place.
    pub fn accepts(&self, grammar: &Grammar, expected: Expected, found: Symbol) -> bool {
        match (expected, found) {
            (Expected::Symbol(symbol), _) => self.subsume.accepts(symbol, found),
            (Expected::Block(block), _) => self.subsume.block_accepts(block, found),
            (Expected::Element(kind), Symbol::Token(token)) => match kind {
                ElementKind::Token(wanted) => wanted == token,
                ElementKind::AnyToken => token != crate::TokenType::EOF,
                ElementKind::NotTokens(set) => {
                    token != crate::TokenType::EOF && grammar.token_set(set).binary_search(&token).is_err()
                }
                _ => false,
            },
            (Expected::Element(_), Symbol::Rule(_)) => false,
        }
    }

    /// What an element asks for.
    pub fn expected(&self, kind: ElementKind) -> Expected {
        match kind {
            ElementKind::Rule(rule) => Expected::Symbol(Symbol::Rule(rule)),
            ElementKind::Token(token) => Expected::Symbol(Symbol::Token(token)),
            ElementKind::Block(block) => Expected::Block(block),
            other => Expected::Element(other),
        }
    }
}

fn comb(grammar: &Grammar, alternative: AltId) -> Option<Comb> {
    let block = grammar.alternative(alternative).block;
    let rule = grammar.block(block).rule;
    if grammar.rule(rule).body() != block {
        return None;
    }
    let real = |kind: &ElementKind| !matches!(kind, ElementKind::Code(_));
    let mut kinds = grammar.elements(alternative).iter().map(|element| element.kind).filter(real);
    let first = kinds.next()?;
    let last = kinds.next_back()?;
    let own = ElementKind::Rule(rule);
    let comb = Comb { left: first == own, right: last == own };
    (comb.left || comb.right).then_some(comb)
}
