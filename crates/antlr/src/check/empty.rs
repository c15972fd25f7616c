//! Rules that can match nothing: infinite loops, superfluous optional parts, hidden left recursion.
//!
//! ANTLR's tool analyses its network. Two least fixed points over the rules give the same results: which rules can
//! match nothing, and which can begin with the end of the input. Left-recursive rules are treated as the tool rewrites
//! them: primaries first, then a loop over the operators.

use super::place;
use crate::recursion::{analyse, is_left_recursive};
use crate::report::Report;
use crate::syntax::tree::{Alternative, Atom, Block, Element, File, Repeat, Rule, RuleKind};
use polysmith_grammar::OperatorClass;
use rustc_hash::FxHashMap;

pub(super) fn check(file: &File, is_lexer: bool, report: &mut Report<'_>) {
    let facts = Facts::of(file);
    let mut optional = Vec::new();
    for at in 0..facts.rules.len() {
        let mut loops =
            Loops { file, facts: &facts, rule: &facts.rules[at], report, optional: &mut optional };
        loops.rule();
    }
    if !is_lexer {
        for rule in optional {
            let message = format!("an optional part of `{}` can match nothing by itself", rule.name.text);
            report
                .at(154, place(file, rule, rule.name.span), message)
                .help("remove the `?`, or the empty alternative");
        }
    }
    if facts.cycles(file, report) || !is_lexer {
        return;
    }
    for (at, view) in facts.rules.iter().enumerate() {
        if view.rule.kind == RuleKind::Token && facts.nullable[at] {
            let message = format!("the token rule `{}` can match the empty text", view.rule.name.text);
            report
                .at(146, place(file, view.rule, view.rule.name.span), message)
                .help("use `+` instead of `*`, or make it a fragment");
        }
    }
}

/// A rule in the form of the tool's network.
struct View<'a> {
    rule: &'a Rule,
    /// The alternatives at its start.
    first: Vec<&'a [Element]>,
    /// The operators of a left-recursive rule, without the leading reference.
    operators: Vec<&'a [Element]>,
}

struct Facts<'a> {
    rules: Vec<View<'a>>,
    by_name: FxHashMap<&'a str, usize>,
    nullable: Vec<bool>,
    /// Whether each rule can begin with EOF.
    eof: Vec<bool>,
}

impl<'a> Facts<'a> {
    fn of(file: &'a File) -> Facts<'a> {
        let rules: Vec<View<'a>> = file.all_rules().map(|(_, rule)| View::of(rule)).collect();
        let mut by_name = FxHashMap::default();
        for (at, view) in rules.iter().enumerate() {
            by_name.entry(view.rule.name.text.as_str()).or_insert(at);
        }
        let n = rules.len();
        let mut facts = Facts { rules, by_name, nullable: vec![false; n], eof: vec![false; n] };
        facts.solve();
        facts
    }

    /// Computes the fixed points with a work list of the rules that use a changed one.
    fn solve(&mut self) {
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); self.rules.len()];
        for (at, view) in self.rules.iter().enumerate() {
            view.rule.body.walk(&mut |element| {
                if let Some(used) = self.called(element) {
                    users[used].push(at);
                }
            });
        }
        let mut waiting: Vec<usize> = (0..self.rules.len()).rev().collect();
        while let Some(at) = waiting.pop() {
            let (nullable, eof) = self.of_rule(&self.rules[at]);
            if (nullable, eof) != (self.nullable[at], self.eof[at]) {
                (self.nullable[at], self.eof[at]) = (nullable, eof);
                waiting.extend(&users[at]);
            }
        }
    }

    fn of_rule(&self, view: &View<'_>) -> (bool, bool) {
        let nullable = view.first.iter().any(|elements| self.sequence_nullable(elements));
        let mut eof = view.first.iter().any(|elements| self.sequence_eof(elements));
        if nullable {
            eof |= view.operators.iter().any(|elements| self.sequence_eof(elements));
        }
        (nullable, eof)
    }

    fn called(&self, element: &Element) -> Option<usize> {
        match &element.atom {
            Atom::Rule { name, .. } | Atom::Token(name) => self.by_name.get(name.text.as_str()).copied(),
            _ => None,
        }
    }

    fn sequence_nullable(&self, elements: &[Element]) -> bool {
        elements.iter().all(|element| self.element_nullable(element))
    }

    fn element_nullable(&self, element: &Element) -> bool {
        match element.suffix.map(|suffix| suffix.repeat) {
            Some(Repeat::Optional | Repeat::Star) => true,
            Some(Repeat::Plus) | None => self.atom_nullable(element),
        }
    }

    fn atom_nullable(&self, element: &Element) -> bool {
        match &element.atom {
            Atom::Action(_) | Atom::Predicate(_) => true,
            Atom::Rule { .. } | Atom::Token(_) => self.called(element).is_some_and(|at| self.nullable[at]),
            Atom::Group(group) => self.block_nullable(group),
            _ => false,
        }
    }

    fn block_nullable(&self, block: &Block) -> bool {
        block.alternatives.iter().any(|alternative| self.sequence_nullable(&alternative.elements))
    }

    fn sequence_eof(&self, elements: &[Element]) -> bool {
        for element in elements {
            if self.atom_eof(element) {
                return true;
            }
            if !self.element_nullable(element) {
                return false;
            }
        }
        false
    }

    fn atom_eof(&self, element: &Element) -> bool {
        match &element.atom {
            Atom::Token(name) if name.text == "EOF" => true,
            Atom::Rule { .. } | Atom::Token(_) => self.called(element).is_some_and(|at| self.eof[at]),
            Atom::Group(group) => group.alternatives.iter().any(|alt| self.sequence_eof(&alt.elements)),
            _ => false,
        }
    }

    /// Reports rules that reach themselves without consuming input. Returns whether there are any.
    fn cycles(&self, file: &File, report: &mut Report<'_>) -> bool {
        let edges: Vec<Vec<usize>> = self.rules.iter().map(|view| self.leftmost(view)).collect();
        let cycles = crate::cycles::cycles(&edges);
        if cycles.is_empty() {
            return false;
        }
        let name = |at: &usize| format!("`{}`", self.rules[*at].rule.name.text);
        let lists: Vec<String> =
            cycles.iter().map(|cycle| cycle.iter().map(name).collect::<Vec<_>>().join(", ")).collect();
        let message = format!("these rules are left-recursive through each other: {}", lists.join("; "));
        let problem = report.at(119, file.source, message);
        for at in cycles.iter().flatten().take(5) {
            problem.also(self.rules[*at].rule.name.span, "begins with itself, at some point");
        }
        problem
            .help("only direct left recursion works: `e : e '+' e | …`, with nothing before the first `e`");
        true
    }

    /// The rules that can be called before input is consumed.
    fn leftmost(&self, view: &View<'_>) -> Vec<usize> {
        let mut found = Vec::new();
        for elements in &view.first {
            self.leftmost_of(elements, &mut found);
        }
        if view.first.iter().any(|elements| self.sequence_nullable(elements)) {
            for elements in &view.operators {
                self.leftmost_of(elements, &mut found);
            }
        }
        found
    }

    fn leftmost_of(&self, elements: &[Element], found: &mut Vec<usize>) {
        for element in elements {
            found.extend(self.called(element));
            if let Atom::Group(group) = &element.atom {
                for alternative in &group.alternatives {
                    self.leftmost_of(&alternative.elements, found);
                }
            }
            if !self.element_nullable(element) {
                return;
            }
        }
    }
}

impl<'a> View<'a> {
    fn of(rule: &'a Rule) -> View<'a> {
        let elements = |alternative: &'a Alternative| alternative.elements.as_slice();
        let alternatives = &rule.body.alternatives;
        let table = is_left_recursive(rule).then(|| analyse(rule).ok()).flatten();
        let Some(table) = table else {
            return View { rule, first: alternatives.iter().map(elements).collect(), operators: Vec::new() };
        };
        let (mut first, mut operators) = (Vec::new(), Vec::new());
        for (alternative, operator) in alternatives.iter().zip(&table.operators) {
            match operator.class {
                OperatorClass::Primary | OperatorClass::Prefix => first.push(elements(alternative)),
                OperatorClass::Binary | OperatorClass::Suffix => operators.push(&elements(alternative)[1..]),
            }
        }
        View { rule, first, operators }
    }
}

/// Checks every loop and option of one rule.
struct Loops<'a, 'f, 'r> {
    file: &'a File,
    facts: &'f Facts<'a>,
    rule: &'f View<'a>,
    report: &'f mut Report<'r>,
    optional: &'f mut Vec<&'a Rule>,
}

impl<'a> Loops<'a, '_, '_> {
    fn rule(&mut self) {
        let view = self.rule;
        for elements in &view.first {
            self.elements(elements);
        }
        for elements in &view.operators {
            self.elements(elements);
        }
        if !view.operators.is_empty() {
            let nullable = view.operators.iter().any(|elements| self.facts.sequence_nullable(elements));
            let eof = view.operators.iter().any(|elements| self.facts.sequence_eof(elements));
            self.repeated(nullable, eof);
        }
    }

    fn elements(&mut self, elements: &'a [Element]) {
        for element in elements {
            if let Atom::Group(group) = &element.atom {
                for alternative in &group.alternatives {
                    self.elements(&alternative.elements);
                }
            }
            let Some(suffix) = element.suffix else { continue };
            let nullable = self.facts.atom_nullable(element);
            if suffix.repeat != Repeat::Optional {
                self.repeated(nullable, self.facts.atom_eof(element));
            } else if nullable {
                self.optional.push(self.rule.rule);
            }
        }
    }

    fn repeated(&mut self, nullable: bool, eof: bool) {
        let rule = self.rule.rule;
        let at = place(self.file, rule, rule.name.span);
        if nullable {
            if self.rule.operators.is_empty() {
                let message = format!("a loop in `{}` can go round without reading anything", rule.name.text);
                self.report
                    .at(153, at, message)
                    .help("what `*` or `+` repeats must not match the empty text");
            } else {
                let message = format!(
                    "what follows the left recursion of `{}`, or a loop in it, can be empty",
                    rule.name.text
                );
                self.report.at(148, at, message).help("something must be read in every round");
            }
        }
        if eof {
            let message = format!("a loop in `{}` can go round at the end of the input", rule.name.text);
            self.report.at(186, at, message).help("put `EOF` after the loop");
        }
    }
}
