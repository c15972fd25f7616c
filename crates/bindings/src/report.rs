//! What is wrong with the names of a text, as diagnostics.

use crate::bindings::Bindings;
use crate::codes::{MISPLACED, REPEATED, UNDEFINED};
use crate::names::Names;
use polysmith_source::{Diagnostic, Diagnostics, Severity, SourceId, Span, nearest};
use polysmith_tree::{Kind, NodeId, Tree};
use rustc_hash::FxHashMap;

/// Similar names are looked for this often: each time costs a look at all definitions.
const MAX_SUGGESTIONS: usize = 50;

/// Shorter names are close to too many others.
const MIN_SUGGESTED: usize = 3;

/// The diagnostics for the names of a parsed text, in the order of the text. A name without a definition is reported
/// once for each rule about uses.
pub fn report(names: &Names, tree: &Tree, bindings: &Bindings, source: SourceId) -> Diagnostics {
    let mut found = Diagnostics::default();
    let text = |node: NodeId| String::from_utf8_lossy(tree.leaf_text(node));
    let span = |node: NodeId| {
        let range = tree.leaf_range(node);
        Span::new(source, range.start, range.end)
    };
    let mut uses: FxHashMap<(&[u8], u16), usize> = FxHashMap::default();
    for used in bindings.unresolved() {
        *uses.entry((tree.leaf_text(used.node), used.rule)).or_default() += 1;
    }
    let mut defined: FxHashMap<&[u8], NodeId> = FxHashMap::default();
    for definition in &bindings.definitions {
        defined.entry(tree.leaf_text(definition.node)).or_insert(definition.node);
    }
    for (number, used) in bindings.unresolved().enumerate() {
        let Some(times) = uses.remove(&(tree.leaf_text(used.node), used.rule)) else { continue };
        let message = format!("`{}` is not defined", text(used.node));
        let severity = match names.rules().uses[used.rule as usize].is_open {
            true => Severity::Warning,
            false => Severity::Error,
        };
        let diagnostic = found.push(Diagnostic::new(UNDEFINED, severity, span(used.node), message));
        if times > 1 {
            diagnostic.label(format!("the first of {times} uses"));
        }
        if let Some(definition) = defined.get(tree.leaf_text(used.node)) {
            diagnostic.also(span(*definition), "this definition cannot be used there");
        } else if number < MAX_SUGGESTIONS && tree.leaf_text(used.node).len() >= MIN_SUGGESTED {
            let known: Vec<_> = bindings.definitions.iter().map(|definition| text(definition.node)).collect();
            if let Some(similar) = nearest(&text(used.node), known.iter().map(AsRef::as_ref)) {
                diagnostic.help(format!("did you mean `{similar}`?"));
            }
        }
    }
    for repeated in &bindings.repeated {
        let [definition, earlier] =
            [repeated.definition, repeated.earlier].map(|at| bindings.definitions[at as usize]);
        let message = format!("`{}` is defined again in the same scope", text(definition.node));
        found.error(REPEATED, span(definition.node), message).also(span(earlier.node), "first defined here");
    }
    for violation in &bindings.violations {
        let is_token = |node: &NodeId| matches!(tree.kind(*node), Kind::Token(_));
        let Some(first) = tree.subtree(violation.node).find(is_token) else { continue };
        let needed = &names.rules().needs[violation.need as usize].message;
        found.error(MISPLACED, span(first), format!("`{}` needs {needed} around it", text(first)));
    }
    found.sort();
    found
}
