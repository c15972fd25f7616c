//! What a reduction did, for a person: sizes, a table by pass, warnings.

use super::files::Files;
use crate::exit::Exit;
use crate::talk::Talk;
use polysmith_reduce::tree::Counts;
use polysmith_reduce::{Reduction, Stop, passes};
use std::time::Duration;

/// `--list-passes`.
pub(super) fn list_passes(talk: Talk) -> anyhow::Result<Exit> {
    let pages = passes::PASSES.iter().map(|pass| {
        let manual: Vec<&str> = pass.manual().lines().map(str::trim).collect();
        let body: Vec<String> =
            manual.iter().map(|line| if line.is_empty() { String::new() } else { format!("    {line}") }).collect();
        format!("{}\n{}\n", pass.name(), body.join("\n").trim_end())
    });
    talk.result(pages.collect::<Vec<_>>().join("\n").trim_end())?;
    Ok(Exit::Yes)
}

/// Says what was done.
pub(super) fn print(talk: Talk, reduction: &Reduction, files: &Files, time: Duration, kept: usize) {
    let Reduction { text, before, questions, steps, tally, .. } = reduction;
    let now = text.size();
    if reduction.empty_is_interesting {
        talk.warning("the test says yes to an empty file: it is probably wrong");
    }
    talk.say(table(reduction));
    talk.say(format_args!(
        "{} -> {} tokens, {} -> {} bytes; {questions} questions, {steps} steps, {:.1} s",
        before.tokens,
        now.tokens,
        before.bytes,
        now.bytes,
        time.as_secs_f64()
    ));
    for output in files.outputs().iter().filter(|path| path.exists()) {
        talk.say(format_args!("result: {}", output.display()));
    }
    if let Some(usage) = polysmith_run::Usage::now() {
        talk.detail(format_args!(
            "own time: {} ms for {} runs of the test; most memory: {} MB",
            usage.cpu.as_millis(),
            tally.runs,
            usage.peak_memory >> 20
        ));
    }
    if tally.timeouts > 0 {
        talk.note(format_args!("{} runs were stopped after their time (`--timeout` sets it)", tally.timeouts));
    }
    if kept > 0 {
        talk.note(format_args!("{kept} candidates were kept for `--also`"));
    }
    if tally.flaky > 0 {
        talk.warning(format_args!(
            "the test is not deterministic: {} of {} repeated questions got another answer",
            tally.flaky, tally.checks
        ));
    }
    match &reduction.stopped {
        Some(Stop::Interrupted) => talk.note("interrupted; `--resume` goes on"),
        Some(Stop::TimeUp) => talk.note("ended by `--for`; `--resume` goes on"),
        Some(Stop::QuestionLimit) => talk.note("ended by `--max-questions`; `--resume` goes on"),
        Some(Stop::Broken(_)) | None => {}
    }
    if !reduction.confirmed && !matches!(reduction.stopped, Some(Stop::Interrupted | Stop::Broken(_))) {
        talk.warning("asked once more at the end, the test does not say yes to the result");
    }
}

/// What the grammar did.
pub(super) fn print_counts(talk: Talk, counts: &Counts) {
    let Counts { built, filtered, tokens, outside, .. } = counts;
    talk.say(format_args!("by grammar: {built} candidates built, {filtered} not asked because they do not parse"));
    if *outside > 0 {
        talk.note(format_args!("{outside} of {tokens} tokens lie outside the tree: the text has parse errors"));
    }
}

fn table(reduction: &Reduction) -> String {
    let mut lines = vec![format!("{:<12}{:>10}{:>10}{:>10}{:>10}", "pass", "questions", "accepted", "tokens", "bytes")];
    lines.extend(reduction.tally.passes.iter().map(|row| {
        format!("{:<12}{:>10}{:>10}{:>10}{:>10}", row.pass, row.questions, row.accepted, -row.tokens, -row.bytes)
    }));
    lines.join("\n")
}
