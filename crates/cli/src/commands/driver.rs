//! `polysmith driver`: a program that gives tests to a library.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::talk::Talk;
use polysmith_run::files::write_file;
use std::path::PathBuf;

/// Write a driver: a program that gives test after test to a library
///
/// One process runs thousands of tests a second. Five lines of it are yours.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    polysmith driver new python json\n  \
    polysmith driver new c expat -o expat-driver.c")]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Write a driver to fill in
    New {
        /// The language of the driver
        #[arg(value_name = "LANGUAGE")]
        language: DriverLanguage,
        /// What is tested: a name for the reader of the driver
        #[arg(value_name = "TARGET")]
        target: String,
        /// The file [default: driver.rs, driver.py, driver.js or driver.c]
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Overwrite a file that is there already
        #[arg(long)]
        force: bool,
    },
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum DriverLanguage {
    /// Rust
    Rust,
    /// Python 3
    Python,
    /// JavaScript for Node
    Node,
    /// C; also for LLVMFuzzerTestOneInput
    C,
}

impl DriverLanguage {
    fn file(self) -> (&'static str, &'static str) {
        match self {
            Self::Rust => ("driver.rs", include_str!("../hunt/templates/driver.rs.txt")),
            Self::Python => ("driver.py", include_str!("../hunt/templates/driver.py.txt")),
            Self::Node => ("driver.js", include_str!("../hunt/templates/driver.js.txt")),
            Self::C => ("driver.c", include_str!("../hunt/templates/driver.c.txt")),
        }
    }
}

/// Writes it.
///
/// # Errors
/// A file that is there already or cannot be written.
pub fn run(args: Args, talk: Talk) -> anyhow::Result<Exit> {
    let Action::New { language, target, output, force } = args.action;
    let (name, template) = language.file();
    let path = output.unwrap_or_else(|| PathBuf::from(name));
    if path.exists() && !force {
        return Err(Failure::usage(format!("`{}` is there already", path.display()))
            .help("choose another file with -o, or overwrite it with --force")
            .into());
    }
    // The name is in a comment, which it must not end.
    let safe: String = target.chars().filter(|c| c.is_ascii_alphanumeric() || "._-+ ".contains(*c)).collect();
    let text = template.replace("TARGET is what is tested: TARGET_NAME", &format!("The target: {safe}"));
    write_file(&path, text.as_bytes())?;
    talk.say(format_args!("`{}` is written: fill in the function `run`", path.display()));
    Ok(Exit::Yes)
}
