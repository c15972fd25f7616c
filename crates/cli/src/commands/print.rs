//! `polysmith print`: prints saved trees again.

use crate::exit::Exit;
use crate::input::read;
use crate::load::{LanguageOptions, load};
use crate::talk::{Out, Talk};
use anyhow::Context as _;
use polysmith_grammar::Grammar;
use polysmith_tree::save::{self, Header};
use polysmith_tree::{Tree, show};
use std::io::Write as _;
use std::path::PathBuf;

/// Print saved trees again, as text or as trees
///
/// Reads what `generate --trees` and `parse --save-tree` write, in both forms.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    polysmith generate json --seed 7 --trees -o a.json\n  \
    polysmith print json a.json.pst\n  \
    polysmith print json a.json.pst --format sexpr\n  \
    polysmith generate figure3 --guards off --seed 7 --trees -o a.txt\n  \
    polysmith print figure3 a.txt.pst --format tree")]
pub struct Args {
    /// The language of the trees: a description file (`-` is stdin) or a built-in name
    #[arg(value_name = "LANGUAGE")]
    language: String,
    /// Saved trees; `-` is stdin
    #[arg(value_name = "TREE", required = true)]
    trees: Vec<PathBuf>,
    /// What to print
    #[arg(long, value_name = "FORM", default_value = "text")]
    format: Format,
    #[command(flatten)]
    options: LanguageOptions,
}

/// Forms of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// The text that it stands for.
    Text,
    /// A node per line.
    Tree,
    /// ANTLR's LISP form.
    Sexpr,
    /// The JSON form of saved trees.
    Json,
    /// Graphviz.
    Dot,
}

/// Prints the trees in order.
///
/// # Errors
/// The description or a tree cannot be used, or stdout cannot be written.
pub fn run(args: Args, talk: Talk) -> anyhow::Result<Exit> {
    let description = load(&args.language, None, &args.options, talk)?.description;
    let grammar = description.tree_grammar();
    let own = Header::of(grammar);
    let mut out = talk.out();
    for path in &args.trees {
        let shown = path.display();
        let bytes = read(path)?;
        let (header, tree) =
            save::load(&bytes, grammar).with_context(|| format!("`{shown}` cannot be used"))?;
        if !header.hash.is_empty() && header != own {
            talk.warning(format_args!(
                "`{shown}` was saved with another version of {}, or with another language",
                header.language
            ));
        }
        write_form(&tree, grammar, args.format, &mut out)?;
    }
    out.flush()?;
    Ok(Exit::Yes)
}

fn write_form(tree: &Tree, grammar: &Grammar, format: Format, out: &mut Out) -> std::io::Result<()> {
    if format == Format::Text {
        return out.write_all(&tree.to_bytes());
    }
    out.write_formatted(|out| match format {
        Format::Text => Ok(()),
        Format::Tree => show::write_outline(tree, grammar, out),
        Format::Sexpr => {
            show::write_sexpr(tree, grammar, &|token| grammar.tokens().display(token), out)?;
            out.write_char('\n')
        }
        Format::Json => save::write_json(tree, grammar, &Header::of(grammar), out),
        Format::Dot => show::write_dot(tree, grammar, out),
    })
}
