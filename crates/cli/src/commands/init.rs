//! `polysmith init`: a campaign for the targets of this machine.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::hunt::plan::CONFIG;
use crate::hunt::presets::{GeneratorPreset, Preset, Presets, find, language_name, version};
use crate::load::locate;
use crate::talk::Talk;
use polysmith_description::Capability;
use polysmith_run::files::write_file;
use std::path::PathBuf;

/// Write `hunt.toml`: a campaign for the programs of this machine that read a language
///
/// `polysmith hunt` runs it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    polysmith init json\n  \
    polysmith init --list")]
pub struct Args {
    /// A description file or a built-in name
    #[arg(value_name = "LANGUAGE", required_unless_present = "list")]
    language: Option<String>,
    /// List the programs that are known, and whether they are here
    #[arg(long, conflicts_with = "language")]
    list: bool,
    /// The file
    #[arg(short, long, value_name = "FILE", default_value = CONFIG)]
    output: PathBuf,
    /// Overwrite a file that is there already
    #[arg(long)]
    force: bool,
}

/// Writes or lists.
///
/// # Errors
/// A language that is not there, or a file that is there already or cannot be written.
pub fn run(args: Args, talk: Talk) -> anyhow::Result<Exit> {
    let presets = Presets::read()?;
    let Some(language) = args.language.filter(|_| !args.list) else {
        return list(&presets, talk);
    };
    locate(&language, Some(Capability::Generate))?;
    if args.output.exists() && !args.force {
        return Err(Failure::usage(format!("`{}` is there already", args.output.display()))
            .help("choose another file with -o, or overwrite it with --force")
            .into());
    }
    let name = language_name(&language);
    let targets = presets.targets.iter().filter(|preset| preset.languages.contains(&name));
    let found: Vec<(&Preset, Option<String>)> = targets
        .filter_map(|preset| find(&preset.program).map(|path| (preset, version(&path, &preset.version))))
        .collect();
    let generators = presets.sources.iter().filter(|preset| preset.languages.contains(&name));
    let generators: Vec<&GeneratorPreset> =
        generators.filter(|preset| find(&preset.program).is_some()).collect();
    write_file(&args.output, text(&language, &found, &generators).as_bytes())?;
    if found.is_empty() {
        talk.warning(format_args!("no program on this machine is known to read `{name}`"));
        talk.note(format_args!("say in `{}` what is tested", args.output.display()));
    }
    talk.say(format_args!("`{}` is written: `polysmith hunt` runs it", args.output.display()));
    Ok(Exit::Yes)
}

fn list(presets: &Presets, talk: Talk) -> anyhow::Result<Exit> {
    for preset in &presets.targets {
        let place = match find(&preset.program) {
            Some(path) => version(&path, &preset.version).unwrap_or_else(|| path.display().to_string()),
            None => "not found".to_owned(),
        };
        talk.result(format_args!("{:<14}{:<24}{place}", preset.program, preset.languages.join(", ")))?;
    }
    Ok(Exit::Yes)
}

fn text(language: &str, targets: &[(&Preset, Option<String>)], generators: &[&GeneratorPreset]) -> String {
    let (oracles, timeout) = match targets.iter().any(|(preset, _)| preset.executes) {
        true => (
            "# A test is a program that may run for ever, so \"hang\" is left out.\noracles = [\"crash\"]",
            1,
        ),
        false => ("oracles = [\"crash\", \"hang\"]", 5),
    };
    let mut text = format!(
        "# A campaign: `polysmith hunt` runs it, `polysmith findings` shows what it found.\n\n\
         # What counts as a failure. With several targets, \"acceptance\" and \"differential\" compare them.\n\
         {oracles}\n\
         # When it ends; without it, at Ctrl-C.\n\
         for = \"10m\"\n\n[[source]]\n",
    );
    text += &format!("language = {}\n", toml_text(language));
    for generator in generators {
        text += &format!("\n[[source]]\ncommand = {}\n", toml_text(&generator.command));
    }
    for (preset, version) in targets {
        text += "\n[[target]]\n";
        if let Some(version) = version {
            text += &format!("# {version}\n");
        }
        text += &format!("command = {}\ntimeout = {timeout}\n", toml_list(&preset.command));
        if let Some(memory) = &preset.memory {
            text += &format!("memory = {}\n", toml_text(memory));
        }
        if !preset.rewrite.is_empty() {
            text += &format!("rewrite = {}\n", toml_list(&preset.rewrite));
        }
    }
    if targets.is_empty() {
        text += "\n# [[target]]\n# command = [\"./program\", \"{input}\"]\n";
    }
    text
}

fn toml_list(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| toml_text(word)).collect();
    format!("[{}]", words.join(", "))
}

fn toml_text(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
