//! Generated texts, parsed back by our parser and by ANTLR itself.
//!
//! For each grammar of a collection `--generate N` texts, a quarter of them in each of four styles, each style with
//! another limit on depth. Rates:
//! `generate-ours` (our parser accepts the text and builds the tree that it was printed from), `generate-antlr`
//! (ANTLR does), `generate-right-at-once`, `generate-not-adopted` (by fate), `generate-not-empty`,
//! `generate-distinct`. A text that was not made is a miss of the first two. Right at once means the first draft; how
//! much of it was taken back while it grew tell `generate-steps-local` (never more than a few tokens at once) and
//! `generate-no-step-back` (nothing).

use super::Setting;
use super::parse_verdicts::antlr_error;
use crate::oracle::Oracle;
use crate::rates::Tally;
use crate::table::Row;
use polysmith_antlr::ReadOptions;
use polysmith_engine::{Test, Worker as _};
use polysmith_generate::{Generator, Options, SetupError, Style};
use polysmith_grammar::{Grammar, RuleId};
use polysmith_parse::{Limits, Parser};
use polysmith_random::Draw;
use polysmith_source::Disk;
use polysmith_tree::show;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Tokens that a step back may give up to count as local.
const LOCAL: u64 = 16;

/// Styles, each with a limit on depth: so many halves of the usual one, if the language has a text within it.
const STYLES: [(Style, u32); 4] =
    [(Style::Varied, 2), (Style::Compact, 1), (Style::Spaced, 4), (Style::Lines, 3)];

pub(crate) fn run(setting: &Setting, tally: &mut Tally) -> anyhow::Result<()> {
    let n = setting.args.generate;
    if n == 0 {
        println!("nothing to do without --generate N");
        return Ok(());
    }
    let mut oracle = setting.oracle().map_err(|error| println!("without ANTLR: {error:#}")).ok();
    for collection in &setting.collections {
        let table = setting.table(collection, "grammars.csv")?;
        for row in table.rows().filter(|row| setting.wants(row.get("grammar"))) {
            let case = match Case::load(collection, row) {
                Ok(case) => case,
                Err(why) => {
                    (0..n).for_each(|at| {
                        tally.miss("generate-ours", &format!("{}/{at}", row.get("grammar")), &why)
                    });
                    continue;
                }
            };
            case.run(n, setting.args.why, oracle.as_mut(), tally)?;
        }
    }
    Ok(())
}

pub(super) struct Case {
    name: String,
    pub(super) grammar: Grammar,
    pub(super) start: RuleId,
    start_name: String,
    files: Vec<PathBuf>,
}

impl Case {
    pub(super) fn load(collection: &Path, row: Row<'_>) -> Result<Case, String> {
        let folder = collection.join(row.get("grammar"));
        let main = folder.join(row.get("main"));
        let lexer = Some(row.get("lexer")).filter(|name| !name.is_empty()).map(|name| folder.join(name));
        let options = ReadOptions { lexer: lexer.clone(), ..ReadOptions::default() };
        let read = polysmith_antlr::read(&Disk, &main, &options);
        if let Some(error) = antlr_error(&read.diagnostics) {
            return Err(error);
        }
        let start_name = row.get("start").to_owned();
        let start = read.grammar.rule_named(&start_name).ok_or("there is no such start rule")?;
        let files = std::iter::once(main).chain(lexer).collect();
        Ok(Case { name: row.get("grammar").to_owned(), grammar: read.grammar, start, start_name, files })
    }

    fn run(
        &self,
        n: u64,
        why: bool,
        mut oracle: Option<&mut Oracle>,
        tally: &mut Tally,
    ) -> anyhow::Result<()> {
        let work = tempfile::tempdir()?;
        if let Some(oracle) = oracle.as_deref_mut() {
            let files: Vec<PathBuf> = self.files.iter().filter_map(|file| file.canonicalize().ok()).collect();
            oracle.load(work.path(), &self.start_name, &files)?;
        }
        let mut parser = Parser::new(self.grammar.clone()).map_err(anyhow::Error::msg)?;
        let (mut texts, mut made, mut empty) = (BTreeSet::new(), 0, 0);
        let mut fates = [0_u64; 6];
        let (mut straight, mut local) = (0, 0);
        let began = std::time::Instant::now();
        let mut usual_depth = None;
        for (at, (style, halves)) in STYLES.into_iter().enumerate() {
            let max_depth = usual_depth.map(|usual| usual * halves / 2);
            let options = Options { start: Some(self.start), style, max_depth, ..Options::default() };
            let generator = match self.generator(options) {
                Ok(generator) => generator,
                Err(error) => {
                    tally.miss("generate-ours", &self.name, &error.to_string());
                    return Ok(());
                }
            };
            usual_depth.get_or_insert(generator.limits().0);
            let mut worker = generator.new_worker().recording_dead_ends();
            for index in (at as u64..n).step_by(STYLES.len()) {
                let name = format!("{}/{index}", self.name);
                let mut test = Test::default();
                if let Err(trouble) = worker.make(Draw::new(14, index), &mut test) {
                    tally.miss("generate-ours", &name, trouble.message());
                    continue;
                }
                made += 1;
                let first = test.measures[0] > 0;
                straight += u64::from(first && test.measures[3] == 0);
                local += u64::from(first && test.measures[4] <= LOCAL);
                fates.iter_mut().zip(&test.measures).for_each(|(sum, one)| *sum += one);
                empty += u64::from(test.text.is_empty());
                let drawn = show::sexpr(&test.tree, &self.grammar);
                let problem = self.ours(&mut parser, &test, &drawn);
                tally.record("generate-ours", &name, problem);
                if let Some(oracle) = oracle.as_deref_mut() {
                    tally.record("generate-antlr", &name, antlr(oracle, work.path(), &test, &drawn)?);
                }
                texts.insert(std::mem::take(&mut test.text));
            }
            if why {
                for (dead_end, count) in worker.dead_ends().into_iter().take(6) {
                    println!("    {count:>5}  {dead_end}");
                }
            }
        }
        println!(
            "{}: made {made} of {n}, fates {:?}, {straight} without a step back, {} choices taken back, {} texts rejected, {empty} empty, {} distinct, {:.1} s",
            self.name,
            &fates[..3],
            fates[3],
            fates[5],
            texts.len(),
            began.elapsed().as_secs_f64(),
        );
        for (rate, ok) in [
            ("generate-right-at-once", fates[0]),
            ("generate-steps-local", local),
            ("generate-no-step-back", straight),
            ("generate-not-adopted", made - fates[2]),
            ("generate-not-empty", made - empty),
            ("generate-distinct", texts.len() as u64),
        ] {
            (0..ok).for_each(|_| tally.hit(rate));
            tally.uncounted(rate, n - ok);
        }
        Ok(())
    }

    /// A generator with these options; with the least depth that works if theirs is too small.
    fn generator(&self, options: Options) -> Result<Generator, SetupError> {
        match Generator::new(self.grammar.clone(), &options) {
            Err(SetupError::Depth { least, .. }) => {
                Generator::new(self.grammar.clone(), &Options { max_depth: Some(least), ..options })
            }
            made => made,
        }
    }

    fn ours(&self, parser: &mut Parser, test: &Test, drawn: &str) -> Option<String> {
        let text = match std::str::from_utf8(&test.text) {
            Ok(text) => text,
            Err(error) => return Some(error.to_string()),
        };
        match parser.parse(self.start, text, &Limits::default()) {
            Err(error) => Some(error.to_string()),
            Ok(parsed) if !parsed.accepted() => {
                Some(format!("rejected: {} in {text:?}", parsed.errors[0].message))
            }
            Ok(parsed) if show::sexpr(&parsed.tree, &self.grammar) != drawn => {
                Some(format!("another tree: {text:?}"))
            }
            Ok(_) => None,
        }
    }
}

fn antlr(oracle: &mut Oracle, work: &Path, test: &Test, drawn: &str) -> anyhow::Result<Option<String>> {
    let (input, tree) = (work.join("input.txt"), work.join("tree.txt"));
    std::fs::write(&input, &test.text)?;
    let answer = oracle.input(&input, Some(&tree), None)?;
    if answer["gen"]["accepted"] != true {
        return Ok(Some(format!("rejected: {}", answer["gen"])));
    }
    let theirs = std::fs::read_to_string(&tree)?;
    Ok((theirs.trim_end_matches('\n') != drawn).then(|| "another tree".to_owned()))
}
