//! `polysmith parse`: parses files, with ANTLR's choices and messages.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::load::{LanguageOptions, load};
use crate::parse::{Format, Plan, run as run_plan};
use crate::talk::Talk;
use polysmith_description::Capability;
use polysmith_parse::Limits;
use polysmith_source::Encoding;
use std::path::PathBuf;

/// Parse files and show their trees, tokens or errors
///
/// The start rule is parsed as it is written, and only hidden tokens may follow it. Choices, messages
/// and recovery are those of the parsers that ANTLR generates. A folder means all files below it.
#[derive(Debug, clap::Args)]
#[command(after_help = r#"Examples:
  echo '{"a": [1, 2]}' > a.json
  polysmith parse json a.json
  polysmith parse json a.json --format sexpr
  polysmith parse json a.json --format none --json"#)]
pub struct Args {
    /// A grammar file (`-` is stdin) or a built-in name
    #[arg(value_name = "LANGUAGE")]
    language: String,
    /// Files and folders; `-` is stdin
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// What to print for each file
    #[arg(long, value_name = "FORM", default_value = "tree")]
    format: Format,
    /// Print one JSON object per file
    #[arg(long)]
    json: bool,
    /// Save trees: a file pattern with {index}, or a folder with `/` at its end; `.json` for JSON, else `.pst`
    #[arg(long, value_name = "PATTERN")]
    save_tree: Option<String>,
    /// Say what the grammar's decisions cost, the dearest first
    #[arg(long)]
    profile: bool,
    /// Show texts that can be read in two ways, with both trees
    #[arg(long)]
    ambiguities: bool,
    /// Say which alternatives no file uses
    #[arg(long)]
    coverage: bool,
    /// How files are read: utf-8 or latin-1
    #[arg(long, value_name = "NAME", default_value = "utf-8", value_parser = encoding)]
    encoding: Encoding,
    /// How many threads; never changes the result [default: the machine's cores]
    #[arg(short = 'j', long, value_name = "N")]
    jobs: Option<usize>,
    /// Stop at this many tokens
    #[arg(long, value_name = "N")]
    max_tokens: Option<usize>,
    /// Stop when rules are nested deeper
    #[arg(long, value_name = "N")]
    max_depth: Option<usize>,
    /// Stop after this many steps of the parser
    #[arg(long, value_name = "N")]
    max_steps: Option<u64>,
    /// How many bytes may be spent on what is learned about the grammar
    #[arg(long, value_name = "BYTES")]
    max_memory: Option<usize>,
    #[command(flatten)]
    options: LanguageOptions,
}

/// Parses the files.
///
/// # Errors
/// The description cannot be used, or stdout or a saved tree cannot be written.
pub fn run(args: Args, talk: Talk) -> anyhow::Result<Exit> {
    let description = load(&args.language, Some(Capability::Parse), &args.options, talk)?.description;
    let is_lexer = description.tree_grammar().start().is_none();
    if is_lexer && !matches!(args.format, Format::Tokens | Format::None) {
        return Err(Failure::usage(format!(
            "`{}` is a lexer grammar: it makes no trees",
            description.name()
        ))
        .help("--format tokens shows what it makes")
        .into());
    }
    let defaults = Limits::default();
    let limits = Limits {
        max_tokens: args.max_tokens.unwrap_or(defaults.max_tokens),
        max_depth: args.max_depth.unwrap_or(defaults.max_depth),
        max_steps: args.max_steps.unwrap_or(defaults.max_steps),
        max_memory: args.max_memory.unwrap_or(defaults.max_memory),
        ..defaults
    };
    let plan = Plan {
        paths: args.files,
        format: args.format,
        json: args.json,
        save_tree: args.save_tree,
        profile: args.profile,
        ambiguities: args.ambiguities,
        coverage: args.coverage,
        jobs: crate::jobs::threads(args.jobs),
        encoding: args.encoding,
        limits,
    };
    run_plan(&plan, &description, talk)
}

fn encoding(name: &str) -> Result<Encoding, String> {
    match name {
        "utf-8" => Ok(Encoding::Utf8),
        "latin-1" => Ok(Encoding::Latin1),
        _ => Err("utf-8 and latin-1 are known".to_owned()),
    }
}
