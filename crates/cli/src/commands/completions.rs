//! `polysmith completions`: a completion script for a shell.
//!
//! The script also completes the names of built-in languages. The definition of the command line takes any word for
//! LANGUAGE, so the names are added here, in a copy of it; [`with_languages`] adds what the generators leave out.

use crate::exit::Exit;
use crate::global;
use crate::talk::Talk;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;
use polysmith_description::built_in;
use std::io::Write as _;

/// Print a script that completes commands, options and built-in languages in a shell
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  polysmith completions bash > polysmith.bash\n  polysmith completions zsh > _polysmith"
)]
pub struct Args {
    /// The shell to write for
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Prints the script.
///
/// # Errors
/// Fails if stdout cannot be written.
pub fn run(args: Args, talk: Talk) -> anyhow::Result<Exit> {
    let mut out = talk.out();
    out.write_all(script(args.shell).as_bytes())?;
    out.flush()?;
    Ok(Exit::Yes)
}

fn script(shell: Shell) -> String {
    let mut definition = global::command().mut_subcommands(|command| {
        command.mut_args(|argument| match is_language(&argument) {
            true => argument.value_parser(PossibleValuesParser::new(names())),
            false => argument,
        })
    });
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut definition, "polysmith", &mut script);
    with_languages(&String::from_utf8_lossy(&script), shell, &definition)
}

/// Adds what the generator of a shell does not do for LANGUAGE: positional arguments for fish, elvish and PowerShell;
/// files beside names for zsh. Bash needs nothing.
fn with_languages(script: &str, shell: Shell, definition: &clap::Command) -> String {
    let commands = definition.get_subcommands().filter(|command| command.get_positionals().any(is_language));
    let commands: Vec<&str> = commands.map(clap::Command::get_name).collect();
    let list = names().collect::<Vec<_>>().join(" ");
    match shell {
        Shell::Zsh => {
            let function = format!(
                "_polysmith_languages() {{\n    _alternative 'languages:built-in language:({list})' \
                 'files:file:_files'\n}}\n"
            );
            let script = script.replace(&format!(":({list})'"), ":_polysmith_languages'");
            insert_after(&script, "#compdef polysmith", &function)
        }
        Shell::Fish => commands.iter().fold(script.to_owned(), |script, command| {
            let condition = format!("__fish_polysmith_using_subcommand {command}");
            format!("{script}complete -c polysmith -n \"{condition}\" -a \"{list}\" -d 'built-in language'\n")
        }),
        Shell::Elvish => commands.iter().fold(script.to_owned(), |script, command| {
            let lines = names().map(|name| format!("            cand {name} 'built-in language'\n"));
            insert_after(&script, &format!("        &'polysmith;{command}'= {{"), &lines.collect::<String>())
        }),
        Shell::PowerShell => commands.iter().fold(script.to_owned(), |script, command| {
            let kind = "[CompletionResultType]::ParameterValue";
            let lines = names().map(|name| {
                format!(
                    "            [CompletionResult]::new('{name}', '{name}', {kind}, 'built-in language')\n"
                )
            });
            insert_after(&script, &format!("        'polysmith;{command}' {{"), &lines.collect::<String>())
        }),
        _ => script.to_owned(),
    }
}

/// Inserts lines after the first line that is equal to `line`.
fn insert_after(script: &str, line: &str, lines: &str) -> String {
    match script.split_once(&format!("{line}\n")) {
        Some((before, after)) => format!("{before}{line}\n{lines}{after}"),
        None => script.to_owned(),
    }
}

fn is_language(argument: &clap::Arg) -> bool {
    argument.get_id() == "language" || argument.get_id() == "languages"
}

fn names() -> impl Iterator<Item = &'static str> {
    built_in::ALL.iter().map(|folder| folder.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shell_completes_built_in_languages() {
        let parts = [
            (Shell::Bash, " json "),
            (Shell::Zsh, "built-in name:_polysmith_languages'"),
            (Shell::Zsh, "_alternative 'languages:built-in language:(arithmetic "),
            (Shell::Fish, "__fish_polysmith_using_subcommand generate\" -a \"arithmetic "),
            (Shell::Elvish, "&'polysmith;generate'= {\n            cand arithmetic "),
            (Shell::PowerShell, "'polysmith;generate' {\n            [CompletionResult]::new('arithmetic'"),
        ];
        for (shell, part) in parts {
            let script = script(shell);
            assert!(script.contains(part), "{shell}: {part}\n{script}");
        }
    }
}
