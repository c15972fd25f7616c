//! The summary of a grammar that `lint` prints.

use polysmith_grammar::analysis::{Minima, Uses, depth_of_all_alternatives};
use polysmith_grammar::{
    AltId, Associativity, BlockId, CodeKind, ElementKind, Grammar, Meaning, OperatorClass, RuleId, RuleKind,
};
use polysmith_source::SourceMap;
use serde_json::{Value, json};
use std::fmt;

/// Figures about a grammar.
#[derive(Debug)]
pub struct Summary {
    name: String,
    parser_rules: usize,
    token_rules: usize,
    fragments: usize,
    tokens: usize,
    modes: Vec<String>,
    start: Option<String>,
    least_depth: Option<u32>,
    full_depth: Option<u32>,
    left_recursive: Vec<Table>,
    target_code: TargetCode,
}

/// The operators of a left-recursive rule.
#[derive(Debug)]
struct Table {
    rule: String,
    operators: Vec<Line>,
}

#[derive(Debug)]
struct Line {
    precedence: u32,
    class: &'static str,
    right: bool,
    text: String,
}

/// The code that would have to run in a target language.
#[derive(Debug, Default)]
struct TargetCode {
    actions: usize,
    predicates: usize,
    rules: Vec<String>,
}

impl Summary {
    /// Computes the figures of a grammar with a start rule; a lexer grammar has none.
    pub fn of(grammar: &Grammar, start: Option<RuleId>, sources: &SourceMap) -> Summary {
        let count = |wanted: fn(&RuleKind) -> bool| {
            grammar.rules().filter(|rule| wanted(&grammar.rule(*rule).kind)).count()
        };
        let uses = Uses::of(grammar);
        let heights = Minima::heights(grammar, &uses);
        Summary {
            name: grammar.name().to_owned(),
            parser_rules: count(|kind| *kind == RuleKind::Parser),
            token_rules: count(|kind| matches!(kind, RuleKind::Token { .. })),
            fragments: count(|kind| *kind == RuleKind::Fragment),
            tokens: grammar.tokens().types().len(),
            modes: grammar.lexer().modes.iter().map(|mode| mode.name.clone()).collect(),
            start: start.map(|rule| grammar.rule(rule).name.clone()),
            least_depth: start.and_then(|rule| heights.rule(rule)),
            full_depth: start.and_then(|rule| depth_of_all_alternatives(grammar, &uses, &heights, rule)),
            left_recursive: grammar.rules().filter_map(|rule| Table::of(grammar, rule, sources)).collect(),
            target_code: TargetCode::of(grammar),
        }
    }

    /// The JSON form.
    pub fn json(&self) -> Value {
        let tables = self.left_recursive.iter().map(|table| {
            let operators = table.operators.iter().map(|line| {
                json!({ "precedence": line.precedence, "class": line.class, "right": line.right, "text": line.text })
            });
            json!({ "rule": table.rule, "operators": operators.collect::<Vec<_>>() })
        });
        json!({
            "v": 1,
            "summary": self.name,
            "parser_rules": self.parser_rules,
            "token_rules": self.token_rules,
            "fragments": self.fragments,
            "tokens": self.tokens,
            "modes": self.modes,
            "start": self.start,
            "least_depth": self.least_depth,
            "full_depth": self.full_depth,
            "left_recursive": tables.collect::<Vec<_>>(),
            "target_code": {
                "actions": self.target_code.actions,
                "predicates": self.target_code.predicates,
                "rules": self.target_code.rules,
            },
        })
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "grammar {}", self.name)?;
        let (parser, token, fragments) = (self.parser_rules, self.token_rules, self.fragments);
        writeln!(f, "  rules        {parser} parser, {token} token, {fragments} fragment")?;
        writeln!(f, "  tokens       {}", self.tokens)?;
        if self.modes.len() > 1 {
            writeln!(f, "  modes        {}", self.modes.join(", "))?;
        }
        if let Some(start) = &self.start {
            writeln!(f, "  start        {start}")?;
            let depth =
                |depth: Option<u32>| depth.map_or("without end".to_owned(), |depth| depth.to_string());
            let (least, full) = (depth(self.least_depth), depth(self.full_depth));
            writeln!(f, "  depth        {least} at least; every alternative can be reached at {full}")?;
        }
        for table in &self.left_recursive {
            writeln!(f, "  left-recursive `{}`, tightest first:", table.rule)?;
            for line in &table.operators {
                let right = if line.right { "right" } else { "" };
                writeln!(f, "    {:>3}  {:<7}  {right:<5}  {}", line.precedence, line.class, line.text)?;
            }
        }
        let code = &self.target_code;
        match code.rules.is_empty() {
            true => write!(f, "  target code  none"),
            false => write!(
                f,
                "  target code  {} actions, {} predicates, in {}",
                code.actions,
                code.predicates,
                shortened(&code.rules)
            ),
        }
    }
}

impl Table {
    fn of(grammar: &Grammar, rule: RuleId, sources: &SourceMap) -> Option<Table> {
        let recursion = grammar.rule(rule).recursion.as_ref()?;
        let alternatives = grammar.alternatives(grammar.rule(rule).body());
        let operators = alternatives.zip(&recursion.operators).filter_map(|(alt, operator)| {
            let class = match operator.class {
                OperatorClass::Primary => return None,
                OperatorClass::Prefix => "prefix",
                OperatorClass::Binary => "binary",
                OperatorClass::Suffix => "suffix",
            };
            let right = grammar.alternative(alt).associativity == Associativity::Right;
            Some(Line { precedence: operator.precedence, class, right, text: text_of(grammar, alt, sources) })
        });
        Some(Table { rule: grammar.rule(rule).name.clone(), operators: operators.collect() })
    }
}

/// The text of an alternative as written, in one line.
fn text_of(grammar: &Grammar, alt: AltId, sources: &SourceMap) -> String {
    const MOST: usize = 60;
    let written = grammar.alternative_span(alt).map_or("", |span| sources.slice(span));
    let line = written.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

impl TargetCode {
    fn of(grammar: &Grammar) -> TargetCode {
        let mut found = TargetCode::default();
        for rule in grammar.rules() {
            let before = found.actions + found.predicates;
            let blocks = &grammar.rule(rule).blocks;
            for block in (blocks.start.index()..blocks.end.index()).map(BlockId::new) {
                for element in grammar.alternatives(block).flat_map(|alt| grammar.elements(alt)) {
                    if let ElementKind::Code(code) = element.kind {
                        found.add(&grammar.code(code).kind);
                    }
                }
            }
            if found.actions + found.predicates > before {
                found.rules.push(grammar.rule(rule).name.clone());
            }
        }
        found
    }

    /// Counts code. Constants and numbers mean the same in every language, so nothing would have to run for them.
    fn add(&mut self, kind: &CodeKind) {
        match kind {
            CodeKind::Action => self.actions += 1,
            CodeKind::Predicate { meaning: Meaning::Unknown, .. } => self.predicates += 1,
            CodeKind::Predicate { .. } => {}
        }
    }
}

fn shortened(names: &[String]) -> String {
    const MOST: usize = 8;
    let shown = names.iter().take(MOST).cloned().collect::<Vec<_>>().join(", ");
    match names.len().checked_sub(MOST) {
        Some(rest) if rest > 0 => format!("{shown} and {rest} more"),
        _ => shown,
    }
}
