//! One node in twelve bytes.

use polysmith_grammar::{BlockId, RuleId, TokenType};

/// Names a node of one tree: its place in preorder. The root is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The root of every tree.
    pub const ROOT: NodeId = NodeId(0);

    /// The node at this place.
    pub fn new(index: usize) -> NodeId {
        NodeId(u32::try_from(index).expect("a tree has fewer than 2^32 nodes"))
    }

    /// Its place.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A rule, by the alternative of its body with this number (from 1; 0 if none was reached).
    Rule {
        /// The rule.
        rule: RuleId,
        /// The alternative's number.
        alt: u32,
    },
    /// A group of a rule. Its children are items only: hidden text between two lies in one of them.
    List {
        /// The group.
        block: BlockId,
    },
    /// One repetition of a group.
    Item {
        /// The number of the alternative taken, from 1.
        alt: u32,
    },
    /// A token that the rule asked for. The end of the input is one without text.
    Token(TokenType),
    /// A token that is there although no rule asked for it (error recovery).
    Error(TokenType),
    /// A token that a rule asked for and that is not there (error recovery): no text.
    Missing(TokenType),
    /// A token that the parser does not see: comments and blanks on other channels.
    Hidden(TokenType),
    /// Text that is not a token at all.
    Gap(Gap),
}

/// Why some text is no token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Gap {
    /// The lexer was told to skip it, or it separates two tokens of a generated text.
    Skipped,
    /// The lexer could not read it.
    Dropped,
    /// It comes after what the start rule took.
    Rest,
    /// Kept, but not part of the text: what a leaf says that is not printed.
    Note,
}

impl Kind {
    /// Whether it has a text instead of children.
    #[inline]
    pub fn is_leaf(self) -> bool {
        !matches!(self, Kind::Rule { .. } | Kind::List { .. } | Kind::Item { .. })
    }

    /// Whether no grammar rule speaks of it.
    pub fn is_hidden(self) -> bool {
        matches!(self, Kind::Hidden(_) | Kind::Gap(_))
    }
}

/// The stored form. Head: the kind in the top four bits, rule, block or token type in the rest. An inner node
/// then has its alternative and the number of nodes of its subtree, itself included; a leaf has the range of
/// its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    head: u32,
    first: u32,
    second: u32,
}

const KIND_SHIFT: u32 = 28;
const SYMBOL_MASK: u32 = (1 << KIND_SHIFT) - 1;
const FIRST_LEAF_KIND: u32 = 3;
const TOKEN: u32 = 3;
const ERROR: u32 = 4;

impl Node {
    /// An inner node that is alone so far.
    #[inline]
    pub(crate) fn inner(kind: Kind) -> Node {
        let (tag, symbol, alt) = match kind {
            Kind::Rule { rule, alt } => (0, rule.index(), alt),
            Kind::List { block } => (1, block.index(), 0),
            Kind::Item { alt } => (2, 0, alt),
            _ => unreachable!("a leaf is made by `Node::leaf`"),
        };
        Node { head: head(tag, symbol), first: alt, second: 1 }
    }

    /// A leaf with the range of its text.
    #[inline]
    pub(crate) fn leaf(kind: Kind, start: usize, len: usize) -> Node {
        let (tag, symbol) = match kind {
            Kind::Token(token) => (TOKEN, token.index()),
            Kind::Error(token) => (ERROR, token.index()),
            Kind::Missing(token) => (5, token.index()),
            Kind::Hidden(token) => (6, token.index()),
            Kind::Gap(gap) => (7, gap as usize),
            _ => unreachable!("an inner node is made by `Node::inner`"),
        };
        Node { head: head(tag, symbol), first: offset(start), second: offset(len) }
    }

    /// What it is.
    #[inline]
    pub fn kind(self) -> Kind {
        let symbol = (self.head & SYMBOL_MASK) as usize;
        match self.head >> KIND_SHIFT {
            0 => Kind::Rule { rule: RuleId::new(symbol), alt: self.first },
            1 => Kind::List { block: BlockId::new(symbol) },
            2 => Kind::Item { alt: self.first },
            TOKEN => Kind::Token(TokenType::new(symbol)),
            ERROR => Kind::Error(TokenType::new(symbol)),
            5 => Kind::Missing(TokenType::new(symbol)),
            6 => Kind::Hidden(TokenType::new(symbol)),
            _ => Kind::Gap(match symbol {
                0 => Gap::Skipped,
                1 => Gap::Dropped,
                2 => Gap::Rest,
                _ => Gap::Note,
            }),
        }
    }

    /// Whether it has a text instead of children.
    #[inline]
    pub fn is_leaf(self) -> bool {
        self.head >> KIND_SHIFT >= FIRST_LEAF_KIND
    }

    /// The number of nodes of its subtree, itself included.
    #[inline]
    pub fn size(self) -> usize {
        if self.is_leaf() { 1 } else { self.second as usize }
    }

    /// The range of a leaf's text; empty for inner nodes.
    #[inline]
    pub(crate) fn text_range(self) -> std::ops::Range<usize> {
        if self.is_leaf() { self.first as usize..self.first as usize + self.second as usize } else { 0..0 }
    }

    /// Whether it is a token, expected or not, that has a text. Without branches: whole trees are counted.
    #[inline]
    pub(crate) fn is_read_token(self) -> bool {
        let tag = self.head >> KIND_SHIFT;
        ((tag == TOKEN) | (tag == ERROR)) & (self.second != 0)
    }

    /// Whether its text is kept, but not printed.
    #[inline]
    pub(crate) fn is_note(self) -> bool {
        const NOTE: u32 = 7 << KIND_SHIFT | Gap::Note as u32;
        self.head == NOTE
    }

    #[inline]
    pub(crate) fn set_size(&mut self, size: usize) {
        debug_assert!(!self.is_leaf());
        self.second = offset(size);
    }

    #[inline]
    pub(crate) fn set_alt(&mut self, alt: u32) {
        debug_assert!(!self.is_leaf());
        self.first = alt;
    }

    /// The same leaf with its text further back in the buffer; inner nodes stay as they are.
    pub(crate) fn shifted(mut self, by: usize) -> Node {
        if self.is_leaf() {
            self.first = offset(self.first as usize + by);
        }
        self
    }
}

#[inline]
fn head(tag: u32, symbol: usize) -> u32 {
    let symbol = u32::try_from(symbol).ok().filter(|symbol| *symbol <= SYMBOL_MASK);
    tag << KIND_SHIFT | symbol.expect("a grammar has fewer than 2^28 rules, blocks and tokens")
}

#[inline]
pub(crate) fn offset(value: usize) -> u32 {
    u32::try_from(value).expect("a tree has fewer than 2^32 nodes and bytes of text")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_has_twelve_bytes_and_keeps_its_kind() {
        assert_eq!(size_of::<Node>(), 12);
        for kind in [
            Kind::Rule { rule: RuleId::new(7), alt: 3 },
            Kind::List { block: BlockId::new(9) },
            Kind::Item { alt: 2 },
        ] {
            assert_eq!(Node::inner(kind).kind(), kind);
        }
        for kind in [
            Kind::Token(TokenType::new(5)),
            Kind::Error(TokenType::EOF),
            Kind::Missing(TokenType::new(1)),
            Kind::Hidden(TokenType::new(2)),
            Kind::Gap(Gap::Skipped),
            Kind::Gap(Gap::Dropped),
            Kind::Gap(Gap::Rest),
        ] {
            assert_eq!(Node::leaf(kind, 1, 2).kind(), kind);
        }
    }
}
