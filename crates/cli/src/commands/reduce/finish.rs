//! The end of a reduction: the better of this result and an earlier one is handed on, written and summed up.

use super::files::Files;
use super::keeper::Keeper;
use super::options::Args;
use super::polish::Polish;
use super::{summary, then};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::talk::Talk;
use polysmith_asker::Asker;
use polysmith_reduce::tree::Language;
use polysmith_reduce::{Reduction, Stop, Text};
use std::sync::Arc;
use std::time::Instant;

/// What the end of a reduction needs to know about its beginning.
pub(super) struct Finish<'a> {
    pub(super) args: &'a Args,
    pub(super) files: &'a Files,
    pub(super) talk: Talk,
    pub(super) started: Instant,
    /// The result of earlier runs.
    pub(super) earlier: Option<Text>,
    /// Whether the outputs held a result of this question at the beginning.
    pub(super) holds_result: bool,
}

impl Finish<'_> {
    /// Writes the result and says what was done.
    pub(super) fn reduced(
        self,
        mut reduction: Reduction,
        language: Option<&Language>,
        asker: &mut Asker,
        mut keeper: Keeper<'_>,
    ) -> anyhow::Result<Exit> {
        let Self { args, files, talk, started, earlier, holds_result } = self;
        let stays = earlier.filter(|earlier| earlier.size() < reduction.text.size());
        let is_better = stays.is_none();
        if let Some(earlier) = stays {
            talk.note("the result of an earlier run is smaller: it stays");
            reduction.text = Arc::new(earlier);
        }
        if let (Some(command), None) = (&args.results.then, &reduction.stopped) {
            then::hand_on(command, args, files, asker, &mut reduction, talk)?;
        }
        let complete = reduction.stopped.is_none();
        if is_better || complete || !holds_result {
            keeper.write_result(&reduction.text, false)?;
            let mut polish = Polish { args, files, asker, keeper: &mut keeper, may_ask: complete, talk };
            reduction.text = polish.run(reduction.text)?;
            keeper.write_outputs(&reduction.text)?;
        }
        let is_complete = complete || keeper.question().path().join("complete").is_file();
        let time = started.elapsed();
        summary::print(talk, &reduction, files, time, asker.kept());
        let counts = language.map(Language::counts);
        if let Some(language) = language {
            summary::print_counts(talk, language);
        }
        if let Some(path) = &args.results.stats {
            summary::stats(talk, path, &reduction, counts, time)?;
        }
        keeper.end(summary::status(&reduction), summary::end_object(&reduction, files, time))?;
        keeper.close(asker.slowest_yes(), is_complete)?;
        match &reduction.stopped {
            Some(Stop::Broken(why)) => Err(Failure::unusable(why.clone())
                .help("the best result so far is on disk; the same command goes on")
                .into()),
            Some(Stop::Interrupted) => Ok(Exit::Interrupted),
            _ => Ok(Exit::from_answer(reduction.confirmed)),
        }
    }
}
