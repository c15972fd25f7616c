//! Counting hits and misses, and the lines `rate NAME OK/TOTAL` in the end.
//!
//! A skipped case is a miss with a reason: nothing leaves the total. `bars.txt` has the share that a rate has
//! reached and must keep; a rate below its bar makes the run fail.

use std::collections::BTreeMap;

/// The counts of a run.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    // In the order of first use, which is the order of the checks.
    counts: Vec<(String, Count)>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Count {
    ok: usize,
    total: usize,
}

impl Tally {
    /// A case that came out as it should.
    pub(crate) fn hit(&mut self, rate: &str) {
        let count = self.count(rate);
        count.ok += 1;
        count.total += 1;
    }

    /// A case that did not; printed at once. `why` may have several lines.
    pub(crate) fn miss(&mut self, rate: &str, case: &str, why: &str) {
        self.count(rate).total += 1;
        println!("miss {rate} {case}: {}", why.trim_end().replace('\n', "\n    "));
    }

    /// A hit or a miss, by the problem that was found.
    pub(crate) fn record(&mut self, rate: &str, case: &str, problem: Option<String>) {
        match problem {
            None => self.hit(rate),
            Some(why) => self.miss(rate, case, &why),
        }
    }

    /// Misses that were told elsewhere.
    pub(crate) fn uncounted(&mut self, rate: &str, misses: u64) {
        self.count(rate).total += misses as usize;
    }

    fn count(&mut self, rate: &str) -> &mut Count {
        let at = self.counts.iter().position(|(name, _)| name == rate).unwrap_or_else(|| {
            self.counts.push((rate.to_owned(), Count::default()));
            self.counts.len() - 1
        });
        &mut self.counts[at].1
    }

    /// Prints all rates and says whether each keeps its bar.
    pub(crate) fn finish(&self) -> bool {
        let bars = bars();
        let mut good = true;
        for (name, count) in &self.counts {
            println!("rate {name} {}/{}", count.ok, count.total);
        }
        for (name, count) in &self.counts {
            let bar = bars.get(name.as_str()).copied().unwrap_or(0.0);
            if 100.0 * (count.ok as f64) < bar * count.total as f64 {
                println!(
                    "below its bar: {name} {}/{} must keep {bar} % (xtask/bars.txt)",
                    count.ok, count.total
                );
                good = false;
            }
        }
        good
    }
}

/// The bars: a name and a percentage per line.
fn bars() -> BTreeMap<&'static str, f64> {
    let lines = include_str!("../bars.txt").lines().filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(k, v)| Some((k, v.trim().parse().ok()?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_without_bar_is_only_printed() {
        let mut tally = Tally::default();
        tally.hit("x");
        tally.miss("x", "case", "why");
        assert!(tally.finish());
        assert_eq!((tally.count("x").ok, tally.count("x").total), (1, 2));
    }

    #[test]
    fn every_bar_is_read() {
        let written = include_str!("../bars.txt").lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(bars().len(), written);
    }
}
