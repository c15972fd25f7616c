//! All that is known about making tokens, computed once: producers with checked texts, separators, reachable modes.
//!
//! A text is *checked*: it was read by the automaton of its mode from the first character to the last and accepted
//! as its own rule, so a keyword is never an identifier and an always shadowed token has no text at all. With the
//! text go its *live states*: the states of the automata that are still alive after it, which decide what may follow
//! directly.

use crate::extend::Model;
use crate::lexical::automata::{LexerAutomata, LiveState};
use crate::lexical::producers::{ModeChange, Producer, Product, commands, producers};
use crate::lexical::text_table::TextTable;
use crate::lexical::token_text::{TextWalk, Texts};
use crate::tuning::{MAX_SEPARATORS, POOL_DRAWS, POOL_SIZE};
use polysmith_grammar::analysis::BitMatrix;
use polysmith_grammar::{Command, Grammar, ModeId, RuleKind, TokenType};
use polysmith_parse::LexWalk;
use polysmith_random::Stream;
use std::collections::BTreeMap;

/// A text that its producer's rules accept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct CheckedText {
    pub(crate) text: String,
    /// What is still alive after it; the last one is the text's own.
    pub(crate) live_states: Vec<LiveState>,
}

impl CheckedText {
    #[inline]
    pub(crate) fn text_ref(&self) -> TextRef<'_> {
        TextRef { text: &self.text, live_states: &self.live_states }
    }
}

/// A text with what is alive after it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextRef<'a> {
    pub(crate) text: &'a str,
    pub(crate) live_states: &'a [LiveState],
}

/// A producer with its checked texts.
#[derive(Debug, Clone)]
pub(crate) struct ProducerTexts {
    pub(crate) producer: Producer,
    pub(crate) pool: Vec<CheckedText>,
    /// Texts from the user's dictionary.
    pub(crate) dictionary: Vec<CheckedText>,
    /// There is no other text.
    pub(crate) fixed: bool,
}

/// A text that the lexer reads as nothing but hidden tokens.
#[derive(Debug, Clone)]
pub(crate) struct Separator {
    pub(crate) product: Product,
    pub(crate) entry: CheckedText,
}

/// The lexicon of a grammar.
#[derive(Debug)]
pub(crate) struct Lexicon {
    /// By mode.
    pub(crate) known: Vec<Vec<ProducerTexts>>,
    /// By mode and type: numbers into `known`.
    by_type: Vec<Vec<Vec<u32>>>,
    /// The texts of tokens that are made in one way.
    pub(crate) text_table: TextTable,
    /// By mode.
    pub(crate) separators: Vec<Vec<Separator>>,
    /// Row mode: the types that can come next, with hidden text in between that changes the mode.
    pub(crate) available: BitMatrix,
    is_producible: Vec<bool>,
    /// Not every token can follow every other: there are modes, or no separator that always does.
    pub(crate) tight: bool,
    /// Texts for tokens that no rule makes.
    pub(crate) given: BTreeMap<TokenType, Vec<String>>,
}

impl Lexicon {
    pub(crate) fn new(
        grammar: &Grammar,
        texts: &Texts,
        automata: &mut LexerAutomata,
        dictionary: &BTreeMap<TokenType, Vec<String>>,
    ) -> Lexicon {
        let mut stream = Stream::keyed(&[0x006C_6578_6963_6F6E]);
        let mut drawer = Drawer::default();
        let mut known = Vec::new();
        for of_mode in producers(grammar) {
            let mut list = Vec::new();
            for producer in of_mode {
                if producer.pieces.iter().all(|(_, rule)| texts.possible(*rule)) {
                    let pool = pool((grammar, texts), automata, &producer, &mut drawer, &mut stream);
                    let words = match producer.product {
                        Product::Token(token) => dictionary.get(&token).map_or(&[][..], |words| &words[..]),
                        _ => &[],
                    };
                    let read = |text_ref: &String| {
                        let mut entry = CheckedText::default();
                        automata
                            .read_producer(&producer, std::slice::from_ref(text_ref), &mut entry)
                            .then_some(entry)
                    };
                    let dictionary: Vec<CheckedText> = words.iter().filter_map(read).collect();
                    if !pool.is_empty() || !dictionary.is_empty() {
                        list.push(ProducerTexts { fixed: pool.len() == 1, producer, pool, dictionary });
                    }
                }
            }
            known.push(list);
        }
        let mut lexicon = Lexicon {
            by_type: Vec::new(),
            text_table: TextTable::default(),
            separators: Vec::new(),
            available: BitMatrix::new(known.len().max(1), grammar.tokens().len()),
            is_producible: vec![false; grammar.tokens().len()],
            given: dictionary.clone(),
            tight: true,
            known,
        };
        lexicon.index(grammar);
        lexicon.text_table = TextTable::new(&lexicon.known, &lexicon.by_type);
        lexicon.separators = (0..lexicon.known.len())
            .map(|mode| lexicon.separators_of(grammar, automata, ModeId::new(mode)))
            .collect();
        lexicon.tight = lexicon.is_tight(automata);
        lexicon
    }

    /// Whether some token may not find a place: only one mode, and a separator that ends what is before it and
    /// that nothing grows out of, leave nothing to chance.
    fn is_tight(&self, automata: &mut LexerAutomata) -> bool {
        let [known] = &self.known[..] else { return true };
        let Some(separator) = self.separators[0].first() else { return true };
        let text = &separator.entry.text;
        let after = separator.entry.live_states.clone();
        // Hidden text is written only where it is asked for, and a token follows it.
        let makes_token = |known: &&ProducerTexts| matches!(known.producer.product, Product::Token(_));
        let tokens = known.iter().filter(makes_token);
        tokens.flat_map(|known| known.pool.iter().chain(&known.dictionary)).any(|entry| {
            let ends =
                entry.live_states.iter().all(|live_state| automata.walk(*live_state, text) == LexWalk::Died);
            !ends || after.iter().any(|live_state| automata.walk(*live_state, &entry.text) != LexWalk::Died)
        })
    }

    /// Whether some text of the language can contain a token of this type.
    pub(crate) fn is_producible(&self, token: TokenType) -> bool {
        self.is_producible[token.index()]
    }

    /// The number of lexer modes.
    pub(crate) fn n_modes(&self) -> usize {
        self.known.len()
    }

    /// The producers of a type in a mode.
    #[inline]
    pub(crate) fn of(&self, mode: ModeId, token: TokenType) -> &[u32] {
        &self.by_type[mode.index()][token.index()]
    }

    fn index(&mut self, grammar: &Grammar) {
        let n_tokens = grammar.tokens().len();
        for of_mode in &self.known {
            let mut by_type = vec![Vec::new(); n_tokens];
            for (number, known) in of_mode.iter().enumerate() {
                if let Product::Token(token) = known.producer.product
                    && token != TokenType::EOF
                {
                    by_type[token.index()].push(number as u32);
                }
            }
            self.by_type.push(by_type);
        }
        let reached = self.reached();
        for mode in (0..self.known.len()).filter(|mode| reached[*mode]) {
            for token in grammar.tokens().types() {
                if !self.by_type[mode][token.index()].is_empty() {
                    self.is_producible[token.index()] = true;
                }
            }
        }
        for (token, texts) in &self.given {
            if !texts.is_empty() && !self.is_producible[token.index()] {
                self.is_producible[token.index()] = true;
            }
        }
        self.fill_ready(grammar);
    }

    /// The modes that the lexer can come to.
    fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.known.len()];
        let mut open = vec![0_usize];
        while let Some(mode) = open.pop() {
            if mode >= reached.len() || std::mem::replace(&mut reached[mode], true) {
                continue;
            }
            for known in &self.known[mode] {
                open.extend(known.producer.mode_changes.iter().filter_map(|step| match step {
                    ModeChange::To(mode) | ModeChange::Push(mode) => Some(mode.index()),
                    ModeChange::Pop => None,
                }));
            }
        }
        reached
    }

    fn fill_ready(&mut self, grammar: &Grammar) {
        let n = self.known.len();
        for mode in 0..n {
            self.available.insert(mode, TokenType::EOF.index());
            for token in grammar.tokens().types() {
                let by_rule = !self.by_type[mode][token.index()].is_empty();
                if by_rule || (self.given.contains_key(&token) && self.is_producible[token.index()]) {
                    self.available.insert(mode, token.index());
                }
            }
        }
        // Hidden text that changes the mode leads to the tokens of that mode.
        for _ in 0..n.min(4) {
            for mode in 0..n {
                for target in self.hidden_targets(mode) {
                    self.available.union_rows(mode, target);
                }
            }
        }
    }

    fn hidden_targets(&self, mode: usize) -> Vec<usize> {
        let mut targets = Vec::new();
        for known in
            self.known[mode].iter().filter(|known| !matches!(known.producer.product, Product::Token(_)))
        {
            match known.producer.mode_changes.last() {
                Some(ModeChange::To(target) | ModeChange::Push(target)) => targets.push(target.index()),
                // Back to whoever may have come from there.
                Some(ModeChange::Pop) => targets.extend((0..self.known.len()).filter(|from| {
                    self.known[*from].iter().any(|other| {
                        other.producer.mode_changes.contains(&ModeChange::Push(ModeId::new(mode)))
                    })
                })),
                None => {}
            }
        }
        targets
    }

    fn separators_of(&self, grammar: &Grammar, automata: &mut LexerAutomata, mode: ModeId) -> Vec<Separator> {
        let mut found: Vec<Separator> = Vec::new();
        for text in [" ", "\n", "\r\n", "\t"] {
            found.extend(separator(grammar, automata, mode, text));
        }
        let hidden = self.known[mode.index()].iter().filter(|known| {
            !matches!(known.producer.product, Product::Token(_)) && known.producer.mode_changes.is_empty()
        });
        for known in hidden {
            let mut pool: Vec<&CheckedText> = known.pool.iter().collect();
            pool.sort_by_key(|entry| entry.text.len());
            for entry in pool.into_iter().take(3) {
                if found.iter().all(|other| other.entry.text != entry.text) {
                    found.push(Separator { product: known.producer.product, entry: entry.clone() });
                }
            }
        }
        found.truncate(MAX_SEPARATORS);
        found
    }
}

/// The text as a separator, if the lexer reads it in this mode as one hidden token and stays in the mode.
pub(crate) fn separator(
    grammar: &Grammar,
    automata: &mut LexerAutomata,
    mode: ModeId,
    text: &str,
) -> Option<Separator> {
    let (rule, live_state) = automata.read(mode, text)?;
    let mut product = None;
    for command in commands(grammar, rule) {
        match command {
            Command::Skip => product = Some(Product::Skipped),
            Command::Channel(0) => {}
            Command::Channel(_) => {
                let hidden = match grammar.rule(rule).kind {
                    RuleKind::Token { token: Some(token), .. } => Product::Hidden(token),
                    _ => Product::Skipped,
                };
                product = product.or(Some(hidden));
            }
            _ => return None,
        }
    }
    Some(Separator {
        product: product?,
        entry: CheckedText { text: text.into(), live_states: vec![live_state] },
    })
}

fn pool(
    words: (&Grammar, &Texts),
    automata: &mut LexerAutomata,
    producer: &Producer,
    drawer: &mut Drawer,
    stream: &mut Stream,
) -> Vec<CheckedText> {
    let mut pool: Vec<CheckedText> = Vec::new();
    let mut entry = CheckedText::default();
    for tried in 0..POOL_DRAWS {
        if drawer.draw(words, automata, producer, stream, None, &mut entry)
            && pool.iter().all(|other| other.text != entry.text)
        {
            pool.push(entry.clone());
        }
        // One text after a while: there is no other.
        if pool.len() >= POOL_SIZE || (tried >= 24 && pool.len() <= 1 && tried % 24 == 0 && !pool.is_empty())
        {
            break;
        }
    }
    pool
}

/// Draws texts of producers and reads them back, with memory that is used again.
#[derive(Debug, Default)]
pub(crate) struct Drawer {
    walk: TextWalk,
    pieces: Vec<String>,
}

impl Drawer {
    /// Draws a text for each piece of a producer into the entry; false if what came out is not the producer's.
    pub(crate) fn draw(
        &mut self,
        words: (&Grammar, &Texts),
        automata: &mut LexerAutomata,
        producer: &Producer,
        stream: &mut Stream,
        mut model: Option<&mut dyn Model>,
        entry: &mut CheckedText,
    ) -> bool {
        self.pieces.resize_with(producer.pieces.len(), String::new);
        for ((_, rule), piece) in producer.pieces.iter().zip(&mut self.pieces) {
            piece.clear();
            let model = model.as_mut().map(|model| &mut **model as &mut dyn Model);
            if !self.walk.draw(words, *rule, stream, model, piece) {
                return false;
            }
        }
        automata.read_producer(producer, &self.pieces, entry)
    }
}
