//! How likely productions are: by class, who may be drawn at all, and of them who is still in question at a node.
//!
//! Most nodes are far from every limit. For them the list of their class is taken over as it stands.

use crate::patterns::Taint;
use crate::tables::Tables;
use polysmith_attributes::{Heights, INFINITE, ProductionId, Selection, Spec};
use polysmith_random::Stream;

/// How a production takes part in a draw.
#[derive(Debug, Clone, Copy)]
struct Odd {
    weight: u32,
    /// The least height of a tree with it.
    least: u32,
    recursive: bool,
    has_tail: bool,
}

/// The productions of a class that can be drawn at all.
#[derive(Debug, Clone, Default)]
struct Menu {
    /// Productions with their weights.
    all: Vec<(u32, u32)>,
    total: u64,
    /// No production needs more height than this.
    highest: u32,
    has_tail: bool,
}

/// The productions that programs may use.
#[derive(Debug, Clone, Default)]
pub(crate) struct Odds {
    productions: Vec<Odd>,
    menus: Vec<Menu>,
}

impl Odds {
    pub(crate) fn new(spec: &Spec, tables: &Tables, selection: &Selection) -> Odds {
        let heights = Heights::new(spec, selection);
        let odd = |id: u32| {
            let (production, least) = (&tables.productions[id as usize], heights.productions[id as usize]);
            Odd {
                weight: if least == INFINITE { 0 } else { selection.weight(ProductionId(id)) },
                least,
                recursive: production.recursive,
                has_tail: production.has_tail,
            }
        };
        let productions: Vec<Odd> = (0..tables.productions.len() as u32).map(odd).collect();
        let menu = |class: &crate::tables::Class| {
            let mut menu = Menu::default();
            for id in class.productions.clone() {
                let Odd { weight, least, recursive, has_tail } = productions[id as usize];
                if weight > 0 {
                    menu.all.push((id, weight));
                    menu.total += u64::from(weight);
                    menu.highest = menu.highest.max(if recursive { least } else { 0 });
                    menu.has_tail |= has_tail;
                }
            }
            menu
        };
        let menus = tables.classes.iter().map(menu).collect();
        Odds { productions, menus }
    }

    /// What ends soonest comes first: the height that is needed, then lists that do not go on.
    fn size(&self, production: u32) -> (u32, bool) {
        let odd = &self.productions[production as usize];
        (odd.least, odd.has_tail)
    }
}

/// What can still be chosen for a node: productions with their weights.
#[derive(Debug, Clone, Default)]
pub(crate) struct Candidates {
    open: Vec<(u32, u32)>,
    total: u64,
}

impl Candidates {
    /// Starts with everything that the limits allow, and says which limit left something out.
    pub(crate) fn start(&mut self, odds: &Odds, class: u32, height: u32, width: u32) -> Taint {
        let menu = &odds.menus[class as usize];
        let mut taint = Taint::default();
        self.open.clear();
        if menu.highest <= height && (width > 1 || !menu.has_tail) {
            self.open.extend_from_slice(&menu.all);
            self.total = menu.total;
            return taint;
        }
        self.total = 0;
        for (production, weight) in &menu.all {
            let Odd { least, recursive, has_tail, .. } = odds.productions[*production as usize];
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

    /// The production at a place.
    pub(crate) fn production(&self, at: usize) -> u32 {
        self.open[at].0
    }

    /// Where a production stands.
    pub(crate) fn position(&self, production: u32) -> Option<usize> {
        self.open.iter().position(|(open, _)| *open == production)
    }

    pub(crate) fn remove(&mut self, at: usize) {
        self.total -= u64::from(self.open.remove(at).1);
    }

    /// One of them, by weight.
    pub(crate) fn draw(&self, stream: &mut Stream) -> Option<usize> {
        draw(&self.open, self.total, stream)
    }

    /// One of those that end soonest, by weight.
    pub(crate) fn draw_end(&mut self, odds: &Odds, stream: &mut Stream) -> Option<usize> {
        let least = self.open.iter().map(|(production, _)| odds.size(*production)).min()?;
        self.open.sort_by_key(|(production, _)| odds.size(*production) != least);
        let ends = self.open.iter().take_while(|(production, _)| odds.size(*production) == least).count();
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
