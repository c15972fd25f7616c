//! `polysmith man`: manual pages, generated from the definition of the command line.

use crate::commands::names;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::global;
use crate::talk::Talk;
use clap::builder::PossibleValuesParser;
use polysmith_run::files::write_file;
use std::io::Write as _;
use std::path::PathBuf;

/// Write manual pages
///
/// Without `-o` the page of COMMAND goes to stdout. With `-o DIR` every page goes to a file of DIR.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  polysmith man generate > polysmith-generate.1\n  \
    polysmith man -o share/man/man1; ls share/man/man1/polysmith.1")]
pub struct Args {
    /// The command; without it, the page of polysmith itself
    #[arg(value_name = "COMMAND", value_parser = PossibleValuesParser::new(names()), hide_possible_values = true)]
    command: Option<String>,
    /// Write all pages into this folder, which is created if necessary
    #[arg(short, long, value_name = "DIR", conflicts_with = "command")]
    output: Option<PathBuf>,
}

/// Writes the pages.
///
/// # Errors
/// Fails if stdout or a file cannot be written.
pub fn run(args: Args, talk: Talk) -> anyhow::Result<Exit> {
    let mut pages = pages()?;
    let Some(folder) = args.output else {
        let wanted = file_name(args.command.as_deref());
        pages.retain(|page| page.name == wanted);
        let page = pages.pop().ok_or_else(|| Failure::usage(format!("there is no page `{wanted}`")))?;
        let mut out = talk.out();
        out.write_all(&page.text)?;
        out.flush()?;
        return Ok(Exit::Yes);
    };
    for page in pages {
        write_file(&folder.join(page.name), &page.text)?;
    }
    Ok(Exit::Yes)
}

/// A manual page in troff.
struct Page {
    /// The name of its file: `polysmith-lint.1`.
    name: String,
    text: Vec<u8>,
}

fn file_name(command: Option<&str>) -> String {
    command.map_or("polysmith.1".to_owned(), |command| format!("polysmith-{command}.1"))
}

fn pages() -> std::io::Result<Vec<Page>> {
    // No date of the build, so that the same source gives the same bytes.
    let page = |command: clap::Command, name: String| -> std::io::Result<Page> {
        let mut text = Vec::new();
        let source = concat!("polysmith ", env!("CARGO_PKG_VERSION"));
        clap_mangen::Man::new(command).source(source).manual("Polysmith").render(&mut text)?;
        Ok(Page { name, text })
    };
    let mut main = global::command();
    // Options of all commands are copied into them.
    main.build();
    let mut pages = Vec::new();
    for name in names() {
        if let Some(command) = main.find_subcommand(name) {
            let command = command.clone().bin_name(format!("polysmith {name}"));
            pages.push(page(command.display_name(format!("polysmith-{name}")), file_name(Some(name)))?);
        }
    }
    pages.push(page(global::command(), file_name(None))?);
    Ok(pages)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page_that_names_its_options() {
        let pages = pages().unwrap();
        assert_eq!(pages.len(), names().count() + 1);
        let lint = pages.iter().find(|page| page.name == "polysmith-lint.1").unwrap();
        let text = String::from_utf8(lint.text.clone()).unwrap();
        for part in [".TH polysmith-lint 1", "\\fBpolysmith lint\\fR", "\\-\\-json", "\\-\\-quiet"] {
            assert!(text.contains(part), "{part}:\n{text}");
        }
    }
}
