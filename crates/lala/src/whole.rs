//! Checks of the whole language: unreachable classes, classes without finite trees, productions that are never chosen,
//! attributes that are never read.

use crate::codes;
use crate::draft::{Command, Draft};
use crate::lower::Tables;
use polysmith_attributes::{ClassKind, Features, Heights, INFINITE, Occurrence, Selection, Source};
use polysmith_source::Diagnostics;

/// Runs all checks. A missing tree is an error only if `complete`: all names were resolved.
pub(crate) fn check(draft: &Draft, tables: &Tables, complete: bool, found: &mut Diagnostics) {
    start(draft, found);
    unreachable(draft, found);
    prints_itself(draft, found);
    if complete {
        unused(draft, found);
        lists(draft, tables, found);
        heights(draft, tables, found);
    }
}

fn start(draft: &Draft, found: &mut Diagnostics) {
    let Some(class) = draft.classes.first() else { return };
    for attribute in &class.attributes[..class.n_inherited] {
        let message = format!(
            "the start class `{}` inherits `{}`, but it has no parent",
            class.name.text, attribute.name.text
        );
        found
            .error(codes::START_INHERITS, attribute.name.span, message)
            .help("programs start with the first class: put one before it that sets the attribute");
    }
}

fn unreachable(draft: &Draft, found: &mut Diagnostics) {
    if draft.classes.is_empty() {
        return;
    }
    let mut reached = vec![false; draft.classes.len()];
    reached[0] = true;
    let mut todo = vec![0];
    while let Some(class) = todo.pop() {
        let children = draft.classes[class].productions.iter().flat_map(|production| &production.children);
        for child in children.filter_map(|child| child.class) {
            if !std::mem::replace(&mut reached[child], true) {
                todo.push(child);
            }
        }
    }
    for (class, _) in draft.classes.iter().zip(reached).filter(|(_, reached)| !reached) {
        let message = format!("no program contains a node of class `{}`", class.name.text);
        found.warning(codes::UNREACHABLE, class.name.span, message).help(format!(
            "use it as a child, or leave it out; programs start with `{}`",
            draft.classes[0].name.text
        ));
    }
}

/// Reports attributes that no rule, guard, generator or print command reads.
fn unused(draft: &Draft, found: &mut Diagnostics) {
    let mut read: Vec<Vec<bool>> =
        draft.classes.iter().map(|class| vec![false; class.attributes.len()]).collect();
    for (class, class_draft) in draft.classes.iter().enumerate() {
        for (production, production_draft) in class_draft.productions.iter().enumerate() {
            let equations = production_draft.equations.iter().flat_map(|equation| equation.sources());
            let guards = production_draft.guards.iter().flat_map(|guard| guard.value.sources.clone());
            let list = production_draft.list.iter().flat_map(|list| list.sources.clone());
            let commands = production_draft.commands.iter().flat_map(|command| match command {
                Command::Value(value) => value.sources.clone(),
                Command::Node(_) => Vec::new(),
            });
            for source in equations.chain(guards).chain(list).chain(commands) {
                let Source::Slot(slot) = source else { continue };
                if let Some(owner) = draft.class_of(class, production, slot.node) {
                    read[owner][slot.attribute as usize] = true;
                }
            }
        }
    }
    for (class, read) in draft.classes.iter().zip(read) {
        for (at, attribute) in class.attributes.iter().enumerate() {
            if read[at] || class.is_intrinsic(at) {
                continue;
            }
            let message = format!(
                "nothing reads the attribute `{}` of class `{}`",
                attribute.name.text, class.name.text
            );
            found
                .warning(codes::UNUSED_ATTRIBUTE, attribute.name.span, message)
                .help("leave it and its rules out");
        }
    }
}

fn prints_itself(draft: &Draft, found: &mut Diagnostics) {
    for class in &draft.classes {
        for production in &class.productions {
            let own = |command: &Command| matches!(command, Command::Node(Occurrence::This));
            if production.commands.iter().any(own) {
                let message = format!("production `{}` prints itself without end", production.name.text);
                found
                    .error(codes::PRINTS_ITSELF, production.template_span, message)
                    .help("`#{child}` prints a child once more; `this` cannot be printed inside itself");
            }
        }
    }
}

fn lists(draft: &Draft, tables: &Tables, found: &mut Diagnostics) {
    for (class, lowered) in draft.classes.iter().zip(&tables.classes) {
        let Some((_, span)) = class.options.list else { continue };
        let productions =
            &tables.productions[lowered.productions.start as usize..lowered.productions.end as usize];
        let n_tails = productions.iter().filter(|production| production.tail.is_some()).count();
        let name = &class.name.text;
        if !matches!(lowered.kind, ClassKind::Tree) || n_tails == 0 {
            found.error(codes::LIST_SHAPE, span, format!("`@list` class `{name}` has no production that goes on"))
                .help(format!("one production needs a child of class `{name}`, such as `more(\"${{x : Item}} ${{rest : {name}}}\") {{}}`"));
        } else if n_tails == productions.len() {
            found
                .error(
                    codes::LIST_SHAPE,
                    span,
                    format!("`@list` class `{name}` has no production that ends it"),
                )
                .help(format!("one production must have no child of class `{name}`"));
        }
    }
}

fn heights(draft: &Draft, tables: &Tables, found: &mut Diagnostics) {
    let all = Selection::of(&tables.productions, &tables.features, Features::All);
    let heights = Heights::of(&tables.classes, &tables.productions, &all);
    let mut infinite = false;
    for (at, class) in draft.classes.iter().enumerate() {
        if class.productions.is_empty() {
            continue;
        }
        let range = tables.classes[at].productions.clone();
        if range.clone().all(|id| all.weight(polysmith_attributes::ProductionId(id)) == 0) {
            infinite = true;
            let message = format!("all productions of class `{}` have the weight 0", class.name.text);
            found
                .error(codes::NEVER_CHOSEN, class.name.span, message)
                .help("give one of them a weight, or leave the class out");
        } else if heights.classes[at] == INFINITE {
            infinite = true;
            let message =
                format!("class `{}` has no finite tree: every production contains it again", class.name.text);
            found
                .error(codes::NO_FINITE_TREE, class.name.span, message)
                .help("add a production that leads out of the circle; those with weight 0 do not count");
        } else if let Some((max, span)) = class.options.max_height
            && max < heights.classes[at]
        {
            let least = heights.classes[at];
            let message = format!("class `{}` can never be finished below height {least}", class.name.text);
            found
                .error(codes::MAX_HEIGHT, span, message)
                .help(format!("write `@max_height({least})` or more"));
        }
    }
    if infinite || tables.features.is_empty() {
        return;
    }
    // A language that is finite with all features may have no program without them, which is the default.
    let none = Selection::of(&tables.productions, &tables.features, Features::None);
    let heights = Heights::of(&tables.classes, &tables.productions, &none);
    if heights.classes.first() == Some(&INFINITE) {
        let class = &draft.classes[0];
        let names = tables.features.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        found
            .warning(codes::NEVER_CHOSEN, class.name.span, "without any feature there is no program at all")
            .help(format!("switch features on: {names}"));
    }
}
