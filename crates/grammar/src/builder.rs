//! Makes a [`Grammar`] from the inside out.
//!
//! A front end declares rules and tokens, makes groups before the alternatives that contain them, and gives
//! each rule its body. [`Builder::finish`] then numbers everything in the order of the text, so ids do not
//! depend on the order in which a front end happened to build.

use crate::charset::CharSet;
use crate::code::Code;
use crate::ids::{AltId, BlockId, CharSetId, CodeId, ElementId, ModeId, RuleId, TextId, TokenSetId};
use crate::lexer::{Command, Lexer, Mode};
use crate::model::{
    Alternative, Associativity, Block, Element, ElementKind, Grammar, Label, Quantifier, Rule, RuleKind,
    Spans,
};
use crate::recursion::LeftRecursion;
use crate::tokens::{Token, TokenType, Tokens};
use polysmith_source::Span;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A group that was made and not yet used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DraftBlock(usize);

/// One place of an alternative to be.
#[derive(Debug, Clone)]
pub struct Part {
    kind: PartKind,
    label: Option<Label>,
    span: Option<Span>,
}

#[derive(Debug, Clone, Copy)]
enum PartKind {
    Element(ElementKind),
    Block(DraftBlock),
}

impl Part {
    /// Anything but a group.
    pub fn new(kind: ElementKind) -> Part {
        Part { kind: PartKind::Element(kind), label: None, span: None }
    }

    /// With the author's name for it.
    #[must_use]
    pub fn label(mut self, label: Label) -> Part {
        self.label = Some(label);
        self
    }

    /// With its place in the file.
    #[must_use]
    pub fn at(mut self, span: Span) -> Part {
        self.span = Some(span);
        self
    }
}

impl From<DraftBlock> for Part {
    fn from(block: DraftBlock) -> Part {
        Part { kind: PartKind::Block(block), label: None, span: None }
    }
}

impl From<RuleId> for Part {
    fn from(rule: RuleId) -> Part {
        Part::new(ElementKind::Rule(rule))
    }
}

impl From<TokenType> for Part {
    fn from(token: TokenType) -> Part {
        Part::new(ElementKind::Token(token))
    }
}

impl From<CharSetId> for Part {
    fn from(chars: CharSetId) -> Part {
        Part::new(ElementKind::Chars(chars))
    }
}

impl From<TextId> for Part {
    fn from(text: TextId) -> Part {
        Part::new(ElementKind::Text(text))
    }
}

impl From<CodeId> for Part {
    fn from(code: CodeId) -> Part {
        Part::new(ElementKind::Code(code))
    }
}

/// An alternative to be.
#[derive(Debug, Clone, Default)]
pub struct Alt {
    parts: Vec<Part>,
    label: Option<String>,
    associativity: Associativity,
    commands: Vec<Command>,
    span: Option<Span>,
}

impl Alt {
    /// The sequence of these parts.
    pub fn of(parts: impl IntoIterator<Item = Part>) -> Alt {
        Alt { parts: parts.into_iter().collect(), ..Alt::default() }
    }

    /// With a label.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Alt {
        self.label = Some(label.into());
        self
    }

    /// Grouping to the right.
    #[must_use]
    pub fn right(mut self) -> Alt {
        self.associativity = Associativity::Right;
        self
    }

    /// With lexer commands.
    #[must_use]
    pub fn commands(mut self, commands: impl IntoIterator<Item = Command>) -> Alt {
        self.commands = commands.into_iter().collect();
        self
    }

    /// With its place in the file.
    #[must_use]
    pub fn at(mut self, span: Span) -> Alt {
        self.span = Some(span);
        self
    }
}

#[derive(Debug)]
struct Draft {
    quantifier: Quantifier,
    alternatives: Vec<Alt>,
}

#[derive(Debug)]
struct DraftRule {
    name: String,
    kind: RuleKind,
    body: Option<DraftBlock>,
    recursion: Option<LeftRecursion>,
    span: Option<Span>,
}

/// Collects the parts of a grammar.
#[derive(Debug)]
pub struct Builder {
    name: String,
    start: Option<RuleId>,
    rules: Vec<DraftRule>,
    drafts: Vec<Draft>,
    tokens: Tokens,
    lexer: Lexer,
    char_sets: Vec<CharSet>,
    char_set_ids: FxHashMap<CharSet, CharSetId>,
    token_sets: Vec<Vec<TokenType>>,
    texts: Vec<String>,
    code: Vec<Code>,
}

impl Builder {
    /// An empty grammar with the default mode and the two channels that every lexer has.
    pub fn new(name: impl Into<String>) -> Builder {
        Builder {
            name: name.into(),
            start: None,
            rules: Vec::new(),
            drafts: Vec::new(),
            tokens: Tokens::default(),
            lexer: Lexer {
                modes: vec![Mode { name: "DEFAULT_MODE".into(), rules: Vec::new() }],
                channels: vec!["DEFAULT_TOKEN_CHANNEL".into(), "HIDDEN".into()],
            },
            char_sets: Vec::new(),
            char_set_ids: FxHashMap::default(),
            token_sets: Vec::new(),
            texts: Vec::new(),
            code: Vec::new(),
        }
    }

    /// Declares a parser rule.
    pub fn rule(&mut self, name: impl Into<String>) -> RuleId {
        self.declare(name.into(), RuleKind::Parser)
    }

    /// Declares a token rule of a mode; it ranks behind the rules that the mode has so far.
    pub fn token_rule(&mut self, name: impl Into<String>, token: Option<TokenType>, mode: ModeId) -> RuleId {
        let id = self.declare(name.into(), RuleKind::Token { token, mode });
        self.lexer.modes[mode.index()].rules.push(id);
        id
    }

    /// Declares a fragment.
    pub fn fragment(&mut self, name: impl Into<String>) -> RuleId {
        self.declare(name.into(), RuleKind::Fragment)
    }

    fn declare(&mut self, name: String, kind: RuleKind) -> RuleId {
        self.rules.push(DraftRule { name, kind, body: None, recursion: None, span: None });
        RuleId::new(self.rules.len() - 1)
    }

    /// Gives a rule its body. A rule without one derives only the empty text.
    pub fn body(&mut self, rule: RuleId, alternatives: impl IntoIterator<Item = Alt>) {
        let body = self.block(Quantifier::ONE, alternatives);
        self.rules[rule.index()].body = Some(body);
    }

    /// Makes a group. Each is used once: a group that stands in two places is made twice.
    pub fn block(
        &mut self,
        quantifier: Quantifier,
        alternatives: impl IntoIterator<Item = Alt>,
    ) -> DraftBlock {
        self.drafts.push(Draft { quantifier, alternatives: alternatives.into_iter().collect() });
        DraftBlock(self.drafts.len() - 1)
    }

    /// Says where a rule's name stands.
    pub fn rule_at(&mut self, rule: RuleId, span: Span) {
        self.rules[rule.index()].span = Some(span);
    }

    /// Gives a rule its operator table.
    pub fn recursion(&mut self, rule: RuleId, table: LeftRecursion) {
        self.rules[rule.index()].recursion = Some(table);
    }

    /// Begins elsewhere than with the first parser rule.
    pub fn start(&mut self, rule: RuleId) {
        self.start = Some(rule);
    }

    /// A new token type with a name.
    pub fn token(&mut self, name: impl Into<String>) -> TokenType {
        self.tokens.add(Token { name: Some(name.into()), literal: None, text: None })
    }

    /// A new token type with a fixed text: its spelling in the description, and the text itself.
    pub fn literal(&mut self, spelled: impl Into<String>, text: impl Into<String>) -> TokenType {
        self.tokens.add(Token { name: None, literal: Some(spelled.into()), text: Some(text.into()) })
    }

    /// The token table, for front ends that number types themselves.
    pub fn tokens_mut(&mut self) -> &mut Tokens {
        &mut self.tokens
    }

    /// Takes over the tokens, the modes (without their rules) and the channels of another grammar.
    pub(crate) fn copy_vocabulary(&mut self, grammar: &Grammar) {
        self.tokens = grammar.tokens.clone();
        self.lexer = grammar.lexer.clone();
        self.lexer.modes.iter_mut().for_each(|mode| mode.rules.clear());
    }

    /// The mode with this name, added if it is new.
    pub fn mode(&mut self, name: &str) -> ModeId {
        let modes = &mut self.lexer.modes;
        let at = modes.iter().position(|mode| mode.name == name).unwrap_or_else(|| {
            modes.push(Mode { name: name.into(), rules: Vec::new() });
            modes.len() - 1
        });
        ModeId::new(at)
    }

    /// The mode with this name, if there is one by now.
    pub fn mode_named(&self, name: &str) -> Option<ModeId> {
        self.lexer.modes.iter().position(|mode| mode.name == name).map(ModeId::new)
    }

    /// How many modes there are by now.
    pub fn n_modes(&self) -> usize {
        self.lexer.modes.len()
    }

    /// The channel with this name, if there is one by now.
    pub fn channel_named(&self, name: &str) -> Option<u32> {
        self.lexer.channels.iter().position(|channel| channel == name).map(|at| at as u32)
    }

    /// How many channels there are by now.
    pub fn n_channels(&self) -> usize {
        self.lexer.channels.len()
    }

    /// The channel with this name, added if it is new.
    pub fn channel(&mut self, name: &str) -> u32 {
        let channels = &mut self.lexer.channels;
        let at = channels.iter().position(|channel| channel == name).unwrap_or_else(|| {
            channels.push(name.into());
            channels.len() - 1
        });
        at as u32
    }

    /// A set of characters; equal sets share an id.
    pub fn chars(&mut self, chars: CharSet) -> CharSetId {
        if let Some(id) = self.char_set_ids.get(&chars) {
            return *id;
        }
        let id = CharSetId::new(self.char_sets.len());
        self.char_set_ids.insert(chars.clone(), id);
        self.char_sets.push(chars);
        id
    }

    /// A set of token types, for `~`.
    pub fn not_tokens(&mut self, tokens: impl IntoIterator<Item = TokenType>) -> Part {
        let mut set: Vec<TokenType> = tokens.into_iter().collect();
        set.sort_unstable();
        set.dedup();
        self.token_sets.push(set);
        Part::new(ElementKind::NotTokens(TokenSetId::new(self.token_sets.len() - 1)))
    }

    /// A literal text of a token rule.
    pub fn text(&mut self, text: impl Into<String>) -> TextId {
        self.texts.push(text.into());
        TextId::new(self.texts.len() - 1)
    }

    /// An action or predicate.
    pub fn code(&mut self, code: Code) -> CodeId {
        self.code.push(code);
        CodeId::new(self.code.len() - 1)
    }

    /// Numbers everything in the order of the text.
    pub fn finish(self) -> Grammar {
        let mut flat = Flattener::new(self.drafts);
        let mut rules = Vec::with_capacity(self.rules.len());
        let mut by_name = std::collections::BTreeMap::new();
        let mut rule_spans = Vec::with_capacity(self.rules.len());
        for (at, draft) in self.rules.into_iter().enumerate() {
            let id = RuleId::new(at);
            let blocks = flat.rule(id, draft.body);
            by_name.entry(draft.name.clone()).or_insert(id);
            rule_spans.push(draft.span);
            rules.push(Rule { name: draft.name, kind: draft.kind, blocks, recursion: draft.recursion });
        }
        let first = rules.iter().position(|rule| rule.kind == RuleKind::Parser).map(RuleId::new);
        Grammar {
            name: self.name,
            start: self.start.or(first),
            rules,
            blocks: flat.blocks,
            alternatives: flat.alternatives,
            elements: flat.elements,
            tokens: self.tokens,
            lexer: self.lexer,
            char_sets: self.char_sets,
            token_sets: self.token_sets,
            texts: self.texts,
            code: self.code,
            by_name,
            spans: Spans { rules: rule_spans, ..flat.spans },
        }
    }
}

/// Moves drafts into the flat arrays, one rule after the other, each in the order of its text.
struct Flattener {
    drafts: Vec<Option<Draft>>,
    blocks: Vec<Block>,
    alternatives: Vec<Alternative>,
    elements: Vec<Element>,
    spans: Spans,
}

impl Flattener {
    fn new(drafts: Vec<Draft>) -> Flattener {
        Flattener {
            drafts: drafts.into_iter().map(Some).collect(),
            blocks: Vec::new(),
            alternatives: Vec::new(),
            elements: Vec::new(),
            spans: Spans::default(),
        }
    }

    /// Places the blocks of a rule. Groups wait on a stack, the leftmost on top, with the element that will
    /// name them: depth comes from the description.
    fn rule(&mut self, rule: RuleId, body: Option<DraftBlock>) -> Range<BlockId> {
        let first = BlockId::new(self.blocks.len());
        let empty = Draft { quantifier: Quantifier::ONE, alternatives: vec![Alt::default()] };
        let body = body.map_or(empty, |body| self.take(body));
        let mut waiting = Vec::new();
        self.place(rule, body, &mut waiting);
        while let Some((element, block)) = waiting.pop() {
            let draft = self.take(block);
            let id = self.place(rule, draft, &mut waiting);
            self.elements[element].kind = ElementKind::Block(id);
        }
        first..BlockId::new(self.blocks.len())
    }

    fn take(&mut self, block: DraftBlock) -> Draft {
        self.drafts[block.0].take().expect("each group stands in one place")
    }

    fn place(&mut self, rule: RuleId, draft: Draft, waiting: &mut Vec<(usize, DraftBlock)>) -> BlockId {
        let id = BlockId::new(self.blocks.len());
        let first = AltId::new(self.alternatives.len());
        let waiting_before = waiting.len();
        for alt in draft.alternatives {
            let start = ElementId::new(self.elements.len());
            for part in alt.parts {
                let kind = match part.kind {
                    PartKind::Element(kind) => kind,
                    PartKind::Block(block) => {
                        waiting.push((self.elements.len(), block));
                        ElementKind::Block(id) // replaced when the group is placed
                    }
                };
                self.elements.push(Element { kind, label: part.label });
                self.spans.elements.push(part.span);
            }
            self.alternatives.push(Alternative {
                block: id,
                elements: start..ElementId::new(self.elements.len()),
                label: alt.label,
                associativity: alt.associativity,
                commands: alt.commands,
            });
            self.spans.alternatives.push(alt.span);
        }
        waiting[waiting_before..].reverse();
        let alternatives = first..AltId::new(self.alternatives.len());
        self.blocks.push(Block { rule, alternatives, quantifier: draft.quantifier });
        id
    }
}
