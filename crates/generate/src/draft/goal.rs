//! The way to a goal: from each alternative, how many rule calls below it the goal can be reached.
//!
//! Bellman-Ford over alternatives: the distance of a goal alternative is the height that it needs itself; an
//! alternative that calls a rule on the way needs one more, and all its other parts must fit as well.

use crate::tables::{StepKind, Tables};
use polysmith_grammar::BlockId;

/// The height of what does not lead to the goal.
pub(crate) const FAR: u32 = u32::MAX;

/// Where a draft should lead to: least heights towards a goal.
#[derive(Debug, Clone, Default)]
pub(crate) struct Goal {
    /// By [`polysmith_grammar::AltId`]: rule calls below the alternative until the goal; [`FAR`] if it does not lead there.
    pub(crate) alternatives: Vec<u32>,
    /// By step.
    pub(crate) steps: Vec<u32>,
    /// By alternative: whether it is the goal.
    pub(crate) is_goal: Vec<bool>,
}

impl Goal {
    /// Towards an alternative of a set.
    pub(crate) fn alternatives(tables: &Tables, goals: &[usize]) -> Goal {
        let n = tables.alternatives.len();
        let mut is_goal = vec![false; n];
        goals.iter().for_each(|alt| is_goal[*alt] = true);
        let mut goal =
            Goal { alternatives: vec![FAR; n], steps: vec![FAR; tables.steps.len()], is_goal: Vec::new() };
        let mut changed = true;
        while changed {
            changed = false;
            for (alt, is_goal) in is_goal.iter().enumerate() {
                let Some(own) = tables.curves[alt].least_height() else { continue };
                if tables.weights[alt] == 0 {
                    continue;
                }
                let mut best = if *is_goal { own } else { FAR };
                for (at, step) in tables.alternatives[alt].clone().zip(tables.steps(alt)) {
                    let distance = goal.step(tables, &step.kind);
                    goal.steps[at as usize] = distance;
                    if distance != FAR {
                        best = best.min(distance.max(own));
                    }
                }
                if best < goal.alternatives[alt] {
                    goal.alternatives[alt] = best;
                    changed = true;
                }
            }
        }
        goal.is_goal = is_goal;
        goal
    }

    fn step(&self, tables: &Tables, kind: &StepKind) -> u32 {
        let nearest = |block: BlockId| {
            let range = tables.block(block).alternatives.clone();
            range.map(|alt| self.alternatives[alt as usize]).min().unwrap_or(FAR)
        };
        match kind {
            StepKind::Call(rule, _) => nearest(tables.bodies[rule.index()]).saturating_add(1),
            StepKind::Group(block) => nearest(*block),
            _ => FAR,
        }
    }
}
