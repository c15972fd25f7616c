//! Tests that an engine generates from a description.

use std::io;

use polysmith_engine::{Engine, GenerateError, Test, Worker};
use polysmith_random::Draw;

use super::{NoTest, Source, SourceWorker};

/// A description with its engine.
pub struct EngineSource {
    name: String,
    engine: Box<dyn Engine>,
    seed: u64,
}

impl EngineSource {
    /// The tests of an engine for a seed.
    #[must_use]
    pub fn new(name: &str, engine: Box<dyn Engine>, seed: u64) -> Self {
        Self { name: name.to_owned(), engine, seed }
    }
}

impl Source for EngineSource {
    fn name(&self) -> &str {
        &self.name
    }

    fn worker(&self) -> io::Result<Box<dyn SourceWorker + '_>> {
        let chunk = self.engine.chunk().max(1);
        Ok(Box::new(EngineWorker {
            source: self,
            worker: self.engine.worker(),
            test: Test::default(),
            chunk,
            next: None,
        }))
    }
}

struct EngineWorker<'a> {
    source: &'a EngineSource,
    worker: Box<dyn Worker + 'a>,
    test: Test,
    /// Tests that depend on each other, from [`Engine::chunk`].
    chunk: u64,
    /// The index that can be made without repeating the tests before it in its chunk.
    next: Option<u64>,
}

impl EngineWorker<'_> {
    fn make_one(&mut self, index: u64) -> Result<(), GenerateError> {
        if index.is_multiple_of(self.chunk) {
            self.worker.begin_chunk();
        }
        self.next = Some(index + 1);
        self.test.text.clear();
        self.test.measures.clear();
        self.test.complaints.clear();
        self.worker.make(Draw::new(self.source.seed, index), &mut self.test)
    }
}

impl SourceWorker for EngineWorker<'_> {
    fn make(&mut self, index: u64, test: &mut Vec<u8>) -> Result<(), NoTest> {
        let first = if self.next == Some(index) { index } else { index - index % self.chunk };
        for earlier in first..index {
            // A failure of an earlier test of the chunk is reported when that test is wanted.
            let _ = self.make_one(earlier);
        }
        match self.make_one(index) {
            Ok(()) => {
                test.extend_from_slice(&self.test.text);
                Ok(())
            }
            Err(GenerateError::Done) => Err(NoTest::Exhausted),
            Err(GenerateError::Never(why)) => Err(NoTest::Broken(why)),
            Err(trouble) => Err(NoTest::Skipped(trouble.message().to_owned())),
        }
    }

    fn name_of(&self, _: u64) -> String {
        self.source.name.clone()
    }
}
