//! `polysmith completions`: a script that teaches a shell our commands.

use crate::exit::Exit;
use crate::global;
use crate::talk::Talk;
use std::io::Write as _;

/// Print a script that completes commands and options in a shell
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  polysmith completions bash > polysmith.bash\n  polysmith completions zsh > _polysmith"
)]
pub struct Args {
    /// The shell to write for
    #[arg(value_name = "SHELL")]
    shell: clap_complete::Shell,
}

/// Prints the script.
///
/// # Errors
/// Fails if stdout cannot be written.
pub fn run(args: Args, talk: Talk) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut global::command(), "polysmith", &mut script);
    let mut out = talk.out();
    out.write_all(&script)?;
    out.flush()?;
    Ok(Exit::Yes)
}
