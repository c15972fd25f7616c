//! A compiled attribute grammar: flat tables, no names to look up, nothing to parse.
//!
//! A *class* is a rule of the grammar, a *production* one of its alternatives; a node of a tree is an instance
//! of a production. Each class has numbered attributes ([`Attribute`]): first the inherited ones, then the
//! synthesized ones, among them the *intrinsic* `str` of a literal class and `$` of a generator class, which no
//! equation computes: they come with the node. A production has one [`Equation`] for every attribute that it
//! must define (synthesized ones of its own class, inherited ones of its children) and [`Guard`]s, which must
//! be true. An equation names the attributes that it reads ([`Source`]); running it needs their values in that
//! order and nothing else, so it is a pure function and may be run at any time after they are known.
//!
//! Invariants, kept by the front end's checks: every attribute has exactly one equation; equations read
//! inherited attributes of `this` and synthesized ones of children only (and intrinsic ones of `this`); the
//! attribute graph is strongly non-cyclic, also with the implicit edges inherited → guard → synthesized of
//! guarded classes; every class has a finite tree.

use polysmith_grammar::{Grammar, RuleId, TokenType};
use polysmith_source::Span;
use std::ops::Range;
use std::sync::Arc;

pub use polysmith_value::{EntryId as CodeId, Program};

/// Names a class. Its number is that of its rule in the grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassId(pub u32);

impl ClassId {
    /// The number, as an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Names a production, over all classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProductionId(pub u32);

impl ProductionId {
    /// The number, as an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A whole specification.
#[derive(Debug)]
pub struct Spec {
    /// The shape of the language: one parser rule per class, one alternative per production, in this order.
    pub grammar: Grammar,
    /// The classes. The first is where programs start.
    pub classes: Vec<Class>,
    /// The productions, class after class.
    pub productions: Vec<Production>,
    /// The names that `@feature` mentions, sorted.
    pub features: Vec<String>,
    /// The compiled functions, equations, guards and print commands.
    pub program: Program,
}

impl Spec {
    /// A class.
    #[inline]
    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes[id.index()]
    }

    /// A production.
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

    /// Where programs start.
    pub fn start(&self) -> ClassId {
        ClassId(0)
    }

    /// Whether anything is computed from nodes as such: random draws, whose key a saved program must have.
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

    /// The class of a rule of the grammar: they have the same numbers.
    pub fn class_of_rule(&self, rule: RuleId) -> Option<ClassId> {
        (rule.index() < self.classes.len()).then(|| ClassId(rule.index() as u32))
    }

    /// The class named so.
    pub fn class_named(&self, name: &str) -> Option<ClassId> {
        self.classes.iter().position(|class| &*class.name == name).map(|at| ClassId(at as u32))
    }

    /// `Class.production`, as options and reports name it.
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
    /// Where its name stands.
    pub span: Span,
    /// What its nodes are.
    pub kind: ClassKind,
    /// Inherited attributes, then synthesized ones.
    pub attributes: Vec<Attribute>,
    /// How many of the attributes are inherited.
    pub n_inherited: usize,
    /// Its productions. A literal or generator class has exactly one.
    pub productions: Range<u32>,
    /// `@list`: a self-recursive list, whose length costs no height.
    pub list: Option<List>,
    /// Whether nodes are built by a search of their own: it has guards, is `@unit`, or is a generator.
    pub guarded: bool,
    /// `@hidden`: prints nothing.
    pub hidden: bool,
    /// `@max_height(n)`
    pub max_height: Option<u32>,
    /// `@max_alternatives(n)`
    pub max_alternatives: Option<u64>,
}

/// What the nodes of a class are.
#[derive(Debug, Clone)]
pub enum ClassKind {
    /// Inner nodes, by productions with templates.
    Tree,
    /// Leaves with a text that a regular expression describes.
    Literal(Literal),
    /// Leaves with a value from a list that is computed where the node stands.
    Generator,
}

/// The texts of a literal class.
#[derive(Debug, Clone)]
pub struct Literal {
    /// Which texts.
    pub regex: Arc<polysmith_random::regex::Regex>,
    /// How many distinct ones a program's pool holds (`@count`).
    pub count: u32,
}

/// `@list(n)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct List {
    /// The greatest number of elements.
    pub max: Option<u32>,
}

/// An attribute of a class.
#[derive(Debug, Clone)]
pub struct Attribute {
    /// Its name; `str` and `$` are intrinsic.
    pub name: Arc<str>,
    /// Which way it flows.
    pub direction: Direction,
    /// Whether the node brings it: no equation computes it.
    pub intrinsic: bool,
}

/// Which way an attribute's value flows.
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
    /// Its name; a literal class's production is called as the class.
    pub name: Arc<str>,
    /// Where its name stands.
    pub span: Span,
    /// Relative probability; 0 is never.
    pub weight: u32,
    /// It exists only if one of these is switched on (numbers into [`Spec::features`]); empty: always.
    pub features: Vec<u32>,
    /// `@precedence(n)`
    pub precedence: Option<i64>,
    /// `@hidden`, on itself or on its class.
    pub hidden: bool,
    /// Its children, in the order of the text.
    pub children: Vec<Child>,
    /// The child that continues the list, if the class is a `@list` and this production is one with a tail.
    pub tail: Option<usize>,
    /// Whether its own class can occur below it, the tail of its list aside: only then does height count.
    pub recursive: bool,
    /// Its equations, so ordered that each stands behind those of the same production that it needs, directly
    /// or through a child.
    pub equations: Vec<Equation>,
    /// Its guards: those that can be tested earliest stand first.
    pub guards: Vec<Guard>,
    /// The list of values of a generator class.
    pub generator: Option<Call>,
    /// The order of work if one visit of each child suffices, else `None`.
    pub plan: Option<Vec<Step>>,
    /// Children in the order in which alternatives are tried: those that no sibling depends on first.
    pub retry_order: Vec<usize>,
    /// What it prints.
    pub template: Vec<Print>,
    /// The token of a leaf.
    pub token: Option<TokenType>,
    /// Its rule in the grammar, and the number of its alternative, from 1.
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

/// A node as seen from a production.
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
    /// Whose.
    pub node: Occurrence,
    /// Its number in the class of that node.
    pub attribute: u32,
}

/// What a computation reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// An attribute.
    Slot(Slot),
    /// The node as such: its own source of randomness, or, in a print command, its text.
    Node(Occurrence),
}

/// A compiled expression and what it reads.
#[derive(Debug, Clone)]
pub struct Call {
    /// The compiled expression, a number of [`Spec::program`].
    pub code: CodeId,
    /// Its arguments, in this order.
    pub sources: Vec<Source>,
    /// Where it is written.
    pub span: Span,
}

/// Computes an attribute.
#[derive(Debug, Clone)]
pub struct Equation {
    /// Which.
    pub target: Slot,
    /// How.
    pub compute: Compute,
    /// What it reads, in the order of the arguments.
    pub sources: Vec<Source>,
    /// Where it is written, or the annotation that asks for it.
    pub span: Span,
}

/// How an attribute is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compute {
    /// The value of the only source, as it is.
    Copy,
    /// By the program.
    Code(CodeId),
}

/// A condition of a production.
#[derive(Debug, Clone)]
pub struct Guard {
    /// The `grd` attribute; a `require` has none.
    pub name: Option<Arc<str>>,
    /// The condition.
    pub call: Call,
    /// When it can be tested.
    pub stage: Stage,
}

/// When a guard can be tested first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Before anything of the node is built: it reads inherited attributes only, or nothing.
    Before,
    /// When leaves are chosen: the literal's own text, the generator's value, or literal children.
    Leaves,
    /// When children that are more than literals are complete.
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

/// An instruction of a template.
#[derive(Debug, Clone)]
pub enum Print {
    /// Text as it is, and the token that it is in the grammar.
    Text(Arc<str>, TokenType),
    /// A new line at the present indentation.
    Line,
    /// A new line, one step further in.
    Indent,
    /// A new line, one step further out.
    Unindent,
    /// A child.
    Child {
        /// Its number.
        child: u32,
        /// Parentheses stand around it where the precedences ask for them.
        parentheses: bool,
    },
    /// The text of a literal or generated value; a generator with a template has that instead.
    Own,
    /// A computed text.
    Command(Call),
    /// A child or the node itself once more, as it is printed elsewhere.
    Again(Occurrence),
}
