//! Lowers a checked draft to the tables of `attributes`.

mod grammar;
mod order;

use crate::annotations::DEFAULT_COUNT;
use crate::cycles::Dependencies;
use crate::draft::{Command, Draft, ProductionDraft, Resolved};
use crate::literal;
use crate::syntax::TemplatePart;
use crate::typing::{Codes, ProductionCodes};
use polysmith_attributes::{
    Attribute, Call, Child, Class, ClassId, ClassKind, CodeId, Compute, Equation, Guard, List, Literal,
    Occurrence, Print, Production, Source, Stage,
};
use polysmith_grammar::Grammar;
use polysmith_random::regex::{Builder, Regex};
use polysmith_source::Diagnostics;
use std::sync::Arc;

/// The tables of a specification, without the compiled program.
pub(crate) struct Tables {
    pub(crate) grammar: Grammar,
    pub(crate) classes: Vec<Class>,
    pub(crate) productions: Vec<Production>,
    pub(crate) features: Vec<String>,
}

/// Lowers a draft. Parses the regular expressions of literal classes and reports errors in them.
pub(crate) fn lower(
    name: &str,
    draft: &Draft,
    dependencies: &Dependencies,
    codes: &Codes,
    found: &mut Diagnostics,
) -> Tables {
    let mut features: Vec<String> = draft
        .classes
        .iter()
        .flat_map(|class| &class.productions)
        .flat_map(|production| production.options.features.iter().cloned())
        .collect();
    features.sort();
    features.dedup();
    let shape = grammar::build(name, draft);
    let recursive = recursive_classes(draft);
    let mut classes = Vec::new();
    let mut productions = Vec::new();
    for (at, class) in draft.classes.iter().enumerate() {
        let first = productions.len() as u32;
        for number in 0..class.productions.len() {
            let lowering = Lowering {
                draft,
                dependencies,
                codes,
                shape: &shape,
                features: &features,
                recursive: &recursive,
            };
            productions.push(lowering.production(at, number));
        }
        classes.push(lower_class(draft, at, first..productions.len() as u32, found));
    }
    Tables { grammar: shape.grammar, classes, productions, features }
}

fn lower_class(
    draft: &Draft,
    at: usize,
    productions: std::ops::Range<u32>,
    found: &mut Diagnostics,
) -> Class {
    let class = &draft.classes[at];
    let kind = match &class.literal {
        Some((text, dialect)) => ClassKind::Literal(Literal {
            regex: Arc::new(literal::regex(&class.name, text, *dialect, found).unwrap_or_else(nothing)),
            count: class.options.count.unwrap_or(DEFAULT_COUNT),
        }),
        None if class.is_generator() => ClassKind::Generator,
        None => ClassKind::Tree,
    };
    let attribute = |(number, attribute): (usize, &crate::draft::AttributeDraft)| Attribute {
        name: attribute.name.text.clone(),
        direction: attribute.direction,
        intrinsic: class.is_intrinsic(number),
    };
    Class {
        name: class.name.text.clone(),
        span: class.name.span,
        kind,
        attributes: class.attributes.iter().enumerate().map(attribute).collect(),
        n_inherited: class.n_inherited,
        productions,
        list: class.options.list.map(|(max, _)| List { max }),
        guarded: class.is_guarded(),
        hidden: class.options.hidden,
        max_height: class.options.max_height.map(|(height, _)| height),
        max_alternatives: class.options.max_alternatives,
    }
}

fn nothing() -> Regex {
    let mut builder = Builder::default();
    let root = builder.choice(Vec::new());
    builder.finish(root)
}

struct Lowering<'a> {
    draft: &'a Draft,
    dependencies: &'a Dependencies,
    codes: &'a Codes,
    shape: &'a grammar::Shape,
    features: &'a [String],
    recursive: &'a [Vec<bool>],
}

impl Lowering<'_> {
    fn production(&self, class: usize, number: usize) -> Production {
        let class_draft = &self.draft.classes[class];
        let draft = &class_draft.productions[number];
        let codes = &self.codes.productions[class][number];
        let graph = &self.dependencies.productions[class][number];
        let order = order::equations(draft, graph);
        let equations: Vec<Equation> = order.iter().map(|at| equation(draft, codes, *at)).collect();
        let mut guards: Vec<Guard> =
            (0..draft.guards.len()).map(|at| self.guard(class, draft, codes, at)).collect();
        guards.sort_by_key(|guard| guard.stage);
        let tail = self.tail(class, draft);
        let feature = |name: &String| self.features.binary_search(name).ok().map(|at| at as u32);
        let mut production = Production {
            class: ClassId(class as u32),
            name: draft.name.text.clone(),
            span: draft.name.span,
            weight: draft.options.weight.unwrap_or(1),
            features: draft.options.features.iter().filter_map(feature).collect(),
            precedence: draft.options.precedence,
            hidden: draft.options.hidden || class_draft.options.hidden,
            children: children(draft),
            tail,
            recursive: self.is_recursive(class, draft, tail),
            equations,
            guards,
            generator: draft.list.as_ref().zip(codes.list).map(|(list, code)| call(list, code)),
            plan: None,
            retry_order: Vec::new(),
            template: self.template(class, number),
            token: self.shape.leaf_tokens[class],
            rule: (self.shape.rules[class], number as u32 + 1),
        };
        production.plan = order::plan(self.draft, &production);
        production.retry_order = order::retry(&production);
        production
    }

    /// The child that continues a list.
    fn tail(&self, class: usize, draft: &ProductionDraft) -> Option<usize> {
        self.draft.classes[class].options.list?;
        draft.children.iter().rposition(|child| child.class == Some(class))
    }

    fn is_recursive(&self, class: usize, draft: &ProductionDraft, tail: Option<usize>) -> bool {
        draft.children.iter().enumerate().any(|(at, child)| {
            child
                .class
                .is_some_and(|child| Some(at) != tail && (child == class || self.recursive[child][class]))
        })
    }

    fn guard(&self, class: usize, draft: &ProductionDraft, codes: &ProductionCodes, at: usize) -> Guard {
        let guard = &draft.guards[at];
        let stage = |source: &Source| match source {
            Source::Node(Occurrence::This) => Stage::Before,
            Source::Slot(slot) => match slot.node {
                Occurrence::This if (slot.attribute as usize) < self.draft.classes[class].n_inherited => {
                    Stage::Before
                }
                Occurrence::This => Stage::Leaves,
                Occurrence::Child(child) => self.child_stage(draft, child),
            },
            Source::Node(Occurrence::Child(child)) => self.child_stage(draft, *child),
        };
        Guard {
            name: guard.name.as_ref().map(|name| name.text.clone()),
            stage: guard.value.sources.iter().map(stage).max().unwrap_or(Stage::Before),
            call: call(&guard.value, codes.guards[at]),
        }
    }

    fn child_stage(&self, draft: &ProductionDraft, child: u32) -> Stage {
        let literal = draft.children[child as usize]
            .class
            .is_some_and(|class| self.draft.classes[class].literal.is_some());
        if literal { Stage::Leaves } else { Stage::Children }
    }

    fn template(&self, class: usize, number: usize) -> Vec<Print> {
        let draft = &self.draft.classes[class].productions[number];
        let codes = &self.codes.productions[class][number];
        let Some(parts) = &draft.template else { return vec![Print::OwnText] };
        let mut commands = draft.commands.iter().zip(&codes.commands);
        let mut child = 0;
        let mut prints = Vec::new();
        for part in parts {
            prints.push(match part {
                TemplatePart::Text(text) => {
                    Print::Text(text.as_str().into(), self.shape.texts[text.as_str()])
                }
                TemplatePart::Line => Print::Line,
                TemplatePart::Indent => Print::Indent,
                TemplatePart::Unindent => Print::Unindent,
                TemplatePart::Child(written) => {
                    child += 1;
                    Print::Child { child: child - 1, parentheses: written.parentheses }
                }
                TemplatePart::Print(_) => match commands.next() {
                    Some((Command::Value(value), Some(code))) => Print::Command(call(value, *code)),
                    Some((Command::Node(node), _)) => Print::Again(*node),
                    _ => continue,
                },
            });
        }
        prints
    }
}

fn equation(draft: &ProductionDraft, codes: &ProductionCodes, at: usize) -> Equation {
    let equation = &draft.equations[at];
    let compute = codes.equations[at].map_or(Compute::Copy, Compute::Code);
    Equation { target: equation.target, compute, sources: equation.sources(), span: equation.span }
}

fn call(resolved: &Resolved, code: CodeId) -> Call {
    Call { code, sources: resolved.sources.clone(), span: resolved.span }
}

fn children(draft: &ProductionDraft) -> Vec<Child> {
    let child = |child: &crate::draft::ChildDraft| {
        // A child of an unknown class was reported, so no engine uses this number.
        Child { name: child.name.text.clone(), class: ClassId(child.class.unwrap_or(0) as u32) }
    };
    draft.children.iter().map(child).collect()
}

/// For each class, which classes can occur below its nodes; the tail of a list does not count.
fn recursive_classes(draft: &Draft) -> Vec<Vec<bool>> {
    (0..draft.classes.len()).map(|start| classes_below(draft, start)).collect()
}

fn classes_below(draft: &Draft, start: usize) -> Vec<bool> {
    let mut below = vec![false; draft.classes.len()];
    let mut todo = vec![start];
    while let Some(class) = todo.pop() {
        let is_list = draft.classes[class].options.list.is_some();
        for production in &draft.classes[class].productions {
            let tail = production.children.iter().rposition(|child| child.class == Some(class));
            for (at, child) in production.children.iter().enumerate() {
                let Some(child) = child.class.filter(|_| !is_list || Some(at) != tail) else { continue };
                if !std::mem::replace(&mut below[child], true) {
                    todo.push(child);
                }
            }
        }
    }
    below
}
