//! The way to a goal: from each alternative, how many rule calls below it the goal can be met.
//!
//! Bellman and Ford over alternatives: the distance of a goal alternative is the height that it needs itself; an
//! alternative that calls a rule on the way needs one more, and all its other parts must fit as well.

use crate::draft::Goal;
use crate::tables::{StepKind, Tables};
use polysmith_grammar::BlockId;

/// Far: does not lead there.
pub(crate) const FAR: u32 = u32::MAX;

impl Goal {
    /// Towards an alternative of a set.
    pub(crate) fn alternatives(tables: &Tables, goals: &[usize]) -> Goal {
        let mut at_goal = vec![false; tables.alternatives.len()];
        goals.iter().for_each(|alt| at_goal[*alt] = true);
        Goal::solve(tables, &at_goal, None)
    }

    fn solve(tables: &Tables, at_goal: &[bool], repeat: Option<(BlockId, u32)>) -> Goal {
        let n = tables.alternatives.len();
        let mut goal = Goal {
            alternatives: vec![FAR; n],
            steps: vec![FAR; tables.steps.len()],
            repeat,
            at_goal: Vec::new(),
        };
        let mut changed = true;
        while changed {
            changed = false;
            for (alt, is_goal) in at_goal.iter().enumerate() {
                let Some(own) = tables.curves[alt].least_height() else { continue };
                if tables.weights[alt] == 0 {
                    continue;
                }
                let mut best = if *is_goal { own } else { FAR };
                for (at, step) in tables.alternatives[alt].clone().zip(tables.steps(alt)) {
                    let distance = goal.step(tables, &step.kind, repeat);
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
        goal.at_goal = at_goal.to_vec();
        goal
    }

    fn step(&self, tables: &Tables, kind: &StepKind, repeat: Option<(BlockId, u32)>) -> u32 {
        let nearest = |block: BlockId| {
            let range = tables.block(block).alternatives.clone();
            range.map(|alt| self.alternatives[alt as usize]).min().unwrap_or(FAR)
        };
        match kind {
            StepKind::Call(rule, _) => nearest(tables.bodies[rule.index()]).saturating_add(1),
            StepKind::Group(block) if repeat.is_some_and(|(goal, _)| goal == *block) => {
                let needed = repeat.is_some_and(|(_, count)| count > 0);
                if needed { tables.block(*block).curve.least_height().unwrap_or(FAR) } else { 0 }
            }
            StepKind::Group(block) => nearest(*block),
            _ => FAR,
        }
    }
}
