//! Stage 6: left-recursive rules that have no operator table.

use super::parser_rules;
use crate::recursion::{LeftRecursionError, analyse, is_left_recursive};
use crate::report::Report;
use crate::syntax::tree::File;

pub(super) fn check(file: &File, report: &mut Report<'_>) {
    for rule in parser_rules(file).filter(|rule| is_left_recursive(rule)) {
        for assoc in rule.body.alternatives.iter().filter_map(|alternative| alternative.assoc()) {
            if !matches!(assoc.text.as_str(), "left" | "right") {
                let message = format!("`assoc` cannot be `{}`", assoc.text);
                report.at(84, assoc.span, message).help("write `left` or `right`");
            }
        }
        let name = &rule.name;
        match analyse(rule) {
            Ok(_) => {}
            Err(LeftRecursionError::Shape) => {
                let message =
                    format!("rule `{}` is left-recursive in a form that ANTLR cannot handle", name.text);
                let help =
                    "a left-recursive rule takes no arguments, and something must follow the recursion";
                report.at(169, name.span, message).help(help);
            }
            Err(LeftRecursionError::NoPrimary) => {
                let message =
                    format!("every alternative of `{}` begins with `{}` itself", name.text, name.text);
                report.at(147, name.span, message).help("add an alternative that ends the recursion");
            }
        }
    }
}
