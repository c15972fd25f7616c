//! Draws random trees of productions within height limits.
//!
//! The rules of the *Smith paper (Section IV-A) and its implementation: only recursive productions are limited; below
//! another production, the budget is reset, so that an expression deep inside statements may be as high as one at the
//! top. The tail of a list has the budget of its head. A stack of open nodes replaces recursion.

use crate::pools::Pools;
use polysmith_attributes::{
    ClassId, ClassKind, Derivation, Heights, Instance, Leaf, ProductionId, Selection, Spec,
};
use polysmith_random::Stream;

/// The limits of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The height that recursive productions may reach (limit `max-height`).
    pub height: u32,
    /// The number of nodes from which on only the smallest productions are chosen (limit `max-nodes`).
    pub nodes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { height: 11, nodes: 1_000_000 }
    }
}

/// The limits at one node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Budget {
    /// The height that a recursive production may still reach; `None` if the limit starts here.
    pub(crate) height: Option<u32>,
    /// The number of elements that a list may still have.
    pub(crate) width: Option<u32>,
}

/// Chooses productions for a selection and limits.
#[derive(Debug, Clone)]
pub(crate) struct Skeletons<'a> {
    /// The spec.
    pub(crate) spec: &'a Spec,
    /// Weights of productions.
    pub(crate) selection: Selection,
    /// The minimum heights with these weights.
    pub(crate) heights: Heights,
    /// The limits of a tree.
    pub(crate) limits: Limits,
}

enum Todo {
    Fill(ClassId, Budget),
    Close(usize),
}

impl<'a> Skeletons<'a> {
    /// Creates a drawer of skeletons for a selection of productions.
    pub(crate) fn new(spec: &'a Spec, selection: Selection, limits: Limits) -> Skeletons<'a> {
        let heights = Heights::new(spec, &selection);
        Skeletons { spec, selection, heights, limits }
    }

    /// The budget of the root.
    pub(crate) fn root_budget(&self) -> Budget {
        let class = self.spec.class(self.spec.start());
        Budget { height: class.max_height, width: class.list.and_then(|list| list.max) }
    }

    /// The budget of a child of a node with this budget.
    pub(crate) fn child_budget(&self, production: ProductionId, child: usize, budget: Budget) -> Budget {
        let production = self.spec.production(production);
        let class = self.spec.class(production.children[child].class);
        let is_tail = production.tail == Some(child);
        let height = match budget.height {
            _ if !production.recursive && !is_tail => None,
            Some(height) if is_tail => Some(height),
            None if is_tail => None,
            None => Some(self.limits.height),
            Some(height) => Some(height.saturating_sub(1)),
        };
        let height = match (height, class.max_height) {
            (Some(height), Some(max)) => Some(height.min(max)),
            (height, max) => height.or(max),
        };
        let width = match budget.width {
            Some(width) if is_tail => Some(width.saturating_sub(1)),
            _ => class.list.and_then(|list| list.max),
        };
        Budget { height, width }
    }

    /// Whether a production is possible within a budget.
    pub(crate) fn is_applicable(&self, id: ProductionId, budget: Budget) -> bool {
        let production = self.spec.production(id);
        let least = self.heights.productions[id.index()];
        let fits = budget.height.is_none_or(|height| least <= height);
        self.selection.weight(id) > 0
            && least != polysmith_attributes::INFINITE
            && !(production.tail.is_some() && budget.width.is_some_and(|width| width <= 1))
            && (!production.recursive || fits)
    }

    /// Draws a production by weight. `None` if the class has no finite production.
    pub(crate) fn choose(&self, class: ClassId, budget: Budget, stream: &mut Stream) -> Option<ProductionId> {
        let candidates = self.spec.productions_of(class).filter(|id| self.is_applicable(*id, budget));
        let total: u64 = candidates.clone().map(|id| u64::from(self.selection.weight(id))).sum();
        if total == 0 {
            return self.smallest(class);
        }
        let mut drawn = stream.below(total);
        for id in candidates {
            let weight = u64::from(self.selection.weight(id));
            if drawn < weight {
                return Some(id);
            }
            drawn -= weight;
        }
        None
    }

    /// The production with the least height: the only choice when a limit excludes all others.
    fn smallest(&self, class: ClassId) -> Option<ProductionId> {
        let height = |id: &ProductionId| self.heights.productions[id.index()];
        let possible =
            self.spec.productions_of(class).filter(|id| height(id) != polysmith_attributes::INFINITE);
        possible.min_by_key(|id| (height(id), self.spec.production(*id).tail.is_some()))
    }

    /// Draws a whole tree with the texts of literals, but without the values of generators. `None` if there is no
    /// finite tree.
    pub(crate) fn build(
        &self,
        structure: &mut Stream,
        texts: &mut Stream,
        pools: &mut Pools,
    ) -> Option<Derivation> {
        let mut derivation = Derivation { key: structure.next_u64(), ..Derivation::default() };
        let mut todo = vec![Todo::Fill(self.spec.start(), self.root_budget())];
        while let Some(next) = todo.pop() {
            match next {
                Todo::Close(at) => derivation.nodes[at].size = (derivation.nodes.len() - at) as u32,
                Todo::Fill(class, budget) => {
                    let id = if derivation.nodes.len() >= self.limits.nodes {
                        self.smallest(class)?
                    } else {
                        self.choose(class, budget, structure)?
                    };
                    let leaf = match self.spec.class(class).kind {
                        ClassKind::Literal(_) => {
                            Leaf::Text(texts.pick(pools.of(self.spec, class)).cloned().unwrap_or_default())
                        }
                        _ => Leaf::None,
                    };
                    let at = derivation.nodes.len();
                    derivation.nodes.push(Instance { production: id, size: 1, leaf });
                    let children = &self.spec.production(id).children;
                    if !children.is_empty() {
                        todo.push(Todo::Close(at));
                        let fill = |(number, child): (usize, &polysmith_attributes::Child)| {
                            Todo::Fill(child.class, self.child_budget(id, number, budget))
                        };
                        todo.extend(children.iter().enumerate().rev().map(fill));
                    }
                }
            }
        }
        Some(derivation)
    }
}
