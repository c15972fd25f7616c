//! `polysmith explain`: the manual page of a diagnostic.

use crate::exit::Exit;
use crate::explanations::explanations;
use crate::failure::Failure;
use crate::talk::Talk;
use polysmith_source::{Explanation, nearest};
use std::io::Write as _;

/// Explain a diagnostic, with an example and the way out
///
/// Without a code it lists all codes.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  polysmith explain 'antlr(119)'\n  polysmith explain | head -3")]
pub struct Args {
    /// A code as diagnostics show it: `antlr(56)`, `PS-S001`
    #[arg(value_name = "CODE")]
    code: Option<String>,
}

/// Prints the page, or the list of pages.
///
/// # Errors
/// An unknown code is wrong use; stdout may be unwritable.
pub fn run(args: Args, talk: Talk) -> anyhow::Result<Exit> {
    let mut out = talk.out();
    match &args.code {
        Some(code) => {
            let page = find(code)?;
            writeln!(out, "{}: {}\n\n{}", page.code, page.title, page.text.trim_end())?;
        }
        None => {
            for page in explanations() {
                writeln!(out, "{:<11} {}", page.code.to_string(), page.title)?;
            }
        }
    }
    out.flush()?;
    Ok(Exit::Yes)
}

/// The page of a code; case and the brackets around `error[…]` do not matter.
fn find(code: &str) -> Result<&'static Explanation, Failure> {
    let bare =
        code.trim_start_matches(|c: char| c != '[').strip_prefix('[').and_then(|c| c.strip_suffix(']'));
    let code = bare.unwrap_or(code);
    let known: Vec<(String, &Explanation)> =
        explanations().map(|page| (page.code.to_string(), page)).collect();
    if let Some((_, page)) = known.iter().find(|(name, _)| name.eq_ignore_ascii_case(code)) {
        return Ok(page);
    }
    let list = "`polysmith explain` alone lists all codes";
    Err(Failure::usage(format!("there is no code `{code}`")).help(
        match nearest(code, known.iter().map(|(name, _)| name.as_str())) {
            Some(name) => format!("did you mean `{name}`? {list}"),
            None => list.to_owned(),
        },
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_found_as_diagnostics_print_it() {
        for written in ["PS-S001", "ps-s001", "error[PS-S001]"] {
            assert_eq!(find(written).unwrap().code.to_string(), "PS-S001");
        }
        assert_eq!(find("PS-X999").unwrap_err().to_string(), "there is no code `PS-X999`");
    }

    #[test]
    fn codes_are_unique() {
        let mut codes: Vec<String> = explanations().map(|page| page.code.to_string()).collect();
        let all = codes.len();
        codes.sort();
        codes.dedup();
        assert_eq!(codes.len(), all);
    }
}
