//! What a person sees, as snapshots.

use super::*;
use crate::{Code, Diagnostics};
use expect_test::{Expect, expect};

/// Draws one error at the first occurrence of `mark` in `text`.
#[track_caller]
fn check(text: &str, mark: &str, expect: Expect) {
    let mut sources = SourceMap::default();
    let id = sources.add("T.g4", text);
    let start = text.find(mark).unwrap();
    let mut found = Diagnostics::default();
    found
        .error(Code::tool("antlr", 56), Span::new(id, start, start + mark.len()), "rule `x` is not defined")
        .label("here");
    expect.assert_eq(&human(&sources, &found, &Style { width: 80, ..Style::plain() }));
}

#[test]
fn the_line_and_the_place_are_shown() {
    check(
        "grammar T;\ns : exprr ;\n",
        "exprr",
        expect![[r#"
        error[antlr(56)]: rule `x` is not defined
         --> T.g4:2:5
          |
        2 | s : exprr ;
          |     ^^^^^ here

    "#]],
    );
}

#[test]
fn tabs_and_wide_characters_keep_the_mark_in_place() {
    check(
        "s :\t'日本語' exprr ;\n",
        "exprr",
        expect![[r#"
        error[antlr(56)]: rule `x` is not defined
         --> T.g4:1:11
          |
        1 | s :    '日本語' exprr ;
          |                 ^^^^^ here

    "#]],
    );
}

#[test]
fn crlf_is_not_shown() {
    check(
        "grammar T;\r\ns : exprr ;\r\n",
        "exprr",
        expect![[r#"
        error[antlr(56)]: rule `x` is not defined
         --> T.g4:2:5
          |
        2 | s : exprr ;
          |     ^^^^^ here

    "#]],
    );
}

#[test]
fn a_wide_line_is_cut_around_the_mark() {
    let text = format!("s : {} exprr {} ;", "'x' | ".repeat(60), "| 'y'".repeat(60));
    check(
        &text,
        "exprr",
        expect![[r#"
        error[antlr(56)]: rule `x` is not defined
         --> T.g4:1:366
          |
        1 | ...x' | 'x' | 'x' | 'x' | 'x' |  exprr | 'y'| 'y'| 'y'| 'y'| 'y'| 'y'| 'y...
          |                                  ^^^^^ here

    "#]],
    );
}

#[test]
fn many_are_counted() {
    let mut sources = SourceMap::default();
    let id = sources.add("T.g4", "s : a ;");
    let mut found = Diagnostics::default();
    for _ in 0..3 {
        found.warning(Code::own('A', 1), id, "odd");
    }
    let text = human(&sources, &found, &Style { most: 1, ..Style::plain() });
    expect![[r#"
        warning[PS-A001]: odd
        --> T.g4

        … and 2 more

    "#]]
    .assert_eq(&text);
}
