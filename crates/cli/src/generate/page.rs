//! `--stats-html`: coverage, sizes and sample texts as one page that needs no other file.
//!
//! Plain HTML with drawings in SVG, without scripts, readable in light and dark. A rule opens to its alternatives.

use super::coverage::{Coverage, RuleCoverage, Share};
use super::histogram::Histogram;
use super::stats::{Outcome, Stats};
use crate::progress::rounded;
use indicatif::HumanCount;
use polysmith_grammar::coverage::GoalKind;
use std::fmt::Write as _;

/// Bars of a histogram.
const BARS: u64 = 40;
/// Rules that are listed: those least covered.
const MAX_RULES: usize = 500;
/// Uncovered paths that are listed.
const MAX_PATHS: usize = 200;

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#222;--soft:#6a6a6a;--bar:#3567b0;--none:#d9d9d9;--page:#fff;--box:#f4f4f4;--miss:#b3261e}\
@media(prefers-color-scheme:dark){:root{--ink:#ddd;--soft:#999;--bar:#6f9de0;--none:#444;--page:#181818;--box:#242424;--miss:#f2857c}}\
body{font:15px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--page);max-width:60em;margin:2em auto;padding:0 1em}\
h1{font-size:1.4em}h2{font-size:1.1em;margin-top:2em}.soft,figcaption{color:var(--soft)}\
.row{display:grid;grid-template-columns:minmax(8em,18em) 220px 6.5em 4.5em;gap:.8em;align-items:center;font-variant-numeric:tabular-nums}\
.row>:first-child{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.row .n{text-align:right}\
details>.row,div.row{padding-left:1.1em}summary.row{cursor:pointer;position:relative}\
summary.row::before{content:'\\25B8';position:absolute;left:0;color:var(--soft)}details[open]>summary.row::before{content:'\\25BE'}\
summary{list-style:none}summary::-webkit-details-marker{display:none}summary.plain{cursor:pointer;color:var(--soft)}\
ul{margin:.3em 0 .8em 1.1em;padding:0;list-style:none}li{font-family:ui-monospace,monospace;font-size:13px;padding-left:1.6em;text-indent:-1.6em;overflow-wrap:anywhere}\
li::before{content:'\\2713';display:inline-block;width:1.6em;text-indent:0;color:var(--bar)}li.miss::before{content:'\\2717';color:var(--miss)}\
.sizes{display:grid;grid-template-columns:repeat(auto-fill,minmax(400px,1fr));gap:1.5em}figure{margin:0}\
pre{background:var(--box);padding:.6em .8em;overflow:auto;max-height:22em;font-size:13px;margin:.2em 0 1em;white-space:pre-wrap;overflow-wrap:anywhere}\
svg text{fill:var(--soft);font:11px system-ui,sans-serif}rect.b{fill:var(--bar)}rect.o{fill:var(--none)}";

/// The page.
pub(crate) fn page(name: &str, stats: &Stats, coverage: &Coverage<'_>, outcome: &Outcome) -> String {
    let mut out = String::new();
    let title = format!("{} tests of {}", HumanCount(outcome.made), escaped(name));
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n"
    );
    summary(&mut out, stats, outcome);
    figures(&mut out, "Sizes", stats.sizes());
    out.push_str("<h2>Coverage</h2>\n");
    coverage.shares().iter().for_each(|share| row(&mut out, "div", share));
    rules(&mut out, coverage);
    paths(&mut out, coverage);
    samples(&mut out, stats);
    kinds(&mut out, stats, outcome);
    figures(&mut out, "Work for each test", stats.costs());
    out.push_str("</body></html>\n");
    out
}

fn summary(out: &mut String, stats: &Stats, outcome: &Outcome) {
    let (distinct, empty) = stats.distinct();
    let seconds = outcome.time.as_secs_f64();
    let rate = rounded(outcome.made as f64 / seconds.max(1e-9));
    let _ = writeln!(
        out,
        "<p>{} distinct, {} empty, {} failed, {} gave up; seed {}; {seconds:.2} s, {rate} tests per second.</p>",
        HumanCount(distinct as u64),
        HumanCount(empty),
        HumanCount(outcome.failed),
        HumanCount(outcome.gave_up),
        outcome.seed
    );
}

/// A share as a line with a bar, in an element of the given name.
fn row(out: &mut String, element: &str, share: &Share) {
    const WIDTH: f64 = 220.0;
    let name = escaped(&share.name);
    let part = share.used as f64 / share.all.max(1) as f64;
    let _ = writeln!(
        out,
        "<{element} class=\"row\"><span title=\"{name}\">{name}</span>\
         <svg width=\"{WIDTH}\" height=\"10\" role=\"img\" aria-label=\"{:.0} %\">\
         <rect class=\"o\" width=\"{WIDTH}\" height=\"10\"/><rect class=\"b\" width=\"{:.1}\" height=\"10\"/></svg>\
         <span class=\"n\">{}/{}</span><span class=\"n\">{:.1} %</span></{element}>",
        100.0 * part,
        WIDTH * part,
        share.used,
        share.all,
        100.0 * part
    );
}

/// Histograms under a heading. Measures that are 0 for all tests are named in one line.
fn figures<'a>(
    out: &mut String,
    heading: &str,
    measures: impl Iterator<Item = (&'static str, &'a Histogram)>,
) {
    let (zero, measures): (Vec<_>, Vec<_>) = measures.partition(|(_, histogram)| histogram.max() == 0);
    if zero.is_empty() && measures.is_empty() {
        return;
    }
    let _ = writeln!(out, "<h2>{heading}</h2>\n<div class=\"sizes\">");
    measures.iter().for_each(|(name, histogram)| figure(out, name, histogram));
    out.push_str("</div>\n");
    if !zero.is_empty() {
        let names: Vec<String> = zero.iter().map(|(name, _)| escaped(name)).collect();
        let _ = writeln!(out, "<p class=\"soft\">0 for all tests: {}</p>", names.join("; "));
    }
}

/// A histogram with its caption above it.
fn figure(out: &mut String, name: &str, histogram: &Histogram) {
    const WIDTH: f64 = 400.0;
    const HEIGHT: f64 = 120.0;
    /// The height of a line of text above the bars (the count of the highest) and below them (the range).
    const LINE: f64 = 16.0;
    let bars = histogram.bars(BARS);
    let highest = bars.iter().map(|bar| bar.1).max().unwrap_or(1).max(1);
    let step = WIDTH / bars.len().max(1) as f64;
    let _ = write!(
        out,
        "<figure><figcaption><b>{}</b>: median {}, 99 % up to {}, most {}</figcaption>\
         <svg width=\"{WIDTH}\" height=\"{}\" role=\"img\">",
        escaped(name),
        HumanCount(histogram.quantile(500)),
        HumanCount(histogram.quantile(990)),
        HumanCount(histogram.max()),
        HEIGHT + 2.0 * LINE
    );
    for (at, (from, count)) in bars.iter().enumerate() {
        let high = HEIGHT * *count as f64 / highest as f64;
        let _ = write!(
            out,
            "<rect class=\"b\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{high:.1}\"><title>from {from}: {count} tests</title></rect>",
            at as f64 * step,
            LINE + HEIGHT - high,
            (step - 1.0).max(0.5)
        );
    }
    let _ = writeln!(
        out,
        "<text x=\"0\" y=\"{top}\">highest bar: {} {}</text><text x=\"0\" y=\"{y}\">0</text>\
         <text x=\"{WIDTH}\" y=\"{y}\" text-anchor=\"end\">{} {}</text></svg></figure>",
        HumanCount(highest),
        if highest == 1 { "test" } else { "tests" },
        HumanCount(bars.get(1).map_or(1, |bar| bar.0) * bars.len() as u64),
        escaped(name),
        top = LINE - 5.0,
        y = HEIGHT + 2.0 * LINE - 3.0
    );
}

/// The rules, least covered first; each opens to its alternatives and repetition counts.
fn rules(out: &mut String, coverage: &Coverage<'_>) {
    let mut rules: Vec<(Share, RuleCoverage)> =
        coverage.by_rule().into_iter().map(|rule| (rule.share(), rule)).collect();
    // Shares are compared as fractions; equal ones keep the order of the grammar.
    rules.sort_by(|(a, _), (b, _)| (a.used * b.all).cmp(&(b.used * a.all)));
    let _ = writeln!(
        out,
        "<h2>Rules</h2>\n<p class=\"soft\">A rule opens to its alternatives and repetition counts.</p>"
    );
    for (share, rule) in rules.iter().take(MAX_RULES) {
        out.push_str("<details>");
        row(out, "summary", share);
        list(out, rule.goals.iter().map(|(text, covered)| (text.as_str(), *covered)));
        out.push_str("</details>\n");
    }
    if rules.len() > MAX_RULES {
        let rest = rules.len() - MAX_RULES;
        let _ = writeln!(out, "<p class=\"soft\">and {rest} rules that are covered better</p>");
    }
}

fn paths(out: &mut String, coverage: &Coverage<'_>) {
    let uncovered = coverage.uncovered(GoalKind::Path);
    if uncovered.is_empty() {
        return;
    }
    let n = uncovered.len();
    let _ = write!(
        out,
        "<h2>Paths</h2>\n<details><summary class=\"plain\">{n} {} that no test covers",
        coverage.paths_name()
    );
    if n > MAX_PATHS {
        let _ = write!(out, "; the first {MAX_PATHS}");
    }
    out.push_str("</summary>");
    list(out, uncovered.iter().take(MAX_PATHS).map(|path| (path.as_str(), false)));
    out.push_str("</details>\n");
}

fn list<'a>(out: &mut String, goals: impl Iterator<Item = (&'a str, bool)>) {
    out.push_str("<ul>");
    for (text, covered) in goals {
        let class = if covered { "" } else { " class=\"miss\"" };
        let _ = write!(out, "<li{class}>{}</li>", escaped(text));
    }
    out.push_str("</ul>");
}

fn samples(out: &mut String, stats: &Stats) {
    if stats.samples().is_empty() {
        return;
    }
    out.push_str("<h2>Samples</h2>\n");
    for sample in stats.samples() {
        let _ = write!(out, "<div class=\"soft\">test {}</div><pre>{}", sample.index, escaped(&sample.text));
        if sample.omitted > 0 {
            let _ = write!(out, "\n… {} more bytes", HumanCount(sample.omitted as u64));
        }
        out.push_str("</pre>\n");
    }
}

fn kinds(out: &mut String, stats: &Stats, outcome: &Outcome) {
    let kinds = stats.kinds();
    if kinds.is_empty() {
        return;
    }
    out.push_str("<h2>How tests were made</h2>\n");
    let made = usize::try_from(outcome.made).unwrap_or(usize::MAX);
    for (name, total) in kinds {
        let used = usize::try_from(total).unwrap_or(usize::MAX);
        row(out, "div", &Share { name: name.to_owned(), used, all: made });
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
