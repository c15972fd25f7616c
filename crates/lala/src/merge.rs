//! Merges the classes of several files into one list: `import`, `extend class`, `override class`, `without`.
//!
//! Items are in textual order, those of an imported file in place of its `import`. An overridden class keeps its
//! position, so the start class of a dialect is that of its base.

use crate::codes;
use crate::syntax::{Class, ClassMode, Item, Module};
use polysmith_source::{Diagnostics, nearest};
use polysmith_value::syntax::{FnDecl, Name, TypeDecl};

/// The items of a specification, grouped by kind.
#[derive(Debug, Default)]
pub(crate) struct SpecItems {
    pub(crate) uses: Vec<Name>,
    pub(crate) modules: Vec<Module>,
    pub(crate) types: Vec<TypeDecl>,
    pub(crate) functions: Vec<FnDecl>,
    pub(crate) classes: Vec<Class>,
}

/// Groups and merges all items. Imports have already been replaced.
pub(crate) fn merge(items: Vec<Item>, found: &mut Diagnostics) -> SpecItems {
    let mut parts = SpecItems::default();
    for item in items {
        match item {
            Item::Use(name) => {
                if !parts.uses.iter().any(|used| used.text == name.text) {
                    parts.uses.push(name);
                }
            }
            Item::Import(_) => {}
            Item::Module(module) => parts.modules.push(module),
            Item::Type(declaration) => parts.types.push(declaration),
            Item::Function(function) => parts.functions.push(function),
            Item::Class(class) => add_class(&mut parts.classes, class, found),
            Item::Without { class, production } => leave_out(&mut parts.classes, &class, production, found),
        }
    }
    parts
}

fn add_class(classes: &mut Vec<Class>, class: Class, found: &mut Diagnostics) {
    let at = classes.iter().position(|other| other.name.text == class.name.text);
    match (class.mode, at) {
        (ClassMode::New, None) => classes.push(class),
        (ClassMode::New, Some(at)) => {
            found
                .error(codes::DUPLICATE, class.name.span, format!("there are two classes `{}`", class.name.text))
                .also(classes[at].name.span, "the first")
                .help("rename one; to change a class of an imported file write `extend class` or `override class`");
        }
        (ClassMode::Override, Some(at)) => classes[at] = class,
        (ClassMode::Extend, Some(at)) => extend(&mut classes[at], class, found),
        (ClassMode::Extend | ClassMode::Override, None) => unknown(classes, &class.name, found),
    }
}

/// Adds new attributes and productions, and replaces productions of the same name.
fn extend(base: &mut Class, more: Class, found: &mut Diagnostics) {
    if let Some(literal) = more.literal.as_ref().or(base.literal.as_ref()) {
        let message = format!("the literal class `{}` cannot be extended", base.name.text);
        found
            .error(codes::NOTHING_TO_CHANGE, more.name.span, message)
            .also(literal.span, "its texts are given by one regular expression")
            .help("write `override class` with the new expression");
        return;
    }
    for annotation in more.annotations {
        base.annotations.retain(|other| other.name.text != annotation.name.text);
        base.annotations.push(annotation);
    }
    for attribute in more.attributes {
        match base.attributes.iter_mut().find(|other| other.name.text == attribute.name.text) {
            Some(other) => *other = attribute,
            None => base.attributes.push(attribute),
        }
    }
    for production in more.productions {
        match base.productions.iter_mut().find(|other| other.name.text == production.name.text) {
            Some(other) => *other = production,
            None => base.productions.push(production),
        }
    }
}

fn leave_out(classes: &mut Vec<Class>, name: &Name, production: Option<Name>, found: &mut Diagnostics) {
    let Some(at) = classes.iter().position(|class| class.name.text == name.text) else {
        return unknown(classes, name, found);
    };
    let Some(production) = production else {
        classes.remove(at);
        return;
    };
    let productions = &mut classes[at].productions;
    match productions.iter().position(|other| other.name.text == production.text) {
        Some(at) => {
            productions.remove(at);
        }
        None => {
            let known = productions.iter().map(|production| &*production.name.text);
            let similar = nearest(&production.text, known).map(|name| format!("did you mean `{name}`?"));
            let message = format!("class `{}` has no production `{}`", name.text, production.text);
            let diagnostic = found.error(codes::NOTHING_TO_CHANGE, production.span, message);
            diagnostic.help = similar;
        }
    }
}

fn unknown(classes: &[Class], name: &Name, found: &mut Diagnostics) {
    let similar = nearest(&name.text, classes.iter().map(|class| &*class.name.text));
    let message = format!("there is no class `{}` to change", name.text);
    found.error(codes::NOTHING_TO_CHANGE, name.span, message).help(match similar {
        Some(similar) => format!("did you mean `{similar}`?"),
        None => "`import` the file that has it, above this line".to_owned(),
    });
}
