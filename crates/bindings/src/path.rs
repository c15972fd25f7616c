//! Paths: which nodes of a tree a rule about names means.

use polysmith_grammar::{BlockId, ElementKind, Grammar, RuleId, TokenType};

/// A pattern of nodes below each other, by the names of the grammar.
///
/// A step is a rule (`block`), the label of an alternative (`While`), a token (`Identifier`) or a literal (`'async'`).
/// `a.b` is a `b` that is a child of an `a`; groups and repetitions of the grammar are no steps. `a..b` is a `b` anywhere
/// below an `a`. `a+` is one or more `a`, each the child of the one before. The last step is the node that is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    pub(crate) steps: Vec<Step>,
}

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) symbol: Symbol,
    /// `+`: the step may be taken several times.
    pub(crate) is_repeated: bool,
    /// `..`: any nodes may be between the step before and this one.
    pub(crate) is_descendant: bool,
}

/// The nodes that a step matches.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Symbol {
    Rule(RuleId),
    /// Alternatives of rule bodies, by their numbers from 1.
    Alternatives(Vec<(RuleId, u32)>),
    Token(TokenType),
}

/// A path that means nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// It is not made of steps.
    #[error("this is no path: steps are separated by `.` or `..`, and each is a name")]
    Malformed,
    /// The grammar has no such name.
    #[error("the grammar has no rule, label or token `{name}`")]
    UnknownName {
        /// The name.
        name: String,
    },
    /// A node of the second step is never the child of one of the first.
    #[error("`{child}` is never a child of `{parent}`")]
    NoChild {
        /// The step before.
        parent: String,
        /// The step.
        child: String,
    },
}

impl Path {
    /// Reads a path and checks it against the grammar.
    ///
    /// # Errors
    /// It leads nowhere.
    pub fn read(text: &str, grammar: &Grammar) -> Result<Path, PathError> {
        let mut steps: Vec<Step> = Vec::new();
        let mut before = "";
        let mut rest = text;
        loop {
            let is_descendant = rest.starts_with('.');
            rest = rest.strip_prefix('.').unwrap_or(rest);
            let end = step_end(rest);
            let (mut name, is_repeated) = (&rest[..end], rest[end..].starts_with('+'));
            rest = &rest[end + usize::from(is_repeated)..];
            name = name.trim();
            if name.is_empty() || (is_descendant && steps.is_empty()) {
                return Err(PathError::Malformed);
            }
            let symbol = Symbol::named(name, grammar)
                .ok_or_else(|| PathError::UnknownName { name: name.to_owned() })?;
            if let Some(last) = steps.last().filter(|_| !is_descendant)
                && !last.symbol.has_child(&symbol, grammar)
            {
                return Err(PathError::NoChild { parent: before.to_owned(), child: name.to_owned() });
            }
            steps.push(Step { symbol, is_repeated, is_descendant });
            before = name;
            match rest.strip_prefix('.') {
                Some(more) => rest = more,
                None if rest.is_empty() => return Ok(Path { steps }),
                None => return Err(PathError::Malformed),
            }
        }
    }

    /// The number of nodes from the first step to the last, if all matches have the same.
    pub fn fixed_length(&self) -> Option<usize> {
        let varies = self.steps.iter().any(|step| step.is_repeated || step.is_descendant);
        (!varies).then_some(self.steps.len())
    }

    /// The path of its first step alone.
    pub(crate) fn first(&self) -> Path {
        Path { steps: self.steps[..1].to_vec() }
    }
}

/// Where the name of a step ends. A literal may have dots between its quotes.
fn step_end(text: &str) -> usize {
    let quoted = match text.starts_with('\'') {
        true => text[1..].find('\'').map_or(0, |at| at + 2),
        false => 0,
    };
    text[quoted..].find(['.', '+']).map_or(text.len(), |at| quoted + at)
}

impl Symbol {
    fn named(name: &str, grammar: &Grammar) -> Option<Symbol> {
        if let Some(rule) = grammar.parser_rules().find(|rule| grammar.rule(*rule).name == name) {
            return Some(Symbol::Rule(rule));
        }
        let tokens = grammar.tokens();
        if let Some(token) = tokens.named(name).or_else(|| tokens.literal(name)) {
            return Some(Symbol::Token(token));
        }
        let labelled = grammar.parser_rules().flat_map(|rule| {
            let body = grammar.alternatives(grammar.rule(rule).body());
            let labelled = body.filter(|alt| grammar.alternative(*alt).label.as_deref() == Some(name));
            labelled.map(move |alt| (rule, grammar.alternative_number(alt) as u32)).collect::<Vec<_>>()
        });
        let labelled: Vec<(RuleId, u32)> = labelled.collect();
        (!labelled.is_empty()).then_some(Symbol::Alternatives(labelled))
    }

    /// Whether a node that this matches can have a child that `child` matches.
    fn has_child(&self, child: &Symbol, grammar: &Grammar) -> bool {
        let bodies: Vec<(RuleId, Option<u32>)> = match self {
            Symbol::Rule(rule) => vec![(*rule, None)],
            Symbol::Alternatives(all) => all.iter().map(|(rule, alt)| (*rule, Some(*alt))).collect(),
            Symbol::Token(_) => Vec::new(),
        };
        bodies.into_iter().any(|(rule, number)| {
            let mut open: Vec<(BlockId, Option<u32>)> = vec![(grammar.rule(rule).body(), number)];
            while let Some((block, number)) = open.pop() {
                for alt in grammar.alternatives(block) {
                    if number.is_some_and(|number| number as usize != grammar.alternative_number(alt)) {
                        continue;
                    }
                    for element in grammar.elements(alt) {
                        match element.kind {
                            ElementKind::Block(inner) => open.push((inner, None)),
                            kind if child.can_be(kind, grammar) => return true,
                            _ => {}
                        }
                    }
                }
            }
            false
        })
    }

    fn can_be(&self, element: ElementKind, grammar: &Grammar) -> bool {
        match (self, element) {
            (Symbol::Rule(rule), ElementKind::Rule(called)) => *rule == called,
            (Symbol::Alternatives(all), ElementKind::Rule(called)) => {
                all.iter().any(|(rule, _)| *rule == called)
            }
            (Symbol::Token(token), ElementKind::Token(wanted)) => *token == wanted,
            (Symbol::Token(_), ElementKind::AnyToken) => true,
            (Symbol::Token(token), ElementKind::NotTokens(set)) => !grammar.token_set(set).contains(token),
            _ => false,
        }
    }
}
