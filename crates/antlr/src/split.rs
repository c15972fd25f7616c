//! Splits a combined grammar into its lexer and parser halves.
//!
//! Literals of the parser rules that no lexer rule defines become token rules `T__0`, `T__1`… before all others, so
//! they take precedence over every explicit rule.

use crate::aliases;
use crate::syntax::tree::{
    Alternative, Atom, Element, File, GrammarKind, Name, Prequel, Rule, RuleKind, SetItemKind,
};
use rustc_hash::FxHashSet;

/// One half of a grammar. ANTLR's tool checks one at a time.
#[derive(Debug)]
pub(crate) struct GrammarHalf {
    pub(crate) file: File,
    /// Whether it is half of a combined grammar.
    pub(crate) combined: bool,
}

/// The halves of a grammar, after imports are merged.
#[derive(Debug)]
pub(crate) struct Halves {
    pub(crate) lexer: Option<GrammarHalf>,
    pub(crate) parser: Option<GrammarHalf>,
}

/// Splits a file. Lexer and parser grammars have only one half, and so has a combined one without tokens.
pub(crate) fn split(file: File) -> Halves {
    match file.kind {
        GrammarKind::Lexer => Halves { lexer: Some(GrammarHalf { file, combined: false }), parser: None },
        GrammarKind::Parser => Halves { lexer: None, parser: Some(GrammarHalf { file, combined: false }) },
        GrammarKind::Combined => split_combined(file),
    }
}

fn split_combined(mut file: File) -> Halves {
    let (lexer_rules, parser_rules) = file.rules.into_iter().partition(|rule| rule.kind != RuleKind::Parser);
    file.rules = parser_rules;
    let mut lexer = File {
        source: file.source,
        kind: GrammarKind::Lexer,
        name: Name { text: format!("{}Lexer", file.name.text), span: file.name.span },
        prequels: for_lexer(&file),
        rules: lexer_rules,
        modes: Vec::new(),
        broken: file.broken,
    };
    file.prequels.retain(|prequel| !is_for_lexer_only(prequel));
    let aliased: FxHashSet<String> = aliases::of(&lexer).map(|(_, literal)| literal.to_owned()).collect();
    let mut implicit: Vec<Rule> = Vec::new();
    for literal in literals(&file) {
        if !aliased.contains(&literal.text) {
            let name = Name { text: format!("T__{}", implicit.len()), span: literal.span };
            implicit.push(literal_rule(name, literal));
        }
    }
    lexer.rules.splice(0..0, implicit);
    let has_lexer = !lexer.rules.is_empty();
    Halves {
        lexer: has_lexer.then_some(GrammarHalf { file: lexer, combined: true }),
        parser: Some(GrammarHalf { file, combined: true }),
    }
}

/// The sections of the implicit lexer: the first options, and all named actions.
fn for_lexer(file: &File) -> Vec<Prequel> {
    let options = file.options().next().map(|options| {
        let mut options = options.clone();
        options.entries.retain(|entry| entry.name.text == "caseInsensitive");
        Prequel::Options(options)
    });
    let actions = file.prequels.iter().filter(|prequel| matches!(prequel, Prequel::Action(_)));
    options.into_iter().chain(actions.cloned()).collect()
}

/// Whether a section is `@lexer::name {…}`, which is moved, not copied.
fn is_for_lexer_only(prequel: &Prequel) -> bool {
    matches!(prequel, Prequel::Action(action) if action.scope.as_ref().is_some_and(|scope| scope.text == "lexer"))
}

/// The distinct literals of the parser rules, in order of occurrence.
fn literals(file: &File) -> Vec<Name> {
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    let mut add = |literal: &Name| {
        if seen.insert(literal.text.clone()) {
            found.push(literal.clone());
        }
    };
    for rule in &file.rules {
        rule.body.walk(&mut |element| match &element.atom {
            Atom::Literal(literal) => add(literal),
            Atom::Range(range) => {
                add(&range.low);
                add(&range.high);
            }
            Atom::Not { items, .. } => {
                for item in items {
                    if let SetItemKind::Literal(literal) = &item.kind {
                        add(literal);
                    }
                }
            }
            _ => {}
        });
    }
    found
}

fn literal_rule(name: Name, literal: Name) -> Rule {
    let span = literal.span;
    let mut rule = Rule::empty(name, RuleKind::Token, span);
    let element =
        Element { span, label: None, atom: Atom::Literal(literal), options: Vec::new(), suffix: None };
    rule.body.alternatives.push(Alternative {
        span,
        options: Vec::new(),
        elements: vec![element],
        label: None,
        commands: Vec::new(),
    });
    rule.implicit = true;
    rule
}
