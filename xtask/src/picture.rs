//! `cargo xtask picture`: the terminal picture of the README, drawn from what the real binary prints.
//!
//! `docs/images/run.txt` has one command per line. All of them run in one empty folder with colours on; commands and
//! output become the lines of an SVG. Bold and the eight colours of a terminal are kept, other escapes are dropped.

use crate::paths::root;
use anyhow::{Context, ensure};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// Draw docs/images/run.svg from the commands in docs/images/run.txt
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder of the binary `polysmith` [default: target/release]
    #[arg(long, value_name = "DIR")]
    binary: Option<std::path::PathBuf>,
}

/// Runs the commands and writes the picture.
pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let images = root().join("docs/images");
    let binary = args.binary.clone().unwrap_or_else(|| root().join("target/release"));
    ensure!(binary.join("polysmith").exists(), "no polysmith in {}: build it first", binary.display());
    let folder = tempfile::tempdir()?;
    let mut screen = String::new();
    let script = std::fs::read_to_string(images.join("run.txt")).context("reading docs/images/run.txt")?;
    for command in script.lines().filter(|line| !line.is_empty()) {
        let _ = writeln!(screen, "\u{1b}[32m$\u{1b}[0m \u{1b}[1m{command}\u{1b}[0m");
        screen.push_str(&output(command, folder.path(), &binary)?);
    }
    std::fs::write(images.join("run.svg"), draw(&screen))?;
    println!("wrote docs/images/run.svg");
    Ok(true)
}

/// What a shell prints for a command, both streams together.
fn output(command: &str, folder: &Path, binary: &Path) -> anyhow::Result<String> {
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default());
    let result = Command::new("sh")
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .current_dir(folder)
        .env("PATH", path)
        .env("CLICOLOR_FORCE", "1")
        .output()?;
    Ok(String::from_utf8_lossy(&result.stdout).into_owned())
}

const LINE_HEIGHT: usize = 19;
const CHARACTER_WIDTH: usize = 8;
const MARGIN: usize = 16;

/// The screen as an SVG: one `<text>` per line, one `<tspan>` per run of one style.
fn draw(screen: &str) -> String {
    let lines: Vec<Vec<Run>> = screen.lines().map(runs).collect();
    let columns = lines.iter().map(|line| line.iter().map(|run| run.text.chars().count()).sum()).max();
    let (width, height) =
        (columns.unwrap_or(0usize) * CHARACTER_WIDTH + 2 * MARGIN, lines.len() * LINE_HEIGHT + 2 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1c1f26\"/>\n\
         <g font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,monospace\" font-size=\"13\" \
         fill=\"#d8dee9\" xml:space=\"preserve\">\n"
    );
    for (number, line) in lines.iter().enumerate() {
        let y = MARGIN + (number + 1) * LINE_HEIGHT - 5;
        let _ = write!(svg, "<text x=\"{MARGIN}\" y=\"{y}\">");
        for run in line {
            let weight = if run.bold { " font-weight=\"bold\"" } else { "" };
            let fill = run.color.map(|color| format!(" fill=\"{color}\"")).unwrap_or_default();
            let _ = write!(svg, "<tspan{weight}{fill}>{}</tspan>", escaped(&run.text));
        }
        svg.push_str("</text>\n");
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

/// Characters of one style.
#[derive(Debug, Clone, Default, PartialEq)]
struct Run {
    text: String,
    bold: bool,
    color: Option<&'static str>,
}

/// Splits a line with terminal escapes into runs of one style.
fn runs(line: &str) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut current = Run::default();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        current.text.push_str(before);
        let end = after.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(after.len());
        let codes = &after[..end];
        if after[end..].starts_with('m') {
            let restyled = restyle(&current, codes);
            if !current.text.is_empty() {
                runs.push(current);
            }
            current = restyled;
        }
        rest = after.get(end + 1..).unwrap_or("");
    }
    current.text.push_str(rest);
    if !current.text.is_empty() {
        runs.push(current);
    }
    runs
}

/// The style after a `m` escape, with no text yet.
fn restyle(run: &Run, codes: &str) -> Run {
    const COLORS: [&str; 8] =
        ["#4c566a", "#f07178", "#a3d076", "#f2cd78", "#7aa6f7", "#c792ea", "#6fd3e3", "#e5e9f0"];
    let mut run = Run { text: String::new(), ..run.clone() };
    for code in codes.split(';').map(|code| code.parse::<usize>().unwrap_or(0)) {
        match code {
            0 => run = Run::default(),
            1 => run.bold = true,
            30..=37 => run.color = Some(COLORS[code - 30]),
            90..=97 => run.color = Some(COLORS[code - 90]),
            39 => run.color = None,
            _ => {}
        }
    }
    run
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_become_runs() {
        let line = runs("a \u{1b}[1m\u{1b}[91merror\u{1b}[0m: <x>");
        let shown: Vec<(&str, bool, bool)> =
            line.iter().map(|run| (run.text.as_str(), run.bold, run.color.is_some())).collect();
        assert_eq!(shown, [("a ", false, false), ("error", true, true), (": <x>", false, false)]);
        assert!(draw("<x>").contains("&lt;x&gt;"));
    }
}
