//! The table of `--profile`: the cost of each decision, the most expensive first.

use polysmith_parse::{Parser, Profile};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Decisions that were made, the most expensive first: those that needed full context, then by tokens of lookahead.
fn ranked(profile: &Profile) -> Vec<usize> {
    let decisions = profile.decisions();
    let mut ranked: Vec<usize> = (0..decisions.len()).filter(|at| decisions[*at].asked > 0).collect();
    ranked.sort_by_key(|at| {
        let entry = decisions[*at];
        (std::cmp::Reverse(entry.lookahead + 8 * entry.full_context), *at)
    });
    ranked
}

/// The table for people: at most `rows` decisions; the totals count all.
pub(super) fn table(parser: &Parser, profile: &Profile, rows: usize) -> String {
    let ranked = ranked(profile);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{:<28} {:>9} {:>8} {:>5} {:>9} {:>9}",
        "decision", "asked", "tokens", "max", "callers", "ambiguous"
    );
    for at in ranked.iter().take(rows) {
        let entry = profile.decisions()[*at];
        let per_question = entry.lookahead as f64 / entry.asked as f64;
        let _ = writeln!(
            out,
            "{:<28} {:>9} {:>8.2} {:>5} {:>9} {:>9}",
            name(parser, *at),
            entry.asked,
            per_question,
            entry.max_lookahead,
            entry.full_context,
            entry.ambiguous
        );
    }
    if ranked.len() > rows {
        let _ = writeln!(out, "and {} more", ranked.len() - rows);
    }
    let sum =
        |of: fn(&polysmith_parse::DecisionProfile) -> u64| profile.decisions().iter().map(of).sum::<u64>();
    let (asked, by_table, callers) = (sum(|e| e.asked), sum(|e| e.by_table), sum(|e| e.full_context));
    let share = |part: u64| 100.0 * part as f64 / asked.max(1) as f64;
    let _ = writeln!(
        out,
        "{asked} questions: {:.1} % by table, {:.1} % by automaton, {:.1} % with callers; {} decisions of {} met",
        share(by_table),
        share(asked - by_table - callers),
        share(callers),
        ranked.len(),
        parser.decisions().count()
    );
    out
}

/// The JSON form.
pub(super) fn json(parser: &Parser, profile: &Profile) -> Value {
    let entry = |at: &usize| {
        let entry = profile.decisions()[*at];
        json!({
            "decision": at, "place": name(parser, *at), "asked": entry.asked, "by_table": entry.by_table,
            "lookahead": entry.lookahead, "max_lookahead": entry.max_lookahead,
            "full_context": entry.full_context, "ambiguous": entry.ambiguous,
        })
    };
    json!({"v": 1, "profile": ranked(profile).iter().map(entry).collect::<Vec<Value>>()})
}

/// The rule, and the number of the group inside it.
fn name(parser: &Parser, decision: usize) -> String {
    let (rule, group) = parser.decisions().location(decision);
    let rule = &parser.grammar().rule(rule).name;
    match group.and_then(|block| parser.grammar().block_number(block)) {
        Some(number) => format!("{rule} group {number}"),
        None => rule.clone(),
    }
}
