//! What a reduction did, for a person: sizes, a table by pass, warnings.

use super::files::Files;
use crate::talk::Talk;
use polysmith_reduce::passes::Pass;
use polysmith_reduce::tree::{Counts, Language};
use polysmith_reduce::{Reduction, Stop};
use polysmith_run::files::write_file;
use std::path::Path;
use std::time::Duration;

/// The manual pages of passes.
pub(super) fn manual(listed: &[&Pass]) -> String {
    let pages = listed.iter().map(|pass| {
        let manual: Vec<&str> = pass.manual.lines().map(str::trim).collect();
        let body: Vec<String> = manual
            .iter()
            .map(|line| if line.is_empty() { String::new() } else { format!("    {line}") })
            .collect();
        format!("{}\n{}\n", pass.name, body.join("\n").trim_end())
    });
    pages.collect::<Vec<_>>().join("\n").trim_end().to_owned()
}

/// Says what was done.
pub(super) fn print(talk: Talk, reduction: &Reduction, files: &Files, time: Duration, kept: usize) {
    let Reduction { text, before, questions, steps, tally, .. } = reduction;
    let now = text.size();
    talk.say(table(reduction));
    talk.say(format_args!(
        "{} -> {} tokens, {} -> {} bytes; {questions} questions, {steps} steps, {:.1} s",
        before.tokens,
        now.tokens,
        before.bytes,
        now.bytes,
        time.as_secs_f64()
    ));
    for output in files.outputs().filter(|path| path.exists()) {
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
        talk.note(format_args!(
            "{} runs were stopped after their time (`--timeout` sets it)",
            tally.timeouts
        ));
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
    // Answers about standard input are not kept.
    let goes_on = if files.is_stdin() { "" } else { "; the same command goes on" };
    match &reduction.stopped {
        Some(Stop::Interrupted) => talk.note(format_args!("interrupted{goes_on}")),
        Some(Stop::TimeUp) => talk.note(format_args!("ended by `--for`{goes_on}")),
        Some(Stop::QuestionLimit) => talk.note(format_args!("ended by `--max-questions`{goes_on}")),
        Some(Stop::Broken(_)) | None => {}
    }
    if !reduction.confirmed && !matches!(reduction.stopped, Some(Stop::Interrupted | Stop::Broken(_))) {
        talk.warning("asked once more at the end, the test does not say yes to the result");
    }
}

/// What the grammar did.
pub(super) fn print_counts(talk: Talk, language: &Language) {
    let Counts { built, filtered, tokens, outside, .. } = language.counts();
    talk.say(format_args!(
        "by grammar: {built} candidates built, {filtered} not asked because they do not parse"
    ));
    if outside > 0 {
        let why = language.unparsed().map_or("the text has parse errors".to_owned(), |why| {
            format!("there is none, the text is reduced by its tokens ({why})")
        });
        talk.note(format_args!("{outside} of {tokens} tokens lie outside the tree: {why}"));
    }
}

/// How a reduction ended, for `--json`.
pub(super) fn status(reduction: &Reduction) -> &'static str {
    match &reduction.stopped {
        None => "complete",
        Some(Stop::Interrupted) => "interrupted",
        Some(Stop::TimeUp) => "time",
        Some(Stop::QuestionLimit) => "questions",
        Some(Stop::Broken(_)) => "broken",
    }
}

/// What `--json` says at the end.
pub(super) fn end_object(reduction: &Reduction, files: &Files, time: Duration) -> serde_json::Value {
    let Reduction { text, before, questions, steps, tally, confirmed, .. } = reduction;
    let now = text.size();
    let outputs: Vec<String> = files
        .outputs()
        .zip(text.parts())
        .filter(|(_, part)| part.present)
        .map(|(path, _)| path.display().to_string())
        .collect();
    serde_json::json!({
        "tokens": [before.tokens, now.tokens], "bytes": [before.bytes, now.bytes], "questions": questions,
        "steps": steps, "runs": tally.runs, "timeouts": tally.timeouts, "confirmed": confirmed, "outputs": outputs,
        "seconds": time.as_secs_f64()
    })
}

/// `--stats`: on stderr, or in a file as JSON.
pub(super) fn stats(
    talk: Talk,
    path: &Path,
    reduction: &Reduction,
    counts: Option<Counts>,
    time: Duration,
) -> anyhow::Result<()> {
    let Reduction { text, before, questions, steps, tally, .. } = reduction;
    let now = text.size();
    let passes: Vec<serde_json::Value> = tally
        .passes
        .iter()
        .map(|row| {
            serde_json::json!({
                "pass": row.pass, "asked": row.questions, "accepted": row.accepted,
                "tokens": row.tokens, "bytes": row.bytes
            })
        })
        .collect();
    let grammar = counts.map(|counts| {
        let Counts { built, filtered, tokens, outside, .. } = counts;
        serde_json::json!({ "built": built, "filtered": filtered, "tokens": tokens, "outside": outside })
    });
    let object = serde_json::json!({
        "v": 1, "tokens": [before.tokens, now.tokens], "bytes": [before.bytes, now.bytes], "asked": questions,
        "runs": tally.runs, "steps": steps, "seconds": time.as_secs_f64(), "grammar": grammar, "passes": passes
    });
    if path == Path::new("-") {
        talk.say(format_args!("stats: {object}"));
        return Ok(());
    }
    Ok(write_file(path, format!("{object}\n").as_bytes())?)
}

fn table(reduction: &Reduction) -> String {
    let mut lines =
        vec![format!("{:<12}{:>10}{:>10}{:>10}{:>10}", "pass", "questions", "accepted", "tokens", "bytes")];
    lines.extend(reduction.tally.passes.iter().map(|row| {
        format!(
            "{:<12}{:>10}{:>10}{:>10}{:>10}",
            row.pass, row.questions, row.accepted, -row.tokens, -row.bytes
        )
    }));
    lines.join("\n")
}
