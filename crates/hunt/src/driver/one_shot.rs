//! A process for each test.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::time::Duration;

use polysmith_run::{Limits, Pool, Scratch, Start, Stdin};

use super::Driver;
use crate::execution::Execution;
use crate::target::{Feed, Target};

/// Processor time of a process as a multiple of its wall time limit: what two busy threads use.
const THREADS: u32 = 2;

/// Starts the command of the target for each test, in a folder that is empty but for the test.
pub(super) struct OneShot {
    target: Target,
    scratch: Scratch,
    pool: Pool,
}

impl OneShot {
    pub(super) fn new(target: &Target) -> io::Result<Self> {
        Ok(Self { target: target.clone(), scratch: Scratch::new()?, pool: Pool::new() })
    }
}

impl Driver for OneShot {
    fn run(&mut self, test: &[u8]) -> io::Result<Execution> {
        self.run_alone(test, self.target.limits.time)
    }

    fn run_alone(&mut self, test: &[u8], time: Duration) -> io::Result<Execution> {
        let folder = self.scratch.folder()?;
        let path = folder.path().join(self.target.file_name());
        let stdin = match self.target.feed {
            Feed::File => {
                fs::write(&path, test)?;
                Stdin::Empty
            }
            _ => Stdin::Bytes(test),
        };
        let arguments = self.target.arguments(&path);
        let program = self.target.command.first().map_or(OsStr::new(""), |program| program.as_os_str());
        let mut environment: Vec<(&str, &OsStr)> = vec![("TMPDIR", folder.temporary().as_os_str())];
        environment
            .extend(self.target.environment.iter().map(|(name, value)| (name.as_str(), OsStr::new(value))));
        let start = Start {
            program,
            arguments: &arguments,
            folder: folder.path(),
            environment: &environment,
            stdin,
            capture: true,
        };
        let processor = Some(time.saturating_mul(THREADS));
        let limits = Limits { time, processor, ..self.target.limits.clone() };
        let outcome = self.pool.run(&start, &limits).map_err(|error| cannot_start(program, &error))?;
        Ok(Execution::of_process(outcome, limits.output))
    }
}

pub(super) fn cannot_start(program: &OsStr, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot run `{}`: {error}", program.to_string_lossy()))
}
