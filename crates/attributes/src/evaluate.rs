//! Evaluates every attribute and guard of a program from scratch.
//!
//! A demand-driven evaluator: an attribute is computed when it is first needed, after the attributes that its equation
//! reads; an explicit stack replaces recursion. It relies only on the tables, not on visit sequences or plans, and is
//! the reference that the search engine is tested against. Each attribute is computed once.
//!
//! If a rule fails at run time (the head of an empty list), its attribute has no value, and neither have those that
//! depend on it. The failure is reported once, at the rule that failed.

use crate::derivation::{Derivation, Leaf};
use crate::print::print_value;
use crate::spec::{Call, CodeId, Compute, Occurrence, ProductionId, Program, Slot, Source, Spec};
use polysmith_value::syntax::ExternalId;
use polysmith_value::{Failure, Limits, Machine, Node, Value};

/// Chooses values for generator nodes that have none yet.
pub trait Chooser {
    /// Returns the index of the chosen value; `None` to choose nothing.
    fn choose(&mut self, node: usize, values: &[Value]) -> Option<usize>;
}

/// For complete programs: chooses nothing.
impl Chooser for () {
    fn choose(&mut self, _node: usize, _values: &[Value]) -> Option<usize> {
        None
    }
}

/// The values of all attributes, and the violations.
#[derive(Debug, Clone)]
pub struct Evaluation {
    bases: Vec<u32>,
    values: Vec<Option<Value>>,
    /// Guards that are not true and rules that failed, in the order of nodes; at one node, failed rules come first.
    pub violations: Vec<Violation>,
}

impl Evaluation {
    /// Creates an evaluation from the values that an engine computed. `bases` has the index of each node's first value.
    pub fn new(bases: Vec<u32>, values: Vec<Option<Value>>) -> Evaluation {
        Evaluation { bases, values, violations: Vec::new() }
    }

    /// The value of an attribute of a node; `None` if a failure prevented its computation.
    pub fn value(&self, node: usize, attribute: u32) -> Option<&Value> {
        self.values[self.bases[node] as usize + attribute as usize].as_ref()
    }

    /// Whether every guard is true and no rule failed.
    pub fn is_valid(&self) -> bool {
        self.violations.is_empty()
    }
}

/// A reason why a program is invalid.
#[derive(Debug, Clone)]
pub struct Violation {
    /// The node.
    pub node: usize,
    /// Its production.
    pub production: ProductionId,
    /// What is wrong.
    pub kind: ViolationKind,
}

/// What can be wrong at a node.
#[derive(Debug, Clone)]
pub enum ViolationKind {
    /// The guard with this number is false.
    Guard(u32),
    /// The guard with this number failed at run time.
    GuardFailed(u32, Box<Failure>),
    /// The guard with this number reads an attribute that has no value.
    GuardUnknown(u32),
    /// The equation with this number failed at run time.
    EquationFailed(u32, Box<Failure>),
    /// The list of a generator failed at run time.
    ListFailed(Box<Failure>),
    /// The value of a generator is not in its list. The text is the printed value.
    NotInList(String),
    /// Attributes depend on each other. The static checks exclude this.
    Circular,
}

impl Violation {
    /// Formats the violation as a clause without a final period.
    pub fn message(&self, spec: &Spec) -> String {
        let production = spec.production(self.production);
        let guard = |at: u32| match &production.guards[at as usize].name {
            Some(name) => format!("the guard `{name}`"),
            None => "a requirement".to_owned(),
        };
        let place = spec.production_name(self.production);
        match &self.kind {
            ViolationKind::Guard(at) => format!("{} of `{place}` is not satisfied", guard(*at)),
            ViolationKind::GuardFailed(at, failure) => {
                format!("{} of `{place}` failed: {failure}", guard(*at))
            }
            ViolationKind::GuardUnknown(at) => {
                format!(
                    "{} of `{place}` cannot be tested: it reads a value that could not be computed",
                    guard(*at)
                )
            }
            ViolationKind::EquationFailed(_, failure) => format!("a rule of `{place}` failed: {failure}"),
            ViolationKind::ListFailed(failure) => {
                format!("the list of values of `{place}` failed: {failure}")
            }
            ViolationKind::NotInList(shown) => format!("`{shown}` is not among the values of `{place}`"),
            ViolationKind::Circular => format!("attributes of `{place}` depend on each other"),
        }
    }

    /// The location of the rule or guard.
    pub fn span(&self, spec: &Spec) -> polysmith_source::Span {
        let production = spec.production(self.production);
        match &self.kind {
            ViolationKind::Guard(at)
            | ViolationKind::GuardFailed(at, _)
            | ViolationKind::GuardUnknown(at) => production.guards[*at as usize].call.span,
            ViolationKind::EquationFailed(at, _) => production.equations[*at as usize].span,
            _ => production.generator.as_ref().map_or(production.span, |call| call.span),
        }
    }
}

/// Evaluates every attribute and guard of a program.
pub fn evaluate(spec: &Spec, derivation: &Derivation) -> Evaluation {
    let mut derivation = derivation.clone();
    Evaluator::new(spec, &mut derivation).run(&mut Machine::new(Limits::default()), &mut ())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Unknown,
    Busy,
    Known,
    Failed,
}

/// Evaluates attributes on demand. A [`Chooser`] supplies the values of generator nodes that have none.
#[derive(Debug)]
pub struct Evaluator<'a> {
    spec: &'a Spec,
    derivation: &'a mut Derivation,
    parents: Vec<(u32, u32)>,
    first_child: Vec<u32>,
    children: Vec<u32>,
    bases: Vec<u32>,
    values: Vec<Option<Value>>,
    states: Vec<State>,
    violations: Vec<Violation>,
    /// Computed when a rule first reads a node's random source.
    keys: std::cell::OnceCell<Vec<u64>>,
}

impl<'a> Evaluator<'a> {
    /// Creates an evaluator that has computed nothing yet.
    pub fn new(spec: &'a Spec, derivation: &'a mut Derivation) -> Evaluator<'a> {
        let n = derivation.nodes.len();
        let mut parents = vec![(u32::MAX, 0); n];
        let mut first_child = Vec::with_capacity(n + 1);
        let mut children = Vec::with_capacity(n);
        let mut bases = Vec::with_capacity(n + 1);
        let mut n_slots = 0;
        for node in 0..n {
            first_child.push(children.len() as u32);
            for (at, child) in derivation.children(node).enumerate() {
                parents[child] = (node as u32, at as u32);
                children.push(child as u32);
            }
            bases.push(n_slots);
            let production = spec.production(derivation.nodes[node].production);
            n_slots += spec.class(production.class).attributes.len() as u32;
        }
        let (values, states) = (vec![None; n_slots as usize], vec![State::Unknown; n_slots as usize]);
        Evaluator {
            spec,
            derivation,
            parents,
            first_child,
            children,
            bases,
            values,
            states,
            violations: Vec::new(),
            keys: std::cell::OnceCell::new(),
        }
    }

    /// Computes everything.
    pub fn run(mut self, machine: &mut Machine, chooser: &mut dyn Chooser) -> Evaluation {
        for node in 0..self.derivation.nodes.len() {
            let production = self.production(node);
            for attribute in 0..self.spec.class(production.class).attributes.len() as u32 {
                self.force(node, attribute, machine, chooser);
            }
        }
        for node in 0..self.derivation.nodes.len() {
            let production = self.production(node);
            for (at, guard) in production.guards.iter().enumerate() {
                let kind = match self.arguments(node, &guard.call.sources) {
                    None => ViolationKind::GuardUnknown(at as u32),
                    Some(args) => match self.call(guard.call.code, &args, machine) {
                        Ok(Value::Bool(true)) => continue,
                        Ok(_) => ViolationKind::Guard(at as u32),
                        Err(failure) => ViolationKind::GuardFailed(at as u32, failure),
                    },
                };
                self.fail(node, kind);
            }
        }
        self.violations.sort_by_key(|violation| violation.node);
        Evaluation { bases: self.bases, values: self.values, violations: self.violations }
    }

    fn production(&self, node: usize) -> &'a crate::spec::Production {
        self.spec.production(self.derivation.nodes[node].production)
    }

    fn slot(&self, node: usize, slot: Slot) -> usize {
        let owner = match slot.node {
            Occurrence::This => node,
            Occurrence::Child(child) => self.child(node, child),
        };
        (self.bases[owner] + slot.attribute) as usize
    }

    fn child(&self, node: usize, child: u32) -> usize {
        self.children[(self.first_child[node] + child) as usize] as usize
    }

    fn fail(&mut self, node: usize, kind: ViolationKind) {
        let production = self.derivation.nodes[node].production;
        self.violations.push(Violation { node, production, kind });
    }

    /// Computes one attribute, after everything that it needs.
    fn force(&mut self, node: usize, attribute: u32, machine: &mut Machine, chooser: &mut dyn Chooser) {
        let mut stack = vec![(node, attribute)];
        while let Some((node, attribute)) = stack.last().copied() {
            let at = (self.bases[node] + attribute) as usize;
            if matches!(self.states[at], State::Known | State::Failed) {
                stack.pop();
                continue;
            }
            let (owner, work) = self.work(node, attribute);
            let Some(sources) = self.sources(owner, &work) else {
                self.settle(at, None);
                continue;
            };
            let mut waits = false;
            for source in sources {
                let Source::Slot(slot) = source else { continue };
                let needed = self.slot(owner, slot);
                match self.states[needed] {
                    State::Unknown => {
                        let node = match slot.node {
                            Occurrence::This => owner,
                            Occurrence::Child(child) => self.child(owner, child),
                        };
                        stack.push((node, slot.attribute));
                        waits = true;
                    }
                    // It was waiting for others when it was last visited, and still is: a cycle.
                    State::Busy if !stack_top(&stack, needed, &self.bases) => {
                        self.fail(owner, ViolationKind::Circular);
                        self.settle(needed, None);
                    }
                    _ => {}
                }
            }
            if waits {
                self.states[at] = State::Busy;
                continue;
            }
            let value = self.compute(node, owner, &work, machine, chooser);
            self.settle(at, value);
        }
    }

    fn settle(&mut self, at: usize, value: Option<Value>) {
        self.states[at] = if value.is_some() { State::Known } else { State::Failed };
        self.values[at] = value;
    }

    /// The node whose production computes an attribute, and how.
    fn work(&self, node: usize, attribute: u32) -> (usize, Work) {
        let class = self.spec.class(self.production(node).class);
        if class.attributes[attribute as usize].intrinsic {
            return (node, Work::Intrinsic);
        }
        let (owner, target) = if (attribute as usize) < class.n_inherited {
            let (parent, child) = self.parents[node];
            if parent == u32::MAX {
                return (node, Work::Nothing);
            }
            (parent as usize, Slot { node: Occurrence::Child(child), attribute })
        } else {
            (node, Slot { node: Occurrence::This, attribute })
        };
        let equations = &self.production(owner).equations;
        match equations.iter().position(|equation| equation.target == target) {
            Some(at) => (owner, Work::Equation(at as u32)),
            None => (owner, Work::Nothing),
        }
    }

    fn sources(&self, owner: usize, work: &Work) -> Option<Vec<Source>> {
        let production = self.production(owner);
        match work {
            Work::Equation(at) => Some(production.equations[*at as usize].sources.clone()),
            Work::Intrinsic => {
                Some(production.generator.as_ref().map_or(Vec::new(), |call| call.sources.clone()))
            }
            Work::Nothing => None,
        }
    }

    fn compute(
        &mut self,
        node: usize,
        owner: usize,
        work: &Work,
        machine: &mut Machine,
        chooser: &mut dyn Chooser,
    ) -> Option<Value> {
        match work {
            Work::Nothing => None,
            Work::Equation(at) => {
                let equation = &self.production(owner).equations[*at as usize];
                let mut args = self.arguments(owner, &equation.sources)?;
                match equation.compute {
                    Compute::Copy => args.pop(),
                    Compute::Code(code) => match self.call(code, &args, machine) {
                        Ok(value) => Some(value),
                        Err(failure) => {
                            self.fail(owner, ViolationKind::EquationFailed(*at, failure));
                            None
                        }
                    },
                }
            }
            Work::Intrinsic => match &self.derivation.nodes[node].leaf {
                Leaf::Text(text) => Some(text.clone()),
                _ => {
                    let production = self.production(node);
                    let call = production.generator.as_ref()?;
                    let list = self.list(node, call, machine)?;
                    self.generated(node, &list, machine, chooser)
                }
            },
        }
    }

    fn list(&mut self, node: usize, call: &Call, machine: &mut Machine) -> Option<Vec<Value>> {
        let args = self.arguments(node, &call.sources)?;
        match self.call(call.code, &args, machine) {
            Ok(Value::List(list)) => Some(list.as_slice().to_vec()),
            Ok(_) => Some(Vec::new()),
            Err(failure) => {
                self.fail(node, ViolationKind::ListFailed(failure));
                None
            }
        }
    }

    /// The value of a generator node. It must be in the list.
    fn generated(
        &mut self,
        node: usize,
        list: &[Value],
        machine: &mut Machine,
        chooser: &mut dyn Chooser,
    ) -> Option<Value> {
        let leaf = self.derivation.nodes[node].leaf.clone();
        match leaf {
            Leaf::Value(value) if list.contains(&value) => Some(value),
            Leaf::Value(value) => {
                let shown = self.spec.program.shapes().show(&value);
                self.fail(node, ViolationKind::NotInList(shown));
                Some(value)
            }
            Leaf::Printed(text) => {
                let found = list.iter().find(|value| self.printed(node, value, machine) == *text).cloned();
                match &found {
                    Some(value) => self.derivation.nodes[node].leaf = Leaf::Value(value.clone()),
                    None => self.fail(node, ViolationKind::NotInList(text.into())),
                }
                found
            }
            Leaf::None | Leaf::Text(_) => {
                let value = list.get(chooser.choose(node, list)?)?.clone();
                self.derivation.nodes[node].leaf = Leaf::Value(value.clone());
                Some(value)
            }
        }
    }

    /// What a generator node would print for this value.
    fn printed(&self, node: usize, value: &Value, machine: &mut Machine) -> String {
        let mut lookup = |source: Source| match source {
            Source::Slot(slot) => {
                let class = self.spec.class(self.production(node).class);
                if class.attributes[slot.attribute as usize].intrinsic {
                    return Some(value.clone());
                }
                self.values[self.slot(node, slot)].clone()
            }
            Source::Node(_) => None,
        };
        print_value(self.spec, self.production(node), value, &mut lookup, machine)
    }

    /// The values that a computation reads; `None` if one is missing.
    fn arguments(&self, node: usize, sources: &[Source]) -> Option<Vec<Value>> {
        let value = |source: &Source| match source {
            Source::Slot(slot) => self.values[self.slot(node, *slot)].clone(),
            Source::Node(occurrence) => {
                let id = match occurrence {
                    Occurrence::This => node,
                    Occurrence::Child(child) => self.child(node, *child),
                };
                let keys = self.keys.get_or_init(|| self.derivation.random_keys());
                Some(Value::Node(Node::new(0, keys[id])))
            }
        };
        sources.iter().map(value).collect()
    }

    fn call(&self, code: CodeId, args: &[Value], machine: &mut Machine) -> Result<Value, Box<Failure>> {
        run(&self.spec.program, code, args, machine)
    }
}

/// Runs an equation, guard, list or print command. `args` are the values of its sources, in order.
///
/// An engine that must know which sources were read calls [`Program::eval`] with its own closure: the number of an
/// external leaf is the index of the source.
///
/// # Errors
/// Returns the run-time failure with its location in the specification.
pub fn run(
    program: &Program,
    code: CodeId,
    args: &[Value],
    machine: &mut Machine,
) -> Result<Value, Box<Failure>> {
    program.eval(code, machine, &mut |id: ExternalId| args[id.0 as usize].clone())
}

#[derive(Debug, Clone, Copy)]
enum Work {
    /// Run an equation of the owner.
    Equation(u32),
    /// The node itself has the value.
    Intrinsic,
    /// No equation. The static checks exclude this.
    Nothing,
}

/// Whether the attribute is the one on top of the stack, which is `Busy` while it is evaluated.
fn stack_top(stack: &[(usize, u32)], at: usize, bases: &[u32]) -> bool {
    stack.last().is_some_and(|(node, attribute)| (bases[*node] + attribute) as usize == at)
}
