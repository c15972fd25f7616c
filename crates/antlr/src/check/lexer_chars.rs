//! Stage 9, while the network is built: characters, sets and commands of lexer rules, greedy wildcards.

use super::{commands, parser_rules, place};
use crate::chars::{self, SetBuilder, SetProblem};
use crate::lower::rule_folds_case;
use crate::report::Report;
use crate::sets;
use crate::syntax::tree::{Atom, Block, CharRange, Element, File, Repeat, Rule, SetItem, SetItemKind};
use crate::vocabulary::Vocabulary;
use polysmith_grammar::CharSet;
use polysmith_source::{Location, Span};

/// Checks all rules of a lexer.
pub(super) fn check(file: &File, vocabulary: &Vocabulary, report: &mut Report<'_>) {
    let of_grammar = crate::lower::folds_case(file.option("caseInsensitive")).unwrap_or(false);
    for (_, rule) in file.all_rules().filter(|(_, rule)| !rule.implicit) {
        let mut walk = Walk { file, rule, fold_case: rule_folds_case(rule, of_grammar), report };
        walk.block(&rule.body);
        commands::check(file, rule, vocabulary, report);
    }
    for (_, rule) in file.all_rules() {
        let mut walk = Walk { file, rule, fold_case: rule_folds_case(rule, of_grammar), report };
        walk.merged(&rule.body);
    }
}

/// Checks what parser rules share with lexer rules here: ranges (which they must not have) and wildcards.
pub(super) fn check_parser(file: &File, report: &mut Report<'_>) {
    for rule in parser_rules(file) {
        rule.body.walk(&mut |element| {
            greedy_wildcard(element, report);
            if let Atom::Range(range) = &element.atom {
                let message =
                    format!("a parser rule (`{}`) cannot have ranges of characters", rule.name.text);
                report.at(181, range.low.span, message).help("move the range to a lexer rule");
            }
        });
    }
}

/// Warns of `.*` and the like, which match everything; `.*?` was probably intended.
fn greedy_wildcard(element: &Element, report: &mut Report<'_>) {
    let Some(suffix) = element.suffix.filter(|s| s.greedy && s.repeat != Repeat::Optional) else { return };
    let is_wildcard = |element: &Element| matches!(element.atom, Atom::Any) && element.label.is_none();
    let found = match &element.atom {
        Atom::Group(group) => group.alternatives.iter().any(|alternative| {
            matches!(alternative.elements.as_slice(), [only] if only.suffix.is_none() && is_wildcard(only))
        }),
        _ => is_wildcard(element),
    };
    if found {
        let sign = if suffix.repeat == Repeat::Star { "*" } else { "+" };
        let message = format!("`.` with a greedy `{sign}` takes everything up to the end");
        report.at(131, suffix.span, message).help(format!("write `{sign}?` to stop at what follows"));
    }
}

struct Walk<'a, 'r> {
    file: &'a File,
    rule: &'a Rule,
    fold_case: bool,
    report: &'a mut Report<'r>,
}

impl Walk<'_, '_> {
    fn block(&mut self, block: &Block) {
        if sets::is_char_set(block) {
            self.reduced(block);
            return;
        }
        for element in block.alternatives.iter().flat_map(|alternative| &alternative.elements) {
            match &element.atom {
                Atom::Range(range) => self.single_range(range),
                Atom::CharSet(spelled) => {
                    self.spelled(&spelled.text, spelled.span);
                }
                Atom::Not { items, open } => self.not(items, *open),
                Atom::Group(group) => self.block(group),
                _ => {}
            }
            greedy_wildcard(element, self.report);
        }
    }

    /// Checks that the bounds of a range are single characters in the right order.
    fn range(&mut self, range: &CharRange) -> bool {
        let mut whole = true;
        for end in [&range.low, &range.high] {
            if chars::single(&end.text).is_none() {
                whole = false;
                let message = format!("{} is more than one character", end.text);
                self.report.at(144, end.span, message).help("ranges and sets have single characters only");
            }
        }
        let reversed = chars::single(&range.low.text) > chars::single(&range.high.text);
        if whole && reversed {
            let message = format!("the range {}..{} is empty", range.low.text, range.high.text);
            self.report.at(174, range.dots, message).help("swap its ends");
        }
        whole && !reversed
    }

    fn single_range(&mut self, range: &CharRange) {
        if !self.range(range) {
            return;
        }
        let mut set = SetBuilder::new(false);
        add(&mut set, range);
        self.problems(&set.problems, range.low.span);
    }

    fn spelled(&mut self, text: &str, span: Span) -> CharSet {
        let mut set = SetBuilder::new(self.fold_case);
        set.add_spelled(text);
        self.problems(&set.problems, span);
        set.finish()
    }

    /// Checks alternatives that are a set: each item against the previous ones.
    fn reduced(&mut self, block: &Block) {
        let mut set = SetBuilder::new(self.fold_case);
        for element in block.alternatives.iter().flat_map(|alternative| &alternative.elements) {
            match &element.atom {
                Atom::Literal(literal) => self.item(&mut set, &literal.text, block.open),
                Atom::Range(range) => self.ranged(&mut set, range),
                _ => {}
            }
        }
    }

    fn item(&mut self, set: &mut SetBuilder, literal: &str, at: Span) {
        if let Some(point) = chars::single(literal) {
            set.add(point, point);
            self.problems(&std::mem::take(&mut set.problems), at);
        }
    }

    fn ranged(&mut self, set: &mut SetBuilder, range: &CharRange) {
        if self.range(range) {
            add(set, range);
            self.problems(&std::mem::take(&mut set.problems), range.dots);
        }
    }

    fn not(&mut self, items: &[SetItem], open: Span) {
        let mut set = SetBuilder::new(self.fold_case);
        for item in items {
            match &item.kind {
                SetItemKind::Literal(literal) if chars::single(&literal.text).is_none() => {
                    let message = format!("{} is more than one character", literal.text);
                    let help = "ranges and sets have single characters only";
                    self.report.at(144, literal.span, message).help(help);
                }
                SetItemKind::Literal(literal) => self.item(&mut set, &literal.text, open),
                SetItemKind::Range(range) => self.ranged(&mut set, range),
                SetItemKind::CharSet(spelled) => {
                    let inner = self.spelled(&spelled.text, spelled.span);
                    set.add_all(&inner);
                }
                SetItemKind::Token(name) => {
                    let message = format!("`~` cannot take the token `{}` in a lexer rule", name.text);
                    self.report.at(183, name.span, message).help("write its characters as a set: `~[…]`");
                }
            }
        }
    }

    fn problems(&mut self, problems: &[SetProblem], span: Span) {
        let at = place(self.file, self.rule, span);
        for problem in problems {
            set_problem(problem, at, self.report);
        }
    }

    /// Adjacent alternatives of one set each become one set in ANTLR's network; duplicates are reported without a
    /// location.
    fn merged(&mut self, block: &Block) {
        if sets::is_char_set(block) {
            return;
        }
        let n_alternatives = block.alternatives.len();
        let mut together: Vec<CharSet> = Vec::new();
        for alternative in &block.alternatives {
            let set = match alternative.elements.as_slice() {
                [element] if n_alternatives > 1 && alternative.commands.is_empty() => self.as_set(element),
                _ => None,
            };
            match set {
                Some(set) => {
                    for range in set.ranges() {
                        let range = CharSet::from_ranges([*range]);
                        if together.iter().any(|before| before.intersects(&range)) {
                            let at = Location::File(self.file.source);
                            let message = format!(
                                "alternatives of `{}` have characters in common",
                                self.rule.name.text
                            );
                            let problem = self.report.at(180, at, message);
                            problem
                                .also(alternative.span, "also in an alternative before")
                                .help("remove them from one");
                        }
                    }
                    together.push(set);
                }
                None => together.clear(),
            }
            for element in &alternative.elements {
                if let Atom::Group(group) = &element.atom {
                    self.merged(group);
                }
            }
        }
    }

    /// The characters of an element that is one edge of the network.
    fn as_set(&self, element: &Element) -> Option<CharSet> {
        if element.suffix.is_some() {
            return None;
        }
        let mut set = SetBuilder::new(self.fold_case);
        match &element.atom {
            Atom::Literal(literal) => {
                let point = chars::single(&literal.text)?;
                set.add(point, point);
            }
            Atom::Range(range) => add(&mut set, range),
            Atom::CharSet(spelled) => set.add_spelled(&spelled.text),
            Atom::Group(group) if sets::is_char_set(group) => {
                for inner in group.alternatives.iter().flat_map(|alternative| &alternative.elements) {
                    set.add_all(&self.as_set(inner)?);
                }
            }
            _ => return None,
        }
        Some(set.finish())
    }
}

fn add(set: &mut SetBuilder, range: &CharRange) {
    if let (Some(low), Some(high)) = (chars::single(&range.low.text), chars::single(&range.high.text)) {
        set.add(low, high);
    }
}

fn set_problem(problem: &SetProblem, at: Location, report: &mut Report<'_>) {
    let shown = |low: u32, high: u32| {
        let one = |point: u32| {
            char::from_u32(point).map_or(format!("U+{point:04X}"), |c| c.escape_debug().to_string())
        };
        if low == high { one(low) } else { format!("{}-{}", one(low), one(high)) }
    };
    match problem {
        SetProblem::Escape(text) => {
            let help = "known are \\n \\r \\t \\b \\f \\\\ \\] \\- \\uXXXX \\u{X…} \\p{…} and \\P{…}";
            report.at(156, at, format!("`{text}` is no escape of a character set")).help(help)
        }
        SetProblem::PropertyInRange => report
            .at(182, at, "a Unicode property cannot be an end of a range")
            .help("write `\\-` for a dash that is meant literally"),
        SetProblem::Reversed(low, high) => {
            report.at(174, at, format!("the range `{}` is empty", shown(*low, *high))).help("swap its ends")
        }
        SetProblem::Empty => {
            report.at(174, at, "a character set must not be empty").help("write what it should match")
        }
        SetProblem::Twice(low, high) => report
            .at(180, at, format!("`{}` is in this set twice", shown(*low, *high)))
            .help("remove one of them"),
        SetProblem::Between(low, high) => report
            .at(185, at, format!("`{}` also contains characters that are no letters", shown(*low, *high)))
            .help("write `[A-Za-z]`"),
    };
}
