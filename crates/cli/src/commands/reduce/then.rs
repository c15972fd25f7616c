//! `--then COMMAND`: the result is handed to another reducer, and a smaller answer is taken back.
//!
//! The command runs in a fresh folder with the reduced files under their own names and a script beside them that
//! asks our test about the files in the folder that it runs in, as creduce, cvise and others want it. `{test}` is the
//! path of the script and `{}` the name of the first file; both are added at the end if neither is named. What the
//! other reducer leaves is taken only if it is smaller and the test says yes to it.

use super::files::Files;
use super::{Args, Asker, Text};
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::talk::Talk;
use anyhow::Context as _;
use polysmith_asker::Test;
use polysmith_reduce::{Answer, Candidate, Question, Reduction};
use polysmith_run::files::write_file;
use polysmith_run::{FileError, Pool, adopt_orphans, shell};
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// `--ask`: whether the test says yes to the files as they are.
pub(super) fn ask(args: &Args, test: Test, files: &Files) -> anyhow::Result<Exit> {
    let interrupt = Interrupt::listen()?;
    adopt_orphans().context("cannot watch over the processes of the test")?;
    let setup = super::make_setup(args, test, files, &interrupt)?;
    let mut asker = Asker::new(setup, Pool::new())?;
    let text = Text::new(files.originals())?;
    Ok(Exit::from_answer(says_yes(&mut asker, text)?))
}

fn says_yes(asker: &mut Asker, text: Text) -> anyhow::Result<bool> {
    let broken = |stop| anyhow::anyhow!("the test could not be asked: {stop:?}");
    asker.submit(0, &Candidate::unchanged(Arc::new(text))).map_err(broken)?;
    Ok(asker.wait().map_err(broken)?.1 == Answer::Yes)
}

/// Hands a reduction on.
pub(super) fn hand_on(
    command: &str,
    args: &Args,
    files: &Files,
    asker: &mut Asker,
    reduction: &mut Reduction,
    talk: Talk,
) -> anyhow::Result<()> {
    let folder = asker.scratch().join("then");
    fs::create_dir_all(&folder).map_err(FileError::when("create the folder", &folder))?;
    let path = folder.join("polysmith-test.sh");
    write_file(&path, script(args, files)?.as_encoded_bytes())?;
    let is_set = fs::set_permissions(&path, fs::Permissions::from_mode(0o755));
    is_set.map_err(FileError::when("make executable", &path))?;
    for (part, name) in reduction.text.parts().iter().zip(files.names()).filter(|(part, _)| part.present) {
        write_file(&folder.join(name), reduction.text.slice(&part.range))?;
    }
    let line = command_line(command, &path, &files.names()[0]);
    talk.detail(format_args!("handing the result on: {line}"));
    let status = Command::new("sh")
        .arg("-c")
        .arg(&line)
        .current_dir(&folder)
        .stdin(std::process::Stdio::null())
        .status();
    let status = status.with_context(|| format!("cannot run `{line}`"))?;
    if !status.success() {
        talk.warning(format_args!("`{line}` ended with {status}; what it left is looked at all the same"));
    }
    let read = |name: &PathBuf| fs::read(folder.join(name)).ok();
    let left: Vec<Option<Vec<u8>>> = files.names().iter().map(read).collect();
    fs::remove_dir_all(&folder).map_err(FileError::when("remove the folder", &folder))?;
    let text = Text::of_files(&left)?;
    let (now, before) = (text.size(), reduction.text.size());
    if now >= before {
        talk.say(format_args!("`--then` left {} tokens, {} bytes: not smaller", now.tokens, now.bytes));
    } else if says_yes(asker, text.clone())? {
        talk.say(format_args!(
            "`--then`: {} -> {} tokens, {} -> {} bytes",
            before.tokens, now.tokens, before.bytes, now.bytes
        ));
        reduction.text = Arc::new(text);
    } else {
        talk.warning("the test does not say yes to what `--then` left; it is not used");
    }
    Ok(())
}

fn command_line(command: &str, script: &Path, file: &Path) -> String {
    let (script, file) = (shell::quote(script), shell::quote(file));
    let (script, file) = (script.to_string_lossy(), file.to_string_lossy());
    if command.contains("{}") || command.contains("{test}") {
        command.replace("{test}", &script).replace("{}", &file)
    } else {
        format!("{command} {script} {file}")
    }
}

/// A script that asks the same question about the files in the folder that it runs in.
fn script(args: &Args, files: &Files) -> anyhow::Result<OsString> {
    let here = std::env::current_dir().context("cannot find out the working folder")?;
    let program = std::env::current_exe().context("cannot find out where polysmith is")?;
    let mut words: Vec<OsString> = vec![program.into(), "reduce".into()];
    words.extend(["-q", "--language", "none", "-j", "1"].map(OsString::from));
    words.extend(args.question.to_arguments(&here));
    // A script is named by its path; anything else is a command line as it is.
    let test = here.join(args.test());
    words.extend(["--".into(), if test.is_file() { test.into() } else { args.test().into() }]);
    words.extend(files.names().iter().map(OsString::from));
    let mut text = OsString::from("#!/bin/sh\nexec ");
    text.push(shell::join(&words));
    text.push("\n");
    Ok(text)
}
