//! Which productions a run may use, and how small a tree can be with them.
//!
//! Features, `--without` and weights all say the same thing in the end: a weight for each production, 0 for one
//! that is never chosen. Heights follow from that, so both are computed once per run (or per program, where
//! each program has a choice of its own).

use crate::spec::{Class, ClassKind, Production, ProductionId, Spec};

/// A height that no tree has.
pub const INFINITE: u32 = u32::MAX;

/// The features that are switched on.
#[derive(Debug, Clone, Copy, Default)]
pub enum Features<'a> {
    /// None: productions with `@feature` are absent.
    #[default]
    None,
    /// All.
    All,
    /// These.
    Only(&'a [String]),
}

/// A weight for each production.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    weights: Vec<u32>,
}

impl Selection {
    /// The weights as written, 0 for productions whose features are off.
    pub fn new(spec: &Spec, features: Features<'_>) -> Selection {
        Selection::of(&spec.productions, &spec.features, features)
    }

    /// The same, while a spec is still being made.
    pub fn of(productions: &[Production], names: &[String], features: Features<'_>) -> Selection {
        let on = |feature: u32| match features {
            Features::None => false,
            Features::All => true,
            Features::Only(list) => list.contains(&names[feature as usize]),
        };
        let weight = |production: &Production| {
            let present = production.features.is_empty() || production.features.iter().any(|at| on(*at));
            if present { production.weight } else { 0 }
        };
        Selection { weights: productions.iter().map(weight).collect() }
    }

    /// The weight of a production; 0 is never.
    #[inline]
    pub fn weight(&self, production: ProductionId) -> u32 {
        self.weights[production.index()]
    }

    /// Changes the weight of a production; 0 leaves it out.
    pub fn set(&mut self, production: ProductionId, weight: u32) {
        self.weights[production.index()] = weight;
    }
}

/// The smallest heights of trees.
///
/// A literal, a generated value and a production without children have height 1, others one more than their
/// highest child. The tail of a list counts one less, so that the length of a list costs nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heights {
    /// By class; [`INFINITE`] if it has no finite tree.
    pub classes: Vec<u32>,
    /// By production; [`INFINITE`] too if it is never chosen.
    pub productions: Vec<u32>,
}

impl Heights {
    /// The heights of a spec with a selection.
    pub fn new(spec: &Spec, selection: &Selection) -> Heights {
        Heights::of(&spec.classes, &spec.productions, selection)
    }

    /// The same, while a spec is still being made.
    pub fn of(classes: &[Class], productions: &[Production], selection: &Selection) -> Heights {
        let mut heights = Heights {
            classes: vec![INFINITE; classes.len()],
            productions: vec![INFINITE; productions.len()],
        };
        // Each round settles at least one more class, so there are at most as many rounds as classes.
        loop {
            let mut changed = false;
            for (at, production) in productions.iter().enumerate() {
                if selection.weights[at] == 0 {
                    continue;
                }
                let height = heights.of_production(production, classes);
                let class = production.class.index();
                heights.productions[at] = height;
                if height < heights.classes[class] {
                    heights.classes[class] = height;
                    changed = true;
                }
            }
            if !changed {
                return heights;
            }
        }
    }

    fn of_production(&self, production: &Production, classes: &[Class]) -> u32 {
        if !matches!(classes[production.class.index()].kind, ClassKind::Tree) {
            return 1;
        }
        let child = |(at, child): (usize, &crate::spec::Child)| match self.classes[child.class.index()] {
            INFINITE => INFINITE,
            height if production.tail == Some(at) => height - 1,
            height => height,
        };
        let highest = production.children.iter().enumerate().map(child).max().unwrap_or(0);
        highest.checked_add(1).unwrap_or(INFINITE)
    }
}
