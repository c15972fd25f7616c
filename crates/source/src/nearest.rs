//! "Did you mean": finds the known name that is closest to an unknown one.

/// The candidate closest to `name`, or `None` if all are too different.
///
/// One edit is a letter added, removed, replaced or swapped with its neighbour. Up to a third of the letters may
/// differ, at least one; case is ignored. Among equally close candidates, the first wins.
///
/// ```
/// assert_eq!(polysmith_source::nearest("jsn", ["csv", "json"]), Some("json"));
/// assert_eq!(polysmith_source::nearest("pascal", ["csv", "json"]), None);
/// ```
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = letters(name);
    let allowed = (wanted.len() / 3).max(1);
    candidates
        .into_iter()
        .filter(|candidate| candidate.chars().count().abs_diff(wanted.len()) <= allowed)
        .map(|candidate| (distance(&wanted, &letters(candidate)), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

fn letters(name: &str) -> Vec<char> {
    name.chars().flat_map(char::to_lowercase).collect()
}

/// Optimal string alignment distance, with the last three rows of the table. Cost: the product of the lengths.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let replaced = last[j] + usize::from(x != y);
            let mut best = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_typing_mistakes() {
        let d = |a, b| distance(&letters(a), &letters(b));
        assert_eq!(d("json", "json"), 0);
        assert_eq!(d("jsn", "json"), 1);
        assert_eq!(d("josn", "json"), 1, "a swap is one mistake");
        assert_eq!(d("", "abc"), 3);
        assert_eq!(d("kitten", "sitting"), 3);
    }

    #[test]
    fn far_names_are_not_suggested() {
        assert_eq!(nearest("x", ["json", "ab"]), None);
        assert_eq!(nearest("EXPR", ["expr"]), Some("expr"));
        assert_eq!(nearest("aa", ["ab", "ac"]), Some("ab"));
    }
}
