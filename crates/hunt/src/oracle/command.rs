//! The user's own oracle: a program that reads the executions as JSON.
//!
//! It gets one object on standard input: `{"v":1,"test":TEXT,"executions":[{"target":NAME,"how":TEXT,"accepted":BOOL,
//! "result":TEXT,"message":TEXT,"milliseconds":N}]}`, and the test as the file `input.EXT` in its working folder. Exit code 0
//! means that all is fine, 1 that there is a failure (the first line that it prints tells failures apart), 2 that the
//! test says nothing.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::sync::Mutex;

use polysmith_run::{Ended, Limits, Pool, Scratch, Start, Stdin};

use super::{Failure, Oracle, Trial, Verdict};
use crate::signature::Signature;

/// Asks a program of the user.
#[derive(Debug)]
pub struct CommandOracle {
    line: String,
    extension: String,
    scratch: Mutex<Scratch>,
    limits: Limits,
}

impl CommandOracle {
    /// The oracle that the shell command `line` is.
    ///
    /// # Errors
    /// When there is no place for temporary files.
    pub fn new(line: &str, extension: &str) -> io::Result<Self> {
        let scratch = Mutex::new(Scratch::new()?);
        Ok(Self {
            line: line.to_owned(),
            extension: extension.to_owned(),
            scratch,
            limits: Limits::default(),
        })
    }

    fn question(trial: &Trial<'_>) -> String {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let executions = trial.executions.iter().enumerate().map(|(n, execution)| {
            serde_json::json!({
                "target": trial.panel.target(n).name,
                "how": execution.summary(),
                "accepted": execution.is_accepted(),
                "result": text(&execution.result),
                "message": text(&execution.message),
                "milliseconds": u64::try_from(execution.time.as_millis()).unwrap_or(u64::MAX),
            })
        });
        let executions: Vec<serde_json::Value> = executions.collect();
        serde_json::json!({"v": 1, "test": text(trial.test), "executions": executions}).to_string()
    }
}

impl Oracle for CommandOracle {
    fn name(&self) -> &'static str {
        "command"
    }

    fn summary(&self) -> &'static str {
        "a program of yours that reads the executions as JSON"
    }

    fn judge(&self, trial: &mut Trial<'_>) -> io::Result<Verdict> {
        let broken = |what: String| io::Error::other(format!("the oracle `{}` {what}", self.line));
        let folder =
            self.scratch.lock().map_err(|_| broken("is not usable any more".to_owned()))?.folder()?;
        fs::write(folder.path().join(format!("input.{}", self.extension)), trial.test)?;
        let question = Self::question(trial);
        let arguments: [OsString; 2] = ["-c".into(), (&self.line).into()];
        let start = Start {
            program: OsStr::new("/bin/sh"),
            arguments: &arguments,
            folder: folder.path(),
            environment: &[("TMPDIR", folder.temporary().as_os_str())],
            stdin: Stdin::Bytes(question.as_bytes()),
            capture: true,
        };
        let outcome = Pool::new().run(&start, &self.limits)?;
        let said = String::from_utf8_lossy(&outcome.stdout).into_owned();
        match outcome.ended {
            Ended::Exited(0) => Ok(Verdict::Fine),
            Ended::Exited(2) => Ok(Verdict::Discarded("by the user's oracle")),
            Ended::Exited(1) => {
                let names: Vec<&str> =
                    (0..trial.panel.len()).map(|n| trial.panel.target(n).name.as_str()).collect();
                let first = said.lines().next().unwrap_or("no text");
                let signature = Signature::new("command", &names.join("+")).with_normalized("message", first);
                Ok(Verdict::Failed(Failure { signature, is_specific: true, detail: said }))
            }
            ended => Err(broken(format!("ended with {ended}; 0, 1 or 2 is expected"))),
        }
    }
}
