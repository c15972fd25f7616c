//! Builds the draft: numbers classes, attributes, productions and children, and reports duplicates.

use super::{AttributeDraft, AttributeType, ChildDraft, ClassDraft, Draft, ProductionDraft};
use crate::annotations;
use crate::codes;
use crate::syntax::{Class, Direction as Written, Form, Production, Statement, TemplatePart};
use polysmith_attributes::Direction;
use polysmith_source::{Diagnostics, nearest};
use polysmith_value::syntax::Name;

/// Builds the draft of a specification. Also returns the statements of each production, which are not resolved yet.
pub(crate) fn build(classes: Vec<Class>, found: &mut Diagnostics) -> (Draft, Vec<Vec<Vec<Statement>>>) {
    let names: Vec<Name> = classes.iter().map(|class| class.name.clone()).collect();
    let mut draft = Draft::default();
    let mut bodies = Vec::new();
    for class in classes {
        let (class, body) = build_class(class, &names, found);
        draft.classes.push(class);
        bodies.push(body);
    }
    (draft, bodies)
}

fn build_class(class: Class, classes: &[Name], found: &mut Diagnostics) -> (ClassDraft, Vec<Vec<Statement>>) {
    let options = annotations::class(&class.annotations, class.literal.is_some(), found);
    let name = class.name.clone();
    if class.literal.is_none() && class.productions.is_empty() {
        found
            .error(codes::NO_PRODUCTION, name.span, format!("class `{}` has no production", name.text))
            .help("a class needs a way to build its nodes, such as `empty(\"\") {}`");
    }
    let (attributes, n_inherited, guards) = attributes(&class, found);
    let mut productions = Vec::new();
    let mut bodies = Vec::new();
    if let Some(text) = &class.literal {
        let span = text.span;
        productions.push(blank_production(name.clone(), span));
        bodies.push(class.body);
    }
    for production in class.productions {
        let first =
            productions.iter().find(|other: &&ProductionDraft| other.name.text == production.name.text);
        if let Some(first) = first {
            let message = format!("class `{}` has two productions `{}`", name.text, production.name.text);
            found.error(codes::DUPLICATE, production.name.span, message).also(first.name.span, "the first");
            continue;
        }
        let (production, body) = build_production(production, classes, found);
        productions.push(production);
        bodies.push(body);
    }
    let mut draft = ClassDraft {
        name,
        options,
        literal: class.literal.map(|text| (text, class.dialect)),
        attributes,
        n_inherited,
        guards,
        productions,
    };
    if draft.is_generator() {
        check_generator(&mut draft, &mut bodies, found);
    }
    (draft, bodies)
}

/// Reports a generator that is not the only production of its class.
fn check_generator(draft: &mut ClassDraft, bodies: &mut Vec<Vec<Statement>>, found: &mut Diagnostics) {
    if draft.productions.len() == 1 {
        return;
    }
    let at = draft.productions.iter().position(|production| production.generator.is_some()).unwrap_or(0);
    let other = usize::from(at == 0);
    let message = format!("class `{}` has a generator and other productions", draft.name.text);
    found
        .error(codes::GENERATOR_MIXED, draft.productions[at].name.span, message)
        .also(draft.productions[other].name.span, "another production")
        .help("give the generator a class of its own, and use that as a child");
    draft.productions.swap(0, at);
    draft.productions.truncate(1);
    bodies.swap(0, at);
    bodies.truncate(1);
}

fn attributes(class: &Class, found: &mut Diagnostics) -> (Vec<AttributeDraft>, usize, Vec<Name>) {
    let mut inherited = Vec::new();
    let mut synthesized = Vec::new();
    let mut guards = Vec::new();
    let mut seen: Vec<&Name> = Vec::new();
    if let Some(text) = &class.literal {
        let name = Name::new("str", text.span);
        synthesized.push(AttributeDraft { name, direction: Direction::Synthesized, ty: AttributeType::Text });
    }
    for attribute in &class.attributes {
        let name = attribute.name.clone();
        if let Some(first) = seen.iter().find(|other| other.text == name.text) {
            let message = format!("class `{}` has two attributes `{}`", class.name.text, name.text);
            found.error(codes::DUPLICATE, name.span, message).also(first.span, "the first");
            continue;
        }
        if class.literal.is_some() && &*name.text == "str" {
            let message = "every literal class has the attribute `str`: it is the text of the node";
            found.error(codes::DUPLICATE, name.span, message).help("choose another name");
            continue;
        }
        seen.push(&attribute.name);
        let ty = attribute.ty.map_or(AttributeType::Missing, AttributeType::Written);
        match attribute.direction {
            Written::Inherited => {
                inherited.push(AttributeDraft { name, direction: Direction::Inherited, ty })
            }
            Written::Synthesized => {
                synthesized.push(AttributeDraft { name, direction: Direction::Synthesized, ty });
            }
            Written::Guard => guards.push(name),
        }
    }
    for production in &class.productions {
        if let Form::Generator { ty, .. } = production.form {
            let name = Name::new("$", production.name.span);
            let ty = AttributeType::Generated(ty);
            synthesized.push(AttributeDraft { name, direction: Direction::Synthesized, ty });
            break;
        }
    }
    let n_inherited = inherited.len();
    inherited.append(&mut synthesized);
    (inherited, n_inherited, guards)
}

fn blank_production(name: Name, span: polysmith_source::Span) -> ProductionDraft {
    ProductionDraft {
        name,
        options: annotations::ProductionOptions::default(),
        children: Vec::new(),
        template: None,
        template_span: span,
        generator: None,
        locals: Vec::new(),
        equations: Vec::new(),
        guards: Vec::new(),
        list: None,
        commands: Vec::new(),
    }
}

fn build_production(
    production: Production,
    classes: &[Name],
    found: &mut Diagnostics,
) -> (ProductionDraft, Vec<Statement>) {
    let mut draft = blank_production(production.name.clone(), production.name.span);
    draft.options = annotations::production(&production.annotations, found);
    match production.form {
        Form::Tree(template) => {
            draft.template_span = template.span;
            draft.children = children(&template.parts, &production.name, classes, found);
            draft.template = Some(template.parts);
        }
        Form::Generator { call, template, .. } => {
            draft.generator = Some(call);
            if let Some(template) = template {
                draft.template_span = template.span;
                for part in &template.parts {
                    if let TemplatePart::Child(child) = part {
                        found
                            .error(codes::GENERATOR_MIXED, child.name.span, "a generator has no children")
                            .help("print the value with `#{$}`");
                    }
                }
                draft.template = Some(template.parts);
            }
        }
    }
    (draft, production.body)
}

fn children(
    parts: &[TemplatePart],
    production: &Name,
    classes: &[Name],
    found: &mut Diagnostics,
) -> Vec<ChildDraft> {
    let mut children: Vec<ChildDraft> = Vec::new();
    for part in parts {
        let TemplatePart::Child(child) = part else { continue };
        let name = child.name.clone();
        if &*name.text == "this" {
            found
                .error(codes::RESERVED_NAME, name.span, "a child cannot be called `this`")
                .help("`this` is the node itself");
        }
        if let Some(first) = children.iter().find(|other| other.name.text == name.text) {
            let message = format!("production `{}` has two children `{}`", production.text, name.text);
            found
                .error(codes::DUPLICATE, name.span, message)
                .also(first.name.span, "the first")
                .help(format!("`#{{{}}}` prints a child once more", name.text));
        }
        let class = classes.iter().position(|class| class.text == child.class.text);
        if class.is_none() {
            let known = classes.iter().map(|class| &*class.text);
            let message = format!("there is no class `{}`", child.class.text);
            let diagnostic = found.error(codes::UNKNOWN_CLASS, child.class.span, message);
            if let Some(similar) = nearest(&child.class.text, known) {
                diagnostic.help(format!("did you mean `{similar}`?"));
            }
        }
        children.push(ChildDraft { name, class });
    }
    children
}
