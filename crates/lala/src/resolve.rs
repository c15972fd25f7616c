//! Resolves which attributes the expressions of rules read.
//!
//! `this.a`, `child.a`, `.local`, `$` and whole nodes become external leaves, numbered by the sources of the
//! expression. A local is a macro, as in the published language: its expression is substituted at each use, so an `if`
//! around a use decides whether it is evaluated. Names bound by `let`, `match` and anonymous functions hide children.
//!
//! Each expression is rebuilt in the arena rather than changed, because a local that two rules use has different
//! source numbers in each.

mod rebuild;

use crate::codes;
use crate::draft::{Draft, Resolved};
use crate::externals::Externals;
use polysmith_attributes::{Direction, Occurrence, Slot, Source};
use polysmith_source::{Diagnostics, Span, nearest};
use polysmith_value::syntax::{Arena, ExprId, ExprKind, Name};

/// The maximum number of nodes of an expression after its locals are substituted.
pub(crate) const MAX_EXPANDED: usize = 100_000;

/// How deep locals may refer to other locals.
pub(crate) const MAX_LOCALS: usize = 32;

/// Which attributes an expression may read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reads {
    /// A rule: inherited attributes of `this`, synthesized ones of children.
    Rule,
    /// The list of a generator: inherited attributes of `this`.
    Generator,
    /// A print command: all attributes, because it runs when all are known.
    Print,
}

/// The production that contains an expression.
pub(crate) struct Site<'a> {
    pub(crate) draft: &'a Draft,
    pub(crate) class: usize,
    pub(crate) production: usize,
    pub(crate) externals: &'a Externals,
    /// For each local, whether it is used.
    pub(crate) used_locals: &'a mut Vec<bool>,
}

/// Resolves one expression.
pub(crate) fn resolve(
    site: &mut Site<'_>,
    arena: &mut Arena,
    expr: ExprId,
    reads: Reads,
    found: &mut Diagnostics,
) -> Resolved {
    let span = arena[expr].span;
    let mut resolver = Resolver {
        site,
        arena,
        reads,
        sources: Vec::new(),
        bound: Vec::new(),
        expanding: Vec::new(),
        n_parts: 0,
        found,
    };
    let expr = resolver.rebuild(expr);
    Resolved { expr, sources: resolver.sources, span }
}

/// The node that a bare name refers to, if any: `#{child}` prints a node.
pub(crate) fn node_named(site: &Site<'_>, arena: &Arena, expr: ExprId) -> Option<Occurrence> {
    match &arena[expr].kind {
        ExprKind::Name(name) => site.node(&name.text),
        ExprKind::Paren(inner) => match &arena[*inner].kind {
            ExprKind::Name(name) => site.node(&name.text),
            _ => None,
        },
        _ => None,
    }
}

impl Site<'_> {
    pub(crate) fn node(&self, name: &str) -> Option<Occurrence> {
        if name == "this" {
            return Some(Occurrence::This);
        }
        let children = &self.draft.classes[self.class].productions[self.production].children;
        let at = children.iter().position(|child| &*child.name.text == name)?;
        Some(Occurrence::Child(at as u32))
    }
}

struct Resolver<'a, 'b> {
    site: &'a mut Site<'b>,
    arena: &'a mut Arena,
    reads: Reads,
    sources: Vec<Source>,
    /// Names that enclosing `let`, `match` and anonymous functions bind.
    bound: Vec<std::sync::Arc<str>>,
    /// Locals that are being substituted.
    expanding: Vec<usize>,
    n_parts: usize,
    found: &'a mut Diagnostics,
}

impl Resolver<'_, '_> {
    fn is_bound(&self, name: &str) -> bool {
        self.bound.iter().any(|bound| &**bound == name)
    }

    /// Returns the leaf of a source and adds the source if it is new.
    fn source(&mut self, source: Source) -> ExprKind {
        let at = self.sources.iter().position(|known| *known == source).unwrap_or_else(|| {
            self.sources.push(source);
            self.sources.len() - 1
        });
        ExprKind::External(polysmith_value::syntax::ExternalId(at as u32))
    }

    /// `node.name`, where `node` is `this` or a child.
    fn attribute(&mut self, node: Occurrence, name: &Name, span: Span) -> ExprKind {
        let Site { draft, class, production, .. } = *self.site;
        // A child of an unknown class was reported.
        let Some(owner) = draft.class_of(class, production, node) else { return ExprKind::Error };
        let owner_draft = &draft.classes[owner];
        let Some(attribute) = owner_draft.attribute(&name.text).filter(|_| &*name.text != "$") else {
            self.unknown_attribute(owner, name);
            return ExprKind::Error;
        };
        let direction = owner_draft.attributes[attribute].direction;
        let own = node == Occurrence::This;
        let allowed = match self.reads {
            Reads::Print => true,
            Reads::Generator => own && direction == Direction::Inherited,
            Reads::Rule if own => direction == Direction::Inherited || owner_draft.is_intrinsic(attribute),
            Reads::Rule => direction == Direction::Synthesized,
        };
        if !allowed {
            self.illegal(owner, attribute, own, span);
            return ExprKind::Error;
        }
        self.source(Source::Slot(Slot { node, attribute: attribute as u32 }))
    }

    fn unknown_attribute(&mut self, owner: usize, name: &Name) {
        let class = &self.site.draft.classes[owner];
        if let Some(guard) = class.guards.iter().find(|guard| guard.text == name.text) {
            let message = format!("a guard cannot be read: `{}`", name.text);
            self.found
                .error(codes::ILLEGAL_SOURCE, name.span, message)
                .also(guard.span, "declared here")
                .help("repeat its condition, or keep it in a `loc`");
            return;
        }
        unknown_attribute(class, name, self.found);
    }

    fn illegal(&mut self, owner: usize, attribute: usize, own: bool, span: Span) {
        let attribute = &self.site.draft.classes[owner].attributes[attribute];
        let name = &attribute.name.text;
        let (message, help) = match (self.reads, own) {
            (Reads::Generator, _) => (
                format!(
                    "the list of a generator reads `{name}`, which is not known before a value is chosen"
                ),
                "it may read inherited attributes of `this` only".to_owned(),
            ),
            (_, true) => (
                format!("`this.{name}` is synthesized: a rule of the same production cannot read it"),
                format!("give the value of `{name}` a name with `loc` and use that in both rules"),
            ),
            (_, false) => (
                format!(
                    "`{name}` is inherited by this child: the production that computes it cannot read it"
                ),
                format!("give the value of `{name}` a name with `loc` and use that in both rules"),
            ),
        };
        self.found
            .error(codes::ILLEGAL_SOURCE, span, message)
            .also(attribute.name.span, "declared here")
            .help(help);
    }

    /// `$`
    fn generated(&mut self, span: Span) -> ExprKind {
        let class = &self.site.draft.classes[self.site.class];
        let Some(attribute) = class.attribute("$") else {
            self.found
                .error(codes::GENERATED_OUTSIDE, span, "`$` is used outside of a generator")
                .help("it is the chosen value of a production of the form `name (call) : Type { … }`");
            return ExprKind::Error;
        };
        if self.reads == Reads::Generator {
            self.found
                .error(codes::GENERATED_OUTSIDE, span, "the list of a generator reads `$`, its own value")
                .help("the list must be known before a value is chosen from it");
            return ExprKind::Error;
        }
        self.source(Source::Slot(Slot { node: Occurrence::This, attribute: attribute as u32 }))
    }

    /// `.name`: substitutes the expression of the local.
    fn local(&mut self, name: &Name) -> Option<ExprId> {
        let production = &self.site.draft.classes[self.site.class].productions[self.site.production];
        let Some(at) = production.locals.iter().position(|(local, _)| local.text == name.text) else {
            let known = production.locals.iter().map(|(local, _)| &*local.text);
            let similar = nearest(&name.text, known).map(|similar| format!("did you mean `.{similar}`?"));
            let message =
                format!("production `{}` has no local value `.{}`", production.name.text, name.text);
            let help = similar.unwrap_or_else(|| format!("add `loc {} = …;` above the rules", name.text));
            self.found.error(codes::UNKNOWN_LOCAL, name.span, message).help(help);
            return None;
        };
        self.site.used_locals[at] = true;
        if self.expanding.contains(&at) {
            let (first, _) = &production.locals[at];
            let message = format!("the local value `.{}` is defined by itself", name.text);
            // Report a cycle once, not for each rule that uses the local.
            if !self
                .found
                .iter()
                .any(|known| known.code == codes::LOCAL_CYCLE && known.location == first.span.into())
            {
                self.found.error(codes::LOCAL_CYCLE, first.span, message).also(name.span, "used here");
            }
            return None;
        }
        if self.expanding.len() >= MAX_LOCALS {
            let message = format!("local values refer to each other more than {MAX_LOCALS} levels deep");
            self.found.error(codes::NESTING, name.span, message).help("make some of them functions");
            return None;
        }
        let expr = production.locals[at].1;
        self.expanding.push(at);
        // Names bound around the use are not visible in the local.
        let bound = std::mem::take(&mut self.bound);
        let rebuilt = self.rebuild(expr);
        self.bound = bound;
        self.expanding.pop();
        Some(rebuilt)
    }
}

/// Reports an attribute that a class does not have.
pub(crate) fn unknown_attribute(class: &crate::draft::ClassDraft, name: &Name, found: &mut Diagnostics) {
    let known: Vec<&str> = class
        .attributes
        .iter()
        .map(|attribute| &*attribute.name.text)
        .chain(class.guards.iter().map(|guard| &*guard.text))
        .filter(|name| *name != "$")
        .collect();
    let message = format!("class `{}` has no attribute `{}`", class.name.text, name.text);
    let help = match nearest(&name.text, known.iter().copied()) {
        Some(similar) => format!("did you mean `{similar}`?"),
        None if known.is_empty() => "it has no attributes at all".to_owned(),
        None => {
            format!("it has {}", known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))
        }
    };
    found.error(codes::UNKNOWN_ATTRIBUTE, name.span, message).also(class.name.span, "the class").help(help);
}
