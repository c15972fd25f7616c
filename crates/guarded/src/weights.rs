//! The weights of productions: by class, which can be drawn at all; at a node, which of them are still candidates.
//!
//! Most nodes are far from every limit. For them, the candidates of the class are copied.

use crate::patterns::Taint;
use crate::tables::Tables;
use polysmith_attributes::{Heights, INFINITE, ProductionId, Selection, Spec};
use polysmith_random::Stream;

/// The parameters of a production in a draw.
#[derive(Debug, Clone, Copy)]
struct ProductionWeight {
    weight: u32,
    /// The minimum height of a tree with it.
    least: u32,
    recursive: bool,
    has_tail: bool,
}

/// The productions of a class that can be drawn.
#[derive(Debug, Clone, Default)]
struct ClassWeights {
    /// Productions with their weights.
    all: Vec<(u32, u32)>,
    total: u64,
    /// The maximum of the productions' minimum heights.
    highest: u32,
    has_tail: bool,
}

/// The productions that programs may use.
#[derive(Debug, Clone, Default)]
pub(crate) struct ProductionWeights {
    productions: Vec<ProductionWeight>,
    classes: Vec<ClassWeights>,
}

impl ProductionWeights {
    pub(crate) fn new(spec: &Spec, tables: &Tables, selection: &Selection) -> ProductionWeights {
        let heights = Heights::new(spec, selection);
        let weight = |id: u32| {
            let (production, least) = (&tables.productions[id as usize], heights.productions[id as usize]);
            ProductionWeight {
                weight: if least == INFINITE { 0 } else { selection.weight(ProductionId(id)) },
                least,
                recursive: production.recursive,
                has_tail: production.has_tail,
            }
        };
        let productions: Vec<ProductionWeight> = (0..tables.productions.len() as u32).map(weight).collect();
        let class_weights = |class: &crate::tables::Class| {
            let mut class_weights = ClassWeights::default();
            for id in class.productions.clone() {
                let ProductionWeight { weight, least, recursive, has_tail } = productions[id as usize];
                if weight > 0 {
                    class_weights.all.push((id, weight));
                    class_weights.total += u64::from(weight);
                    class_weights.highest = class_weights.highest.max(if recursive { least } else { 0 });
                    class_weights.has_tail |= has_tail;
                }
            }
            class_weights
        };
        let classes = tables.classes.iter().map(class_weights).collect();
        ProductionWeights { productions, classes }
    }

    /// A key that sorts productions by how soon they end: the minimum height, then lists that do not continue.
    fn size(&self, production: u32) -> (u32, bool) {
        let weight = &self.productions[production as usize];
        (weight.least, weight.has_tail)
    }
}

/// The remaining candidates for a node: productions with their weights.
#[derive(Debug, Clone, Default)]
pub(crate) struct Candidates {
    open: Vec<(u32, u32)>,
    total: u64,
}

impl Candidates {
    /// Starts with all productions that the limits allow. Returns the limit that excluded something.
    pub(crate) fn start(
        &mut self,
        weights: &ProductionWeights,
        class: u32,
        height: u32,
        width: u32,
    ) -> Taint {
        let class_weights = &weights.classes[class as usize];
        let mut taint = Taint::default();
        self.open.clear();
        if class_weights.highest <= height && (width > 1 || !class_weights.has_tail) {
            self.open.extend_from_slice(&class_weights.all);
            self.total = class_weights.total;
            return taint;
        }
        self.total = 0;
        for (production, weight) in &class_weights.all {
            let ProductionWeight { least, recursive, has_tail, .. } =
                weights.productions[*production as usize];
            if has_tail && width <= 1 {
                taint.add(Taint::WIDTH);
            } else if recursive && least > height {
                taint.add(Taint::HEIGHT);
            } else {
                self.open.push((*production, *weight));
                self.total += u64::from(*weight);
            }
        }
        taint
    }

    /// Productions with their weights.
    pub(crate) fn open(&self) -> &[(u32, u32)] {
        &self.open
    }

    /// The production at an index.
    pub(crate) fn production(&self, at: usize) -> u32 {
        self.open[at].0
    }

    /// The index of a production.
    pub(crate) fn position(&self, production: u32) -> Option<usize> {
        self.open.iter().position(|(open, _)| *open == production)
    }

    pub(crate) fn remove(&mut self, at: usize) {
        self.total -= u64::from(self.open.remove(at).1);
    }

    /// Draws a candidate by weight.
    pub(crate) fn draw(&self, stream: &mut Stream) -> Option<usize> {
        draw(&self.open, self.total, stream)
    }

    /// Draws one of the candidates that end soonest, by weight.
    pub(crate) fn draw_end(&mut self, weights: &ProductionWeights, stream: &mut Stream) -> Option<usize> {
        let least = self.open.iter().map(|(production, _)| weights.size(*production)).min()?;
        self.open.sort_by_key(|(production, _)| weights.size(*production) != least);
        let ends = self.open.iter().take_while(|(production, _)| weights.size(*production) == least).count();
        let total = self.open[..ends].iter().map(|(_, weight)| u64::from(*weight)).sum();
        draw(&self.open[..ends], total, stream)
    }
}

fn draw(open: &[(u32, u32)], total: u64, stream: &mut Stream) -> Option<usize> {
    if total == 0 {
        return None;
    }
    let mut drawn = stream.below(total);
    open.iter().position(|(_, weight)| {
        let found = drawn < u64::from(*weight);
        drawn = drawn.wrapping_sub(u64::from(*weight));
        found
    })
}
