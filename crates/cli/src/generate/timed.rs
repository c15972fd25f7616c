//! An engine whose tests also tell how long they took, for `--stats`.

use polysmith_engine::{Draw, Engine, GenerateError, Test, Worker};
use polysmith_grammar::Grammar;
use std::time::Instant;

/// The engine itself, with one measure more.
pub(crate) struct Timed<'a> {
    engine: &'a dyn Engine,
    measures: Vec<&'static str>,
}

impl<'a> Timed<'a> {
    pub(crate) fn new(engine: &'a dyn Engine) -> Timed<'a> {
        let measures = engine.measures().iter().copied().chain(["microseconds"]).collect();
        Timed { engine, measures }
    }
}

impl Engine for Timed<'_> {
    fn grammar(&self) -> &Grammar {
        self.engine.grammar()
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Hands { worker: self.engine.worker() })
    }

    fn chunk(&self) -> u64 {
        self.engine.chunk()
    }

    fn measures(&self) -> &[&'static str] {
        &self.measures
    }

    fn n_kinds(&self) -> usize {
        self.engine.n_kinds()
    }
}

struct Hands<'a> {
    worker: Box<dyn Worker + 'a>,
}

impl Worker for Hands<'_> {
    fn begin_chunk(&mut self) {
        self.worker.begin_chunk();
    }

    fn make(&mut self, draw: Draw, test: &mut Test) -> Result<(), GenerateError> {
        let begin = Instant::now();
        self.worker.make(draw, test)?;
        test.measures.push(u64::try_from(begin.elapsed().as_micros()).unwrap_or(u64::MAX));
        Ok(())
    }
}
