//! Cycles of a directed graph.

use polysmith_grammar::analysis::Components;

/// The strongly connected components that contain a cycle, members ascending, ordered by their least member.
pub(crate) fn cycles(graph: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let number = |node: usize| u32::try_from(node).expect("memory ends before the numbers do");
    let edges = graph
        .iter()
        .enumerate()
        .flat_map(|(from, targets)| targets.iter().map(move |to| (number(from), number(*to))));
    let components = Components::of_edges(graph.len(), &edges.collect::<Vec<_>>());
    let parts = (0..components.len()).map(|part| components.nodes(part).collect::<Vec<_>>());
    let has_cycle = |part: &Vec<usize>| part.len() > 1 || part.iter().any(|node| graph[*node].contains(node));
    let mut found: Vec<Vec<usize>> = parts.filter(has_cycle).collect();
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_cycles_are_found() {
        let edges = vec![vec![1, 3], vec![2], vec![1], vec![3], vec![0]];
        assert_eq!(cycles(&edges), [vec![1, 2], vec![3]]);
    }
}
