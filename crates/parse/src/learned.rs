//! What a parser learns from inputs: automata, answers, memory for the next parse.
//!
//! Nothing here changes an answer, so all of it may be dropped at any time.

use crate::coarse::CoarsePredictor;
use crate::compiled::Compiled;
use crate::fast::{Ascents, FastRows};
use crate::lexer::automaton::Automaton;
use crate::predict::Predictor;
use crate::spare::Spare;

/// The learned state of one parser.
#[derive(Debug, Clone)]
pub(crate) struct Learned {
    pub(crate) predictor: Predictor,
    pub(crate) coarse: CoarsePredictor,
    pub(crate) automaton: Automaton,
    /// By program position and token type: the answer, where it depends on nothing else.
    pub(crate) fast: FastRows,
    pub(crate) ascents: Ascents,
    /// Memory for the next parse.
    pub(crate) spare: Spare,
}

impl Learned {
    /// Nothing is learned yet.
    pub(crate) fn new(compiled: &Compiled) -> Learned {
        let (network, program) = (&compiled.network, &compiled.program);
        Learned {
            predictor: Predictor::new(network, compiled.facts.clone(), compiled.truth.clone()),
            coarse: CoarsePredictor::new(network),
            automaton: Automaton::new(&compiled.lexer),
            fast: FastRows::new(program.n_rows as usize, network.n_types + 1),
            ascents: Ascents::new(program.calls.len(), network.n_types + 1),
            spare: Spare::default(),
        }
    }

    /// Drops everything. Only the count of prediction's steps goes on.
    pub(crate) fn forget(&mut self, compiled: &Compiled) {
        let steps = self.predictor.steps();
        *self = Learned::new(compiled);
        self.predictor.set_steps(steps);
    }

    /// Drops what prediction has learned if that takes more memory than allowed; returns whether it did.
    #[inline]
    pub(crate) fn forget_beyond(&mut self, max_memory: usize, compiled: &Compiled) -> bool {
        let too_much = self.predictor.has_grown()
            && self.predictor.memory() + self.fast.memory() + self.ascents.memory() > max_memory;
        if too_much {
            self.predictor.forget(&compiled.network);
            self.fast.forget();
            self.ascents.forget();
        }
        too_much
    }

    /// Bytes used, roughly.
    pub(crate) fn memory(&self) -> usize {
        let Learned { predictor, coarse, automaton, fast, ascents, spare } = self;
        predictor.memory()
            + coarse.memory()
            + automaton.memory()
            + fast.memory()
            + ascents.memory()
            + spare.memory()
    }
}
