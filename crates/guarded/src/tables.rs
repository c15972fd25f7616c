//! A specification in the form that the search reads: flat records per production, without names.
//!
//! Created once per engine. A [`Ref`] refers to an attribute as seen from a production in four bytes, so that an
//! equation is a code number and a slice of them. Guards are classified here: those that can be tested before anything
//! is built ([`Production::before`]), those that read only one literal ([`Child::filters`], [`Production::own`]) and
//! the rest, which the plan tests as soon as it can. Without hoisting, nothing is tested before the skeleton of its
//! call is complete: no production has a plan, and every call is a region.

use polysmith_attributes::{
    Class as SpecClass, ClassKind, CodeId, Compute, Occurrence, Production as SpecProduction, SimpleExpr,
    Slot, Source, Spec, Step,
};
use std::ops::Range;

/// The absence of a number.
pub(crate) const NONE: u32 = u32::MAX;

/// A reference to an attribute of `this` or of a child, or to the node itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ref {
    /// The number of the child, or [`Ref::THIS`].
    pub owner: u16,
    /// The number of the attribute, or [`Ref::NODE`].
    pub attribute: u16,
}

impl Ref {
    pub(crate) const THIS: u16 = u16::MAX;
    pub(crate) const NODE: u16 = u16::MAX;
}

/// A computation. Its inputs are in [`Tables::refs`].
#[derive(Debug, Clone)]
pub(crate) struct Rule {
    /// The attribute that it computes; unused for a guard.
    pub target: Ref,
    /// Its code; `None` copies the only source.
    pub code: Option<CodeId>,
    /// Its simple form, if it has one.
    pub simple: Option<SimpleExpr>,
    /// Its inputs.
    pub sources: Range<u32>,
}

/// A child of a production.
#[derive(Debug, Clone)]
pub(crate) struct Child {
    pub class: u32,
    /// The offset of its values among those of all children.
    pub offset: u32,
    pub is_tail: bool,
    /// Guards of the parent that read only inherited attributes and this literal.
    pub filters: Vec<u32>,
    /// By inherited attribute, the equation of the parent that computes it.
    pub inherited: Vec<u32>,
    /// The number of the step after its expansion.
    pub resume: u32,
}

/// A production.
#[derive(Debug, Clone)]
pub(crate) struct Production {
    pub children: Vec<Child>,
    /// The number of values of all children together.
    pub n_values: u32,
    pub recursive: bool,
    pub has_tail: bool,
    pub equations: Vec<Rule>,
    pub guards: Vec<Rule>,
    /// The equation of each attribute that is not inherited.
    pub synthesized: Vec<u32>,
    /// The steps after the choice, if one visit of each child suffices.
    pub steps: Option<Vec<Step>>,
    /// Guards that are tested before the production is chosen.
    pub before: Vec<u32>,
    /// Guards of a leaf that are tested for each text or value before it is chosen.
    pub own: Vec<u32>,
    pub generator: Option<Rule>,
}

impl Production {
    /// Guards that are tested after something is built.
    pub(crate) fn late_guards(&self) -> impl Iterator<Item = u32> + '_ {
        let hoisted = |guard: &u32| {
            self.before.contains(guard)
                || self.own.contains(guard)
                || self.children.iter().any(|child| child.filters.contains(guard))
        };
        (0..self.guards.len() as u32).filter(move |guard| !hoisted(guard))
    }
}

/// The kind of the nodes of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NodeKind {
    Tree,
    Literal,
    Generator,
}

/// A class.
#[derive(Debug, Clone)]
pub(crate) struct Class {
    pub kind: NodeKind,
    pub productions: Range<u32>,
    /// Whether it is built by a nested search.
    pub unit: bool,
    pub n_attributes: u32,
    pub n_inherited: u32,
    /// The intrinsic attribute of a leaf.
    pub intrinsic: u32,
    pub max_height: u32,
    pub max_width: u32,
    pub max_alternatives: u64,
    /// Whether something at or below such a node reads a node's random source, so that the values alone do not
    /// determine it.
    pub random: bool,
}

/// A specification, prepared for the search.
#[derive(Debug)]
pub(crate) struct Tables {
    pub classes: Vec<Class>,
    pub productions: Vec<Production>,
    pub refs: Vec<Ref>,
    /// Whether a rule reads a node's random source.
    pub reads_nodes: bool,
}

impl Tables {
    pub(crate) fn new(spec: &Spec, hoist: bool) -> Tables {
        let mut tables = Tables {
            classes: spec.classes.iter().map(class).collect(),
            productions: Vec::with_capacity(spec.productions.len()),
            refs: Vec::new(),
            reads_nodes: false,
        };
        for written in &spec.productions {
            let production = tables.production(spec, written, hoist);
            tables.productions.push(production);
        }
        tables.reads_nodes = tables.refs.iter().any(|source| source.attribute == Ref::NODE);
        tables.spread_randomness();
        tables
    }

    fn production(&mut self, spec: &Spec, written: &SpecProduction, hoist: bool) -> Production {
        let equations: Vec<Rule> = (written.equations.iter())
            .map(|equation| {
                let code = match equation.compute {
                    Compute::Copy => None,
                    Compute::Code(code) => Some(code),
                };
                self.rule(spec, reference(equation.target), code, &equation.sources)
            })
            .collect();
        let call = |tables: &mut Tables, call: &polysmith_attributes::Call| {
            let target = Ref { owner: Ref::THIS, attribute: Ref::NODE };
            tables.rule(spec, target, Some(call.code), &call.sources)
        };
        let guards: Vec<Rule> = written.guards.iter().map(|guard| call(self, &guard.call)).collect();
        let generator = written.generator.as_ref().map(|generator| call(self, generator));
        let class = &self.classes[written.class.index()];
        let mut production = Production {
            children: written
                .children
                .iter()
                .enumerate()
                .map(|(at, child)| self.child(written, at, child))
                .collect(),
            n_values: 0,
            recursive: written.recursive,
            has_tail: written.tail.is_some(),
            synthesized: (class.n_inherited..class.n_attributes)
                .map(|attribute| {
                    equation_for(&equations, Ref { owner: Ref::THIS, attribute: attribute as u16 })
                })
                .collect(),
            equations,
            guards,
            steps: None,
            before: Vec::new(),
            own: Vec::new(),
            generator,
        };
        for (child, at) in production.children.iter_mut().zip(0..) {
            let class = &self.classes[child.class as usize];
            child.offset = production.n_values;
            production.n_values += class.n_attributes;
            child.inherited = (0..class.n_inherited)
                .map(|attribute| {
                    equation_for(&production.equations, Ref { owner: at, attribute: attribute as u16 })
                })
                .collect();
        }
        let mut hoisted = vec![false; production.guards.len()];
        // A leaf has no children: its guards are always tested when it is chosen.
        if hoist || self.classes[written.class.index()].kind != NodeKind::Tree {
            self.hoist(spec, written, &mut production, &mut hoisted);
        }
        let is_idle = production.children.is_empty() && production.equations.is_empty();
        if is_idle && hoisted.iter().all(|done| *done) {
            production.steps = Some(Vec::new());
        } else if let Some(plan) = written.plan.as_ref().filter(|_| hoist) {
            let kept = |step: &&Step| !matches!(step, Step::Test(guard) if hoisted[*guard as usize]);
            let steps: Vec<Step> = plan.iter().filter(kept).copied().collect();
            for (at, step) in steps.iter().enumerate() {
                if let Step::Expand(child) = step {
                    production.children[*child as usize].resume = at as u32 + 1;
                }
            }
            production.steps = Some(steps);
        }
        production
    }

    fn rule(&mut self, spec: &Spec, target: Ref, code: Option<CodeId>, sources: &[Source]) -> Rule {
        let reads_node = sources.iter().any(|source| matches!(source, Source::Node(_)));
        let simple = code.filter(|_| !reads_node).and_then(|code| spec.program.simple(code));
        Rule { target, code, simple, sources: self.sources(sources) }
    }

    fn child(&self, written: &SpecProduction, at: usize, child: &polysmith_attributes::Child) -> Child {
        Child {
            class: child.class.0,
            offset: 0,
            is_tail: written.tail == Some(at),
            filters: Vec::new(),
            inherited: Vec::new(),
            resume: 0,
        }
    }

    /// Assigns each guard to the earliest point at which it can be tested without building anything.
    fn hoist(
        &self,
        spec: &Spec,
        written: &SpecProduction,
        production: &mut Production,
        hoisted: &mut [bool],
    ) {
        for (guard, done) in hoisted.iter_mut().enumerate() {
            let sources = &written.guards[guard].call.sources;
            let class = &self.classes[written.class.index()];
            let of_inherited = |source: &Source| match source {
                Source::Slot(Slot { node: Occurrence::This, attribute }) => *attribute < class.n_inherited,
                Source::Node(Occurrence::This) => true,
                _ => false,
            };
            let leaf = sources.iter().find(|source| !of_inherited(source));
            let places = match leaf {
                None if class.kind == NodeKind::Tree => &mut production.before,
                _ if class.kind != NodeKind::Tree => &mut production.own,
                Some(Source::Slot(Slot { node: Occurrence::Child(child), .. })) => {
                    let of = spec.class(written.children[*child as usize].class);
                    let alone = sources.iter().all(|source| {
                        of_inherited(source)
                            || matches!(source, Source::Slot(Slot { node: Occurrence::Child(other), .. }) if other == child)
                    });
                    if !alone || of.guarded || !matches!(of.kind, ClassKind::Literal(_)) {
                        continue;
                    }
                    &mut production.children[*child as usize].filters
                }
                _ => continue,
            };
            places.push(guard as u32);
            *done = true;
        }
    }

    fn sources(&mut self, sources: &[Source]) -> Range<u32> {
        let from = self.refs.len() as u32;
        self.refs.extend(sources.iter().map(|source| match source {
            Source::Slot(slot) => reference(*slot),
            Source::Node(node) => Ref { owner: owner(*node), attribute: Ref::NODE },
        }));
        from..self.refs.len() as u32
    }

    /// The inputs of a rule.
    #[inline]
    pub(crate) fn sources_of(&self, rule: &Rule) -> &[Ref] {
        &self.refs[rule.sources.start as usize..rule.sources.end as usize]
    }

    /// Marks the classes below which a random source is read, until a fixed point.
    fn spread_randomness(&mut self) {
        let reads = |tables: &Tables, production: &Production| {
            let rules = production.equations.iter().chain(&production.guards).chain(&production.generator);
            rules.into_iter().any(|rule| tables.sources_of(rule).iter().any(|at| at.attribute == Ref::NODE))
        };
        loop {
            let mut changed = false;
            for at in 0..self.classes.len() {
                let random = self.classes[at].productions.clone().any(|id| {
                    let production = &self.productions[id as usize];
                    reads(self, production)
                        || production.children.iter().any(|child| self.classes[child.class as usize].random)
                });
                changed |= random && !self.classes[at].random;
                self.classes[at].random |= random;
            }
            if !changed {
                return;
            }
        }
    }
}

fn class(written: &SpecClass) -> Class {
    Class {
        kind: match written.kind {
            ClassKind::Tree => NodeKind::Tree,
            ClassKind::Literal(_) => NodeKind::Literal,
            ClassKind::Generator => NodeKind::Generator,
        },
        productions: written.productions.clone(),
        unit: written.guarded,
        n_attributes: written.attributes.len() as u32,
        n_inherited: written.n_inherited as u32,
        intrinsic: (written.attributes.iter().position(|attribute| attribute.intrinsic))
            .map_or(NONE, |attribute| attribute as u32),
        max_height: written.max_height.unwrap_or(NONE),
        max_width: written.list.and_then(|list| list.max).unwrap_or(NONE),
        max_alternatives: written.max_alternatives.unwrap_or(u64::MAX),
        random: false,
    }
}

fn owner(node: Occurrence) -> u16 {
    match node {
        Occurrence::This => Ref::THIS,
        Occurrence::Child(child) => child as u16,
    }
}

fn reference(slot: Slot) -> Ref {
    Ref { owner: owner(slot.node), attribute: slot.attribute as u16 }
}

fn equation_for(equations: &[Rule], target: Ref) -> u32 {
    equations.iter().position(|rule| rule.target == target).map_or(NONE, |at| at as u32)
}
