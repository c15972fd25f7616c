//! Resolves the rules, guards and print commands of every production, and completes and checks them.
//!
//! A production must define the synthesized attributes of its own class, its `grd` attributes, and the inherited
//! attributes of its children. Written rules come first; `@thread` and `@copy` then add missing ones; what is still
//! missing is reported.

mod complete;

use crate::codes;
use crate::draft::{Command, Draft, EquationDraft, GuardDraft, ProductionDraft, ValueDraft};
use crate::read::Store;
use crate::resolve::{Reads, Site, node_named, resolve, unknown_attribute};
use crate::syntax::{Statement, TemplatePart};
use polysmith_attributes::{Direction, Occurrence, Slot};
use polysmith_source::{Diagnostics, nearest};
use polysmith_value::syntax::Name;

/// Resolves the bodies of all productions and adds the rules that annotations generate.
pub(crate) fn resolve_rules(
    draft: &mut Draft,
    bodies: Vec<Vec<Vec<Statement>>>,
    store: &mut Store,
    found: &mut Diagnostics,
) {
    for (class, bodies) in bodies.into_iter().enumerate() {
        for (production, body) in bodies.into_iter().enumerate() {
            let mut rules = Rules { draft, class, production, store, found, lost: Vec::new() };
            rules.locals(&body);
            rules.statements(body);
            rules.complete();
        }
    }
}

struct Rules<'a> {
    draft: &'a mut Draft,
    class: usize,
    production: usize,
    store: &'a mut Store,
    found: &'a mut Diagnostics,
    /// Rule targets that could not be resolved (node, attribute). What they may have meant is not reported as missing.
    lost: Vec<(Name, Name)>,
}

impl Rules<'_> {
    /// Whether an unresolved target probably meant this attribute of this node.
    fn is_lost(&self, node: &str, attribute: &str) -> bool {
        self.lost.iter().any(|(lost_node, lost)| &*lost.text == attribute || &*lost_node.text == node)
    }

    fn production(&mut self) -> &mut ProductionDraft {
        &mut self.draft.classes[self.class].productions[self.production]
    }

    fn locals(&mut self, body: &[Statement]) {
        for statement in body {
            let Statement::Local { name, value } = statement else { continue };
            let known = self.production().locals.iter().find(|(other, _)| other.text == name.text);
            if let Some((first, _)) = known {
                let first = first.span;
                let message = format!("there are two local values `.{}`", name.text);
                self.found.error(codes::DUPLICATE, name.span, message).also(first, "the first");
                continue;
            }
            self.production().locals.push((name.clone(), *value));
        }
    }

    fn statements(&mut self, body: Vec<Statement>) {
        let Rules { draft, class, production, store, found, .. } = self;
        let draft: &Draft = draft;
        let locals = &draft.classes[*class].productions[*production].locals;
        let mut used_locals = vec![false; locals.len()];
        let mut equations: Vec<EquationDraft> = Vec::new();
        let mut guards: Vec<GuardDraft> = Vec::new();
        let mut lost = Vec::new();
        let Store { arena, externals } = &mut **store;
        let mut site =
            Site { draft, class: *class, production: *production, externals, used_locals: &mut used_locals };
        for statement in body {
            match statement {
                Statement::Local { .. } => {}
                Statement::Require { value } => {
                    let value = resolve(&mut site, arena, value, Reads::Rule, found);
                    guards.push(GuardDraft { name: None, value });
                }
                Statement::Rule { node, attribute, value } => {
                    let target = target(&site, &node, &attribute, found);
                    let value = resolve(&mut site, arena, value, Reads::Rule, found);
                    match target {
                        None => lost.push((node, attribute)),
                        Some(Target::Guard) => add_guard(&mut guards, attribute, value, found),
                        Some(Target::Slot(slot)) => {
                            let span = node.span.to(attribute.span);
                            if let Some(first) = equations.iter().find(|other| other.target == slot) {
                                let message = format!("`{}.{}` has two rules", node.text, attribute.text);
                                found.error(codes::TWO_RULES, span, message).also(first.span, "the first");
                                continue;
                            }
                            equations.push(EquationDraft {
                                target: slot,
                                value: ValueDraft::Written(value),
                                span,
                            });
                        }
                    }
                }
            }
        }
        let draft_production = &draft.classes[*class].productions[*production];
        let generator = draft_production.generator;
        let list = generator.map(|call| resolve(&mut site, arena, call, Reads::Generator, found));
        let mut commands = Vec::new();
        for part in draft_production.template.iter().flatten() {
            let TemplatePart::Print(expr) = part else { continue };
            commands.push(match node_named(&site, arena, *expr) {
                Some(node) => Command::Node(node),
                None => Command::Value(resolve(&mut site, arena, *expr, Reads::Print, found)),
            });
        }
        for ((name, _), used) in draft_production.locals.iter().zip(used_locals) {
            if !used {
                let message = format!("the local value `.{}` is never used", name.text);
                found.warning(codes::UNUSED_LOCAL, name.span, message);
            }
        }
        self.lost = lost;
        let production = self.production();
        (production.equations, production.guards) = (equations, guards);
        (production.list, production.commands) = (list, commands);
    }
}

fn add_guard(
    guards: &mut Vec<GuardDraft>,
    name: Name,
    value: crate::draft::Resolved,
    found: &mut Diagnostics,
) {
    let same = |guard: &&GuardDraft| guard.name.as_ref().is_some_and(|other| other.text == name.text);
    if let Some(first) = guards.iter().find(same) {
        let message = format!("the guard `{}` has two rules", name.text);
        let first = first.name.as_ref().map_or(first.value.span, |name| name.span);
        found.error(codes::TWO_RULES, name.span, message).also(first, "the first");
        return;
    }
    guards.push(GuardDraft { name: Some(name), value });
}

enum Target {
    Slot(Slot),
    Guard,
}

/// The attribute that a rule defines. Reports an error if it cannot.
fn target(site: &Site<'_>, node: &Name, attribute: &Name, found: &mut Diagnostics) -> Option<Target> {
    let class = &site.draft.classes[site.class];
    let production = &class.productions[site.production];
    let Some(occurrence) = site.node(&node.text) else {
        let known: Vec<&str> = production.children.iter().map(|child| &*child.name.text).collect();
        let message = format!("production `{}` has no child `{}`", production.name.text, node.text);
        let help = match nearest(&node.text, known.iter().copied()) {
            Some(similar) => format!("did you mean `{similar}`?"),
            None if known.is_empty() => "it has no children; `this` is the node itself".to_owned(),
            None => {
                let names = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
                format!("its children are {names}; `this` is the node itself")
            }
        };
        found.error(codes::UNKNOWN_NODE, node.span, message).help(help);
        return None;
    };
    let owner = &site.draft.classes[site.draft.class_of(site.class, site.production, occurrence)?];
    if let Some(guard) = owner.guards.iter().find(|guard| guard.text == attribute.text) {
        if occurrence == Occurrence::This {
            return Some(Target::Guard);
        }
        let message = format!(
            "`{}.{}` is a guard of the child: its own productions define it",
            node.text, attribute.text
        );
        found.error(codes::WRONG_SIDE, attribute.span, message).also(guard.span, "declared here");
        return None;
    }
    let Some(at) = owner.attribute(&attribute.text).filter(|_| &*attribute.text != "$") else {
        unknown_attribute(owner, attribute, found);
        return None;
    };
    let declared = &owner.attributes[at];
    let own = occurrence == Occurrence::This;
    let problem = match declared.direction {
        Direction::Inherited if own => {
            Some(format!("`this.{}` is inherited: the production above this node defines it", attribute.text))
        }
        Direction::Synthesized if !own => Some(format!(
            "`{}.{}` is synthesized: the child's own productions define it",
            node.text, attribute.text
        )),
        _ if owner.is_intrinsic(at) => {
            Some(format!("`{}` is the text of the node: no rule can set it", attribute.text))
        }
        _ => None,
    };
    if let Some(message) = problem {
        found.error(codes::WRONG_SIDE, attribute.span, message).also(declared.name.span, "declared here");
        return None;
    }
    Some(Target::Slot(Slot { node: occurrence, attribute: at as u32 }))
}
