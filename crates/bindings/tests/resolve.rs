//! What uses refer to, on texts that a person can read.

mod common;

use common::{language, parse};
use expect_test::{Expect, expect};
use polysmith_bindings::{Target, report};
use polysmith_source::{SourceMap, render};
use polysmith_tree::{NodeId, TreeBuilder};

/// One line per use, as `name@offset -> offset of the definition`, then the problems.
#[track_caller]
fn check(text: &str, expected: Expect) {
    let (names, mut parser) = language();
    let tree = parse(&mut parser, text);
    let bindings = names.resolve(&tree);
    let place = |node: NodeId| tree.leaf_range(node).start;
    let mut shown = String::new();
    for used in &bindings.uses {
        let target = match used.target {
            Target::Definition(number) => {
                let definition = bindings.definitions[number as usize];
                format!("{} {}", names.kind_name(definition.kind), place(definition.node))
            }
            other => format!("{other:?}"),
        };
        let name = String::from_utf8_lossy(tree.leaf_text(used.node));
        shown += &format!("{name}@{} -> {target}\n", place(used.node));
    }
    let mut sources = SourceMap::default();
    let source = sources.add("t", text);
    for diagnostic in report(&names, &tree, &bindings, source).iter() {
        let at = render::json(&sources, diagnostic);
        let help = diagnostic.help.as_deref().map(|help| format!(" ({help})")).unwrap_or_default();
        shown +=
            &format!("{}:{} {} {}{help}\n", at["line"], at["column"], diagnostic.code, diagnostic.message);
    }
    expected.assert_eq(&shown);
}

#[test]
fn a_name_is_visible_after_its_definition() {
    check(
        "a; let a = a; a;",
        expect![[r#"
        a@0 -> Unresolved
        a@11 -> constant 7
        a@14 -> constant 7
        1:0 PS-B001 `a` is not defined
    "#]],
    );
}

#[test]
fn a_name_can_be_visible_after_its_whole_node() {
    check(
        "local a = a; a;",
        expect![[r#"
        a@10 -> Unresolved
        a@13 -> constant 6
        1:10 PS-B001 `a` is not defined
    "#]],
    );
}

#[test]
fn a_name_can_be_visible_in_its_whole_scope() {
    check(
        "a; fun f(p) { b; { var b; } p; f; } var a; b;",
        expect![[r#"
        a@0 -> variable 40
        b@14 -> variable 23
        p@28 -> variable 9
        f@31 -> variable 7
        b@43 -> Unresolved
        1:43 PS-B001 `b` is not defined
    "#]],
    );
}

#[test]
fn the_innermost_definition_counts() {
    check(
        "let a; { let a; a; { let a; a; } a; } a;",
        expect![[r#"
        a@16 -> constant 13
        a@28 -> constant 25
        a@33 -> constant 13
        a@38 -> constant 4
    "#]],
    );
}

#[test]
fn a_definition_of_an_outer_scope_does_not_hide_an_inner_one() {
    check(
        "fun f() { let a; { a; var a; a; } a; }",
        expect![[r#"
        a@19 -> constant 14
        a@29 -> constant 14
        a@34 -> constant 14
    "#]],
    );
}

#[test]
fn a_condition_chooses_the_rule_of_a_definition() {
    check(
        "const def ((a)); def b; a; b; const def c; { def d; d; }",
        expect![[r#"
        a@24 -> constant 12
        b@27 -> variable 21
        d@52 -> variable 49
    "#]],
    );
}

#[test]
fn builtins_and_ignored_and_optional_names() {
    check(
        "print; library; printer; typeof a; typeof (b); screen;",
        expect![[r#"
            print@0 -> Builtin
            library@7 -> Builtin
            printer@16 -> Unresolved
            a@32 -> Optional
            screen@47 -> Environment
            1:16 PS-B001 `printer` is not defined
        "#]],
    );
}

#[test]
fn labels_are_not_variables_and_end_with_their_function() {
    check(
        "a: { goto a; a; fun f() { goto a; } } goto a;",
        expect![[r#"
            a@10 -> label 0
            a@13 -> Unresolved
            a@31 -> Unresolved
            a@43 -> Unresolved
            1:13 PS-B001 `a` is not defined
            1:31 PS-B001 `a` is not defined
        "#]],
    );
}

#[test]
fn names_that_exclude_each_other() {
    check(
        "let a; let a; fun f() { var b; var b; } let c; def c; { let c; }",
        expect![[r#"
        1:11 PS-B002 `a` is defined again in the same scope
        1:51 PS-B002 `c` is defined again in the same scope
    "#]],
    );
}

#[test]
fn needs_end_with_the_function() {
    check(
        "break; loop { { break; } fun f() { break; } break; } \
         await x; async fun g() { await x; fun h() { await x; } await x; } await x;",
        expect![[r#"
            x@59 -> Unresolved
            x@84 -> Unresolved
            x@103 -> Unresolved
            x@114 -> Unresolved
            x@125 -> Unresolved
            1:0 PS-B003 `break` needs a loop around it
            1:35 PS-B003 `break` needs a loop around it
            1:53 PS-B003 `await` needs an async function around it
            1:59 PS-B001 `x` is not defined
            1:97 PS-B003 `await` needs an async function around it
            1:119 PS-B003 `await` needs an async function around it
        "#]],
    );
}

#[test]
fn a_hundred_thousand_scopes_inside_each_other() {
    const DEPTH: usize = 100_000;
    let (names, parser) = language();
    let grammar = parser.grammar();
    let rule = |name: &str| grammar.rule_named(name).expect(name);
    let (block, value, name) = (rule("block"), rule("value"), grammar.tokens().named("ID").expect("ID"));
    let mut tree = TreeBuilder::new();
    tree.open_rule(rule("program"), 1);
    tree.open_rule(rule("parameter"), 1);
    tree.token(name, b"a");
    tree.close();
    for _ in 0..DEPTH {
        tree.open_rule(block, 1);
        tree.open_rule(value, 1);
        tree.token(name, b"a");
        tree.close();
    }
    (0..=DEPTH).for_each(|_| tree.close());
    let bindings = names.resolve(&tree.finish());
    assert_eq!((bindings.scopes.len(), bindings.uses.len()), (DEPTH + 1, DEPTH));
    assert!(bindings.uses.iter().all(|used| used.target == Target::Definition(0)));
}
