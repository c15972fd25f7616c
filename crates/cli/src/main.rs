//! The binary `polysmith`.

use std::process::ExitCode;

fn main() -> ExitCode {
    polysmith::talk::install_panic_hook();
    polysmith::run(std::env::args_os())
}
