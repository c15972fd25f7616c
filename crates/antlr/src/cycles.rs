//! Cycles of a directed graph.

/// The strongly connected parts that contain a cycle, members ascending, ordered by their least member.
///
/// Tarjan's algorithm with its stack in the heap; linear in nodes and edges.
pub(crate) fn cycles(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let n = edges.len();
    let (mut index, mut low) = (vec![NEW; n], vec![0; n]);
    let mut on_stack = vec![false; n];
    let (mut stack, mut found, mut next) = (Vec::new(), Vec::new(), 0);
    for root in 0..n {
        let mut work: Vec<(usize, usize)> = if index[root] == NEW { vec![(root, 0)] } else { Vec::new() };
        while let Some((node, edge)) = work.pop() {
            if edge == 0 {
                index[node] = next;
                low[node] = next;
                next += 1;
                stack.push(node);
                on_stack[node] = true;
            } else {
                low[node] = low[node].min(low[edges[node][edge - 1]]);
            }
            let rest = edges[node][edge..].iter().position(|target| {
                if index[*target] != NEW && on_stack[*target] {
                    low[node] = low[node].min(index[*target]);
                }
                index[*target] == NEW
            });
            if let Some(step) = rest {
                work.push((node, edge + step + 1));
                work.push((edges[node][edge + step], 0));
            } else if low[node] == index[node] {
                let from = stack.iter().rposition(|member| *member == node).expect("the node was pushed");
                let mut part = stack.split_off(from);
                part.iter().for_each(|member| on_stack[*member] = false);
                if part.len() > 1 || edges[node].contains(&node) {
                    part.sort_unstable();
                    found.push(part);
                }
            }
        }
    }
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
