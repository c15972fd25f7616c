//! Several sources with weights.

use std::io;

use polysmith_random::{Stream, Weights};

use super::{NoTest, Source, SourceWorker};

/// Draws a source for each index, as often as its weight says.
pub struct Mix {
    sources: Vec<Box<dyn Source>>,
    weights: Weights,
    seed: u64,
}

impl Mix {
    /// A mix of sources; weights are positive.
    #[must_use]
    pub fn new(sources: Vec<(f64, Box<dyn Source>)>, seed: u64) -> Self {
        let (weights, sources): (Vec<f64>, Vec<_>) = sources.into_iter().unzip();
        Self { sources, weights: Weights::from_floats(&weights), seed }
    }

    fn choose(&self, index: u64) -> usize {
        self.weights.choose(&mut Stream::keyed(&[self.seed, index, MIX])).unwrap_or_default()
    }
}

impl Source for Mix {
    fn name(&self) -> &str {
        match self.sources.as_slice() {
            [only] => only.name(),
            _ => "mix",
        }
    }

    fn worker(&self) -> io::Result<Box<dyn SourceWorker + '_>> {
        let workers = self.sources.iter().map(|source| source.worker());
        Ok(Box::new(MixWorker { mix: self, workers: workers.collect::<io::Result<_>>()? }))
    }
}

struct MixWorker<'a> {
    mix: &'a Mix,
    workers: Vec<Box<dyn SourceWorker + 'a>>,
}

impl SourceWorker for MixWorker<'_> {
    fn make(&mut self, index: u64, test: &mut Vec<u8>) -> Result<(), NoTest> {
        let made = self.workers[self.mix.choose(index)].make(index, test);
        match made {
            // The other sources of the mix may go on.
            Err(NoTest::Exhausted) if self.workers.len() > 1 => {
                Err(NoTest::Skipped("no more tests".to_owned()))
            }
            made => made,
        }
    }

    fn name_of(&self, index: u64) -> String {
        self.workers[self.mix.choose(index)].name_of(index)
    }
}

/// Sets the choice of a source apart from other draws with the same seed and index.
const MIX: u64 = 0x006d_6978;
