//! `polysmith normalize`: the normal form that reduction looks through.

use crate::exit::Exit;
use crate::load::{LanguageOptions, load_parser};
use crate::talk::Talk;
use polysmith_grammar::normal::normal_form;
use std::io::Write as _;

/// Print the normal form of a grammar, as a .g4
///
/// Every rule is a sequence, or one symbol with `*`, `+` or `?`; recursion at either end of a rule has become a list,
/// and nothing but the start rule is empty. The language stays the same, precedence does not. This is how
/// reduction sees a grammar.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  polysmith normalize json\n  polysmith normalize arithmetic --start expr"
)]
pub struct Args {
    /// A grammar file or a built-in name
    #[arg(value_name = "LANGUAGE")]
    language: String,
    #[command(flatten)]
    options: LanguageOptions,
}

/// Prints it.
///
/// # Errors
/// A description that cannot be used; stdout may be unwritable.
pub fn run(args: Args, talk: Talk) -> anyhow::Result<Exit> {
    let language = load_parser(&args.language, &args.options, talk)?;
    let form = normal_form(&language.grammar, language.start);
    if !form.kept.is_empty() {
        talk.note(format_args!(
            "the mutual recursion of {} was kept: without it the grammar would be too large",
            form.kept.join(", ")
        ));
    }
    let mut out = talk.out();
    out.write_all(polysmith_antlr::print(&form.grammar).as_bytes())?;
    out.flush()?;
    Ok(Exit::Yes)
}
