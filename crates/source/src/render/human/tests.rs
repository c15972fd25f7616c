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

#[test]
fn a_second_place_and_help() {
    let mut sources = SourceMap::default();
    let id = sources.add("T.g4", "a : 'x' ;\nb : 'y' ;\na : 'z' ;\n");
    let mut found = Diagnostics::default();
    found
        .error(Code::tool("antlr", 51), Span::new(id, 20, 21), "rule `a` is defined twice")
        .also(Span::new(id, 0, 1), "first defined here")
        .help("give it another name");
    expect![[r#"
        error[antlr(51)]: rule `a` is defined twice
         --> T.g4:3:1
          |
        3 | a : 'z' ;
          | ^
          |
         ::: T.g4:1:1
          |
        1 | a : 'x' ;
          | - first defined here
          |
          = help: give it another name

    "#]]
    .assert_eq(&human(&sources, &found, &Style::plain()));
}

#[test]
fn control_characters_cannot_reach_the_terminal() {
    check(
        "s : \u{1b}[31m\0 exprr ;\n",
        "exprr",
        expect![[r#"
        error[antlr(56)]: rule `x` is not defined
         --> T.g4:1:12
          |
        1 | s : ␛[31m␀ exprr ;
          |            ^^^^^ here

    "#]],
    );
}

#[test]
fn the_end_of_a_file_without_line_end_can_be_marked() {
    let mut sources = SourceMap::default();
    let id = sources.add("T.g4", "grammar T");
    let mut found = Diagnostics::default();
    found.error(Code::tool("antlr", 50), Span::new(id, 9, 9), "a `;` is missing").label("here");
    expect![[r#"
        error[antlr(50)]: a `;` is missing
         --> T.g4:1:10
          |
        1 | grammar T
          |          ^ here

    "#]]
    .assert_eq(&human(&sources, &found, &Style::plain()));
}

#[test]
fn a_span_of_many_lines_shows_its_beginning() {
    let text = format!("s : (\n{}) ;\n", "  'x' |\n".repeat(40));
    let mut sources = SourceMap::default();
    let id = sources.add("T.g4", text.as_str());
    let mut found = Diagnostics::default();
    found.error(Code::own('A', 2), Span::new(id, 4, text.len() - 2), "this group is odd");
    expect![[r#"
        error[PS-A002]: this group is odd
         --> T.g4:1:5
          |
        1 |   s : (
          |  _____^
        2 | |   'x' |
        3 | |   'x' |
        4 | |   'x' |
        5 | |   'x' |
        6 | |   'x' |
          | |________^

    "#]]
    .assert_eq(&human(&sources, &found, &Style::plain()));
}

/// Only what is shown is looked at: the cost of a diagnostic does not follow the length of its line.
#[test]
fn a_line_of_megabytes_is_drawn() {
    let text = format!("s : {} exprr {} ;", "'x' | ".repeat(200_000), "| 'y'".repeat(200_000));
    check(
        &text,
        "exprr",
        expect![[r#"
            error[antlr(56)]: rule `x` is not defined
             --> T.g4:1:1200006
              |
            1 | ...x' | 'x' | 'x' | 'x' | 'x' |  exprr | 'y'| 'y'| 'y'| 'y'| 'y'| 'y'| 'y...
              |                                  ^^^^^ here

        "#]],
    );
}
