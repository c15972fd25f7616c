//! Stage 7: name conflicts, tokens without rules, arguments of calls.

use super::declarations::names;
use super::vocabulary::RESERVED;
use super::{Context, parser_rules, vocabulary};
use crate::recursion::is_left_recursive;
use crate::report::Report;
use crate::split::GrammarHalf;
use crate::syntax::tree::{Atom, Element, File, GrammarKind, Name, NamedAction, Prequel, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) fn check(half: &GrammarHalf, context: &Context<'_>, report: &mut Report<'_>) {
    let file = &half.file;
    reserved(file, report);
    repeated_actions(file, report);
    let symbols = Symbols::of(file);
    for rule in parser_rules(file) {
        symbols.declarations(rule, report);
        symbols.labels(rule, report);
    }
    if context.vocabulary_missing {
        vocabulary::missing(file, report);
    }
    if file.kind == GrammarKind::Lexer {
        vocabulary::lexer(file, context, report);
    } else {
        vocabulary::parser(file, context.vocabulary, report);
        arguments(file, report);
    }
}

fn reserved(file: &File, report: &mut Report<'_>) {
    for (_, rule) in file.all_rules() {
        if RESERVED.contains(&rule.name.text.as_str()) {
            let message = format!("`{}` is reserved and cannot name a rule", rule.name.text);
            report.at(159, rule.name.span, message).help("rename the rule");
        }
    }
}

/// Reports named actions that are not unique in their scope. After a scoped one, ANTLR's tool counts unscoped ones to
/// that scope too.
fn repeated_actions(file: &File, report: &mut Report<'_>) {
    let mut scope = if file.kind == GrammarKind::Lexer { "lexer" } else { "parser" };
    let mut seen: FxHashSet<(&str, &str)> = FxHashSet::default();
    for prequel in &file.prequels {
        let Prequel::Action(NamedAction { scope: own, name, .. }) = prequel else { continue };
        if let Some(own) = own {
            scope = &own.text;
        }
        if !seen.insert((scope, &name.text)) {
            let message = format!("the action `@{scope}::{}` is defined twice", name.text);
            let span = own.as_ref().unwrap_or(name).span;
            report
                .at(94, span, message)
                .help("merge the two; in a combined grammar, an unscoped action counts for both halves");
        }
    }
}

/// The names that declarations and labels must not have.
struct Symbols<'a> {
    rules: FxHashSet<&'a str>,
    tokens: FxHashSet<&'a str>,
}

impl<'a> Symbols<'a> {
    fn of(file: &'a File) -> Symbols<'a> {
        let rules = file.rules.iter().map(|rule| rule.name.text.as_str()).collect();
        let mut tokens: FxHashSet<&str> = FxHashSet::default();
        for prequel in &file.prequels {
            if let Prequel::Tokens(section) = prequel {
                tokens.extend(section.names.iter().map(|name| name.text.as_str()));
            }
        }
        vocabulary::each_token(file, &mut |name| {
            tokens.insert(&name.text);
        });
        Symbols { rules, tokens }
    }

    fn declarations(&self, rule: &Rule, report: &mut Report<'_>) {
        let parameters = names(rule.arguments.as_ref());
        let values = names(rule.returns.as_ref());
        let locals = names(rule.locals.as_ref());
        let lists = [
            ("parameter", &parameters, 138, 139),
            ("return value", &values, 136, 137),
            ("local", &locals, 140, 141),
        ];
        for (what, list, with_rule, with_token) in lists {
            for (taken, code, other) in
                [(&self.rules, with_rule, "rule"), (&self.tokens, with_token, "token")]
            {
                for name in list.iter().filter(|name| taken.contains(name.text.as_str())) {
                    collision(name, code, what, other, report);
                }
            }
        }
        for (what, list, others, other, code) in [
            ("return value", &values, &parameters, "parameter", 76),
            ("local", &locals, &parameters, "parameter", 142),
            ("local", &locals, &values, "return value", 143),
        ] {
            for name in list.iter().filter(|name| others.iter().any(|have| have.text == name.text)) {
                collision(name, code, what, other, report);
            }
        }
    }

    /// Checks the labels of elements: their names, and their kinds if they occur more than once.
    fn labels(&self, rule: &Rule, report: &mut Report<'_>) {
        let declared = [
            ("parameter", names(rule.arguments.as_ref()), 72),
            ("return value", names(rule.returns.as_ref()), 73),
            ("local", names(rule.locals.as_ref()), 74),
        ];
        let mut first: FxHashMap<(usize, String), Labelled<'_>> = FxHashMap::default();
        for labelled in labelled(rule) {
            let label = labelled.name;
            if self.rules.contains(label.text.as_str()) {
                collision(label, 69, "label", "rule", report);
            }
            if self.tokens.contains(label.text.as_str()) {
                collision(label, 70, "label", "token", report);
            }
            for (what, names, code) in &declared {
                if names.iter().any(|name| name.text == label.text) {
                    collision(label, *code, "label", what, report);
                }
            }
            let key = (labelled.scope, label.text.clone());
            match first.get(&key) {
                Some(before) => mismatch(rule, before, &labelled, report),
                None => {
                    first.insert(key, labelled);
                }
            }
        }
    }
}

fn collision(name: &Name, code: u16, what: &str, other: &str, report: &mut Report<'_>) {
    let message = format!("the {what} `{}` has the name of a {other}", name.text);
    report.at(code, name.span, message).help("rename one of them");
}

/// A label and what it refers to.
struct Labelled<'a> {
    name: &'a Name,
    list: bool,
    /// The rule that it refers to, if any.
    rule: Option<&'a str>,
    /// Labels in different scopes do not conflict.
    scope: usize,
}

/// The labels of a rule, in order. If its alternatives are labelled, each is its own scope (in a left-recursive rule,
/// those with the same label share one).
fn labelled(rule: &Rule) -> Vec<Labelled<'_>> {
    let alternatives = &rule.body.alternatives;
    let has_labels = alternatives.iter().any(|alternative| alternative.label.is_some());
    let is_recursive = is_left_recursive(rule);
    let mut found = Vec::new();
    for (at, alternative) in alternatives.iter().enumerate() {
        let same_label = || {
            let text = |at: usize| alternatives[at].label.as_ref().map(|label| &label.text);
            (0..at).find(|other| text(*other) == text(at)).unwrap_or(at)
        };
        let scope = match (has_labels, is_recursive) {
            (false, _) => 0,
            (true, false) => at,
            (true, true) => same_label(),
        };
        for element in flat(alternative) {
            let Some(label) = &element.label else { continue };
            let rule = match &element.atom {
                Atom::Rule { name, .. } => Some(name.text.as_str()),
                _ => None,
            };
            found.push(Labelled { name: &label.name, list: label.list, rule, scope });
        }
    }
    found
}

/// All elements of an alternative, including those inside groups.
pub(super) fn flat(alternative: &crate::syntax::tree::Alternative) -> Vec<&Element> {
    let mut found = Vec::new();
    for element in &alternative.elements {
        found.push(element);
        if let Atom::Group(group) = &element.atom {
            group.walk(&mut |inner| found.push(inner));
        }
    }
    found
}

fn mismatch(rule: &Rule, before: &Labelled<'_>, now: &Labelled<'_>, report: &mut Report<'_>) {
    let span = if is_left_recursive(rule) { rule.name.span } else { now.name.span };
    let name = &now.name.text;
    if (before.list, before.rule.is_some()) != (now.list, now.rule.is_some()) {
        let message = format!("the label `{name}` refers to different kinds of things");
        let problem = report.at(75, span, message);
        problem
            .also(before.name.span, "first used here")
            .help("use one label per kind: token, rule, or list");
    }
    if let (Some(one), Some(other)) = (before.rule, now.rule)
        && one != other
    {
        let message = format!("the label `{name}` refers to rule `{one}` and to rule `{other}`");
        report.at(75, span, message).also(before.name.span, "first used here").help("use two labels");
    }
}

/// Checks that calls have arguments if and only if the rule has parameters.
fn arguments(file: &File, report: &mut Report<'_>) {
    let parameters: FxHashMap<&str, bool> =
        parser_rules(file).map(|rule| (rule.name.text.as_str(), rule.arguments.is_some())).collect();
    for rule in parser_rules(file) {
        rule.body.walk(&mut |element| {
            let Atom::Rule { name, arguments } = &element.atom else { return };
            match (arguments.is_some(), parameters.get(name.text.as_str()).copied()) {
                (true, Some(false) | None) => {
                    let message = format!("rule `{}` takes no arguments", name.text);
                    report.at(80, name.span, message).help("remove the `[…]`");
                }
                (false, Some(true)) => {
                    let message = format!("rule `{}` needs arguments", name.text);
                    report.at(79, name.span, message).help(format!("write `{}[…]`", name.text));
                }
                _ => {}
            }
        });
    }
}
