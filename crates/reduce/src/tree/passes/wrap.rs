//! Subtrees replaced by the smallest shape of their rule around something that they hold.
//!
//! A shape of a place is one of its alternatives in which all parts but one are small: `expr ;` of a statement,
//! `( expr )` of an expression. The parts beside the hole are written with their smallest texts, and something below
//! the node that fits the hole goes into it.

use polysmith_grammar::analysis::Symbol;
use polysmith_grammar::normal::Expected;
use polysmith_grammar::{BlockId, ElementKind, TokenType};
use rustc_hash::FxHashMap;

use crate::passes::define_pass;
use crate::text::Text;
use crate::tree::cut::{Cut, Piece};
use crate::tree::language::Syntax;
use crate::tree::session::Session;
use crate::tree::sweep::{Ideas, RankedPlace, nodes_by_size, sweep};
use crate::tree::texts::Texts;

define_pass! {
    /// Puts a small shape of its rule around a part of it in the place of a large one: `f(x);` for `while (f(x)) …`.
    ///
    /// For each alternative that a place accepts and that has room for something that the part holds, with few tokens
    /// around it. The largest parts first, with the smallest that can be kept.
    "wrap", Late, Tree(|language, problem| sweep(language, problem, &mut Shapes::default()))
}

/// Tokens around the hole of a shape.
const MOST_AROUND: usize = 4;

/// Shapes of a place.
const MOST_SHAPES: usize = 12;

/// Parts that are tried in one hole.
const MOST_KEPT: usize = 6;

/// Nodes of fewer tokens than this gain nothing.
const LEAST_TOKENS: u32 = 4;

/// Nodes looked at below one.
const BUDGET: usize = 500;

#[derive(Clone)]
struct Shape {
    before: Vec<Piece>,
    hole: Expected,
    after: Vec<Piece>,
}

#[derive(Default)]
struct Shapes {
    of_block: FxHashMap<BlockId, Vec<Shape>>,
}

impl Ideas for Shapes {
    fn places(&mut self, session: &mut Session<'_>, text: &Text) -> Vec<RankedPlace> {
        let texts = Texts::of(session, text);
        self.of_block.clear();
        let places = nodes_by_size(session, |node| node != 0 && session.size(node) >= LEAST_TOKENS);
        for place in &places {
            if let Some(block) = block_of(session, place.id) {
                self.of_block.entry(block).or_insert_with(|| shapes(&session.language.syntax, &texts, block));
            }
        }
        places
    }

    fn changes(&self, session: &Session<'_>, _text: &Text, node: u32) -> Vec<Vec<Cut>> {
        let Some(shapes) = block_of(session, node).and_then(|block| self.of_block.get(&block)) else {
            return Vec::new();
        };
        let place = &session.nodes.get(node).tokens;
        let mut found: Vec<(u32, Vec<Cut>)> = Vec::new();
        for shape in shapes {
            let around = (shape.before.len() + shape.after.len()) as u32;
            for kept in fitting(session, node, shape.hole) {
                let size = session.size(kept) + around;
                if size < session.size(node) {
                    let middle = Piece::Tokens(session.nodes.get(kept).tokens.clone());
                    let pieces = [&shape.before[..], &[middle], &shape.after[..]].concat();
                    found.push((size, vec![Cut::replace(place.clone(), pieces)]));
                }
            }
        }
        found.sort_by_key(|(size, _)| *size);
        found.into_iter().map(|(_, cuts)| cuts).collect()
    }
}

/// The group whose alternatives a node's place accepts.
fn block_of(session: &Session<'_>, node: u32) -> Option<BlockId> {
    let here = session.nodes.get(node);
    match here.expected? {
        Expected::Block(block) => Some(block),
        Expected::Symbol(Symbol::Rule(rule)) => Some(session.language.syntax.grammar.rule(rule).body()),
        _ => None,
    }
}

/// The first nodes below, on each way down, that fit a hole; smallest first.
fn fitting(session: &Session<'_>, node: u32, hole: Expected) -> Vec<u32> {
    let Syntax { view, grammar, .. } = &session.language.syntax;
    let mut found = Vec::new();
    let mut open: Vec<u32> = session.children(node).collect();
    let mut budget = BUDGET;
    while let Some(below) = open.pop() {
        budget -= 1;
        if budget == 0 {
            break;
        }
        match session.nodes.get(below).symbol {
            Some(symbol) if view.accepts(grammar, hole, symbol) => found.push(below),
            _ => open.extend(session.children(below)),
        }
    }
    found.sort_by_key(|below| (session.size(*below), *below));
    // A single token as a whole is the business of the smallest texts, unless nothing else is there.
    found.truncate(MOST_KEPT);
    found
}

/// The shapes of a group: of its alternatives, and of those of groups and rules that may be all of one.
fn shapes(syntax: &Syntax, texts: &Texts, block: BlockId) -> Vec<Shape> {
    let grammar = &syntax.grammar;
    let mut shapes: Vec<Shape> = Vec::new();
    let mut seen = vec![block];
    let mut at = 0;
    while at < seen.len() && shapes.len() < MOST_SHAPES {
        for alt in grammar.alternatives(seen[at]) {
            let all: Vec<ElementKind> = grammar
                .elements(alt)
                .iter()
                .map(|element| element.kind)
                .filter(|kind| !matches!(kind, ElementKind::Code(_) | ElementKind::Token(TokenType::EOF)))
                .collect();
            for (hole, kind) in all.iter().enumerate() {
                let (ElementKind::Rule(_) | ElementKind::Block(_)) = kind else { continue };
                let (Some(before), Some(after)) = (
                    texts.smallest(syntax, all[..hole].to_vec()),
                    texts.smallest(syntax, all[hole + 1..].to_vec()),
                ) else {
                    continue;
                };
                match before.len() + after.len() {
                    0 => {
                        let inner = match *kind {
                            ElementKind::Rule(rule) => grammar.rule(rule).body(),
                            ElementKind::Block(inner) => inner,
                            _ => continue,
                        };
                        if !seen.contains(&inner) {
                            seen.push(inner);
                        }
                    }
                    1..=MOST_AROUND => {
                        shapes.push(Shape { before, hole: syntax.view.expected(*kind), after })
                    }
                    _ => {}
                }
            }
        }
        at += 1;
    }
    shapes.sort_by_key(|shape| shape.before.len() + shape.after.len());
    shapes.truncate(MOST_SHAPES);
    shapes
}
