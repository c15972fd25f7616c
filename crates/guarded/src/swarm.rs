//! Swarm testing: each program has its own subset of features and productions.
//!
//! A feature is enabled in half of the programs, a production excluded in a quarter, unless a class that had a finite
//! program would then have none. So programs differ in kind, not only in detail.

use polysmith_attributes::{Heights, INFINITE, ProductionId, Selection, Spec};
use polysmith_random::Stream;

/// Draws a random subset of a selection.
pub(crate) fn subset(spec: &Spec, whole: &Selection, stream: &mut Stream) -> Selection {
    let on: Vec<bool> = spec.features.iter().map(|_| stream.chance(1, 2)).collect();
    let mut selection = whole.clone();
    let needed = Heights::new(spec, whole);
    for at in 0..spec.productions.len() as u32 {
        let id = ProductionId(at);
        let features = &spec.production(id).features;
        let off = !features.is_empty() && !features.iter().any(|feature| on[*feature as usize]);
        let out = stream.chance(1, 4);
        if whole.weight(id) == 0 || !(off || out) {
            continue;
        }
        selection.set(id, 0);
        let left = Heights::new(spec, &selection);
        let lost = needed
            .classes
            .iter()
            .zip(&left.classes)
            .any(|(before, now)| *now == INFINITE && *before != INFINITE);
        if lost {
            selection.set(id, whole.weight(id));
        }
    }
    selection
}
