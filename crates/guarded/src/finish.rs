//! Converts a solved tree to a program: from the order of decisions to preorder.

use crate::solve::Solver;
use crate::tables::NodeKind;
use polysmith_attributes::{Derivation, Evaluation, Instance, Leaf, ProductionId};

impl Solver<'_> {
    /// Moves the complete program and its values out of the arena.
    pub(crate) fn finish(&mut self, key: u64) -> (Derivation, Evaluation) {
        let n = self.arena.nodes.len();
        let mut derivation = Derivation { nodes: Vec::with_capacity(n), key };
        let (mut bases, mut values) = (Vec::with_capacity(n), Vec::with_capacity(self.arena.values.len()));
        // Open nodes: the next child to visit, the end of the children, the index in the program, the height.
        let mut open: Vec<(u32, u32, u32)> = Vec::new();
        let mut next = Some(0);
        let mut height = 0;
        loop {
            if let Some(id) = next.take() {
                let node = &self.arena.nodes[id as usize];
                let class = &self.tables.classes[node.class as usize];
                let at = derivation.nodes.len() as u32;
                let from = node.attributes as usize;
                bases.push(values.len() as u32);
                for value in &mut self.arena.values[from..from + class.n_attributes as usize] {
                    values.push(Some(std::mem::take(value)));
                }
                let base = bases[at as usize];
                let brought = || values[(base + class.intrinsic) as usize].clone().unwrap_or_default();
                let leaf = match class.kind {
                    NodeKind::Tree => Leaf::None,
                    NodeKind::Literal => Leaf::Text(brought()),
                    NodeKind::Generator => Leaf::Value(brought()),
                };
                derivation.nodes.push(Instance { production: ProductionId(node.production), size: 1, leaf });
                if let Some(tally) = &mut self.tally {
                    tally.kept(node.production);
                }
                let n_children = self.tables.productions[node.production as usize].children.len() as u32;
                open.push((node.first_child, node.first_child + n_children, at));
                height = height.max(open.len() as u64);
            }
            let Some((child, end, at)) = open.last_mut() else { break };
            if child < end {
                next = Some(*child);
                *child += 1;
            } else {
                derivation.nodes[*at as usize].size = derivation.nodes.len() as u32 - *at;
                open.pop();
            }
        }
        self.counters.nodes = derivation.nodes.len() as u64;
        self.counters.height = height;
        (derivation, Evaluation::new(bases, values))
    }
}
