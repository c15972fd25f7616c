//! A compiled attribute grammar: flat tables in which everything is numbered.
//!
//! A *class* is a rule of the grammar, a *production* one of its alternatives; a node of a tree is an instance of a
//! production. Each class has numbered attributes ([`Attribute`]): first the inherited ones, then the synthesized
//! ones, among them the *intrinsic* `str` of a literal class and `$` of a generator class, which no equation computes:
//! the node itself has them. A production has one [`Equation`] for every attribute that it must define (synthesized
//! ones of its own class, inherited ones of its children) and [`Guard`]s, which must be true. An equation lists the
//! attributes that it reads ([`Source`]). It is a pure function of their values, so it may run at any time after they
//! are known.
//!
//! Invariants, established by the checks of the front end: every attribute has exactly one equation; equations read
//! only inherited attributes of `this`, synthesized ones of children, and intrinsic ones of `this`; the attribute
//! graph is strongly non-cyclic, even with the implicit edges inherited → guard → synthesized of guarded classes;
//! every class has a finite tree.

use polysmith_grammar::{Grammar, RuleId, TokenType};
use polysmith_source::Span;
use std::ops::Range;
use std::sync::Arc;

pub use polysmith_value::{EntryId as CodeId, Program};

/// Identifies a class. It has the same number as its rule in the grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassId(pub u32);

impl ClassId {
    /// The id as an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Identifies a production among those of all classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProductionId(pub u32);

impl ProductionId {
    /// The id as an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A compiled specification.
#[derive(Debug)]
pub struct Spec {
    /// The grammar: one parser rule per class, one alternative per production, in this order.
    pub grammar: Grammar,
    /// The classes. Programs are instances of the first.
    pub classes: Vec<Class>,
    /// The productions, ordered by class.
    pub productions: Vec<Production>,
    /// The names that `@feature` mentions, sorted.
    pub features: Vec<String>,
    /// The compiled functions, equations, guards and print commands.
    pub program: Program,
}

impl Spec {
    /// The class with this id.
    #[inline]
    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes[id.index()]
    }

    /// The production with this id.
    #[inline]
    pub fn production(&self, id: ProductionId) -> &Production {
        &self.productions[id.index()]
    }

    /// The productions of a class.
    pub fn productions_of(
        &self,
        class: ClassId,
    ) -> impl DoubleEndedIterator<Item = ProductionId> + Clone + use<> {
        self.class(class).productions.clone().map(ProductionId)
    }

    /// The class of whole programs.
    pub fn start(&self) -> ClassId {
        ClassId(0)
    }

    /// Whether a rule reads a node's random source, so that a saved program must contain the key.
    pub fn draws(&self) -> bool {
        let is_node = |source: &Source| matches!(source, Source::Node(_));
        self.productions.iter().any(|production| {
            let equations = production.equations.iter().map(|equation| &equation.sources);
            let guards = production.guards.iter().map(|guard| &guard.call.sources);
            let lists = production.generator.iter().map(|call| &call.sources);
            let commands = production.template.iter().filter_map(|print| match print {
                Print::Command(call) => Some(&call.sources),
                _ => None,
            });
            equations.chain(guards).chain(lists).chain(commands).flatten().any(is_node)
        })
    }

    /// The class of a rule of the grammar. They have the same numbers.
    pub(crate) fn class_of_rule(&self, rule: RuleId) -> Option<ClassId> {
        (rule.index() < self.classes.len()).then(|| ClassId(rule.index() as u32))
    }

    fn class_named(&self, name: &str) -> Option<ClassId> {
        self.classes.iter().position(|class| &*class.name == name).map(|at| ClassId(at as u32))
    }

    /// The name `Class.production`, used in options and reports.
    pub fn production_name(&self, id: ProductionId) -> String {
        let production = self.production(id);
        format!("{}.{}", self.class(production.class).name, production.name)
    }

    /// The production named `Class.production`.
    pub fn production_named(&self, name: &str) -> Option<ProductionId> {
        let (class, production) = name.split_once('.')?;
        self.productions_of(self.class_named(class)?).find(|id| &*self.production(*id).name == production)
    }
}

/// A class of nodes.
#[derive(Debug)]
pub struct Class {
    /// Its name.
    pub name: Arc<str>,
    /// The location of its name.
    pub span: Span,
    /// The kind of its nodes.
    pub kind: ClassKind,
    /// Inherited attributes, then synthesized ones.
    pub attributes: Vec<Attribute>,
    /// The number of inherited attributes.
    pub n_inherited: usize,
    /// Its productions. A literal or generator class has exactly one.
    pub productions: Range<u32>,
    /// `@list`: a self-recursive list, whose length does not count as height.
    pub list: Option<List>,
    /// Whether nodes are built by a nested search: the class has guards, is `@unit`, or is a generator.
    pub guarded: bool,
    /// `@hidden`: prints nothing.
    pub hidden: bool,
    /// `@max_height(n)`
    pub max_height: Option<u32>,
    /// `@max_alternatives(n)`
    pub max_alternatives: Option<u64>,
}

/// The kind of the nodes of a class.
#[derive(Debug, Clone)]
pub enum ClassKind {
    /// Inner nodes: productions with templates.
    Tree,
    /// Leaves whose text matches a regular expression.
    Literal(Literal),
    /// Leaves whose value is in a list that is computed from the inherited attributes.
    Generator,
}

/// The texts of a literal class.
#[derive(Debug, Clone)]
pub struct Literal {
    /// The regular expression.
    pub regex: Arc<polysmith_random::regex::Regex>,
    /// The number of distinct texts in the pool of a program (`@count`).
    pub count: u32,
}

/// `@list(n)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct List {
    /// The maximum number of elements.
    pub max: Option<u32>,
}

/// An attribute of a class.
#[derive(Debug, Clone)]
pub struct Attribute {
    /// Its name; `str` and `$` are intrinsic.
    pub name: Arc<str>,
    /// Inherited or synthesized.
    pub direction: Direction,
    /// Whether the node itself has the value, without an equation.
    pub intrinsic: bool,
}

/// The direction in which an attribute's value flows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From the parent.
    Inherited,
    /// To the parent.
    Synthesized,
}

/// One way to build a node of a class.
#[derive(Debug)]
pub struct Production {
    /// The class.
    pub class: ClassId,
    /// Its name. The production of a literal class has the name of the class.
    pub name: Arc<str>,
    /// The location of its name.
    pub span: Span,
    /// Relative probability; 0 if it is never chosen.
    pub weight: u32,
    /// The features that enable it, as indexes of [`Spec::features`]; one is enough. If empty, it is always enabled.
    pub features: Vec<u32>,
    /// `@precedence(n)`
    pub precedence: Option<i64>,
    /// `@hidden`, on itself or on its class.
    pub hidden: bool,
    /// Its children, in textual order.
    pub children: Vec<Child>,
    /// The child that continues the list, if the class is a `@list` and this production has a tail.
    pub tail: Option<usize>,
    /// Whether its own class can occur below it, other than as the tail of its list. Height limits apply only then.
    pub recursive: bool,
    /// Its equations, topologically sorted: each follows those of the same production that it depends on, directly or
    /// through a child.
    pub equations: Vec<Equation>,
    /// Its guards, sorted by the stage at which they can be tested.
    pub guards: Vec<Guard>,
    /// The list of values of a generator class.
    pub generator: Option<Call>,
    /// The order of evaluation if one visit of each child suffices, else `None`.
    pub plan: Option<Vec<Step>>,
    /// The children in the order in which they are changed after a failure: those that no sibling depends on first.
    pub retry_order: Vec<usize>,
    /// How it is printed.
    pub template: Vec<Print>,
    /// The token of a leaf.
    pub token: Option<TokenType>,
    /// Its rule in the grammar, and the number of its alternative, counted from 1.
    pub rule: (RuleId, u32),
}

/// A child of a production.
#[derive(Debug, Clone)]
pub struct Child {
    /// Its name in the rules.
    pub name: Arc<str>,
    /// Its class.
    pub class: ClassId,
}

/// A node, relative to a production.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Occurrence {
    /// The node itself.
    This,
    /// The child with this number.
    Child(u32),
}

/// An attribute of an occurrence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot {
    /// The node.
    pub node: Occurrence,
    /// Its number in the class of that node.
    pub attribute: u32,
}

/// An input of a computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// An attribute.
    Slot(Slot),
    /// The node itself: its random source or, in a print command, its text.
    Node(Occurrence),
}

/// A compiled expression and its inputs.
#[derive(Debug, Clone)]
pub struct Call {
    /// The compiled expression in [`Spec::program`].
    pub code: CodeId,
    /// Its inputs: external leaf `n` is source `n`.
    pub sources: Vec<Source>,
    /// Its location.
    pub span: Span,
}

/// Computes an attribute.
#[derive(Debug, Clone)]
pub struct Equation {
    /// The attribute.
    pub target: Slot,
    /// How it is computed.
    pub compute: Compute,
    /// Its inputs, in order.
    pub sources: Vec<Source>,
    /// The location of the rule, or of the annotation that generated it.
    pub span: Span,
}

/// How an attribute is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compute {
    /// A copy of the only source.
    Copy,
    /// By compiled code.
    Code(CodeId),
}

/// A condition of a production.
#[derive(Debug, Clone)]
pub struct Guard {
    /// The `grd` attribute; `None` for a `require`.
    pub name: Option<Arc<str>>,
    /// The condition.
    pub call: Call,
    /// The earliest stage at which it can be tested.
    pub stage: Stage,
}

/// The earliest stage at which a guard can be tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Before the node is built: it reads at most inherited attributes.
    Before,
    /// When leaves are chosen: it reads the literal's own text, the generator's value, or literal children.
    Leaves,
    /// When children other than literals are complete.
    Children,
}

/// A step of a production's plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Run the equation with this number.
    Compute(u32),
    /// Test the guard with this number.
    Test(u32),
    /// Build the child with this number; its inherited attributes are known.
    Expand(u32),
}

/// An element of a template.
#[derive(Debug, Clone)]
pub enum Print {
    /// Fixed text, and its token in the grammar.
    Text(Arc<str>, TokenType),
    /// A new line at the same indentation.
    Line,
    /// A new line, one level deeper.
    Indent,
    /// A new line, one level shallower.
    Unindent,
    /// A child.
    Child {
        /// Its number.
        child: u32,
        /// Whether parentheses are written around it if the precedences require them.
        parentheses: bool,
    },
    /// The text of a literal or generated value. A generator with a template has that instead.
    OwnText,
    /// A computed text.
    Command(Call),
    /// A repetition of a child or of the node itself.
    Again(Occurrence),
}
