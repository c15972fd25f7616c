//! The manual pages of this front end's codes, for the command `explain` and the book.
//!
//! A page describes the problem, shows the smallest grammar that causes it, and how to fix it. The examples are
//! tested: each causes its code.

mod extra_checks;
mod names;
mod rules;
mod tokens;

use polysmith_source::Explanation;

/// Creates pages for numbers of ANTLR's tool: number, title, cause; an example; the fix.
macro_rules! pages {
    ($($number:literal $title:literal, $why:literal; $example:literal; $way_out:literal;)*) => {
        pub(super) const PAGES: &[polysmith_source::Explanation] = &[$(
            polysmith_source::Explanation {
                code: polysmith_source::Code::tool("antlr", $number),
                title: $title,
                text: concat!($why, "\n\n```antlr\n", $example, "\n```\n\n", $way_out, "\n"),
            },
        )*];
    };
}
use pages;

/// The pages, in groups.
pub const EXPLANATIONS: &[&[Explanation]] = &[names::PAGES, rules::PAGES, tokens::PAGES, extra_checks::PAGES];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_str;

    /// Pages whose example needs a second file.
    const NOT_ALONE: &[u16] = &[109, 111, 113];

    #[test]
    fn every_example_causes_its_code() {
        let mut wrong = Vec::new();
        for page in EXPLANATIONS.iter().copied().flatten() {
            let example = page.text.split("```antlr\n").nth(1).and_then(|rest| rest.split("\n```").next());
            let Some(example) = example else { continue };
            let found = read_str("T", example).diagnostics;
            let codes: Vec<String> = found.iter().map(|found| found.code.to_string()).collect();
            let alone =
                !NOT_ALONE.iter().any(|number| page.code == polysmith_source::Code::tool("antlr", *number));
            if alone && !found.iter().any(|found| found.code == page.code) {
                wrong.push(format!("{}: {codes:?}\n{example}", page.code));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    }
}
