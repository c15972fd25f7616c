//! Tests that a program of the user writes: any external generator.

use std::ffi::{OsStr, OsString};
use std::io;

use polysmith_random::Stream;
use polysmith_run::{Ended, Limits, Pool, Scratch, Start, Stdin};

use super::{NoTest, Source, SourceWorker};

/// A shell command that prints one test. `{seed}` in it is a number that follows from seed and index.
pub struct CommandSource {
    line: String,
    seed: u64,
}

impl CommandSource {
    /// The tests of a shell command for a seed.
    #[must_use]
    pub fn new(line: &str, seed: u64) -> Self {
        Self { line: line.to_owned(), seed }
    }
}

impl Source for CommandSource {
    fn name(&self) -> &str {
        &self.line
    }

    fn worker(&self) -> io::Result<Box<dyn SourceWorker + '_>> {
        Ok(Box::new(CommandWorker { source: self, scratch: Scratch::new()?, pool: Pool::new() }))
    }
}

struct CommandWorker<'a> {
    source: &'a CommandSource,
    scratch: Scratch,
    pool: Pool,
}

impl SourceWorker for CommandWorker<'_> {
    fn make(&mut self, index: u64, test: &mut Vec<u8>) -> Result<(), NoTest> {
        let broken = |error: io::Error| NoTest::Broken(format!("cannot run `{}`: {error}", self.source.line));
        let folder = self.scratch.folder().map_err(broken)?;
        // Generators often take 32 bits.
        let seed = Stream::keyed(&[self.source.seed, index]).next_u64() >> 32;
        let line =
            self.source.line.replace("{seed}", &seed.to_string()).replace("{index}", &index.to_string());
        let arguments: [OsString; 2] = ["-c".into(), line.into()];
        let start = Start {
            program: OsStr::new("/bin/sh"),
            arguments: &arguments,
            folder: folder.path(),
            environment: &[("TMPDIR", folder.temporary().as_os_str())],
            stdin: Stdin::Empty,
            capture: true,
        };
        let outcome = self.pool.run(&start, &Limits::default()).map_err(broken)?;
        match outcome.ended {
            Ended::Exited(0) => {
                *test = outcome.stdout;
                Ok(())
            }
            ended => Err(NoTest::Skipped(format!("`{}` ended with {ended}", self.source.line))),
        }
    }

    fn name_of(&self, _: u64) -> String {
        self.source.line.clone()
    }
}
