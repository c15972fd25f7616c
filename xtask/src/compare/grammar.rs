//! `cargo xtask compare grammar`: the reduction cases by the grammars of the collection, by every algorithm.
//!
//! Three tables, as in the paper on Perses: tokens left and questions, beside the best peer of the README; bytes, time
//! and tokens removed per second; means and medians. Runs end by a number of questions, so that a busy machine does not
//! change them. As with `compare reduce`, everything lies in a working folder and goes on the next time.

use super::cases::Case;
use super::peers::{Peer, Row};
use super::work::{Figures, Options, Work};
use super::{rerun, tree_minimal};
use std::path::{Path, PathBuf};

/// Reduce the cases by grammar, by every algorithm, and print tables beside the peers' figures
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    options: Options,
    /// Only these algorithms
    #[arg(
        long,
        value_name = "NAME,…",
        value_delimiter = ',',
        default_value = "ddmin-lines,ddmin-tokens,hdd,perses,full"
    )]
    algorithms: Vec<String>,
    /// The questions for each run; a `+` marks one that came to this or to its time
    #[arg(long, value_name = "N", default_value_t = 6000)]
    max_questions: u64,
    /// Run these peers again, in the same folders: picire, picireny, shrinkray, cvise
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    peers: Vec<String>,
    /// ANTLR's jar for picireny, with `javax.json` in it [default: the oracle's]
    #[arg(long, value_name = "JAR")]
    antlr: Option<PathBuf>,
}

/// The reducers that must not have fewer tokens.
const TO_BEAT: [&str; 4] = ["Perses 1.0", "Picireny", "treereduce", "Shrink Ray"];

/// A case with what each algorithm came to.
struct Line {
    row: Row,
    figures: Vec<Option<Figures>>,
    again: Vec<String>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let binary = args.options.place.binary()?;
    let mut good = true;
    let mut lines = Vec::new();
    for row in args.options.rows()? {
        let case = args.options.place.case(&row.case)?;
        let mut figures = Vec::new();
        for algorithm in &args.algorithms {
            let measured = measure(args, &binary, &case, algorithm);
            if let Err(error) = &measured {
                println!("failed: {} by {algorithm}: {error:#}", row.case);
                good = false;
            }
            figures.push(measured.ok().flatten());
        }
        let folder = root(args).join(&row.case);
        let antlr = args.antlr.as_deref();
        let again =
            args.peers.iter().map(|tool| rerun::cell(tool, &case, &folder, antlr, args.options.table));
        let again = again.collect::<anyhow::Result<Vec<String>>>()?;
        lines.push(Line { row, figures, again });
    }
    lines.retain(|line| line.figures.iter().any(Option::is_some));
    print_sizes(args, &lines);
    print_times(args, &lines);
    print_means(args, &lines);
    lines.iter().flat_map(|line| misses(args, line)).for_each(|miss| println!("missed: {miss}"));
    Ok(good)
}

fn root(args: &Args) -> PathBuf {
    args.options.folder("compare-grammar")
}

fn measure(args: &Args, binary: &Path, case: &Case, algorithm: &str) -> anyhow::Result<Option<Figures>> {
    let work = Work::open(&root(args).join(case.name()).join(algorithm), case)?;
    let grammar = case.grammar()?;
    let language = if algorithm.starts_with("ddmin") { Path::new("none") } else { grammar.as_path() };
    let is_full = || work.questions() >= args.max_questions;
    if !args.options.table && !is_full() {
        work.go_on(binary, language, |command| {
            command.args(["--jobs", "1", "--algorithm", algorithm, "--for", &args.options.time]);
            command.args(["--max-questions", &args.max_questions.to_string()]);
        })?;
    }
    if args.options.check && algorithm == "full" {
        work.check(|result| tree_minimal::check(case, &grammar, result))?;
    }
    work.figures()
}

fn print_sizes(args: &Args, lines: &[Line]) {
    let again: String = args.peers.iter().map(|tool| format!(" {tool} again |")).collect();
    println!(
        "\nTokens left / questions; in the end the best peer and our questions until its tokens, by algorithm.\n"
    );
    println!("| case | tokens | {} |{again} outside | best peer | until then |", args.algorithms.join(" | "));
    println!("|---|---:|{}---:|---|---:|", "---:|".repeat(args.algorithms.len() + args.peers.len() + 1));
    for line in lines {
        let cells: String =
            line.figures.iter().map(|figures| format!(" {} |", size(figures.as_ref()))).collect();
        let again: String = line.again.iter().map(|cell| format!(" {cell} |")).collect();
        let known = || line.figures.iter().flatten();
        let before = known().map(|figures| figures.before).max().unwrap_or(0);
        let outside = known().map(|figures| figures.outside).max().unwrap_or(0);
        let best = best(&line.row);
        let named = best.map_or("-".to_owned(), |best| format!("{} {}", best.tool, best.text));
        let until =
            line.figures.iter().map(|figures| until(figures.as_ref(), best)).collect::<Vec<_>>().join(", ");
        println!("| {} | {before} |{cells}{again} {outside} | {named} | {until} |", line.row.case);
    }
}

fn size(figures: Option<&Figures>) -> String {
    figures.map_or("-".to_owned(), |figures| {
        let cut_off = if figures.ended { "" } else { "+" };
        let checked = if figures.checked { " ✓" } else { "" };
        format!("{}{cut_off} / {}{checked}", figures.tokens, figures.questions)
    })
}

fn best(row: &Row) -> Option<&Peer> {
    row.peers.iter().min_by_key(|peer| (peer.tokens, peer.calls))
}

fn until(figures: Option<&Figures>, peer: Option<&Peer>) -> String {
    let reached = figures.zip(peer).and_then(|(figures, peer)| figures.questions_until(peer.tokens));
    reached.map_or("-".to_owned(), |questions| questions.to_string())
}

fn print_times(args: &Args, lines: &[Line]) {
    println!("\nBytes left / seconds / tokens removed per second.\n");
    println!("| case | {} |", args.algorithms.join(" | "));
    println!("|---|{}", "---:|".repeat(args.algorithms.len()));
    for line in lines {
        let cell = |figures: &Option<Figures>| {
            figures.as_ref().map_or(" - |".to_owned(), |figures| {
                format!(" {} / {} / {:.0} |", figures.bytes, figures.seconds, figures.speed())
            })
        };
        println!("| {} |{}", line.row.case, line.figures.iter().map(cell).collect::<String>());
    }
}

/// Over the cases that every algorithm was run on.
fn print_means(args: &Args, lines: &[Line]) {
    let complete: Vec<&Line> = lines.iter().filter(|line| line.figures.iter().all(Option::is_some)).collect();
    if complete.is_empty() {
        return;
    }
    println!("\nMean and median over the {} cases that all of these ran on.\n", complete.len());
    println!("| | {} |", args.algorithms.join(" | "));
    println!("|---|{}", "---:|".repeat(args.algorithms.len()));
    type Value = fn(&Figures) -> f64;
    let kinds: [(&str, Value); 5] = [
        ("tokens", |figures| figures.tokens as f64),
        ("bytes", |figures| figures.bytes as f64),
        ("questions", |figures| figures.questions as f64),
        ("seconds", |figures| figures.seconds as f64),
        ("tokens per second", Figures::speed),
    ];
    for (name, value) in kinds {
        let cell = |at: usize| {
            let mut values: Vec<f64> =
                complete.iter().filter_map(|line| line.figures[at].as_ref()).map(value).collect();
            values.sort_by(f64::total_cmp);
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let (low, high) = (values[(values.len() - 1) / 2], values[values.len() / 2]);
            format!(" {mean:.0} / {:.0} |", f64::midpoint(low, high))
        };
        println!("| {name} |{}", (0..args.algorithms.len()).map(cell).collect::<String>());
    }
}

/// Where the last algorithm, the one that does all, falls short of the aim.
fn misses(args: &Args, line: &Line) -> Vec<String> {
    let Some(figures) = line.figures.last().and_then(Option::as_ref) else { return Vec::new() };
    let (case, algorithm) = (&line.row.case, args.algorithms.last().map_or("", String::as_str));
    let mut missed = Vec::new();
    let to_beat = || line.row.peers.iter().filter(|peer| TO_BEAT.contains(&peer.tool.as_str()));
    for peer in to_beat().filter(|peer| peer.tokens < figures.tokens) {
        missed
            .push(format!("{case}: {algorithm} has {} tokens, {} {}", figures.tokens, peer.tool, peer.text));
    }
    if let Some(best) = to_beat().min_by_key(|peer| (peer.tokens, peer.calls))
        && let Some(ours) = figures.questions_until(best.tokens).filter(|ours| *ours > best.calls)
    {
        missed.push(format!("{case}: {algorithm} needs {ours} questions to {} {}", best.tool, best.text));
    }
    let cvise = line.row.peers.iter().find(|peer| peer.tool == "C-Vise" && case.starts_with("c-"));
    if let Some(cvise) = cvise {
        let goal = cvise.tokens * 13 / 10;
        if figures.questions_until(goal).is_none_or(|ours| 3 * ours > cvise.calls) {
            let ours = until(Some(figures), Some(&Peer { tokens: goal, ..cvise.clone() }));
            missed.push(format!(
                "{case}: {algorithm} needs {ours} questions to 1.3 times the tokens of C-Vise {}, a third is {}",
                cvise.text,
                cvise.calls / 3
            ));
        }
    }
    missed
}
