//! The way to another mode of the lexer, by hidden text that changes modes.

use super::{Joint, Writer, leaf_kind};
use crate::lexical::producers::{ModeChange, Product};
use crate::tuning::{MAX_MODE_HOPS, MAX_TEXT_DRAWS};
use polysmith_grammar::{ModeId, TokenType};
use polysmith_tree::TreeBuilder;
use std::sync::Arc;

impl Writer {
    /// Writes hidden text after which the lexer is in a mode that has the token.
    pub(super) fn hop(&mut self, builder: &mut TreeBuilder, token: TokenType) -> bool {
        let lexical = Arc::clone(&self.lexical);
        let Some(path) = self.path(token) else { return false };
        for number in path {
            let known = &lexical.lexicon.known[self.mode.index()][number as usize];
            let mut placed = false;
            for _ in 0..MAX_TEXT_DRAWS {
                let Some(entry) = self.text_stream.pick(&known.pool) else { return false };
                // Empty text keeps nothing apart, and after it the lexer might read a separator otherwise.
                if entry.text.is_empty() && !self.first && self.layout_stream.below(2) == 0 {
                    self.set_apart(builder, known.producer.pieces[0].0);
                }
                if self.follows(&entry.text) != Joint::Wrong {
                    self.append(builder, leaf_kind(known.producer.product), entry.text_ref());
                    self.turn(&known.producer.mode_changes);
                    placed = true;
                    break;
                }
            }
            if !placed {
                return false;
            }
        }
        true
    }

    /// Writes a separator of a mode, if one fits after what is written.
    fn set_apart(&mut self, builder: &mut TreeBuilder, mode: ModeId) {
        let lexical = Arc::clone(&self.lexical);
        for separator in &lexical.lexicon.separators[mode.index()] {
            if self.follows(&separator.entry.text) == Joint::Clean {
                self.append(builder, leaf_kind(separator.product), separator.entry.text_ref());
                return;
            }
        }
    }

    /// The shortest sequence of hidden producers to a mode with the token.
    fn path(&self, token: TokenType) -> Option<Vec<u32>> {
        let lexicon = &self.lexical.lexicon;
        let below = std::iter::successors(self.stacks.get(self.below as usize), |(_, below, _)| {
            self.stacks.get(*below as usize)
        });
        let mut below: Vec<ModeId> = below.map(|(mode, _, _)| *mode).collect();
        below.reverse();
        let mut level: Vec<(Vec<u32>, ModeId, Vec<ModeId>)> = vec![(Vec::new(), self.mode, below)];
        for _ in 0..MAX_MODE_HOPS {
            let mut next = Vec::new();
            for (path, mode, below) in &level {
                for (number, known) in lexicon.known[mode.index()].iter().enumerate() {
                    let hidden = !matches!(known.producer.product, Product::Token(_));
                    if !hidden || known.producer.mode_changes.is_empty() || known.pool.is_empty() {
                        continue;
                    }
                    let (mut mode, mut below) = (*mode, below.clone());
                    let legal = known.producer.mode_changes.iter().all(|step| match step {
                        ModeChange::To(to) => {
                            mode = *to;
                            true
                        }
                        ModeChange::Push(to) => {
                            below.push(std::mem::replace(&mut mode, *to));
                            true
                        }
                        ModeChange::Pop => match below.pop() {
                            Some(back) => {
                                mode = back;
                                true
                            }
                            None => false,
                        },
                    });
                    if !legal {
                        continue;
                    }
                    let mut path = path.clone();
                    path.push(number as u32);
                    if !lexicon.of(mode, token).is_empty() {
                        return Some(path);
                    }
                    next.push((path, mode, below));
                }
            }
            level = next;
        }
        None
    }
}
