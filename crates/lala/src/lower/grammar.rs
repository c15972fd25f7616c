//! The grammar of the language: a rule for each class, an alternative for each production.
//!
//! A fixed text is a literal token; a leaf of a literal or generator class is a token with the name of the class.
//! Layout, parentheses and print commands are not in the grammar: they are text between tokens.

use crate::draft::Draft;
use crate::syntax::TemplatePart;
use polysmith_grammar::{Alt, Builder, Grammar, Label, Part, RuleId, TokenType};
use std::collections::BTreeMap;

pub(super) struct Shape {
    pub(super) grammar: Grammar,
    pub(super) rules: Vec<RuleId>,
    /// The token of each fixed text.
    pub(super) texts: BTreeMap<String, TokenType>,
    /// The token of each class of leaves.
    pub(super) leaf_tokens: Vec<Option<TokenType>>,
}

pub(super) fn build(name: &str, draft: &Draft) -> Shape {
    let mut builder = Builder::new(name);
    let rules: Vec<RuleId> = draft.classes.iter().map(|class| builder.rule(&*class.name.text)).collect();
    let mut texts: BTreeMap<String, TokenType> = BTreeMap::new();
    let mut leaf_tokens = Vec::new();
    for (class, rule) in draft.classes.iter().zip(&rules) {
        builder.rule_at(*rule, class.name.span);
        let is_leaf = class.literal.is_some() || class.is_generator();
        let leaf = is_leaf.then(|| builder.token(&*class.name.text));
        leaf_tokens.push(leaf);
        let mut alternatives = Vec::new();
        for production in &class.productions {
            let parts: Vec<Part> = match leaf {
                Some(token) => vec![token.into()],
                None => {
                    let mut children = production.children.iter();
                    let mut parts = Vec::new();
                    for part in production.template.iter().flatten() {
                        match part {
                            TemplatePart::Text(text) => {
                                let token = *texts
                                    .entry(text.clone())
                                    .or_insert_with(|| builder.literal(format!("'{text}'"), text.clone()));
                                parts.push(token.into());
                            }
                            TemplatePart::Child(_) => {
                                let Some(child) = children.next() else { continue };
                                let Some(class) = child.class else { continue };
                                let label = Label { name: child.name.text.to_string(), list: false };
                                parts.push(Part::from(rules[class]).label(label).at(child.name.span));
                            }
                            _ => {}
                        }
                    }
                    parts
                }
            };
            alternatives.push(Alt::of(parts).label(&*production.name.text).at(production.name.span));
        }
        builder.body(*rule, alternatives);
    }
    for class in &draft.classes {
        // The template of a generator is part of its single token, so its texts need no tokens.
        for production in class.productions.iter().filter(|production| production.generator.is_some()) {
            for part in production.template.iter().flatten() {
                if let TemplatePart::Text(text) = part {
                    texts.entry(text.clone()).or_insert(TokenType::EOF);
                }
            }
        }
    }
    Shape { grammar: builder.finish(), rules, texts, leaf_tokens }
}
