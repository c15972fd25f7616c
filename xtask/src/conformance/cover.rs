//! `--cover` on every grammar of a collection: what it reaches, and why not the rest.
//!
//! Rates: `cover` (alternatives and repetition counts: reached, or shown to be out of reach), `cover-paths` (the
//! same for k-paths), `cover-grammars` (grammars of which at most 2 % of all goals were not found). A goal that was
//! not found in the budget is a miss, and so is one for which nothing but the budget speaks.

use super::Setting;
use super::round_trip::Case;
use crate::rates::Tally;
use polysmith_engine::{Engine, Test, Trouble};
use polysmith_generate::{Cover, Generator, Options, Reason, Unreached};
use polysmith_grammar::coverage::GoalKind;
use polysmith_random::Draw;
use polysmith_tree::NodeId;
use std::time::Instant;

/// Symbols of a path.
const K: usize = 3;
/// The share of a grammar's goals that may be missing.
const MOST_MISSING: f64 = 0.02;

pub(crate) fn run(setting: &Setting, tally: &mut Tally) -> anyhow::Result<()> {
    for collection in &setting.collections {
        let table = setting.table(collection, "grammars.csv")?;
        for row in table.rows().filter(|row| setting.wants(row.get("grammar"))) {
            let name = row.get("grammar");
            let covered = Case::load(collection, row).and_then(|case| cover(&case));
            match covered {
                Ok(covered) => covered.count(name, tally),
                Err(why) => tally.miss("cover-grammars", name, &why),
            }
        }
    }
    Ok(())
}

struct Covered {
    tests: usize,
    tokens: usize,
    /// Covered and all, by kind.
    kinds: [(usize, usize); 3],
    unreached: Vec<Unreached>,
    seconds: f64,
}

const KINDS: [GoalKind; 3] = [GoalKind::Alternative, GoalKind::Count, GoalKind::Path];

fn cover(case: &Case) -> Result<Covered, String> {
    let begin = Instant::now();
    let options = Options { start: Some(case.start), ..Options::default() };
    let generator = Generator::new(case.grammar.clone(), &options).map_err(|error| error.to_string())?;
    let cover = Cover::new(generator, K)?;
    let mut worker = cover.worker();
    let mut test = Test::default();
    let (mut tests, mut tokens) = (0, 0);
    loop {
        match worker.make(Draw::new(14, tests as u64), &mut test) {
            Ok(()) => {
                tests += 1;
                tokens += test.tree.n_tokens(NodeId::ROOT);
            }
            Err(Trouble::Done) => break,
            Err(trouble) => return Err(trouble.message().to_owned()),
        }
    }
    drop(worker);
    let kinds = KINDS.map(|kind| cover.covered(kind));
    Ok(Covered { tests, tokens, kinds, unreached: cover.unreached(), seconds: begin.elapsed().as_secs_f64() })
}

impl Covered {
    fn count(&self, name: &str, tally: &mut Tally) {
        let mut missing = 0;
        let mut reasons = std::collections::BTreeMap::new();
        for one in &self.unreached {
            let reason = match one.reason {
                Reason::Token(_) => "token",
                Reason::Closed | Reason::Unfinished => "closed",
                Reason::Limit { .. } => "limit",
                Reason::Shadowed => "shadowed",
                Reason::Refused { .. } => "refused",
                Reason::NotFound { .. } => "not found",
            };
            *reasons.entry((one.kind, reason)).or_insert(0) += 1;
            if ["not found", "refused", "limit"].contains(&reason) {
                missing += 1;
                match one.kind {
                    GoalKind::Path => tally.uncounted("cover-paths", 1),
                    _ => tally.miss("cover", name, &format!("{}: {}", one.goal, one.reason)),
                }
            }
        }
        let [alternatives, counts, paths] = self.kinds;
        let all = alternatives.1 + counts.1 + paths.1;
        let shown =
            |rate: &str, covered: usize, tally: &mut Tally| (0..covered).for_each(|_| tally.hit(rate));
        shown("cover", alternatives.0 + counts.0, tally);
        shown("cover-paths", paths.0, tally);
        println!(
            "{name}: {} tests, {} tokens, {:.1} s; alternatives {}/{}, counts {}/{}, paths {}/{}; {reasons:?}",
            self.tests,
            self.tokens,
            self.seconds,
            alternatives.0,
            alternatives.1,
            counts.0,
            counts.1,
            paths.0,
            paths.1
        );
        let few = missing as f64 <= MOST_MISSING * all as f64;
        tally.record("cover-grammars", name, (!few).then(|| format!("{missing} of {all} not found")));
    }
}
