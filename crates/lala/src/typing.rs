//! Checks the types of attributes, rules, guards and print commands with the checker of the `value` crate.
//!
//! The declarations of the specification are one module; its `module` blocks, module files and the built-in library
//! are others. Each resolved expression is checked against the type that its context requires, with the types of the
//! attributes that it reads.

use crate::draft::{AttributeType, Command, Draft, Resolved, ValueDraft};
use polysmith_attributes::{CodeId, Occurrence, Program, Slot, Source};
use polysmith_source::{Diagnostics, Span};
use polysmith_value::syntax::{Arena, ExprKind, ExternalId, Module};
use polysmith_value::{Checker, External, ModuleId, Origin, Ty, TypeReason};

/// The compiled code of a specification, in the numbering of the draft.
#[derive(Debug)]
pub(crate) struct Codes {
    pub(crate) productions: Vec<Vec<ProductionCodes>>,
}

#[derive(Debug)]
pub(crate) struct ProductionCodes {
    /// `None` if the value of the only source is copied.
    pub(crate) equations: Vec<Option<CodeId>>,
    pub(crate) guards: Vec<CodeId>,
    pub(crate) list: Option<CodeId>,
    /// `None` if a node is printed again.
    pub(crate) commands: Vec<Option<CodeId>>,
}

/// Checks all types and, if there are no errors, compiles everything.
pub(crate) fn check(
    draft: &Draft,
    main: Module,
    others: Vec<(Module, Origin)>,
    found: &mut Diagnostics,
) -> (Codes, Option<Program>) {
    let mut checker = Checker::new();
    for (module, origin) in others {
        checker.add(module, origin);
    }
    let arena = main.arena.clone();
    let module = checker.add(main, Origin::User);
    checker.declare(found);
    let attributes = attribute_types(draft, &mut checker, module, found);
    let mut typing = Typing { draft, checker, module, arena: &arena, attributes, found };
    let productions = (0..draft.classes.len())
        .map(|class| {
            let n = draft.classes[class].productions.len();
            (0..n).map(|production| typing.production(class, production)).collect()
        })
        .collect();
    let codes = Codes { productions };
    // Keep the code only if all of it was compiled.
    let program = typing.checker.finish(typing.found);
    (codes, program)
}

/// The types of all attributes, by class.
fn attribute_types(
    draft: &Draft,
    checker: &mut Checker,
    module: ModuleId,
    found: &mut Diagnostics,
) -> Vec<Vec<Ty>> {
    let mut types = Vec::new();
    for class in &draft.classes {
        let mut of_class = Vec::new();
        for attribute in &class.attributes {
            of_class.push(match attribute.ty {
                AttributeType::Written(ty) | AttributeType::Generated(ty) => {
                    checker.annotation(module, ty, found)
                }
                AttributeType::Text => checker.string(),
                AttributeType::Missing => checker.error(),
            });
        }
        types.push(of_class);
    }
    types
}

struct Typing<'a> {
    draft: &'a Draft,
    checker: Checker,
    module: ModuleId,
    arena: &'a Arena,
    attributes: Vec<Vec<Ty>>,
    found: &'a mut Diagnostics,
}

impl Typing<'_> {
    fn production(&mut self, class: usize, number: usize) -> ProductionCodes {
        let draft = self.draft;
        let production = &draft.classes[class].productions[number];
        let mut codes =
            ProductionCodes { equations: Vec::new(), guards: Vec::new(), list: None, commands: Vec::new() };
        for equation in &production.equations {
            let ValueDraft::Written(value) = &equation.value else {
                codes.equations.push(None);
                continue;
            };
            let wanted = self.slot(class, number, equation.target);
            let shown = draft.show(class, number, equation.target);
            let reason = format!("`{shown}` is declared here");
            let expected = wanted.map(|(ty, declared)| (ty, TypeReason::at(declared, reason)));
            let code = self.expr(class, number, value, expected);
            let plain = self.is_plain(class, number, equation.target, value);
            codes.equations.push((!plain).then_some(code));
        }
        for guard in &production.guards {
            let reason = match &guard.name {
                Some(name) => format!("`{}` is a guard", name.text),
                None => "`require` takes a condition".to_owned(),
            };
            let declared = guard.name.as_ref().map_or(guard.value.span, |name| name.span);
            let expected = (self.checker.bool(), TypeReason::at(declared, reason));
            codes.guards.push(self.expr(class, number, &guard.value, Some(expected)));
        }
        if let Some(list) = &production.list {
            let value = draft.classes[class].attribute("$").map(|at| self.attributes[class][at]);
            let item = value.unwrap_or_else(|| self.checker.error());
            let expected = (
                self.checker.list(item),
                TypeReason::at(production.name.span, "a generator chooses from a list of values of its type"),
            );
            codes.list = Some(self.expr(class, number, list, Some(expected)));
        }
        for command in &production.commands {
            codes.commands.push(match command {
                Command::Value(value) => Some(self.expr(class, number, value, None)),
                Command::Node(_) => None,
            });
        }
        codes
    }

    /// The type of an attribute as seen from a production, and the location of its declaration.
    fn slot(&self, class: usize, production: usize, slot: Slot) -> Option<(Ty, Span)> {
        let owner = self.draft.class_of(class, production, slot.node)?;
        let attribute = slot.attribute as usize;
        let span = self.draft.classes[owner].attributes[attribute].name.span;
        Some((self.attributes[owner][attribute], span))
    }

    /// Whether an expression only reads an attribute of exactly the same type.
    fn is_plain(&mut self, class: usize, production: usize, target: Slot, value: &Resolved) -> bool {
        let mut expr = value.expr;
        while let ExprKind::Paren(inner) = self.arena[expr].kind {
            expr = inner;
        }
        let (ExprKind::External(_), [Source::Slot(from)]) = (&self.arena[expr].kind, &*value.sources) else {
            return false;
        };
        // A `T` is accepted for `T?`, but has another representation if T is optional itself.
        match (self.slot(class, production, target), self.slot(class, production, *from)) {
            (Some((a, _)), Some((b, _))) => self.checker.show(a) == self.checker.show(b),
            _ => false,
        }
    }

    fn expr(
        &mut self,
        class: usize,
        production: usize,
        value: &Resolved,
        expected: Option<(Ty, TypeReason)>,
    ) -> CodeId {
        let externals: Vec<External> = value
            .sources
            .iter()
            .map(|source| match source {
                Source::Slot(slot) => match self.slot(class, production, *slot) {
                    Some((ty, span)) => {
                        let shown = self.draft.show(class, production, *slot);
                        External { ty, declared: Some((span, format!("`{shown}` is declared here"))) }
                    }
                    None => External { ty: self.checker.error(), declared: None },
                },
                Source::Node(Occurrence::This | Occurrence::Child(_)) => {
                    External { ty: self.checker.node(), declared: None }
                }
            })
            .collect();
        let mut lookup = |id: ExternalId| externals[id.0 as usize].clone();
        self.checker.expr(self.module, value.expr, expected, &mut lookup, self.found).id
    }
}
