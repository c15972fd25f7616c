//! A page that needs no other file and runs no script.

use crate::hunt::tell::title;
use polysmith_hunt::text::printable;
use polysmith_hunt::{Counts, Finding};

/// A text with everything escaped that HTML or XML would read as its own, or a terminal as a command.
pub(super) fn escaped(bytes: &[u8]) -> String {
    let text = printable(bytes);
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            // XML has no place for these, not even as references.
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}\
pre{background:#f4f4f4;padding:.7rem;overflow:auto;white-space:pre-wrap;word-break:break-word}\
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #ddd;vertical-align:top}\
h2{margin-top:2.5rem}code{word-break:break-word}svg{background:#f4f4f4;width:100%;height:8rem}";

/// A page about a campaign: what was run, and each finding with its smallest test.
pub fn html(name: &str, counts: &Counts, findings: &[Finding]) -> String {
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>{0}</title><style>{STYLE}</style></head><body>\n<h1>{0}</h1>\n",
        escaped(format!("Findings of {name}").as_bytes())
    );
    page += &format!("<p>{} tests, {} runs, {} findings.</p>\n", counts.tests, counts.runs, findings.len());
    page += &curve(findings);
    page += &targets(counts);
    page += "<table><tr><th>#</th><th>finding</th><th>state</th><th>seen</th><th>bytes</th></tr>\n";
    for finding in findings {
        page += &format!(
            "<tr><td><a href=\"#f{0}\">{0}</a></td><td>{1}</td><td>{2}</td><td>{3}</td><td>{4}</td></tr>\n",
            finding.id,
            escaped(title(finding).as_bytes()),
            finding.state.name(),
            finding.count,
            finding.best().len()
        );
    }
    page += "</table>\n";
    findings.iter().for_each(|finding| page += &section(finding));
    page + "</body></html>\n"
}

fn section(finding: &Finding) -> String {
    let pre = |bytes: &[u8]| format!("<pre>{}</pre>\n", escaped(bytes));
    let mut section = format!(
        "<h2 id=\"f{}\">{}</h2>\n<h3>Smallest test</h3>\n",
        finding.id,
        escaped(title(finding).as_bytes())
    );
    section += &pre(finding.best());
    section += "<h3>Commands</h3>\n";
    section += &pre(finding.commands.join("\n").replace("@TEST@", "test").as_bytes());
    section += "<h3>What happened</h3>\n";
    section += &pre(finding.detail.as_bytes());
    section += "<h3>Why it is one bug</h3>\n<table>\n";
    for (name, text) in finding.signature.parts() {
        section += &format!(
            "<tr><th>{}</th><td><code>{}</code></td></tr>\n",
            escaped(name.as_bytes()),
            escaped(text.as_bytes())
        );
    }
    section + "</table>\n"
}

fn targets(counts: &Counts) -> String {
    let rows = counts.targets.iter().enumerate().map(|(n, target)| {
        let message = target.main_message().map(|(message, _)| message).unwrap_or_default();
        format!(
            "<tr><td>{}</td><td>{:.1} %</td><td>{}</td><td>{}</td></tr>\n",
            n + 1,
            100.0 * target.acceptance(),
            target.timed_out,
            escaped(message.as_bytes())
        )
    });
    format!(
        "<table><tr><th>target</th><th>accepts</th><th>timed out</th><th>most frequent refusal</th></tr>\n{}</table>\n",
        rows.collect::<String>()
    )
}

/// Findings over time, as a line of steps.
fn curve(findings: &[Finding]) -> String {
    let mut times: Vec<u64> = findings.iter().map(|finding| finding.first_seen.as_secs()).collect();
    times.sort_unstable();
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return String::new() };
    let (start, span) = (*first, (last - first).max(1) as f64);
    let mut points = String::from("0,100");
    let mut height = 100.0;
    for (n, time) in times.iter().enumerate() {
        let x = 600.0 * (time - start) as f64 / span;
        points += &format!(" {x:.1},{height:.1}");
        height = 100.0 - 100.0 * (n + 1) as f64 / times.len() as f64;
        points += &format!(" {x:.1},{height:.1}");
    }
    format!(
        "<svg viewBox=\"-5 -5 610 110\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"findings over time\"><polyline \
         points=\"{points} 600,{height:.1}\" fill=\"none\" stroke=\"#06c\" stroke-width=\"2\"/></svg>\n<p>Findings over {span} \
         seconds.</p>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_text_is_text() {
        let text = escaped(b"<script>alert('x')</script>\x1b[2J&\"");
        assert_eq!(text, "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;\\u{1b}[2J&amp;&quot;");
    }
}
