//! `Grammar` and its parts.

use crate::charset::CharSet;
use crate::code::Code;
use crate::ids::{AltId, BlockId, CharSetId, CodeId, ElementId, ModeId, RuleId, TextId, TokenSetId};
use crate::lexer::{Command, Lexer};
use crate::recursion::LeftRecursion;
use crate::tokens::{TokenType, Tokens};
use polysmith_source::Span;
use std::collections::BTreeMap;
use std::ops::Range;

/// A language's shape. Made by a [`crate::Builder`]; never changed afterwards.
///
/// Two grammars are equal if they have the same parts in the same order; where they stand in a file does not
/// count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grammar {
    pub(crate) name: String,
    pub(crate) start: Option<RuleId>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) alternatives: Vec<Alternative>,
    pub(crate) elements: Vec<Element>,
    pub(crate) tokens: Tokens,
    pub(crate) lexer: Lexer,
    pub(crate) char_sets: Vec<CharSet>,
    pub(crate) token_sets: Vec<Vec<TokenType>>,
    pub(crate) texts: Vec<String>,
    pub(crate) code: Vec<Code>,
    pub(crate) by_name: BTreeMap<String, RuleId>,
    pub(crate) spans: Spans,
}

/// Where rules, alternatives and elements stand. Equal to any other, so that `Grammar` can derive equality.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spans {
    pub(crate) rules: Vec<Option<Span>>,
    pub(crate) alternatives: Vec<Option<Span>>,
    pub(crate) elements: Vec<Option<Span>>,
}

impl PartialEq for Spans {
    fn eq(&self, _: &Spans) -> bool {
        true
    }
}

impl Eq for Spans {}

/// A named rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Its name. Unique: parser and token rules share one name space.
    pub name: String,
    /// What it is for.
    pub kind: RuleKind,
    /// Its blocks in the order of the text. The first is its body.
    pub blocks: Range<BlockId>,
    /// Its operator table, if it is directly left-recursive.
    pub recursion: Option<LeftRecursion>,
}

impl Rule {
    /// The block that is the whole rule.
    pub fn body(&self) -> BlockId {
        self.blocks.start
    }
}

/// What a rule is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleKind {
    /// Tokens and rules to a tree.
    Parser,
    /// Characters to a token of its own type (`None` where it never has one of its own, as under `-> more`).
    Token {
        /// The type of its name.
        token: Option<TokenType>,
        /// The mode in which it competes.
        mode: ModeId,
    },
    /// Characters, only as a part of token rules.
    Fragment,
}

/// Alternatives with a quantifier: the body of a rule, a group, or a quantified element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The rule that it is part of.
    pub rule: RuleId,
    /// Its alternatives.
    pub alternatives: Range<AltId>,
    /// How often it stands there.
    pub quantifier: Quantifier,
}

/// How often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Quantifier {
    /// At least so often: 0 or 1 in ANTLR, anything in general.
    pub min: u32,
    /// At most so often; `None` is without end.
    pub max: Option<u32>,
    /// Prefers more over fewer.
    pub greedy: bool,
}

impl Quantifier {
    /// Exactly once.
    pub const ONE: Quantifier = Quantifier { min: 1, max: Some(1), greedy: true };
    /// `?`
    pub const OPTIONAL: Quantifier = Quantifier { min: 0, max: Some(1), greedy: true };
    /// `*`
    pub const STAR: Quantifier = Quantifier { min: 0, max: None, greedy: true };
    /// `+`
    pub const PLUS: Quantifier = Quantifier { min: 1, max: None, greedy: true };

    /// The same, preferring fewer.
    #[must_use]
    pub const fn lazy(self) -> Quantifier {
        Quantifier { greedy: false, ..self }
    }

    /// Whether it is exactly once.
    pub fn is_one(self) -> bool {
        self.min == 1 && self.max == Some(1)
    }
}

/// One way to write a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alternative {
    /// The block that it is part of.
    pub block: BlockId,
    /// Its parts, in order.
    pub elements: Range<ElementId>,
    /// `# Label` in ANTLR, the production's name in LALA.
    pub label: Option<String>,
    /// How it groups, where the rule is left-recursive.
    pub associativity: Associativity,
    /// What happens after the match; only on the alternatives of a token rule's body.
    pub commands: Vec<Command>,
}

/// How equal operators group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Associativity {
    /// `(a - b) - c`
    #[default]
    Left,
    /// `a ^ (b ^ c)`
    Right,
}

/// One place in an alternative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    /// What stands there.
    pub kind: ElementKind,
    /// The name that the author gave it.
    pub label: Option<Label>,
}

/// `x=` or `xs+=`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The name.
    pub name: String,
    /// It collects (`+=`).
    pub list: bool,
}

/// What can stand at a place. A quantified element is a [`Block`] with one alternative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ElementKind {
    /// A token of this type. In token rules only [`TokenType::EOF`].
    Token(TokenType),
    /// A token of any type that is not in the set, nor EOF. Parser rules only.
    NotTokens(TokenSetId),
    /// A token of any type but EOF. Parser rules only.
    AnyToken,
    /// A rule.
    Rule(RuleId),
    /// A group, or anything with a quantifier.
    Block(BlockId),
    /// One character of a set. Token rules only; `.` and `~` are sets here.
    Chars(CharSetId),
    /// A literal text. Token rules only.
    Text(TextId),
    /// An action or predicate: no text.
    Code(CodeId),
}

impl Grammar {
    /// The name of the grammar.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where to begin if nobody says otherwise: the first parser rule. A lexer grammar has none.
    pub fn start(&self) -> Option<RuleId> {
        self.start
    }

    /// All rules: parser rules and token rules, as the front end ordered them.
    pub fn rules(&self) -> impl DoubleEndedIterator<Item = RuleId> + ExactSizeIterator + Clone + use<> {
        (0..self.rules.len()).map(RuleId::new)
    }

    /// The parser rules, in order.
    pub fn parser_rules(&self) -> impl DoubleEndedIterator<Item = RuleId> + Clone {
        self.rules().filter(|rule| self.rule(*rule).kind == RuleKind::Parser)
    }

    /// A rule.
    pub fn rule(&self, id: RuleId) -> &Rule {
        &self.rules[id.index()]
    }

    /// The rule with this name.
    pub fn rule_named(&self, name: &str) -> Option<RuleId> {
        self.by_name.get(name).copied()
    }

    /// A block.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }

    /// The number of a group inside its rule, from 0 in the order of the text; `None` for the body itself.
    pub fn block_number(&self, id: BlockId) -> Option<usize> {
        id.index().checked_sub(self.rule(self.block(id).rule).body().index() + 1)
    }

    /// The group of a rule with this number.
    pub fn block_numbered(&self, rule: RuleId, number: usize) -> Option<BlockId> {
        let blocks = &self.rule(rule).blocks;
        let id = blocks.start.index() + 1 + number;
        (id < blocks.end.index()).then(|| BlockId::new(id))
    }

    /// The alternatives of a block.
    pub fn alternatives(
        &self,
        block: BlockId,
    ) -> impl DoubleEndedIterator<Item = AltId> + ExactSizeIterator + Clone {
        AltId::range(self.block(block).alternatives.clone())
    }

    /// An alternative.
    pub fn alternative(&self, id: AltId) -> &Alternative {
        &self.alternatives[id.index()]
    }

    /// The number of an alternative inside its block, from 1.
    pub fn alternative_number(&self, id: AltId) -> usize {
        id.index() - self.block(self.alternative(id).block).alternatives.start.index() + 1
    }

    /// The elements of an alternative.
    pub fn elements(&self, alternative: AltId) -> &[Element] {
        let range = &self.alternative(alternative).elements;
        &self.elements[range.start.index()..range.end.index()]
    }

    /// The ids of the elements of an alternative.
    pub fn element_ids(
        &self,
        alternative: AltId,
    ) -> impl DoubleEndedIterator<Item = ElementId> + ExactSizeIterator + Clone {
        ElementId::range(self.alternative(alternative).elements.clone())
    }

    /// An element.
    pub fn element(&self, id: ElementId) -> &Element {
        &self.elements[id.index()]
    }

    /// How many blocks there are, over all rules.
    pub fn n_blocks(&self) -> usize {
        self.blocks.len()
    }

    /// How many alternatives there are, over all blocks.
    pub fn n_alternatives(&self) -> usize {
        self.alternatives.len()
    }

    /// How many elements there are, over all alternatives.
    pub fn n_elements(&self) -> usize {
        self.elements.len()
    }

    /// The token types.
    pub fn tokens(&self) -> &Tokens {
        &self.tokens
    }

    /// Modes and channels.
    pub fn lexer(&self) -> &Lexer {
        &self.lexer
    }

    /// A set of characters.
    pub fn chars(&self, id: CharSetId) -> &CharSet {
        &self.char_sets[id.index()]
    }

    /// All sets of characters, by id.
    pub fn char_sets(&self) -> &[CharSet] {
        &self.char_sets
    }

    /// A set of token types, ascending.
    pub fn token_set(&self, id: TokenSetId) -> &[TokenType] {
        &self.token_sets[id.index()]
    }

    /// A literal text of a token rule.
    pub fn text(&self, id: TextId) -> &str {
        &self.texts[id.index()]
    }

    /// How many actions and predicates there are.
    pub fn n_codes(&self) -> usize {
        self.code.len()
    }

    /// An action or predicate.
    pub fn code(&self, id: CodeId) -> &Code {
        &self.code[id.index()]
    }

    /// Where a rule's name stands in its file.
    pub fn rule_span(&self, id: RuleId) -> Option<Span> {
        self.spans.rules[id.index()]
    }

    /// Where an alternative stands in its file.
    pub fn alternative_span(&self, id: AltId) -> Option<Span> {
        self.spans.alternatives[id.index()]
    }

    /// Where an element stands in its file.
    pub fn element_span(&self, id: ElementId) -> Option<Span> {
        self.spans.elements[id.index()]
    }
}
