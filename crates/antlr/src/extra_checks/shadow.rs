//! Finds tokens that can never be matched, because an earlier rule matches all their texts.
//!
//! Only rules whose single text is a literal are checked: the usual case is a keyword after the rule for identifiers.
//! A small matcher decides whether an earlier rule of the mode matches that text; it computes the set of positions at
//! which a part of a rule can end.

use crate::codes;
use crate::report::Report;
use polysmith_grammar::{BlockId, Code, ElementKind, Grammar, RuleId};

/// How deep the matcher follows rules. Beyond that, no warning is reported.
const MAX_DEPTH: usize = 64;

pub(super) fn check(grammar: &Grammar, report: &mut Report<'_>) {
    for mode in &grammar.lexer().modes {
        let mut patterns: Vec<RuleId> = Vec::new();
        for rule in &mode.rules {
            let Some(text) = only_text(grammar, *rule) else {
                patterns.push(*rule);
                continue;
            };
            let earlier = patterns.iter().find(|pattern| matches(grammar, **pattern, &text));
            if let (Some(earlier), Some(span)) = (earlier, grammar.rule_span(*rule)) {
                let (name, other) = (&grammar.rule(*rule).name, &grammar.rule(*earlier).name);
                let message =
                    format!("the token `{name}` never matches: `{other}` comes first and takes `{text}`");
                let problem = report.extra_warning(codes::NEVER_MATCHES, span, message);
                if let Some(earlier) = grammar.rule_span(*earlier) {
                    problem.also(earlier, "this rule wins");
                }
                problem.help(format!("move `{name}` before `{other}`"));
            }
        }
    }
}

/// The text of a rule that is one literal.
fn only_text(grammar: &Grammar, rule: RuleId) -> Option<String> {
    let mut alternatives = grammar.alternatives(grammar.rule(rule).body());
    let (Some(only), None) = (alternatives.next(), alternatives.next()) else { return None };
    match grammar.elements(only) {
        [element] => match element.kind {
            ElementKind::Text(text) => Some(grammar.text(text).to_owned()),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a rule matches exactly this text, assuming that all predicates are true.
fn matches(grammar: &Grammar, rule: RuleId, text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    let matcher = Matcher { grammar, chars: &chars };
    let ends = matcher.block(grammar.rule(rule).body(), vec![0], 0);
    ends.is_some_and(|ends| ends.contains(&chars.len()))
}

struct Matcher<'a> {
    grammar: &'a Grammar,
    chars: &'a [char],
}

impl Matcher<'_> {
    /// The positions at which the block can end if it begins at one of `starts`; `None` if unknown.
    fn block(&self, block: BlockId, starts: Vec<usize>, depth: usize) -> Option<Vec<usize>> {
        if depth > MAX_DEPTH {
            return None;
        }
        let quantifier = self.grammar.block(block).quantifier;
        let mut all = if quantifier.min == 0 { starts.clone() } else { Vec::new() };
        let mut fresh = starts;
        loop {
            let mut ends = Vec::new();
            for alternative in self.grammar.alternatives(block) {
                let mut places = fresh.clone();
                for element in self.grammar.elements(alternative) {
                    places = self.element(element.kind, places, depth)?;
                }
                ends.extend(places);
            }
            ends.retain(|end| !all.contains(end));
            ends.sort_unstable();
            ends.dedup();
            all.extend(&ends);
            if ends.is_empty() || quantifier.max == Some(1) {
                return Some(all);
            }
            fresh = ends;
        }
    }

    fn element(&self, kind: ElementKind, starts: Vec<usize>, depth: usize) -> Option<Vec<usize>> {
        if starts.is_empty() {
            return Some(starts);
        }
        let step = |accepts: &dyn Fn(&[char]) -> Option<usize>| {
            starts.iter().filter_map(|at| Some(at + accepts(&self.chars[*at..])?)).collect()
        };
        match kind {
            ElementKind::Rule(rule) => self.block(self.grammar.rule(rule).body(), starts, depth + 1),
            ElementKind::Block(block) => self.block(block, starts, depth + 1),
            ElementKind::Chars(set) => {
                let set = self.grammar.chars(set);
                Some(step(&|rest| rest.first().filter(|c| set.contains(u32::from(**c))).map(|_| 1)))
            }
            ElementKind::Text(text) => {
                let text: Vec<char> = self.grammar.text(text).chars().collect();
                Some(step(&|rest| rest.starts_with(&text).then_some(text.len())))
            }
            ElementKind::Code(code) => self.code(self.grammar.code(code), starts),
            ElementKind::Token(_) | ElementKind::NotTokens(_) | ElementKind::AnyToken => Some(Vec::new()),
        }
    }

    /// Actions match the empty text; the value of a predicate is unknown here.
    fn code(&self, code: &Code, starts: Vec<usize>) -> Option<Vec<usize>> {
        matches!(code.kind, polysmith_grammar::CodeKind::Action).then_some(starts)
    }
}
