//! What is checked: real files, wrong files, generated texts.

use super::corpus::Sample;
use super::mutants::{Edit, mutant};
use super::reference::{Reference, Verdict};
use super::subject::Subject;
use crate::rates::Tally;
use polysmith_engine::{Test, Worker as _};
use polysmith_generate::{Generator, Options};
use polysmith_parse::{Limits, ParseError, ParseOptions, Parser, Profile};
use polysmith_random::{Draw, Stream};
use std::collections::BTreeMap;

/// A decision may need its callers for this share of its questions, in percent.
const FULL_CONTEXT_PERCENT: f64 = 1.0;
/// Disagreements that are shown for each reason.
const SHOWN: usize = 3;

/// Real files parse without an error and print back; lists the decisions that needed their callers.
pub(super) fn real_files(subject: &Subject<'_>, samples: &[Sample], tally: &mut Tally) -> anyhow::Result<()> {
    let mut parser = subject.parser()?;
    let mut profile = Profile::default();
    for sample in samples {
        let options = ParseOptions { profile: Some(&mut profile), ..ParseOptions::default() };
        let parsed = parser.parse_with(subject.start, &sample.text, &Limits::default(), options)?;
        let error = parsed.errors.first().map(|error| {
            let line = sample.text[..error.start].matches('\n').count() + 1;
            format!("line {line}: {}", error.message)
        });
        tally.record("languages-real-files", &sample.name, error);
        let same = parsed.tree.to_bytes() == sample.text.as_bytes();
        tally.record("languages-print-back", &sample.name, (!same).then(|| "prints other bytes".to_owned()));
    }
    for (number, cost) in profile.decisions().iter().enumerate().filter(|(_, cost)| cost.asked > 0) {
        let share = 100.0 * cost.full_context as f64 / cost.asked as f64;
        let name = decision_name(&parser, number);
        let problem = format!("{share:.1} % of {} questions need the callers", cost.asked);
        tally.record("languages-context", &name, (share > FULL_CONTEXT_PERCENT).then_some(problem));
    }
    Ok(())
}

/// The rule of a decision, and its group by number.
fn decision_name(parser: &Parser, number: usize) -> String {
    let (rule, group) = parser.decisions().location(number);
    let rule = &parser.grammar().rule(rule).name;
    match group.and_then(|block| parser.grammar().block_number(block)) {
        Some(group) => format!("{rule} group {group}"),
        None => rule.clone(),
    }
}

/// One token deleted, doubled and swapped in each file: our verdict is the reference tool's. Disagreements are grouped
/// by what the two say.
pub(super) fn wrong_files(
    subject: &Subject<'_>,
    reference: &Reference<'_>,
    samples: &[Sample],
    seed: u64,
    tally: &mut Tally,
) -> anyhow::Result<()> {
    let mut parser = subject.parser()?;
    let mut reasons: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (at, sample) in samples.iter().enumerate() {
        let lexed = parser.lex(&sample.text, &Limits::default())?;
        for (number, edit) in Edit::ALL.into_iter().enumerate() {
            let mut random = Stream::keyed(&[seed, 1, at as u64, number as u64]);
            let Some(mutant) = mutant(&sample.text, &lexed, edit, &mut random) else { continue };
            let accepted = match parser.parse(subject.start, &mutant.text, &Limits::default()) {
                Ok(parsed) => parsed.accepted(),
                // A closing brace too many, in a grammar whose braces push modes.
                Err(ParseError::EmptyModeStack { .. }) => false,
                Err(error) => return Err(error.into()),
            };
            let theirs = reference.check(&mutant.text)?;
            let reason = match (accepted, theirs) {
                (true, Verdict::Valid | Verdict::Meaning(_)) | (false, Verdict::Syntax(_)) => {
                    tally.hit("languages-wrong-files");
                    continue;
                }
                (true, Verdict::Syntax(error)) => {
                    format!("only the reference tool rejects: {}", plain(&error))
                }
                (false, Verdict::Valid) => "only we reject: the reference tool finds no error".to_owned(),
                (false, Verdict::Meaning(error)) => format!("only we reject: {}", plain(&error)),
                (_, Verdict::Unknown(why)) => format!("the reference tool gives no answer: {why}"),
            };
            tally.uncounted("languages-wrong-files", 1);
            let line = mutant.text[..mutant.at].matches('\n').count() + 1;
            let place = format!("{}:{line} {edit}: {}", sample.name, mutant.around);
            reasons.entry(reason).or_default().push(place);
        }
    }
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, places)| std::cmp::Reverse(places.len()));
    for (reason, places) in reasons {
        println!("miss languages-wrong-files {} times: {reason}", places.len());
        places.iter().take(SHOWN).for_each(|place| println!("    {place}"));
    }
    Ok(())
}

/// A message without the names that it quotes.
fn plain(message: &str) -> String {
    let mut quoted = false;
    let mut out = String::new();
    for part in message.split('\'') {
        out.push_str(if quoted { "…" } else { part });
        quoted = !quoted;
    }
    out
}

/// Generated texts are accepted by our parser; how many the reference tool's parser accepts is only told.
pub(super) fn generated(
    subject: &Subject<'_>,
    reference: &Reference<'_>,
    count: u64,
    seed: u64,
    tally: &mut Tally,
) -> anyhow::Result<()> {
    let mut parser = subject.parser()?;
    let options = Options { start: Some(subject.start), ..Options::default() };
    let generator = Generator::new(subject.grammar.as_ref().clone(), &options)?;
    let mut worker = generator.new_worker();
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for index in 0..count {
        let name = format!("text {index}");
        let mut test = Test::default();
        if let Err(trouble) = worker.make(Draw::new(seed, index), &mut test) {
            tally.miss("languages-generated", &name, trouble.message());
            continue;
        }
        let text = String::from_utf8(std::mem::take(&mut test.text))?;
        let parsed = parser.parse(subject.start, &text, &Limits::default())?;
        tally.record("languages-generated", &name, parsed.errors.first().map(|error| error.message.clone()));
        match reference.check(&text)? {
            Verdict::Valid | Verdict::Meaning(_) => tally.hit("languages-generated-reference"),
            Verdict::Syntax(why) | Verdict::Unknown(why) => {
                tally.uncounted("languages-generated-reference", 1);
                *reasons.entry(plain(&why)).or_default() += 1;
            }
        }
    }
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
    for (reason, times) in reasons.iter().take(10) {
        println!("miss languages-generated-reference {times} times: {reason}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_plain_message_has_no_names() {
        assert_eq!(super::plain("expected ';' before 'x' token"), "expected … before … token");
    }
}
