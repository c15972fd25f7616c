//! `--stats-html`: coverage and sizes as one page that needs nothing else.
//!
//! Plain HTML with drawings in SVG, no script and nothing from elsewhere, readable in light and dark.

use super::coverage::{Coverage, Share};
use super::histogram::Histogram;
use super::stats::{Outcome, Stats};
use std::fmt::Write as _;

/// Bars of a histogram.
const BARS: u64 = 40;
/// Rules that are listed: those least covered.
const MOST_RULES: usize = 200;

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#222;--soft:#777;--bar:#3567b0;--none:#d9d9d9;--page:#fff}\
@media(prefers-color-scheme:dark){:root{--ink:#ddd;--soft:#999;--bar:#6f9de0;--none:#444;--page:#181818}}\
body{font:15px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--page);max-width:60em;margin:2em auto;padding:0 1em}\
h1{font-size:1.4em}h2{font-size:1.1em;margin-top:2em}table{border-collapse:collapse}\
td,th{padding:.15em .8em .15em 0;text-align:left;font-variant-numeric:tabular-nums;white-space:nowrap}\
td:first-child{width:18em;max-width:18em;overflow:hidden;text-overflow:ellipsis}td.n{min-width:4.5em}\
th{font-weight:600;color:var(--soft)}td.n,th.n{text-align:right}.soft{color:var(--soft)}\
.sizes{display:flex;flex-wrap:wrap;gap:1.5em}figure{margin:0}figcaption{color:var(--soft)}\
svg text{fill:var(--soft);font:11px system-ui,sans-serif}rect.b{fill:var(--bar)}rect.o{fill:var(--none)}";

/// The page.
pub(crate) fn page(name: &str, stats: &Stats, coverage: &Coverage<'_>, outcome: &Outcome) -> String {
    let mut out = String::new();
    let title = format!("{} tests of {}", outcome.made, escaped(name));
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n"
    );
    summary(&mut out, stats, outcome);
    out.push_str("<h2>Coverage</h2>\n<table>\n");
    coverage.shares().iter().for_each(|share| row(&mut out, share));
    out.push_str("</table>\n<h2>Sizes</h2>\n<div class=\"sizes\">\n");
    for (name, histogram) in stats.sizes() {
        figure(&mut out, name, histogram);
    }
    out.push_str("</div>\n");
    rules(&mut out, coverage);
    out.push_str("</body></html>\n");
    out
}

fn summary(out: &mut String, stats: &Stats, outcome: &Outcome) {
    let (distinct, empty) = stats.distinct();
    let seconds = outcome.time.as_secs_f64();
    let rate = outcome.made as f64 / seconds.max(1e-9);
    let _ = writeln!(
        out,
        "<p>{distinct} distinct, {empty} empty, {} failed, {} gave up; seed {}; {seconds:.2} s, {rate:.0} a second.</p>",
        outcome.failed, outcome.gave_up, outcome.seed
    );
    let kinds = stats.kinds();
    if kinds.is_empty() {
        return;
    }
    out.push_str("<h2>How tests came about</h2>\n<table>\n");
    let made = usize::try_from(outcome.made).unwrap_or(usize::MAX);
    for (name, total) in kinds {
        let used = usize::try_from(total).unwrap_or(usize::MAX);
        row(out, &Share { name: name.to_owned(), used, all: made });
    }
    out.push_str("</table>\n");
}

/// A share as a line of a table, with a bar.
fn row(out: &mut String, share: &Share) {
    const WIDTH: f64 = 220.0;
    let name = escaped(&share.name);
    let part = share.used as f64 / share.all.max(1) as f64;
    let _ = writeln!(
        out,
        "<tr><td title=\"{name}\">{name}</td><td><svg width=\"{WIDTH}\" height=\"10\" role=\"img\" aria-label=\"{:.0} %\">\
         <rect class=\"o\" width=\"{WIDTH}\" height=\"10\"/><rect class=\"b\" width=\"{:.1}\" height=\"10\"/></svg></td>\
         <td class=\"n\">{}/{}</td><td class=\"n\">{:.1} %</td></tr>",
        100.0 * part,
        WIDTH * part,
        share.used,
        share.all,
        100.0 * part
    );
}

/// A histogram.
fn figure(out: &mut String, name: &str, histogram: &Histogram) {
    const WIDTH: f64 = 400.0;
    const HEIGHT: f64 = 120.0;
    /// Above the bars stands what the highest one counts, below them from where to where they go.
    const LINE: f64 = 16.0;
    if histogram.max() == 0 {
        let _ = writeln!(out, "<figure><figcaption>{}: always 0</figcaption></figure>", escaped(name));
        return;
    }
    let bars = histogram.bars(BARS);
    let highest = bars.iter().map(|bar| bar.1).max().unwrap_or(1).max(1);
    let step = WIDTH / bars.len().max(1) as f64;
    let _ = write!(
        out,
        "<figure><figcaption>{}: median {}, 99 % up to {}, most {}</figcaption>\
         <svg width=\"{WIDTH}\" height=\"{}\" role=\"img\">",
        escaped(name),
        histogram.quantile(500),
        histogram.quantile(990),
        histogram.max(),
        HEIGHT + 2.0 * LINE
    );
    for (at, (from, count)) in bars.iter().enumerate() {
        let high = HEIGHT * *count as f64 / highest as f64;
        let _ = write!(
            out,
            "<rect class=\"b\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{high:.1}\"><title>from {from}: {count}</title></rect>",
            at as f64 * step,
            LINE + HEIGHT - high,
            (step - 1.0).max(0.5)
        );
    }
    let _ = writeln!(
        out,
        "<text x=\"0\" y=\"{top}\">highest bar: {highest} tests</text><text x=\"0\" y=\"{y}\">0</text>\
         <text x=\"{WIDTH}\" y=\"{y}\" text-anchor=\"end\">{}</text></svg></figure>",
        bars.get(1).map_or(1, |bar| bar.0) * bars.len() as u64,
        top = LINE - 5.0,
        y = HEIGHT + 2.0 * LINE - 3.0
    );
}

/// The rules, least covered first.
fn rules(out: &mut String, coverage: &Coverage<'_>) {
    let mut rules = coverage.by_rule();
    // Shares compared as fractions; equal ones keep the order of the grammar.
    rules.sort_by(|a, b| (a.used * b.all).cmp(&(b.used * a.all)));
    let all = rules.len();
    let _ = writeln!(out, "<h2>Rules: alternatives and repetition counts</h2>\n<table>");
    rules.iter().take(MOST_RULES).for_each(|share| row(out, share));
    out.push_str("</table>\n");
    if all > MOST_RULES {
        let _ = writeln!(out, "<p class=\"soft\">and {} rules that are covered better</p>", all - MOST_RULES);
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
