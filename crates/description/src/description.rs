//! A loaded description: one type for every kind.

use crate::kind::{Capability, DescriptionKind};
use crate::side_file::SideFile;
use polysmith_attributes::Spec;
use polysmith_grammar::{Grammar, RuleId, RuleKind};
use polysmith_hooks::Script;
use polysmith_parse::hooks::Hooks;
use polysmith_parse::{CompileError, Parser};
use polysmith_source::nearest;
use std::sync::Arc;

/// A description of a language, without errors, with its side file.
#[derive(Debug)]
pub struct Description {
    content: Content,
    side_file: SideFile,
    start: Option<RuleId>,
    hooks: Option<Arc<Script>>,
}

/// The result of the front end.
#[derive(Debug)]
pub(crate) enum Content {
    Grammar(Arc<Grammar>),
    Specification(Box<Spec>),
}

/// A start rule that the grammar does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("grammar `{grammar}` has no rule `{rule}` to start from")]
pub struct StartError {
    /// The name of the grammar.
    pub grammar: String,
    /// The requested name.
    pub rule: String,
    /// A rule with a similar name.
    pub similar: Option<String>,
}

impl Description {
    pub(crate) fn new(content: Content, side_file: SideFile) -> Description {
        let start = match &content {
            Content::Grammar(grammar) => side_file.start.or(grammar.start()),
            Content::Specification(spec) => spec.grammar.start(),
        };
        Description { content, side_file, start, hooks: None }
    }

    pub(crate) fn with_hooks(mut self, hooks: Option<Script>) -> Description {
        self.hooks = hooks.map(Arc::new);
        self
    }

    /// The script that says what the target code of the grammar means.
    pub fn hooks(&self) -> Option<&Arc<Script>> {
        self.hooks.as_ref()
    }

    /// A parser for the grammar, with its hooks. A specification has none.
    ///
    /// # Errors
    /// The grammar cannot be parsed with.
    pub fn parser(&self) -> Option<Result<Parser, CompileError>> {
        let grammar = Arc::clone(self.grammar()?);
        Some(match &self.hooks {
            Some(hooks) => Parser::with_hooks(grammar, Arc::clone(hooks) as Arc<dyn Hooks>),
            None => Parser::new(grammar),
        })
    }

    /// The name that the description gives to its language.
    pub fn name(&self) -> &str {
        self.tree_grammar().name()
    }

    /// The kind of description.
    pub fn kind(&self) -> DescriptionKind {
        match self.content {
            Content::Grammar(_) => DescriptionKind::Grammar,
            Content::Specification(_) => DescriptionKind::Specification,
        }
    }

    /// Whether it has a capability.
    pub fn can(&self, capability: Capability) -> bool {
        match (self.kind(), capability) {
            (DescriptionKind::Grammar, Capability::Check) => self.side_file.names.is_some(),
            (kind, _) => kind.can(capability),
        }
    }

    /// The grammar to parse with and to generate from. A specification has none.
    pub fn grammar(&self) -> Option<&Arc<Grammar>> {
        match &self.content {
            Content::Grammar(grammar) => Some(grammar),
            Content::Specification(_) => None,
        }
    }

    /// The attribute grammar. A plain grammar has none.
    pub fn specification(&self) -> Option<&Spec> {
        match &self.content {
            Content::Grammar(_) => None,
            Content::Specification(spec) => Some(spec),
        }
    }

    /// The attribute grammar itself, for an engine that keeps it.
    pub fn into_specification(self) -> Option<Spec> {
        match self.content {
            Content::Grammar(_) => None,
            Content::Specification(spec) => Some(*spec),
        }
    }

    /// The grammar that the nodes of its trees refer to. Every kind has one.
    pub fn tree_grammar(&self) -> &Grammar {
        match &self.content {
            Content::Grammar(grammar) => grammar,
            Content::Specification(spec) => &spec.grammar,
        }
    }

    /// What the side file says; nothing if there is no side file.
    pub fn side_file(&self) -> &SideFile {
        &self.side_file
    }

    /// The extensions of texts in this language, without the dot.
    pub fn extensions(&self) -> &[String] {
        &self.side_file.extensions
    }

    /// The extension for new texts, without the dot: the first of the side file, or `txt`.
    pub fn extension(&self) -> &str {
        self.extensions().first().map_or("txt", String::as_str)
    }

    /// The rule to start from: the side file's, else the first parser rule. A lexer grammar has none.
    pub fn start(&self) -> Option<RuleId> {
        self.start
    }

    /// Starts from another rule.
    ///
    /// # Errors
    /// There is no such rule, or it is a fragment.
    pub fn set_start(&mut self, name: &str) -> Result<(), StartError> {
        let grammar = self.tree_grammar();
        let is_usable = |rule: &RuleId| grammar.rule(*rule).kind != RuleKind::Fragment;
        let Some(rule) = grammar.rule_named(name).filter(is_usable) else {
            let names = grammar.rules().filter(is_usable).map(|rule| grammar.rule(rule).name.as_str());
            return Err(StartError {
                grammar: grammar.name().to_owned(),
                rule: name.to_owned(),
                similar: nearest(name, names).map(str::to_owned),
            });
        };
        self.start = Some(rule);
        Ok(())
    }
}
