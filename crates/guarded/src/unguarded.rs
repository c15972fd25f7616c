//! The engine that ignores guards: its programs are syntactically right and nothing more.
//!
//! Attributes are evaluated as far as possible, because print commands and generators read them; guards are ignored. A
//! generator whose list is empty prints `<Class>`.

use crate::pools::Pools;
use crate::skeleton::{Limits, Skeletons};
use polysmith_attributes::{Chooser, Evaluator, INFINITE, Machine, Selection, Spec, Value, print};
use polysmith_engine::{Engine, GenerateError, Test, Worker};
use polysmith_grammar::Grammar;
use polysmith_random::{Draw, Purpose, Stream};

/// Generates programs without regard to guards.
#[derive(Debug)]
pub struct Unguarded {
    spec: Spec,
    selection: Selection,
    limits: Limits,
}

impl Unguarded {
    /// Creates an engine for a specification and the productions that may be used.
    pub fn new(spec: Spec, selection: Selection, limits: Limits) -> Unguarded {
        Unguarded { spec, selection, limits }
    }
}

impl Engine for Unguarded {
    fn grammar(&self) -> &Grammar {
        &self.spec.grammar
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        let skeletons = Skeletons::new(&self.spec, self.selection.clone(), self.limits);
        Box::new(UnguardedWorker { skeletons, pools: Pools::default(), machine: Machine::default() })
    }
}

struct UnguardedWorker<'a> {
    skeletons: Skeletons<'a>,
    pools: Pools,
    machine: Machine,
}

impl Worker for UnguardedWorker<'_> {
    fn make(&mut self, draw: Draw, test: &mut Test) -> Result<(), GenerateError> {
        let spec = self.skeletons.spec;
        if self.skeletons.heights.classes[spec.start().index()] == INFINITE {
            let name = &spec.class(spec.start()).name;
            return Err(GenerateError::Never(format!(
                "class `{name}` has no finite program with these productions"
            )));
        }
        self.pools.start(spec, draw);
        let (mut structure, mut texts) = (draw.stream(Purpose::Structure), draw.stream(Purpose::Text));
        let built = self.skeletons.build(&mut structure, &mut texts, &mut self.pools);
        let mut derivation = built
            .ok_or_else(|| GenerateError::Never("a class has no production that can be used".to_owned()))?;
        let mut random = Random(draw.stream(Purpose::Values));
        let evaluation = Evaluator::new(spec, &mut derivation).run(&mut self.machine, &mut random);
        test.tree = print(spec, &derivation, &evaluation, &mut self.machine).tree;
        test.text = test.tree.to_bytes();
        Ok(())
    }
}

/// Chooses any value of a list.
struct Random(Stream);

impl Chooser for Random {
    fn choose(&mut self, _node: usize, values: &[Value]) -> Option<usize> {
        (!values.is_empty()).then(|| self.0.index(values.len()))
    }
}
