//! The specification after name resolution: classes, attributes, productions and children are numbered.
//!
//! All checks read a [`Draft`], and lowering starts from it. It exists even for an erroneous specification: a child of
//! an unknown class has no class number, and so on; each error has been reported once, where it was found.

mod build;

pub(crate) use build::build;

use crate::annotations::{ClassOptions, ProductionOptions};
use crate::syntax::{Dialect, TemplatePart, Text};
use polysmith_attributes::{Direction, Occurrence, Slot, Source};
use polysmith_source::Span;
use polysmith_value::syntax::{ExprId, Name, TypeId};

#[derive(Debug, Default)]
pub(crate) struct Draft {
    pub(crate) classes: Vec<ClassDraft>,
}

#[derive(Debug)]
pub(crate) struct ClassDraft {
    pub(crate) name: Name,
    pub(crate) options: ClassOptions,
    pub(crate) literal: Option<(Text, Dialect)>,
    /// Inherited attributes, then synthesized ones.
    pub(crate) attributes: Vec<AttributeDraft>,
    pub(crate) n_inherited: usize,
    /// The `grd` attributes.
    pub(crate) guards: Vec<Name>,
    pub(crate) productions: Vec<ProductionDraft>,
}

#[derive(Debug)]
pub(crate) struct AttributeDraft {
    pub(crate) name: Name,
    pub(crate) direction: Direction,
    pub(crate) ty: AttributeType,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AttributeType {
    /// The type as written.
    Written(TypeId),
    /// The text of a literal. Intrinsic.
    Text,
    /// The value of a generator, of this type. Intrinsic.
    Generated(TypeId),
    /// The type is missing, which was reported.
    Missing,
}

#[derive(Debug)]
pub(crate) struct ProductionDraft {
    pub(crate) name: Name,
    pub(crate) options: ProductionOptions,
    pub(crate) children: Vec<ChildDraft>,
    /// Its template, if it has one.
    pub(crate) template: Option<Vec<TemplatePart>>,
    pub(crate) template_span: Span,
    /// The list of a generator, before its names are resolved.
    pub(crate) generator: Option<ExprId>,
    pub(crate) locals: Vec<(Name, ExprId)>,
    pub(crate) equations: Vec<EquationDraft>,
    pub(crate) guards: Vec<GuardDraft>,
    /// The list of a generator, after its names were resolved.
    pub(crate) list: Option<Resolved>,
    /// The print commands, in the order of the template.
    pub(crate) commands: Vec<Command>,
}

#[derive(Debug)]
pub(crate) struct ChildDraft {
    pub(crate) name: Name,
    pub(crate) class: Option<usize>,
}

/// An expression with resolved attribute reads: its external leaf `n` is source `n`.
#[derive(Debug, Clone)]
pub(crate) struct Resolved {
    pub(crate) expr: ExprId,
    pub(crate) sources: Vec<Source>,
    pub(crate) span: Span,
}

#[derive(Debug, Clone)]
pub(crate) struct EquationDraft {
    pub(crate) target: Slot,
    pub(crate) value: ValueDraft,
    pub(crate) span: Span,
}

#[derive(Debug, Clone)]
pub(crate) enum ValueDraft {
    Written(Resolved),
    Copied(Slot),
}

impl EquationDraft {
    pub(crate) fn sources(&self) -> Vec<Source> {
        match &self.value {
            ValueDraft::Written(resolved) => resolved.sources.clone(),
            ValueDraft::Copied(slot) => vec![Source::Slot(*slot)],
        }
    }
}

#[derive(Debug)]
pub(crate) struct GuardDraft {
    /// The `grd` attribute; `None` for a `require`.
    pub(crate) name: Option<Name>,
    pub(crate) value: Resolved,
}

#[derive(Debug)]
pub(crate) enum Command {
    /// Prints a value.
    Value(Resolved),
    /// Prints a node again.
    Node(Occurrence),
}

impl Draft {
    /// The class of an occurrence in a production.
    pub(crate) fn class_of(&self, class: usize, production: usize, node: Occurrence) -> Option<usize> {
        match node {
            Occurrence::This => Some(class),
            Occurrence::Child(child) => {
                self.classes[class].productions[production].children[child as usize].class
            }
        }
    }

    /// Formats an attribute as `this.a` or `child.a`, for messages.
    pub(crate) fn show(&self, class: usize, production: usize, slot: Slot) -> String {
        let node = match slot.node {
            Occurrence::This => "this",
            Occurrence::Child(child) => {
                &self.classes[class].productions[production].children[child as usize].name.text
            }
        };
        match self.class_of(class, production, slot.node) {
            Some(owner) => {
                format!("{node}.{}", self.classes[owner].attributes[slot.attribute as usize].name.text)
            }
            None => node.to_owned(),
        }
    }
}

impl ClassDraft {
    pub(crate) fn attribute(&self, name: &str) -> Option<usize> {
        self.attributes.iter().position(|attribute| &*attribute.name.text == name)
    }

    pub(crate) fn is_generator(&self) -> bool {
        self.productions.iter().any(|production| production.generator.is_some())
    }

    pub(crate) fn has_guards(&self) -> bool {
        self.productions.iter().any(|production| !production.guards.is_empty())
    }

    /// Whether its nodes are built by a nested search.
    pub(crate) fn is_guarded(&self) -> bool {
        self.options.unit || self.is_generator() || self.has_guards() || !self.guards.is_empty()
    }

    pub(crate) fn is_intrinsic(&self, attribute: usize) -> bool {
        matches!(self.attributes[attribute].ty, AttributeType::Text | AttributeType::Generated(_))
    }
}
