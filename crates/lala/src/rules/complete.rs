//! Completes the rules of a production: `@thread` and `@copy` add missing ones, the rest is reported.

use super::Rules;
use crate::annotations::{Names, Thread};
use crate::codes;
use crate::draft::{AttributeType, EquationDraft, ValueDraft};
use polysmith_attributes::{Direction, Occurrence, Slot};
use polysmith_source::Span;
use polysmith_value::syntax::{Arena, TypeId, TypeKind};

impl Rules<'_> {
    pub(super) fn complete(&mut self) {
        self.thread();
        self.copy();
        self.missing_guards();
        for slot in self.missing() {
            self.report_missing(slot);
        }
    }

    /// The attributes that the production must define and does not.
    fn missing(&self) -> Vec<Slot> {
        let class = &self.draft.classes[self.class];
        let production = &class.productions[self.production];
        let own = (class.n_inherited..class.attributes.len()).filter(|at| !class.is_intrinsic(*at));
        let mut slots: Vec<Slot> =
            own.map(|at| Slot { node: Occurrence::This, attribute: at as u32 }).collect();
        for (child, draft) in production.children.iter().enumerate() {
            let Some(class) = draft.class else { continue };
            let inherited = 0..self.draft.classes[class].n_inherited;
            slots.extend(
                inherited.map(|at| Slot { node: Occurrence::Child(child as u32), attribute: at as u32 }),
            );
        }
        slots.retain(|slot| !production.equations.iter().any(|equation| equation.target == *slot));
        slots
    }

    fn add(&mut self, target: Slot, from: Slot, span: Span) {
        let equation = EquationDraft { target, value: ValueDraft::Copied(from), span };
        self.production().equations.push(equation);
    }

    /// `@thread(in, out)`: passes the value through the children that inherit `in` and synthesize `out`.
    fn thread(&mut self) {
        let class = &self.draft.classes[self.class];
        let production = &class.productions[self.production];
        let Some(thread) = production.options.thread.clone().or_else(|| class.options.thread.clone()) else {
            return;
        };
        let Some((own_in, own_out)) = self.thread_attributes(&thread) else { return };
        let missing = self.missing();
        let mut current = Slot { node: Occurrence::This, attribute: own_in as u32 };
        let mut rules: Vec<(Slot, Slot)> = Vec::new();
        let production = &self.draft.classes[self.class].productions[self.production];
        for (at, child) in production.children.iter().enumerate() {
            let Some(class) = child.class.map(|class| &self.draft.classes[class]) else { continue };
            let node = Occurrence::Child(at as u32);
            let find = |name: &str, direction: Direction| {
                let at = class.attribute(name)?;
                (class.attributes[at].direction == direction).then_some(Slot { node, attribute: at as u32 })
            };
            if let Some(input) = find(&thread.input.text, Direction::Inherited) {
                rules.push((input, current));
            }
            if let Some(output) = find(&thread.output.text, Direction::Synthesized) {
                current = output;
            }
        }
        rules.push((Slot { node: Occurrence::This, attribute: own_out as u32 }, current));
        for (target, from) in rules {
            if missing.contains(&target) {
                self.add(target, from, thread.span);
            }
        }
    }

    /// The two attributes of `@thread` in the production's own class. Reports errors once per class.
    fn thread_attributes(&mut self, thread: &Thread) -> Option<(usize, usize)> {
        let class = &self.draft.classes[self.class];
        let find = |name: &str, direction: Direction| {
            class.attribute(name).filter(|at| class.attributes[*at].direction == direction)
        };
        let input = find(&thread.input.text, Direction::Inherited);
        let output = find(&thread.output.text, Direction::Synthesized);
        if let (Some(input), Some(output)) = (input, output) {
            return Some((input, output));
        }
        let (name, word) = match input {
            None => (&thread.input, "inh"),
            Some(_) => (&thread.output, "syn"),
        };
        let message = format!("class `{}` has no attribute `{word} {}`", class.name.text, name.text);
        let place = name.span.into();
        if !self.found.iter().any(|known| known.location == place) {
            self.found
                .error(codes::ANNOTATION_ATTRIBUTE, name.span, message)
                .help("`@thread(in, out)` names an inherited and a synthesized attribute of its own class");
        }
        None
    }

    /// `@copy`: copies attributes of the same name and type from the parent down or from a child up.
    fn copy(&mut self) {
        let class = &self.draft.classes[self.class];
        let production = &class.productions[self.production];
        let asked: Vec<Names> =
            [&class.options.copy, &production.options.copy].into_iter().flatten().cloned().collect();
        for names in &asked {
            self.check_copied(names);
        }
        for slot in self.missing() {
            let Some(owner) = self.draft.class_of(self.class, self.production, slot.node) else { continue };
            let name = self.draft.classes[owner].attributes[slot.attribute as usize].name.text.clone();
            let Some(names) = asked.iter().find(|names| names.covers(&name)) else { continue };
            let span = names.span;
            match slot.node {
                Occurrence::Child(_) => {
                    let from = self.find_same(self.class, owner, slot.attribute, Direction::Inherited);
                    if let Some(at) = from {
                        self.add(slot, Slot { node: Occurrence::This, attribute: at as u32 }, span);
                    }
                }
                Occurrence::This => self.copy_up(slot, owner, span),
            }
        }
    }

    fn copy_up(&mut self, slot: Slot, owner: usize, span: Span) {
        let production = &self.draft.classes[self.class].productions[self.production];
        let mut candidates = Vec::new();
        for (child, draft) in production.children.iter().enumerate() {
            let Some(class) = draft.class else { continue };
            if let Some(at) = self.find_same(class, owner, slot.attribute, Direction::Synthesized) {
                candidates
                    .push((Slot { node: Occurrence::Child(child as u32), attribute: at as u32 }, child));
            }
        }
        let Some((from, last)) = candidates.last().copied() else { return };
        if candidates.len() > 1 {
            let attribute = &self.draft.classes[owner].attributes[slot.attribute as usize].name.text;
            let last = &production.children[last].name.text;
            let message = format!(
                "`this.{attribute}` could be copied from {} children of `{}`; the last one, `{last}`, is taken",
                candidates.len(),
                production.name.text
            );
            let help = format!("write `this.{attribute} = {last}.{attribute};` to say so");
            let place = production.name.span;
            self.found.warning(codes::AMBIGUOUS_COPY, place, message).help(help);
        }
        self.add(slot, from, span);
    }

    /// The attribute of `class` with the name and type of another one.
    fn find_same(&self, class: usize, owner: usize, attribute: u32, direction: Direction) -> Option<usize> {
        let wanted = &self.draft.classes[owner].attributes[attribute as usize];
        let class = &self.draft.classes[class];
        let at = class.attribute(&wanted.name.text)?;
        let found = &class.attributes[at];
        let arena = &self.store.arena;
        let same = match (found.ty, wanted.ty) {
            (AttributeType::Written(a), AttributeType::Written(b)) => same_type(arena, a, b),
            (AttributeType::Missing, _) | (_, AttributeType::Missing) => true,
            (AttributeType::Text, AttributeType::Written(ty)) => is_string(arena, ty),
            _ => false,
        };
        (same && found.direction == direction).then_some(at)
    }

    fn check_copied(&mut self, names: &Names) {
        let class = &self.draft.classes[self.class];
        for name in &names.names {
            if class.attribute(&name.text).is_some()
                || self.found.iter().any(|d| d.location == name.span.into())
            {
                continue;
            }
            let message = format!("class `{}` has no attribute `{}` to copy", class.name.text, name.text);
            self.found
                .error(codes::ANNOTATION_ATTRIBUTE, name.span, message)
                .help("`@copy` names attributes of its own class");
        }
    }

    fn missing_guards(&mut self) {
        let class = &self.draft.classes[self.class];
        let production = &class.productions[self.production];
        for guard in &class.guards {
            let defined = production
                .guards
                .iter()
                .any(|other| other.name.as_ref().is_some_and(|name| name.text == guard.text));
            if defined || self.is_lost("this", &guard.text) {
                continue;
            }
            let message =
                format!("the guard `{}` has no rule in production `{}`", guard.text, production.name.text);
            self.found
                .error(codes::MISSING_RULE, production.name.span, message)
                .also(guard.span, "declared here")
                .help(format!("add `this.{} = …;`, or use `require` where it matters", guard.text));
        }
    }

    fn report_missing(&mut self, slot: Slot) {
        let Some(owner) = self.draft.class_of(self.class, self.production, slot.node) else { return };
        let attribute = &self.draft.classes[owner].attributes[slot.attribute as usize];
        let shown = self.draft.show(self.class, self.production, slot);
        if self.is_lost(shown.split('.').next().unwrap_or_default(), &attribute.name.text) {
            return;
        }
        let class = &self.draft.classes[self.class];
        let production = &class.productions[self.production];
        let place = match slot.node {
            Occurrence::This => production.name.span,
            Occurrence::Child(child) => production.children[child as usize].name.span,
        };
        let copies = match slot.node {
            Occurrence::Child(_) => {
                self.find_same(self.class, owner, slot.attribute, Direction::Inherited).is_some()
            }
            Occurrence::This => false,
        };
        let mut help = format!("add `{shown} = …;`");
        if copies {
            help.push_str(&format!(", or `@copy({})` before the class", attribute.name.text));
        }
        let message = format!("`{shown}` has no rule in production `{}`", production.name.text);
        let declared = attribute.name.span;
        self.found.error(codes::MISSING_RULE, place, message).also(declared, "declared here").help(help);
    }
}

/// Whether two types are written alike. The depth is bounded by the arena.
fn same_type(arena: &Arena, a: TypeId, b: TypeId) -> bool {
    let all = |a: &[TypeId], b: &[TypeId]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_type(arena, *a, *b))
    };
    match (&arena[a].kind, &arena[b].kind) {
        (TypeKind::Name { module: m, name: n, args: x }, TypeKind::Name { module: p, name: q, args: y }) => {
            n.text == q.text && m.as_ref().map(|m| &m.text) == p.as_ref().map(|p| &p.text) && all(x, y)
        }
        (TypeKind::Option(a), TypeKind::Option(b)) => same_type(arena, *a, *b),
        (TypeKind::Tuple(a), TypeKind::Tuple(b)) => all(a, b),
        (TypeKind::Function { params: a, result: r }, TypeKind::Function { params: b, result: s }) => {
            all(a, b) && same_type(arena, *r, *s)
        }
        (TypeKind::Error, _) | (_, TypeKind::Error) => true,
        _ => false,
    }
}

fn is_string(arena: &Arena, ty: TypeId) -> bool {
    matches!(&arena[ty].kind, TypeKind::Name { module: None, name, .. } if &*name.text == "String")
}
