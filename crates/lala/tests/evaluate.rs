//! `evaluate` on programs written by hand: valid ones, and the right guard at the right node for the others.
//!
//! A program is written as its productions: `(prog (one (assign "a" (num "1"))))`. A string is a literal, or what a
//! generator prints.

#![allow(clippy::unwrap_used, reason = "a test may")]

use expect_test::{Expect, expect};
use polysmith_attributes::{
    ClassId, ClassKind, Derivation, Instance, Leaf, ProductionId, Spec, Value, evaluate, print,
};
use polysmith_source::{Disk, LineCol, SourceMap};
use std::path::Path;

struct Language {
    spec: Spec,
    sources: SourceMap,
}

fn language(name: &str) -> Language {
    let path = format!("{}/../../languages/{name}/{name}.lala", env!("CARGO_MANIFEST_DIR"));
    let loaded = polysmith_lala::read(&Disk, Path::new(&path));
    Language { spec: loaded.spec.unwrap(), sources: loaded.sources }
}

/// Reads a program in the notation of this file.
fn program(spec: &Spec, text: &str) -> Derivation {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut words: Vec<&str> = spaced.split_whitespace().collect();
    words.reverse();
    let mut derivation = Derivation::default();
    node(spec, spec.start(), &mut words, &mut derivation);
    assert!(words.is_empty(), "{words:?}");
    derivation
}

fn node(spec: &Spec, class: ClassId, words: &mut Vec<&str>, derivation: &mut Derivation) {
    let at = derivation.nodes.len();
    let first = ProductionId(spec.class(class).productions.start);
    let leaf = |text: &str| match spec.class(class).kind {
        ClassKind::Literal(_) => Leaf::Text(Value::from(text)),
        _ => Leaf::Printed(text.into()),
    };
    let word = words.pop().unwrap();
    if let Some(text) = word.strip_prefix('"') {
        let text = text.trim_end_matches('"');
        derivation.nodes.push(Instance { production: first, size: 1, leaf: leaf(text) });
        return;
    }
    assert_eq!(word, "(");
    let name = words.pop().unwrap();
    let found = spec.productions_of(class).find(|id| &*spec.production(*id).name == name);
    let production = found.unwrap_or_else(|| panic!("{} has no {name}", spec.class(class).name));
    derivation.nodes.push(Instance { production, size: 1, leaf: Leaf::None });
    for child in &spec.production(production).children {
        node(spec, child.class, words, derivation);
    }
    assert_eq!(words.pop(), Some(")"), "after {name}");
    derivation.nodes[at].size = (derivation.nodes.len() - at) as u32;
}

/// The text of the program and what is wrong with it.
#[track_caller]
fn check(language: &Language, text: &str, expect: Expect) {
    let Language { spec, sources } = language;
    let derivation = program(spec, text);
    let evaluation = evaluate(spec, &derivation);
    let printed = print(spec, &derivation, &evaluation, &mut polysmith_attributes::Machine::default());
    let mut shown = String::from_utf8(printed.tree.to_bytes()).unwrap();
    for failure in &evaluation.violations {
        let LineCol { line, .. } = sources.line_col(failure.span(spec));
        let text = sources.get(failure.span(spec).source).text();
        let source = text.lines().nth(line as usize - 1).unwrap().trim();
        shown += &format!("! node {}: {}\n    {source}\n", failure.node, failure.message(spec));
    }
    // The printed tree has the same violations.
    let again = Derivation::from_tree(spec, &printed.tree).unwrap();
    assert_eq!(evaluate(spec, &again).violations.len(), evaluation.violations.len());
    expect.assert_eq(&shown);
}

#[test]
fn a_variable_that_was_assigned_may_be_used() {
    check(
        &language("figure3"),
        r#"(prog (mult (assign "a" (num "1")) (one (assign "b" (use_var (var "a"))))))"#,
        expect![[r#"
            a := 1;
            b := a;
        "#]],
    );
}

#[test]
fn a_variable_may_not_be_used_before_it_is_assigned() {
    check(
        &language("figure3"),
        r#"(prog (mult (assign "a" (use_var (var "b"))) (one (assign "b" (binop (use_var (var "a")) "+" (use_var (var "c")))))))"#,
        expect![[r#"
            a := b;
            b := a + c;
            ! node 5: the guard `defined` of `UseVariable.var` is not satisfied
                this.defined = (SymbTab:contains this.syms var.str);
            ! node 16: the guard `defined` of `UseVariable.var` is not satisfied
                this.defined = (SymbTab:contains this.syms var.str);
        "#]],
    );
}

#[test]
fn a_generated_value_must_be_in_its_list() {
    let figure3 = language("figure3");
    check(
        &figure3,
        r#"(prog (mult (assign "a" (num "1")) (one (assign "b" (use_gen "a")))))"#,
        expect![[r#"
            a := 1;
            b := a;
        "#]],
    );
    check(
        &figure3,
        r#"(prog (one (assign "b" (use_gen "a"))))"#,
        expect![[r#"
        b := a;
        ! node 5: `a` is not among the values of `UseVariableGen.var`
            var (SymbTab:defs this.syms) : String {}
    "#]],
    );
}

const GLOBAL: &str = r#"(one (define "x" (scalar (int)) (literal (number "1"))))"#;

fn mini_main(body: &str) -> String {
    format!("(program (none) (none) {GLOBAL} (none) {body})")
}

#[test]
fn a_mini_program_with_a_loop_is_valid() {
    check(
        &language("mini"),
        &mini_main(
            r#"(more (act (while (compare (variable "x") "<" (literal (number "9"))) "5"
                 (more (act (assign (variable "x") (plus (variable "x") (literal (number "1"))))) (one (act (break))))))
               (one (act (print (scalar (int)) (variable "x")))))"#,
        ),
        expect![[r#"
            var x : int = 1;
            main {
              while (x < 9) max 5 {
                x = x + 1;
                break;
              }
              print x;
            }
        "#]],
    );
}

#[test]
fn mini_rejects_break_outside_of_loops_and_names_declared_twice() {
    let mini = language("mini");
    check(
        &mini,
        &mini_main("(one (act (break)))"),
        expect![[r#"
        var x : int = 1;
        main {
          break;
        }
        ! node 14: a requirement of `Action.break` is not satisfied
            break("break;")       { require this.env.loops > 0; }
    "#]],
    );
    let define =
        |name: &str| format!(r#"(define (define "{name}" (scalar (bool)) (literal (truth "true"))))"#);
    // A global may be hidden, a local of the same block may not.
    check(
        &mini,
        &mini_main(&format!("(more {} (more {} (one {})))", define("x"), define("y"), define("y"))),
        expect![[r#"
            var x : int = 1;
            main {
              var x : bool = true;
              var y : bool = true;
              var y : bool = true;
            }
            ! node 33: a requirement of `NewName.NewName` is not satisfied
                require not (Scope:declares this.env.scope this.str);
        "#]],
    );
}

#[test]
fn mini_rejects_values_of_another_type() {
    check(
        &language("mini"),
        &mini_main(r#"(one (act (assign (variable "x") (literal (truth "true")))))"#),
        expect![[r#"
            var x : int = 1;
            main {
              x = true;
            }
            ! node 18: a requirement of `Literal.truth` is not satisfied
                truth("${b : Truth}")   { require this.want == Bool; }
        "#]],
    );
}

/// A spec that is written here, and a program of it with the key that draws follow from.
fn saved_and_read(text: &str, words: &str) -> (Spec, Derivation, Derivation) {
    let files = polysmith_source::Memory::default().with("t.lala", text);
    let spec = polysmith_lala::read(&files, Path::new("t.lala")).spec.unwrap();
    let derivation = Derivation { key: 7, ..program(&spec, words) };
    let evaluation = evaluate(&spec, &derivation);
    let printed = print(&spec, &derivation, &evaluation, &mut polysmith_attributes::Machine::default());
    let header = polysmith_tree::save::Header::of(&spec.grammar);
    let bytes = polysmith_tree::save::to_pst(&printed.tree, &header);
    let (_, tree) = polysmith_tree::save::load(&bytes, &spec.grammar).unwrap();
    let again = Derivation::from_tree(&spec, &tree).unwrap();
    (spec, derivation, again)
}

#[test]
fn what_is_hidden_is_in_a_saved_tree() {
    let (spec, _, again) = saved_and_read(
        r#"class P { p("${h : H}${g : G}${r : R}") { g.all = [h.str, "z"]; r.key = h.str + g.name; } }
           @hidden class H("a|b");
           @hidden class G { inh all : List(String); syn name : String; g (this.all) : String { this.name = $; } }
           class R { inh key : String; r("r") { require this.key == "bz"; } }"#,
        r#"(p "b" "z" (r))"#,
    );
    assert!(evaluate(&spec, &again).is_valid());
}

#[test]
fn what_a_node_draws_follows_from_a_saved_tree() {
    let (spec, derivation, again) = saved_and_read(
        r#"class P { p("${a : A}${b : A}") {} }
           class A { syn n : Int; a("x") { this.n = (Random:int this 0 1000000000); } }"#,
        "(p (a) (a))",
    );
    let draws = |derivation: &Derivation| {
        let evaluation = evaluate(&spec, derivation);
        [1, 2].map(|node| evaluation.value(node, 0).cloned().unwrap())
    };
    assert_eq!(draws(&derivation), draws(&again));
    assert_ne!(draws(&derivation)[0], draws(&derivation)[1]);
    assert_ne!(draws(&derivation), draws(&Derivation { key: 8, ..derivation.clone() }));
}
