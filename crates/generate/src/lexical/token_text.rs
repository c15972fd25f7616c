//! Draws the text of a token by walking its rule.
//!
//! The walk takes alternatives and repetitions as they come, short ones more often; it knows nothing of other
//! rules. Whether the lexer would read the text as this token (a keyword is no identifier, a comment may not
//! contain its end) is asked afterwards: see [`crate::lexical::writer`].

use crate::extend::Model;
use crate::lexical::charset::{Charset, Palette};
use crate::tables::curves::{Curve, Curves};
use crate::tuning::MAX_TEXT_DEPTH;
use polysmith_grammar::analysis::Uses;
use polysmith_grammar::{AltId, BlockId, ElementKind, Grammar, RuleId};
use polysmith_random::Stream;

/// What the walk needs of a grammar, computed once.
#[derive(Debug)]
pub(crate) struct Texts {
    palettes: Vec<Palette>,
    rules: Vec<Curve>,
    alternatives: Vec<Curve>,
    items: Vec<Curve>,
    weights: Vec<u32>,
    charset: Charset,
}

impl Texts {
    pub(crate) fn new(grammar: &Grammar, uses: &Uses, weights: &[u32], charset: Charset) -> Texts {
        let mut weights = weights.to_vec();
        for alt in (0..grammar.n_alternatives()).map(AltId::new) {
            // The end of the input is matched only at the end of a text: such alternatives are for the lexer.
            let at_end = |kind: ElementKind| matches!(kind, ElementKind::Token(_));
            if grammar.elements(alt).iter().any(|element| at_end(element.kind)) {
                weights[alt.index()] = 0;
            }
        }
        let curves = Curves::of(grammar, uses, &|alt| weights[alt.index()] > 0);
        Texts {
            palettes: grammar.char_sets().iter().map(Palette::new).collect(),
            rules: curves.rules,
            alternatives: curves.alternatives,
            items: curves.items,
            weights,
            charset,
        }
    }

    /// Whether a token rule has any text.
    pub(crate) fn possible(&self, rule: RuleId) -> bool {
        self.rules[rule.index()].least_height().is_some_and(|height| height <= MAX_TEXT_DEPTH)
    }
}

#[derive(Debug, Clone, Copy)]
enum Frame {
    Sequence { next: u32, end: u32, depth: u32 },
    Loop { block: BlockId, left: u32, depth: u32 },
}

/// The walk, with its memory.
#[derive(Debug, Default)]
pub(crate) struct TextWalk {
    frames: Vec<Frame>,
}

impl TextWalk {
    /// Appends a text of a token rule; false if the walk found none.
    pub(crate) fn draw(
        &mut self,
        (grammar, texts): (&Grammar, &Texts),
        rule: RuleId,
        stream: &mut Stream,
        mut model: Option<&mut dyn Model>,
        out: &mut String,
    ) -> bool {
        self.frames.clear();
        // Most tokens are short; one in eight may become long.
        let long = stream.below(8) == 0;
        let soft = out.len() + if long { 24 } else { 6 };
        if !self.enter(grammar, texts, grammar.rule(rule).body(), MAX_TEXT_DEPTH, stream, out.len() > soft) {
            return false;
        }
        while let Some(frame) = self.frames.last_mut() {
            let tight = out.len() > soft;
            match frame {
                Frame::Sequence { next, end, .. } if next == end => {
                    self.frames.pop();
                }
                Frame::Loop { left: 0, .. } => {
                    self.frames.pop();
                }
                Frame::Loop { block, left, depth } => {
                    *left -= 1;
                    let (block, depth) = (*block, *depth);
                    if !self.enter(grammar, texts, block, depth, stream, tight) {
                        return false;
                    }
                }
                Frame::Sequence { next, depth, .. } => {
                    let element = polysmith_grammar::ElementId::new(*next as usize);
                    *next += 1;
                    let depth = *depth;
                    let done = match grammar.element(element).kind {
                        ElementKind::Text(text) => {
                            out.push_str(grammar.text(text));
                            true
                        }
                        ElementKind::Chars(set) => {
                            match texts.palettes[set.index()].draw(stream, texts.charset) {
                                Some(drawn) => {
                                    let set = &grammar.char_sets()[set.index()];
                                    let asked = model.as_mut().map(|model| model.character(rule, set, drawn));
                                    let fits = asked.filter(|c| set.contains(u32::from(*c)));
                                    out.push(fits.unwrap_or(drawn));
                                }
                                None => return false,
                            }
                            true
                        }
                        ElementKind::Block(block) => {
                            let left = count(grammar, texts, block, depth, stream, tight);
                            self.frames.push(Frame::Loop { block, left, depth });
                            true
                        }
                        ElementKind::Rule(callee) => match depth.checked_sub(1) {
                            Some(depth) => {
                                let body = grammar.rule(callee).body();
                                self.enter(grammar, texts, body, depth, stream, tight)
                            }
                            None => false,
                        },
                        _ => true,
                    };
                    if !done {
                        return false;
                    }
                }
            }
        }
        true
    }

    fn enter(
        &mut self,
        grammar: &Grammar,
        texts: &Texts,
        block: BlockId,
        depth: u32,
        stream: &mut Stream,
        tight: bool,
    ) -> bool {
        let open = |alt: &AltId| {
            texts.weights[alt.index()] > 0 && texts.alternatives[alt.index()].at(depth) != u32::MAX
        };
        let cheap = texts.items[block.index()].at(depth);
        let open = |alt: &AltId| open(alt) && (!tight || texts.alternatives[alt.index()].at(depth) == cheap);
        let mut alternatives = grammar.alternatives(block);
        let chosen = if alternatives.len() == 1 {
            alternatives.next()
        } else {
            let total: u64 =
                alternatives.clone().filter(open).map(|alt| u64::from(texts.weights[alt.index()])).sum();
            if total == 0 {
                return false;
            }
            let mut drawn = stream.below(total);
            alternatives.filter(open).find(|alt| {
                let weight = u64::from(texts.weights[alt.index()]);
                let here = drawn < weight;
                drawn = drawn.saturating_sub(weight);
                here
            })
        };
        let Some(alt) = chosen else { return false };
        let elements = grammar.alternative(alt).elements.clone();
        let (next, end) = (elements.start.index() as u32, elements.end.index() as u32);
        self.frames.push(Frame::Sequence { next, end, depth });
        true
    }
}

/// How often to repeat a group of a token rule: each further time half as likely, beyond the first few.
fn count(
    grammar: &Grammar,
    texts: &Texts,
    block: BlockId,
    depth: u32,
    stream: &mut Stream,
    tight: bool,
) -> u32 {
    let quantifier = grammar.block(block).quantifier;
    if tight || quantifier.max == Some(quantifier.min) || texts.items[block.index()].at(depth) == u32::MAX {
        return quantifier.min;
    }
    let drawn = match quantifier.max {
        Some(1) => stream.below(2) as u32,
        _ => match stream.below(16) {
            0 => 0,
            1..12 => stream.below(5) as u32,
            _ => stream.below(12) as u32,
        },
    };
    drawn.clamp(quantifier.min, quantifier.max.unwrap_or(u32::MAX))
}
