//! Evaluates equations, guards and lists of values, and converts their failures to conflicts.

use crate::answer::{Blame, BlamedPart};
use crate::arena::NodeId;
use crate::patterns::{Conflict, bit};
use crate::rule_failure::RuleFailure;
use crate::solve::Solver;
use crate::tables::{Ref, Rule};
use polysmith_attributes::{ExternalId, Failure, Node as ValueNode, ProductionId, Value};

impl Solver<'_> {
    /// Evaluates a rule of a node. Sets a bit in `read` for each source that was read.
    fn run(&mut self, node: NodeId, rule: &Rule, read: &mut u64) -> Result<Value, Box<Failure>> {
        let (arena, sources) = (&self.arena, self.tables.sources_of(rule));
        // A profile counts the steps of the machine.
        if let (Some(simple), None) = (&rule.simple, &self.tally) {
            return Ok(simple.value(|id| {
                *read |= bit(id.0);
                &arena.values[arena.slot(node, sources[id.0 as usize])]
            }));
        }
        let value = |at: usize| {
            let source = sources[at];
            if source.attribute == Ref::NODE {
                let key = arena.keys[arena.owner(node, source.owner) as usize];
                return Value::Node(ValueNode::new(0, key));
            }
            arena.values[arena.slot(node, source)].clone()
        };
        match rule.code {
            None => {
                *read = 1;
                Ok(value(0))
            }
            Some(code) => {
                let mut externals = |id: ExternalId| {
                    *read |= bit(id.0);
                    value(id.0 as usize)
                };
                self.engine.spec.program.eval(code, &mut self.machine, &mut externals)
            }
        }
    }

    /// Evaluates an equation.
    pub(crate) fn compute(&mut self, node: NodeId, equation: u32) -> Result<(), Conflict> {
        let tables = self.tables;
        let production = self.arena.node(node).production;
        let rule = &tables.productions[production as usize].equations[equation as usize];
        self.counters.equations += 1;
        let mut read = 0;
        let result = self.run(node, rule, &mut read);
        if let (Some(tally), Some(_)) = (&mut self.tally, rule.code) {
            tally.ran(production, self.machine.steps_taken());
        }
        match result {
            Ok(value) => {
                let slot = self.arena.slot(node, rule.target);
                self.arena.values[slot] = value;
                Ok(())
            }
            Err(failure) => {
                let blame =
                    Blame { production: ProductionId(production), what: BlamedPart::Equation(equation) };
                self.note(blame, &failure);
                Err(self.conflict_of(node, rule, read, blame))
            }
        }
    }

    /// Tests a guard of the innermost call's root.
    pub(crate) fn test(&mut self, node: NodeId, guard: u32) -> Result<(), Conflict> {
        let tables = self.tables;
        let production = self.arena.node(node).production;
        let mut read = 0;
        if self.is_true(node, production, guard, &mut read) {
            return Ok(());
        }
        let rule = &tables.productions[production as usize].guards[guard as usize];
        let blame = Blame { production: ProductionId(production), what: BlamedPart::Guard(guard) };
        Err(self.conflict_of(node, rule, read, blame))
    }

    fn conflict_of(&mut self, node: NodeId, rule: &Rule, read: u64, blame: Blame) -> Conflict {
        let mut conflict = Conflict::new(blame);
        conflict.tests.push(node);
        self.blame_sources(node, rule, read, &mut conflict);
        conflict
    }

    /// Whether a guard is true. One that fails at run time is not, and the failure is recorded.
    pub(crate) fn is_true(&mut self, node: NodeId, production: u32, guard: u32, read: &mut u64) -> bool {
        let tables = self.tables;
        let rule = &tables.productions[production as usize].guards[guard as usize];
        self.counters.tests += 1;
        let held = match self.run(node, rule, read) {
            Ok(value) => value.as_bool() == Some(true),
            Err(failure) => {
                let blame = Blame { production: ProductionId(production), what: BlamedPart::Guard(guard) };
                self.note(blame, &failure);
                false
            }
        };
        if let Some(tally) = &mut self.tally {
            tally.ran(production, self.machine.steps_taken());
            tally.tested(production, guard, held);
        }
        held
    }

    /// The list of a generator, cached or computed.
    pub(crate) fn generated(&mut self, node: NodeId, production: u32, read: &mut u64) -> Option<Value> {
        let tables = self.tables;
        let rule = tables.productions[production as usize].generator.as_ref()?;
        let sources = tables.sources_of(rule);
        let is_pure = sources.iter().all(|source| source.attribute != Ref::NODE);
        let arena = &self.arena;
        let inputs = sources.iter().map(|source| &arena.values[arena.slot(node, *source)]);
        if is_pure && let Some((list, known)) = self.lists.find(production, inputs) {
            *read = known;
            return Some(list);
        }
        self.counters.equations += 1;
        let list = match self.run(node, rule, read) {
            Ok(value) => value,
            Err(failure) => {
                self.note(Blame { production: ProductionId(production), what: BlamedPart::List }, &failure);
                return None;
            }
        };
        if let Some(tally) = &mut self.tally {
            tally.ran(production, self.machine.steps_taken());
            if list.as_list().is_none_or(<[Value]>::is_empty) {
                tally.empty(production);
            }
        }
        if is_pure {
            let arena = &self.arena;
            let inputs = sources.iter().map(|source| arena.values[arena.slot(node, *source)].clone());
            self.lists.keep(production, inputs.collect(), list.clone(), *read);
        }
        Some(list)
    }

    fn note(&mut self, blame: Blame, failure: &Failure) {
        self.rule_failures.note(RuleFailure { blame, message: failure.to_string(), span: failure.span });
    }
}
