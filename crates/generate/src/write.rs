//! Gives tokens their texts, in order, so that the lexer reads exactly these tokens back.
//!
//! The writer follows the lexer: the mode stack, and the *threads*, live automaton states behind what was
//! written. A text may follow directly if every thread dies on it before it accepts anything; else a separator
//! stands between, made of the mode's own hidden tokens, and both new borders are checked the same way. A thread
//! that neither dies nor accepts is carried on over what follows. A token that the present mode does not have
//! comes with hidden text that leads to a mode that has it.

mod hop;
mod separate;

use crate::lexicon::{Drawer, Entry, Known, Lexicon, Word};
use crate::makers::{Move, Outcome};
use crate::scan::{Scan, Thread};
use crate::sure::Sure;
use crate::text::Texts;
use crate::traits::Model;
use polysmith_grammar::{Grammar, ModeId, TokenType};
use polysmith_parse::LexWalk;
use polysmith_random::{Draw, Purpose, Stream};
use polysmith_tree::{Gap, Kind, TreeBuilder};
use std::sync::Arc;

/// How often a text is drawn again because it does not fit its neighbours.
const MOST_REDRAWS: u32 = 12;

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
pub(crate) struct Wording {
    pub(crate) grammar: Arc<Grammar>,
    pub(crate) texts: Texts,
    pub(crate) lexicon: Lexicon,
    pub(crate) style: Style,
    /// The user's own separator.
    pub(crate) separator: Option<String>,
    /// See [`crate::Options::ignore_borders`].
    pub(crate) ignore_borders: bool,
}

/// Writes the tokens of one test after the other.
#[derive(Debug)]
pub(crate) struct Writer {
    wording: Arc<Wording>,
    scan: Scan,
    drawer: Drawer,
    /// The text drawn last.
    fresh: Entry,
    pub(crate) text_stream: Stream,
    pub(crate) layout_stream: Stream,
    mode: ModeId,
    /// The modes below the present one: a place in `stacks`, [`BOTTOM`] if there are none.
    below: u32,
    /// All mode stacks of a text, each a mode, what lies below it, and the height.
    stacks: Vec<(ModeId, u32, u32)>,
    /// Live states behind everything written so far; those from `threads_from` on are behind the last text.
    threads: Vec<Thread>,
    threads_from: usize,
    survivors: Vec<Thread>,
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
    threads_from: u32,
    threads: u32,
    indent: u32,
    last: u8,
    first: bool,
}

impl Writer {
    pub(crate) fn new(wording: Arc<Wording>, scan: Scan) -> Writer {
        Writer {
            wording,
            scan,
            drawer: Drawer::default(),
            fresh: Entry::default(),
            text_stream: Stream::keyed(&[0]),
            layout_stream: Stream::keyed(&[1]),
            mode: ModeId::new(0),
            below: BOTTOM,
            stacks: Vec::new(),
            threads: Vec::new(),
            threads_from: 0,
            survivors: Vec::new(),
            indent: 0,
            last: 0,
            first: true,
            redrawn: 0,
        }
    }

    /// Takes texts and layout from the streams of a draw.
    pub(crate) fn draw_from(&mut self, draw: Draw) {
        self.text_stream = draw.stream(Purpose::Text);
        self.layout_stream = draw.stream(Purpose::Layout);
    }

    /// A new text begins.
    pub(crate) fn begin(&mut self) {
        self.mode = ModeId::new(0);
        self.below = BOTTOM;
        self.stacks.clear();
        self.threads.clear();
        self.threads_from = 0;
        (self.indent, self.last, self.first, self.redrawn) = (0, 0, true, 0);
    }

    /// Where it is.
    #[inline]
    pub(crate) fn mark(&self) -> WriterMark {
        WriterMark {
            mode: self.mode,
            below: self.below,
            stacks: self.stacks.len() as u32,
            threads_from: self.threads_from as u32,
            threads: self.threads.len() as u32,
            indent: self.indent as u32,
            last: self.last,
            first: self.first,
        }
    }

    /// Goes back to where it was.
    pub(crate) fn restore(&mut self, to: WriterMark) {
        (self.mode, self.below) = (to.mode, to.below);
        self.stacks.truncate(to.stacks as usize);
        self.threads_from = to.threads_from as usize;
        self.threads.truncate(to.threads as usize);
        (self.indent, self.last, self.first) = (to.indent as usize, to.last, to.first);
    }

    /// Not every token can follow every other.
    #[inline]
    pub(crate) fn is_tight(&self) -> bool {
        self.wording.lexicon.tight
    }

    /// The lexer has no other mode to be in.
    #[inline]
    pub(crate) fn has_one_mode(&self) -> bool {
        self.wording.lexicon.known.len() == 1
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
        self.wording.lexicon.ready.contains(self.mode.index(), token.index())
    }

    /// Whether an alternative can begin with a token that can come next.
    pub(crate) fn may_begin(&self, sure: &Sure, alt: usize) -> bool {
        self.has_one_mode()
            || sure.predict.row(alt).intersects(self.wording.lexicon.ready.row(self.mode.index()))
    }

    /// Writes a token with what must stand before it; false if no text fits. `wording` is the writer's own.
    pub(crate) fn token(
        &mut self,
        wording: &Wording,
        builder: &mut TreeBuilder,
        token: TokenType,
        model: Option<&mut dyn Model>,
    ) -> bool {
        let model = model.filter(|model| model.wants_characters());
        let row = wording.lexicon.shelf.row(self.mode, token);
        let mut wants_fresh = false;
        if !row.is_empty() && model.is_none() {
            wants_fresh = !row.is_fixed() && self.wants_fresh();
            if !wants_fresh {
                let word = wording.lexicon.shelf.pick(row, &mut self.text_stream);
                if self.place(wording, builder, Kind::Token(token), word, true) {
                    return true;
                }
                self.redrawn += 1;
            }
        }
        self.token_by_makers(wording, builder, token, model, wants_fresh)
    }

    /// Now and then a token gets a new text.
    #[inline]
    fn wants_fresh(&mut self) -> bool {
        self.text_stream.below(8) == 0
    }

    /// Writes a token by any of its makers; by a new text first, if that is wanted.
    #[inline(never)]
    fn token_by_makers(
        &mut self,
        wording: &Wording,
        builder: &mut TreeBuilder,
        token: TokenType,
        mut model: Option<&mut dyn Model>,
        wants_fresh: bool,
    ) -> bool {
        if wording.lexicon.of(self.mode, token).is_empty() {
            if let Some(texts) = wording.lexicon.given.get(&token) {
                return self.given(wording, builder, token, texts);
            }
            if !self.hop(builder, token) {
                return false;
            }
        }
        let makers = wording.lexicon.of(self.mode, token);
        for redraw in 0..MOST_REDRAWS {
            self.redrawn += u32::from(redraw > 0);
            let number = if makers.len() == 1 { 0 } else { self.text_stream.index(makers.len()) };
            let known = &wording.lexicon.known[self.mode.index()][makers[number] as usize];
            if !self.legal(&known.maker.moves) {
                continue;
            }
            let picked = if known.fixed && known.dictionary.is_empty() {
                Picked::Kept(&known.pool[0])
            } else {
                let wants_fresh = redraw == 0 && wants_fresh;
                self.pick(
                    wording,
                    known,
                    redraw,
                    wants_fresh,
                    model.as_deref_mut().map(|model| model as &mut dyn Model),
                )
            };
            let placed = match picked {
                Picked::Kept(entry) => self.place(wording, builder, Kind::Token(token), entry.word(), true),
                Picked::Fresh => {
                    let fresh = std::mem::take(&mut self.fresh);
                    let placed = self.place(wording, builder, Kind::Token(token), fresh.word(), true);
                    self.fresh = fresh;
                    placed
                }
                Picked::Nothing => continue,
            };
            if placed {
                self.turn(&known.maker.moves);
                return true;
            }
        }
        false
    }

    /// Whether the moves never take from an empty stack.
    fn legal(&self, moves: &[Move]) -> bool {
        let mut depth = self.depth();
        moves.iter().all(|step| match step {
            Move::To(_) => true,
            Move::Push(_) => {
                depth += 1;
                true
            }
            Move::Pop => {
                let any = depth > 0;
                depth = depth.saturating_sub(1);
                any
            }
        })
    }

    fn turn(&mut self, moves: &[Move]) {
        for step in moves {
            match step {
                Move::To(mode) => self.mode = *mode,
                Move::Push(mode) => {
                    let height = self.depth() as u32 + 1;
                    self.stacks.push((std::mem::replace(&mut self.mode, *mode), self.below, height));
                    self.below = self.stacks.len() as u32 - 1;
                }
                Move::Pop => {
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

    /// A tried text, or now and then a new one; always a new one if a model is asked for its characters.
    fn pick<'a>(
        &mut self,
        wording: &'a Wording,
        known: &'a Known,
        redraw: u32,
        wants_fresh: bool,
        model: Option<&mut dyn Model>,
    ) -> Picked<'a> {
        let dice = if wants_fresh { 0 } else { self.text_stream.below(8) };
        if dice < 2 && redraw < 2 && !known.dictionary.is_empty() {
            return self.text_stream.pick(&known.dictionary).map_or(Picked::Nothing, Picked::Kept);
        }
        let kept = model.is_none() && dice > 0;
        if !known.pool.is_empty() && (kept || known.fixed) && redraw < MOST_REDRAWS / 2 {
            return self.text_stream.pick(&known.pool).map_or(Picked::Nothing, Picked::Kept);
        }
        let drawn = self.drawer.draw(
            (&wording.grammar, &wording.texts),
            &mut self.scan,
            &known.maker,
            &mut self.text_stream,
            model,
            &mut self.fresh,
        );
        if drawn {
            return Picked::Fresh;
        }
        self.text_stream.pick(&known.pool).map_or(Picked::Nothing, Picked::Kept)
    }

    /// Puts a text behind what is there, with a separator if one is needed or wanted.
    #[inline(always)]
    fn place(
        &mut self,
        wording: &Wording,
        builder: &mut TreeBuilder,
        kind: Kind,
        word: Word<'_>,
        separable: bool,
    ) -> bool {
        if wording.ignore_borders {
            self.survivors.clear();
            self.append(builder, kind, word);
            return true;
        }
        let direct = self.follows(word.text);
        let wanted = separable && !self.first && self.wants_separator(word.text);
        if direct == Joint::Clean && !wanted {
            self.append(builder, kind, word);
            return true;
        }
        if separable && !self.first && self.separate(wording, builder, word.text) {
            self.follows(word.text);
            self.append(builder, kind, word);
            return true;
        }
        // Without a separator, if that is right as well.
        if direct != Joint::Wrong {
            self.follows(word.text);
            self.append(builder, kind, word);
            return true;
        }
        false
    }

    /// Walks all threads over a text; the survivors are kept aside.
    #[inline]
    fn follows(&mut self, text: &str) -> Joint {
        self.survivors.clear();
        for at in self.threads_from..self.threads.len() {
            match self.scan.walk(self.threads[at], text) {
                LexWalk::Died => {}
                LexWalk::Accepts => return Joint::Wrong,
                LexWalk::Alive(thread) => self.survivors.push(thread),
            }
        }
        if self.survivors.is_empty() { Joint::Clean } else { Joint::Open }
    }

    /// Writes a text whose [`Writer::follows`] was asked last.
    #[inline(always)]
    fn append(&mut self, builder: &mut TreeBuilder, kind: Kind, word: Word<'_>) {
        builder.leaf(kind, word.text.as_bytes());
        self.threads_from = self.threads.len();
        self.threads.extend_from_slice(&self.survivors);
        self.threads.extend_from_slice(word.threads);
        self.first = false;
        if matches!(kind, Kind::Token(_)) {
            self.last = word.text.as_bytes().last().copied().unwrap_or(0);
            self.indent += usize::from(word.text == "{");
        }
    }

    /// A token that no rule makes, with a text that the user gave.
    fn given(
        &mut self,
        wording: &Wording,
        builder: &mut TreeBuilder,
        token: TokenType,
        texts: &[String],
    ) -> bool {
        let Some(text) = self.text_stream.pick(texts) else { return false };
        let word = Word { text, threads: &[] };
        self.place(wording, builder, Kind::Token(token), word, true)
    }
}

enum Picked<'a> {
    Kept(&'a Entry),
    /// It stands in [`Writer::fresh`].
    Fresh,
    Nothing,
}

/// How a text joins what stands before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joint {
    /// The border is right.
    Clean,
    /// It is right unless what follows makes it wrong.
    Open,
    /// The lexer would read something else.
    Wrong,
}

fn leaf_kind(outcome: Outcome) -> Kind {
    match outcome {
        Outcome::Token(token) => Kind::Token(token),
        Outcome::Hidden(token) => Kind::Hidden(token),
        Outcome::Skipped => Kind::Gap(Gap::Skipped),
    }
}
