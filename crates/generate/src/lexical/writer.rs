//! Gives tokens their texts, in order, so that the lexer reads exactly these tokens back.
//!
//! The writer follows the lexer: the mode stack, and the *live states* of the automata after what was
//! written. A text may follow directly if every live state dies on it before it accepts anything; else a separator
//! is written between them, made of the mode's own hidden tokens, and both new borders are checked the same way. A live state
//! that neither dies nor accepts is carried on over what follows. A token that the present mode does not have
//! comes with hidden text that leads to a mode that has it.

mod modes;
mod separators;

use crate::decisions::choice::Choice;
use crate::decisions::one_token::OneTokenDecisions;
use crate::extend::Model;
use crate::lexical::automata::{LexerAutomata, LiveState};
use crate::lexical::lexicon::{CheckedText, Drawer, Lexicon, ProducerTexts, TextRef};
use crate::lexical::producers::{ModeChange, Product};
use crate::lexical::token_text::Texts;
use crate::tuning::MAX_TEXT_DRAWS;
use polysmith_grammar::{AltId, Grammar, ModeId, TokenType};
use polysmith_parse::LexWalk;
use polysmith_random::Stream;
use polysmith_tree::{Gap, Kind, TreeBuilder};
use std::sync::Arc;

/// The layout of generated text. It never changes the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Style {
    /// Separators only where they are needed, of all kinds that the grammar has.
    #[default]
    Varied,
    /// Separators only where they are needed, as short as possible.
    Compact,
    /// A separator between all tokens that can have one.
    Spaced,
    /// A line for each token that can have one.
    Lines,
    /// Lines and indentation by brackets and semicolons.
    Pretty,
}

/// What does not change from test to test.
#[derive(Debug)]
pub(crate) struct LexicalTables {
    pub(crate) grammar: Arc<Grammar>,
    pub(crate) texts: Texts,
    pub(crate) lexicon: Lexicon,
    pub(crate) style: Style,
    /// The user's own separator.
    pub(crate) separator: Option<String>,
}

/// Writes the tokens of one test after the other.
#[derive(Debug)]
pub(crate) struct Writer {
    lexical: Arc<LexicalTables>,
    automata: LexerAutomata,
    drawer: Drawer,
    /// The text drawn last.
    fresh: CheckedText,
    text_stream: Stream,
    layout_stream: Stream,
    mode: ModeId,
    /// The modes below the present one: a place in `stacks`, [`BOTTOM`] if there are none.
    below: u32,
    /// All mode stacks of a text, each a mode, what lies below it, and the height.
    stacks: Vec<(ModeId, u32, u32)>,
    /// Live states after each text written so far; those from `live_from` on are after the last one.
    live_states: Vec<LiveState>,
    live_from: usize,
    survivors: Vec<LiveState>,
    indent: usize,
    /// What the last token ended with, for `--style pretty`.
    last: u8,
    first: bool,
    /// Texts that were drawn again.
    pub(crate) redrawn: u32,
}

/// No mode lies below.
const BOTTOM: u32 = u32::MAX;

/// Where a writer was.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WriterMark {
    mode: ModeId,
    below: u32,
    stacks: u32,
    live_from: u32,
    live_states: u32,
    indent: u32,
    last: u8,
    first: bool,
}

impl Writer {
    pub(crate) fn new(lexical: Arc<LexicalTables>, automata: LexerAutomata) -> Writer {
        Writer {
            lexical,
            automata,
            drawer: Drawer::default(),
            fresh: CheckedText::default(),
            text_stream: Stream::keyed(&[0]),
            layout_stream: Stream::keyed(&[1]),
            mode: ModeId::new(0),
            below: BOTTOM,
            stacks: Vec::new(),
            live_states: Vec::new(),
            live_from: 0,
            survivors: Vec::new(),
            indent: 0,
            last: 0,
            first: true,
            redrawn: 0,
        }
    }

    /// Takes the random numbers for texts and layout from these streams.
    pub(crate) fn draw_from(&mut self, text: Stream, layout: Stream) {
        (self.text_stream, self.layout_stream) = (text, layout);
    }

    /// A new text begins.
    pub(crate) fn begin(&mut self) {
        self.mode = ModeId::new(0);
        self.below = BOTTOM;
        self.stacks.clear();
        self.live_states.clear();
        self.live_from = 0;
        (self.indent, self.last, self.first, self.redrawn) = (0, 0, true, 0);
    }

    /// Where it is.
    #[inline]
    pub(crate) fn mark(&self) -> WriterMark {
        WriterMark {
            mode: self.mode,
            below: self.below,
            stacks: self.stacks.len() as u32,
            live_from: self.live_from as u32,
            live_states: self.live_states.len() as u32,
            indent: self.indent as u32,
            last: self.last,
            first: self.first,
        }
    }

    /// Goes back to where it was.
    pub(crate) fn restore(&mut self, to: WriterMark) {
        (self.mode, self.below) = (to.mode, to.below);
        self.stacks.truncate(to.stacks as usize);
        self.live_from = to.live_from as usize;
        self.live_states.truncate(to.live_states as usize);
        (self.indent, self.last, self.first) = (to.indent as usize, to.last, to.first);
    }

    /// Not every token can follow every other.
    #[inline]
    pub(crate) fn is_tight(&self) -> bool {
        self.lexical.lexicon.tight
    }

    /// The lexer has no other mode to be in.
    #[inline]
    pub(crate) fn has_one_mode(&self) -> bool {
        self.lexical.lexicon.known.len() == 1
    }

    /// The mode of the lexer.
    #[inline]
    pub(crate) fn mode(&self) -> ModeId {
        self.mode
    }

    /// How many of these types can come next.
    pub(crate) fn n_ready(&self, types: &[TokenType]) -> usize {
        if self.has_one_mode() {
            return types.len();
        }
        types.iter().filter(|token| self.is_ready(**token)).count()
    }

    /// One of these types that can come next.
    pub(crate) fn nth_ready(&self, types: &[TokenType], n: usize) -> Option<TokenType> {
        if self.has_one_mode() {
            return types.get(n).copied();
        }
        types.iter().copied().filter(|token| self.is_ready(*token)).nth(n)
    }

    fn is_ready(&self, token: TokenType) -> bool {
        self.lexical.lexicon.available.contains(self.mode.index(), token.index())
    }

    /// Whether an alternative can begin with a token that can come next.
    pub(crate) fn may_begin(&self, one_token: &OneTokenDecisions, alt: AltId) -> bool {
        self.has_one_mode()
            || one_token
                .next_tokens(Choice::Alternative(alt))
                .intersects(self.lexical.lexicon.available.row(self.mode.index()))
    }

    /// Writes a token with what must precede it; false if no text fits. `lexical` is the writer's own.
    pub(crate) fn token(
        &mut self,
        lexical: &LexicalTables,
        builder: &mut TreeBuilder,
        token: TokenType,
        model: Option<&mut dyn Model>,
    ) -> bool {
        let model = model.filter(|model| model.wants_characters());
        let row = lexical.lexicon.text_table.row(self.mode, token);
        let mut wants_fresh = false;
        if !row.is_empty() && model.is_none() {
            wants_fresh = !row.is_fixed() && self.wants_fresh();
            if !wants_fresh {
                let text_ref = lexical.lexicon.text_table.pick(row, &mut self.text_stream);
                if self.place(lexical, builder, Kind::Token(token), text_ref, true) {
                    return true;
                }
                self.redrawn += 1;
            }
        }
        self.token_by_producers(lexical, builder, token, model, wants_fresh)
    }

    /// Now and then a token gets a new text.
    #[inline]
    fn wants_fresh(&mut self) -> bool {
        self.text_stream.below(8) == 0
    }

    /// Writes a token by any of its producers; by a new text first, if that is wanted.
    #[inline(never)]
    fn token_by_producers(
        &mut self,
        lexical: &LexicalTables,
        builder: &mut TreeBuilder,
        token: TokenType,
        mut model: Option<&mut dyn Model>,
        wants_fresh: bool,
    ) -> bool {
        if lexical.lexicon.of(self.mode, token).is_empty() {
            if let Some(texts) = lexical.lexicon.given.get(&token) {
                return self.given(lexical, builder, token, texts);
            }
            if !self.hop(builder, token) {
                return false;
            }
        }
        let producers = lexical.lexicon.of(self.mode, token);
        for redraw in 0..MAX_TEXT_DRAWS {
            self.redrawn += u32::from(redraw > 0);
            let number = if producers.len() == 1 { 0 } else { self.text_stream.index(producers.len()) };
            let known = &lexical.lexicon.known[self.mode.index()][producers[number] as usize];
            if !self.legal(&known.producer.mode_changes) {
                continue;
            }
            let picked = if known.fixed && known.dictionary.is_empty() {
                Picked::Kept(&known.pool[0])
            } else {
                let wants_fresh = redraw == 0 && wants_fresh;
                self.pick(
                    lexical,
                    known,
                    redraw,
                    wants_fresh,
                    model.as_deref_mut().map(|model| model as &mut dyn Model),
                )
            };
            let placed = match picked {
                Picked::Kept(entry) => {
                    self.place(lexical, builder, Kind::Token(token), entry.text_ref(), true)
                }
                Picked::Fresh => {
                    let fresh = std::mem::take(&mut self.fresh);
                    let placed = self.place(lexical, builder, Kind::Token(token), fresh.text_ref(), true);
                    self.fresh = fresh;
                    placed
                }
                Picked::Nothing => continue,
            };
            if placed {
                self.turn(&known.producer.mode_changes);
                return true;
            }
        }
        false
    }

    /// Whether the mode changes never take from an empty stack.
    fn legal(&self, mode_changes: &[ModeChange]) -> bool {
        let mut depth = self.depth();
        mode_changes.iter().all(|step| match step {
            ModeChange::To(_) => true,
            ModeChange::Push(_) => {
                depth += 1;
                true
            }
            ModeChange::Pop => {
                let any = depth > 0;
                depth = depth.saturating_sub(1);
                any
            }
        })
    }

    fn turn(&mut self, mode_changes: &[ModeChange]) {
        for step in mode_changes {
            match step {
                ModeChange::To(mode) => self.mode = *mode,
                ModeChange::Push(mode) => {
                    let height = self.depth() as u32 + 1;
                    self.stacks.push((std::mem::replace(&mut self.mode, *mode), self.below, height));
                    self.below = self.stacks.len() as u32 - 1;
                }
                ModeChange::Pop => {
                    if let Some((mode, below, _)) = self.stacks.get(self.below as usize) {
                        (self.mode, self.below) = (*mode, *below);
                    }
                }
            }
        }
    }

    /// How many modes lie below.
    fn depth(&self) -> usize {
        self.stacks.get(self.below as usize).map_or(0, |(_, _, height)| *height as usize)
    }

    /// A checked text, or now and then a new one; always a new one if a model is asked for its characters.
    fn pick<'a>(
        &mut self,
        lexical: &'a LexicalTables,
        known: &'a ProducerTexts,
        redraw: u32,
        wants_fresh: bool,
        model: Option<&mut dyn Model>,
    ) -> Picked<'a> {
        let dice = if wants_fresh { 0 } else { self.text_stream.below(8) };
        if dice < 2 && redraw < 2 && !known.dictionary.is_empty() {
            return self.text_stream.pick(&known.dictionary).map_or(Picked::Nothing, Picked::Kept);
        }
        let kept = model.is_none() && dice > 0;
        if !known.pool.is_empty() && (kept || known.fixed) && redraw < MAX_TEXT_DRAWS / 2 {
            return self.text_stream.pick(&known.pool).map_or(Picked::Nothing, Picked::Kept);
        }
        let drawn = self.drawer.draw(
            (&lexical.grammar, &lexical.texts),
            &mut self.automata,
            &known.producer,
            &mut self.text_stream,
            model,
            &mut self.fresh,
        );
        if drawn {
            return Picked::Fresh;
        }
        self.text_stream.pick(&known.pool).map_or(Picked::Nothing, Picked::Kept)
    }

    /// Appends a text, with a separator if one is needed or wanted.
    #[inline(always)]
    fn place(
        &mut self,
        lexical: &LexicalTables,
        builder: &mut TreeBuilder,
        kind: Kind,
        text_ref: TextRef<'_>,
        separable: bool,
    ) -> bool {
        let direct = self.follows(text_ref.text);
        let wanted = separable && !self.first && self.wants_separator(text_ref.text);
        if direct == Joint::Clean && !wanted {
            self.append(builder, kind, text_ref);
            return true;
        }
        if separable && !self.first && self.separate(lexical, builder, text_ref.text) {
            self.follows(text_ref.text);
            self.append(builder, kind, text_ref);
            return true;
        }
        // Without a separator, if that is right as well.
        if direct != Joint::Wrong {
            self.follows(text_ref.text);
            self.append(builder, kind, text_ref);
            return true;
        }
        false
    }

    /// Walks all live states over a text; the survivors are kept aside.
    #[inline]
    fn follows(&mut self, text: &str) -> Joint {
        self.survivors.clear();
        for at in self.live_from..self.live_states.len() {
            match self.automata.walk(self.live_states[at], text) {
                LexWalk::Died => {}
                LexWalk::Accepts => return Joint::Wrong,
                LexWalk::Alive(live_state) => self.survivors.push(live_state),
            }
        }
        if self.survivors.is_empty() { Joint::Clean } else { Joint::Open }
    }

    /// Writes a text whose [`Writer::follows`] was asked last.
    #[inline(always)]
    fn append(&mut self, builder: &mut TreeBuilder, kind: Kind, text_ref: TextRef<'_>) {
        builder.leaf(kind, text_ref.text.as_bytes());
        self.live_from = self.live_states.len();
        self.live_states.extend_from_slice(&self.survivors);
        self.live_states.extend_from_slice(text_ref.live_states);
        self.first = false;
        if matches!(kind, Kind::Token(_)) {
            self.last = text_ref.text.as_bytes().last().copied().unwrap_or(0);
            self.indent += usize::from(text_ref.text == "{");
        }
    }

    /// A token that no rule makes, with a text that the user gave.
    fn given(
        &mut self,
        lexical: &LexicalTables,
        builder: &mut TreeBuilder,
        token: TokenType,
        texts: &[String],
    ) -> bool {
        let Some(text) = self.text_stream.pick(texts) else { return false };
        let text_ref = TextRef { text, live_states: &[] };
        self.place(lexical, builder, Kind::Token(token), text_ref, true)
    }
}

enum Picked<'a> {
    Kept(&'a CheckedText),
    /// The one in [`Writer::fresh`].
    Fresh,
    Nothing,
}

/// How a text joins what is written before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joint {
    /// The border is right.
    Clean,
    /// It is right unless what follows makes it wrong.
    Open,
    /// The lexer would read something else.
    Wrong,
}

fn leaf_kind(product: Product) -> Kind {
    match product {
        Product::Token(token) => Kind::Token(token),
        Product::Hidden(token) => Kind::Hidden(token),
        Product::Skipped => Kind::Gap(Gap::Skipped),
    }
}
