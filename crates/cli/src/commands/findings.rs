//! `polysmith findings`: what hunts found.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::hunt::again::{AddOptions, add, replay_findings};
use crate::hunt::json_lines;
use crate::hunt::report::markdown;
use crate::hunt::tell::{as_json, title};
use crate::talk::Talk;
use polysmith_hunt::store::{SqliteStore, Store as _};
use polysmith_hunt::text::printable;
use polysmith_hunt::{Finding, State};
use polysmith_run::files::write_file;
use polysmith_run::{FileError, shell};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// Show, run again, mark, export and add what hunts found
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    polysmith hunt -q --language mini --runs 20 --unconfined -- sh -c 'kill -SEGV $$'\n  \
    polysmith findings\n  \
    polysmith findings show 1\n  \
    polysmith findings replay --unconfined\n  \
    polysmith findings export 1 -o report")]
pub struct Args {
    /// The folder of findings
    #[arg(long, value_name = "DIR", default_value = "hunt", global = true)]
    store: PathBuf,
    /// JSON, one object per line
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// One line for each finding (the default)
    List,
    /// Everything about one finding
    Show {
        /// Its number
        #[arg(value_name = "N")]
        id: i64,
    },
    /// Run findings again: which still fail? Exit code 1 if one does not fail as it did
    Replay {
        /// Its number; all findings if there is none
        #[arg(value_name = "N")]
        id: Option<i64>,
        /// Give targets the network, all files and all processes
        #[arg(long)]
        unconfined: bool,
    },
    /// Make findings of tests that another fuzzer left: run, tell apart, reduce
    Add {
        #[command(flatten)]
        options: AddOptions,
        /// Give targets the network, all files and all processes
        #[arg(long)]
        unconfined: bool,
    },
    /// Say what you decided: new, known, fixed or ignored
    Mark {
        /// Its number
        #[arg(value_name = "N")]
        id: i64,
        /// The state
        #[arg(value_name = "STATE")]
        state: String,
    },
    /// Write a folder for each finding: the smallest test, `repro.sh` and a report in Markdown
    Export {
        /// Print the report in Markdown, and write nothing
        #[arg(long, conflicts_with = "output")]
        markdown: bool,
        /// Its number; all findings if there is none
        #[arg(value_name = "N")]
        id: Option<i64>,
        /// The folder
        #[arg(short, long, value_name = "DIR", default_value = "findings")]
        output: PathBuf,
    },
}

/// Shows, marks or exports.
///
/// # Errors
/// A store that is not there or cannot be used.
pub fn run(args: Args, talk: Talk) -> anyhow::Result<Exit> {
    if let Some(Action::Add { options, unconfined }) = args.action {
        return add(&args.store, options, unconfined, talk);
    }
    let Some(mut store) = SqliteStore::open_existing(&args.store)? else {
        return Err(Failure::unusable(format!("there are no findings in `{}`", args.store.display()))
            .help("`polysmith hunt` makes them; --store names another folder")
            .into());
    };
    let one = |store: &SqliteStore, id: i64| -> anyhow::Result<Finding> {
        Ok(store.finding(id)?.ok_or_else(|| Failure::usage(format!("there is no finding {id}")))?)
    };
    match args.action.unwrap_or(Action::List) {
        Action::List => {
            for finding in store.findings()? {
                match args.json {
                    true => json_lines(talk, "finding", as_json(&finding))?,
                    false => talk.result(line(&finding))?,
                }
            }
        }
        Action::Show { id } => {
            let finding = one(&store, id)?;
            match args.json {
                true => json_lines(talk, "finding", as_json(&finding))?,
                false => talk.result(page(&finding))?,
            }
        }
        Action::Replay { id, unconfined } => {
            let findings =
                id.map_or_else(|| Ok(store.findings()?), |id| one(&store, id).map(|one| vec![one]))?;
            return replay_findings(&mut store, &findings, unconfined, talk);
        }
        // It needs no store that is there already.
        Action::Add { .. } => {}
        Action::Mark { id, state } => {
            let state = State::named(&state).ok_or_else(|| {
                let names: Vec<&str> = State::ALL.iter().map(|state| state.name()).collect();
                Failure::usage(format!("there is no state `{state}`"))
                    .help(format!("one of {}", names.join(", ")))
            })?;
            store.set_state(one(&store, id)?.id, state)?;
        }
        Action::Export { id, markdown: true, .. } => {
            let findings =
                id.map_or_else(|| Ok(store.findings()?), |id| one(&store, id).map(|one| vec![one]))?;
            for finding in &findings {
                talk.result(markdown(finding))?;
            }
        }
        Action::Export { id, output, markdown: false } => {
            let findings = match id {
                Some(id) => vec![one(&store, id)?],
                None => store.findings()?,
            };
            for finding in &findings {
                export(finding, &output.join(finding.id.to_string()))?;
            }
            talk.say(format_args!("{} findings written to `{}`", findings.len(), output.display()));
        }
    }
    Ok(Exit::Yes)
}

fn line(finding: &Finding) -> String {
    format!(
        "{} [{}, seen {} times, {} bytes]",
        title(finding),
        finding.state.name(),
        finding.count,
        finding.best().len()
    )
}

/// Everything about a finding, escaped for a terminal.
fn page(finding: &Finding) -> String {
    let mut page = format!("{}\n\nsignature:\n", line(finding));
    for (name, text) in finding.signature.parts() {
        page += &format!("  {name}: {}\n", printable(text.as_bytes()));
    }
    page += "\ncommands:\n";
    for command in &finding.commands {
        page += &format!("  {}\n", printable(command.as_bytes()));
    }
    for case in &finding.cases {
        let source = printable(case.source.as_bytes());
        page +=
            &format!("  {} bytes from {source}, seed {}, index {}\n", case.test.len(), case.seed, case.index);
    }
    page += &format!("\nwhat happened:\n{}\n", indented(&printable(finding.detail.as_bytes())));
    page += &format!("\nsmallest test:\n{}", indented(&printable(finding.best())));
    page
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

/// A folder that reproduces the finding without Polysmith.
fn export(finding: &Finding, folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder).map_err(FileError::when("create the folder", folder))?;
    write_file(&folder.join("test"), finding.best())?;
    if let Some(case) = finding.cases.first() {
        write_file(&folder.join("original"), &case.test)?;
    }
    let commands = finding.commands.iter().map(|command| {
        let command = command.replace("@TEST@", "\"$test\"");
        let shown = shell::quote(format!("$ {command}"));
        format!("printf '%s\\n' {}\n{command}\necho \"exit code $?\"\n", shown.to_string_lossy())
    });
    let script = format!(
        "#!/bin/sh\n# Runs the targets on the test; the test can be given as an argument.\n\
         test=${{1:-$(dirname \"$0\")/test}}\n{}",
        commands.collect::<String>()
    );
    let path = folder.join("repro.sh");
    write_file(&path, script.as_bytes())?;
    let is_set = fs::set_permissions(&path, fs::Permissions::from_mode(0o755));
    is_set.map_err(FileError::when("make executable", &path))?;
    write_file(&folder.join("report.md"), markdown(finding).as_bytes())?;
    Ok(())
}
