//! `--cover` on every grammar of a collection: what it reaches, and why not the rest.
//!
//! Rates: `cover-alternatives`, `cover-counts` (0, 1 or many of each quantifier) and `cover-paths` (`--k` symbols):
//! goals that were reached, of those that are not shown to be out of reach. `cover-grammars`: grammars of which at
//! most 2 % of the alternatives were not found. A goal that was not found in the budget is a miss, and so is one for
//! which nothing but the budget or a limit speaks.

use super::Setting;
use super::round_trip::Case;
use crate::rates::Tally;
use polysmith_engine::{Engine, GenerateError, Test};
use polysmith_generate::{Cover, Generator, Options, Reason, Unreached};
use polysmith_grammar::coverage::GoalKind;
use polysmith_random::Draw;
use polysmith_tree::NodeId;
use std::collections::BTreeMap;
use std::time::Instant;

/// The share of a grammar's alternatives that may be missing.
const MOST_MISSING: f64 = 0.02;

pub(crate) fn run(setting: &Setting, tally: &mut Tally) -> anyhow::Result<()> {
    for collection in &setting.collections {
        let table = setting.table(collection, "grammars.csv")?;
        for row in table.rows().filter(|row| setting.wants(row.get("grammar"))) {
            let name = row.get("grammar");
            let covered = Case::load(collection, row).and_then(|case| cover(&case, setting.args.k));
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

fn cover(case: &Case, k: usize) -> Result<Covered, String> {
    let begin = Instant::now();
    let options = Options { start: Some(case.start), ..Options::default() };
    let generator = Generator::new(case.grammar.clone(), &options).map_err(|error| error.to_string())?;
    let cover = Cover::new(generator, k).map_err(|error| error.to_string())?;
    let mut worker = cover.worker();
    let mut test = Test::default();
    let (mut tests, mut tokens) = (0, 0);
    loop {
        match worker.make(Draw::new(14, tests as u64), &mut test) {
            Ok(()) => {
                tests += 1;
                tokens += test.tree.n_tokens(NodeId::ROOT);
            }
            Err(GenerateError::Done) => break,
            Err(trouble) => return Err(trouble.message().to_owned()),
        }
    }
    drop(worker);
    let kinds = KINDS.map(|kind| cover.covered(kind));
    Ok(Covered { tests, tokens, kinds, unreached: cover.unreached(), seconds: begin.elapsed().as_secs_f64() })
}

/// The name of the rate of a kind.
fn rate(kind: GoalKind) -> &'static str {
    match kind {
        GoalKind::Alternative => "cover-alternatives",
        GoalKind::Count => "cover-counts",
        GoalKind::Path => "cover-paths",
    }
}

impl Covered {
    fn count(&self, name: &str, tally: &mut Tally) {
        let mut missing = 0;
        let mut reasons = BTreeMap::new();
        for one in &self.unreached {
            let (reason, is_miss) = match one.reason {
                Reason::Token(_) | Reason::Mode => ("token", false),
                Reason::Closed | Reason::Unfinished => ("closed", false),
                Reason::Shadowed => ("shadowed", false),
                Reason::Limit { .. } => ("limit", true),
                Reason::Refused { .. } => ("refused", true),
                Reason::NotFound { .. } => ("not found", true),
            };
            *reasons.entry((one.kind, reason)).or_insert(0) += 1;
            match one.kind {
                _ if !is_miss => {}
                GoalKind::Alternative => {
                    missing += 1;
                    tally.miss(rate(one.kind), name, &format!("{}: {}", one.goal, one.reason));
                }
                kind => tally.uncounted(rate(kind), 1),
            }
        }
        for (kind, (covered, _)) in KINDS.into_iter().zip(self.kinds) {
            (0..covered).for_each(|_| tally.hit(rate(kind)));
        }
        let [alternatives, counts, paths] = self.kinds.map(|(covered, all)| format!("{covered}/{all}"));
        println!(
            "{name}: {} tests, {} tokens, {:.1} s; alternatives {alternatives}, counts {counts}, paths {paths}; {reasons:?}",
            self.tests, self.tokens, self.seconds,
        );
        let all = self.kinds[0].1;
        let few = missing as f64 <= MOST_MISSING * all as f64;
        tally.record("cover-grammars", name, (!few).then(|| format!("{missing} of {all} not found")));
    }
}
