//! The smallest texts of tokens, rules and groups: `0` for an expression, `;` for a statement, `x` for a name.
//!
//! The tokens of a smallest text follow from the grammar's least sizes. A token is written as its literal, else as the
//! shortest text of its type in the file, else as a short text that the recognizer knows.

use std::rc::Rc;

use polysmith_grammar::analysis::Symbol;
use polysmith_grammar::normal::Expected;
use polysmith_grammar::{BlockId, ElementKind, TokenType};
use rustc_hash::FxHashMap;

use super::Language;
use super::cut::Piece;
use super::language::Syntax;
use super::session::Session;
use crate::text::Text;

/// Longer texts are of no use as a replacement.
const MOST_TOKENS: u32 = 6;

/// Smallest texts, for one session.
#[derive(Default)]
pub(super) struct Texts {
    words: FxHashMap<TokenType, Option<Rc<[u8]>>>,
    /// Types in the order in which they first occur.
    seen: Vec<TokenType>,
}

impl Texts {
    pub(super) fn of(session: &mut Session<'_>, text: &Text) -> Texts {
        let mut texts = Texts::default();
        let tokens = session.nodes.get(0).tokens.clone();
        for token in session.live.tokens(&tokens) {
            let (kind, shown) = (session.token_type(token), session.show(text, token));
            let word = texts.words.entry(kind).or_insert_with(|| {
                texts.seen.push(kind);
                None
            });
            if word.as_ref().is_none_or(|old| (shown.len(), shown) < (old.len(), &**old)) {
                *word = Some(shown.into());
            }
        }
        let kinds: Vec<TokenType> = session.language.syntax.grammar.tokens().types().collect();
        for kind in kinds {
            texts.words.entry(kind).or_insert_with(|| word(session.language, kind).map(Rc::from));
        }
        texts
    }

    /// The shortest text of a token.
    pub(super) fn word(&self, kind: TokenType) -> Option<Piece> {
        self.words.get(&kind)?.clone().map(|word| Piece::Word(kind, word))
    }

    /// All single tokens that a place accepts, those of the file first.
    pub(super) fn single(&self, syntax: &Syntax, expected: Expected) -> Vec<Piece> {
        let fits = |kind: &TokenType| syntax.view.accepts(&syntax.grammar, expected, Symbol::Token(*kind));
        let unseen = syntax.grammar.tokens().types().filter(|kind| !self.seen.contains(kind));
        let all = self.seen.iter().copied().chain(unseen);
        all.filter(|kind| *kind != TokenType::EOF && fits(kind)).filter_map(|kind| self.word(kind)).collect()
    }

    /// A smallest text of each alternative of a place, the shortest first.
    pub(super) fn several(&self, syntax: &Syntax, expected: Expected) -> Vec<Vec<Piece>> {
        let block = match expected {
            Expected::Symbol(Symbol::Rule(rule)) => syntax.grammar.rule(rule).body(),
            Expected::Block(block) => block,
            _ => return Vec::new(),
        };
        let alternatives = syntax.grammar.alternatives(block);
        let mut found: Vec<Vec<Piece>> = alternatives
            .filter(|alt| {
                syntax.sizes.alternative(*alt).is_some_and(|size| (1..=MOST_TOKENS).contains(&size))
            })
            .filter_map(|alt| {
                let kinds = syntax.grammar.elements(alt).iter().map(|element| element.kind);
                self.smallest(syntax, kinds.collect())
            })
            .collect();
        found.sort_by_key(Vec::len);
        found
    }

    /// The smallest text of elements side by side.
    pub(super) fn smallest(&self, syntax: &Syntax, mut todo: Vec<ElementKind>) -> Option<Vec<Piece>> {
        let grammar = &syntax.grammar;
        let mut pieces = Vec::new();
        todo.reverse();
        while let Some(kind) = todo.pop() {
            if pieces.len() as u32 > MOST_TOKENS {
                return None;
            }
            match kind {
                ElementKind::Token(TokenType::EOF) | ElementKind::Code(_) => {}
                ElementKind::Token(token) => pieces.push(self.word(token)?),
                ElementKind::AnyToken => pieces.push(self.word(*self.seen.first()?)?),
                ElementKind::NotTokens(set) => {
                    let barred = grammar.token_set(set);
                    let kind = self.seen.iter().find(|kind| barred.binary_search(kind).is_err())?;
                    pieces.push(self.word(*kind)?);
                }
                ElementKind::Rule(rule) => todo.extend(least(syntax, grammar.rule(rule).body())?.rev()),
                ElementKind::Block(block) => {
                    for _ in 0..grammar.block(block).quantifier.min {
                        todo.extend(least(syntax, block)?.rev());
                    }
                }
                ElementKind::Chars(_) | ElementKind::Text(_) => return None,
            }
        }
        Some(pieces)
    }
}

/// The elements of the smallest alternative of a group.
fn least(syntax: &Syntax, block: BlockId) -> Option<impl DoubleEndedIterator<Item = ElementKind> + use<'_>> {
    let grammar = &syntax.grammar;
    let sized = |alt| syntax.sizes.alternative(alt).map(|size| (size, alt));
    let (_, alt) = grammar.alternatives(block).filter_map(sized).min_by_key(|(size, _)| *size)?;
    Some(grammar.elements(alt).iter().map(|element| element.kind))
}

/// The text of a token that does not occur in the file.
fn word(language: &mut Language, kind: TokenType) -> Option<Vec<u8>> {
    let literal = language.syntax.grammar.tokens().get(kind).text.as_ref();
    literal.map(|text| text.as_bytes().to_vec()).or_else(|| language.recognizer.short_text(kind))
}
