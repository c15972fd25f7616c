//! Which productions a run may use, and the minimum heights of trees of these productions.
//!
//! Features, excluded productions and weights have a common form: a weight for each production, 0 if it is never
//! chosen. The minimum heights depend on them. Both are computed once per run, or once per program if each program has
//! its own selection.

use crate::spec::{Class, ClassKind, Production, ProductionId, Spec};

/// The height of a class or production without a finite tree.
pub const INFINITE: u32 = u32::MAX;

/// The features that are enabled.
#[derive(Debug, Clone, Copy, Default)]
pub enum Features<'a> {
    /// No feature: productions with `@feature` are absent.
    #[default]
    None,
    /// All features.
    All,
    /// These features.
    Only(&'a [String]),
}

/// A weight for each production.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    weights: Vec<u32>,
}

impl Selection {
    /// Takes the weights as written, 0 for productions whose features are disabled.
    pub fn new(spec: &Spec, features: Features<'_>) -> Selection {
        Selection::of(&spec.productions, &spec.features, features)
    }

    /// Like [`Selection::new`], for a specification under construction.
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

    /// The weight of a production; 0 if it is never chosen.
    #[inline]
    pub fn weight(&self, production: ProductionId) -> u32 {
        self.weights[production.index()]
    }

    /// Changes the weight of a production; 0 excludes it.
    pub fn set(&mut self, production: ProductionId, weight: u32) {
        self.weights[production.index()] = weight;
    }
}

/// Minimum heights of trees.
///
/// A literal, a generated value and a production without children have height 1, others one more than their highest
/// child. The tail of a list counts one less, so that a longer list is not higher.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heights {
    /// By class; [`INFINITE`] if it has no finite tree.
    pub classes: Vec<u32>,
    /// By production; [`INFINITE`] if it is never chosen or has no finite tree.
    pub productions: Vec<u32>,
}

impl Heights {
    /// Computes the heights of a specification with a selection.
    pub fn new(spec: &Spec, selection: &Selection) -> Heights {
        Heights::of(&spec.classes, &spec.productions, selection)
    }

    /// Like [`Heights::new`], for a specification under construction.
    pub fn of(classes: &[Class], productions: &[Production], selection: &Selection) -> Heights {
        let mut heights = Heights {
            classes: vec![INFINITE; classes.len()],
            productions: vec![INFINITE; productions.len()],
        };
        // Each round determines at least one more class, so there are at most as many rounds as classes.
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
