//! `polysmith normalize`: prints the normal form of a grammar, which reduction uses.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::load::{LanguageOptions, load_parser};
use crate::talk::Talk;
use polysmith_grammar::normal::normal_form;
use polysmith_run::files::write_file;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Print the normal form of a grammar, as a .g4
///
/// The body of every parser rule is a list of alternatives without groups, or one symbol with `*`, `+` or `?`.
/// Recursion at either end of a rule has become a list, and only the start rule can be empty. Token rules stay as
/// they are. The language stays the same, precedence does not. This is how reduction sees a grammar.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  polysmith normalize json -o Normal.g4; polysmith lint Normal.g4\n  \
    polysmith normalize arithmetic --start expr")]
pub struct Args {
    /// A grammar file (`-` is stdin) or a built-in name
    #[arg(value_name = "LANGUAGE")]
    language: String,
    /// Where the grammar goes, which is named after the file; `-` for stdout
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true)]
    output: PathBuf,
    /// Overwrite a file that is there already
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    options: LanguageOptions,
}

/// Prints the normal form.
///
/// # Errors
/// A description that cannot be used, a file name that is no name of a grammar, output that cannot be written.
pub fn run(args: Args, talk: Talk) -> anyhow::Result<Exit> {
    let name = grammar_name(&args.output)?;
    if args.output.is_file() && !args.force {
        let message = format!("`{}` is there already", args.output.display());
        return Err(Failure::usage(message).help("--force overwrites it").into());
    }
    let language = load_parser(&args.language, &args.options, talk)?;
    let form = normal_form(&language.grammar, language.start);
    if !form.kept.is_empty() {
        talk.note(format_args!(
            "the mutual recursion of {} was kept: without it the grammar would be too large",
            form.kept.join(", ")
        ));
    }
    let Some(name) = name else {
        let mut out = talk.out();
        out.write_all(polysmith_antlr::print(&form.grammar).as_bytes())?;
        out.flush()?;
        return Ok(Exit::Yes);
    };
    write_file(&args.output, polysmith_antlr::print_as(&name, &form.grammar).as_bytes())?;
    Ok(Exit::Yes)
}

/// The name of a grammar in this file; `None` for stdout, where the grammar keeps its name.
fn grammar_name(output: &Path) -> Result<Option<String>, Failure> {
    if output == Path::new("-") {
        return Ok(None);
    }
    let stem = output.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    match polysmith_antlr::is_grammar_name(&stem) {
        true => Ok(Some(stem)),
        false => Err(Failure::usage(format!("`{stem}` cannot be the name of a grammar")).help(
            "a grammar is named after its file: use letters, digits and underscores, such as `Normal.g4`",
        )),
    }
}
