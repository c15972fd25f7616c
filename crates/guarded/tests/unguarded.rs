//! Programs without guards: texts follow the templates, heights are within limits, the same seed gives the same bytes.

#![allow(clippy::unwrap_used, reason = "a test may")]

mod shipped;

use expect_test::{Expect, expect};
use polysmith_attributes::{Features, Selection, Spec};
use polysmith_engine::{Engine, Test};
use polysmith_guarded::{Limits, Unguarded};
use polysmith_random::Draw;
use std::collections::BTreeMap;

fn engine(spec: Spec, features: Features<'_>, limits: Limits) -> Unguarded {
    let selection = Selection::new(&spec, features);
    Unguarded::new(spec, selection, limits)
}

fn texts(engine: &Unguarded, seed: u64, n: u64) -> Vec<String> {
    let mut worker = engine.worker();
    let mut test = Test::default();
    let mut text = |index| {
        worker.make(Draw::new(seed, index), &mut test).unwrap();
        String::from_utf8(test.text.clone()).unwrap()
    };
    (0..n).map(&mut text).collect()
}

#[track_caller]
fn check(spec: &str, expect: Expect) {
    let engine = engine(shipped::written(spec), Features::None, Limits::default());
    expect.assert_eq(&texts(&engine, 1, 1)[0]);
}

#[test]
fn figure_3_prints_as_its_templates_say() {
    let engine = engine(shipped::spec("figure3"), Features::All, Limits { height: 4, ..Limits::default() });
    let shown = texts(&engine, 42, 6).join("--\n");
    expect![[r#"
        hz := 65 / <UseVariableGen>;
        g := 92;
        svz := dm;
        h := 77;
        bti := t;
        wef := bti;
        it := bti + bti - viw * svz;
        --
        l := <UseVariableGen>;
        s := to;
        v := s;
        rja := ly;
        --
        a := d;
        zl := 26;
        tnh := o;
        wrl := yqq;
        d := tnh;
        mq := tnh;
        --
        pa := 9;
        df := pa;
        lq := df / srp;
        d := pa;
        --
        k := <UseVariableGen>;
        ogf := 95;
        q := jhk;
        wtk := znk;
        --
        owy := <UseVariableGen>;
    "#]]
    .assert_eq(&shown);
}

#[test]
fn mini_prints_as_its_templates_say() {
    let engine = engine(shipped::spec("mini"), Features::None, Limits { height: 3, ..Limits::default() });
    expect![[r#"
        record R0 { p0 : bool, p1 : int, p2 : string }
        record R1 { p0 : int, p1 : string, p2 : int }
        var d8 : string[] = false;
        var xx : R1 = <FieldOf>;
        var c8 : string[] = true;
        var a : int = <Variable> * xx.p2;
        var xz : int = a;
        main {
          <Callee>(3, <Variable>, 489);
          var b : int = !xx.p2;
        }
    "#]]
    .assert_eq(&texts(&engine, 1, 1)[0]);
}

#[test]
fn every_production_of_mini_occurs_in_a_thousand_programs() {
    let spec = shipped::spec("mini");
    let names: Vec<String> = (0..spec.productions.len())
        .map(|at| spec.production_name(polysmith_attributes::ProductionId(at as u32)))
        .collect();
    let mut used = vec![false; names.len()];
    let engine = engine(spec, Features::None, Limits { height: 6, nodes: 1000 });
    let mut worker = engine.worker();
    let mut test = Test::default();
    let spec = shipped::spec("mini");
    for index in 0..1000 {
        worker.make(Draw::new(11, index), &mut test).unwrap();
        let derivation = polysmith_attributes::Derivation::from_tree(&spec, &test.tree);
        // The values of hidden leaves are not in the tree; `mini` has none.
        for node in derivation.unwrap().nodes {
            used[node.production.index()] = true;
        }
    }
    let missing: Vec<&String> =
        names.iter().zip(&used).filter(|(_, used)| !**used).map(|(name, _)| name).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// A hash of all bytes of the programs of a seed.
fn digest(programs: &[String]) -> String {
    let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
    let hash = programs.iter().flat_map(|text| text.bytes().chain([0])).fold(0xCBF2_9CE4_8422_2325, fold);
    let bytes: usize = programs.iter().map(String::len).sum();
    format!("{} programs, {bytes} bytes, {hash:016x}", programs.len())
}

#[track_caller]
fn check_thousand(language: &str, limits: Limits, expect: Expect) {
    let programs = texts(&engine(shipped::spec(language), Features::All, limits), 7, 1000);
    let again = texts(&engine(shipped::spec(language), Features::All, limits), 7, 1000);
    assert_eq!(programs, again);
    let distinct: std::collections::BTreeSet<&String> = programs.iter().collect();
    assert!(distinct.len() > 950, "{} distinct", distinct.len());
    expect.assert_eq(&digest(&programs));
}

#[test]
fn the_same_seed_gives_the_same_bytes_in_a_thousand_programs_of_figure_3() {
    check_thousand("figure3", Limits::default(), expect!["1000 programs, 55391 bytes, c26c7ca48fd49762"]);
}

#[test]
fn the_same_seed_gives_the_same_bytes_in_a_thousand_programs_of_mini() {
    check_thousand(
        "mini",
        Limits { height: 4, nodes: 500 },
        expect!["1000 programs, 612204 bytes, d6396365d0bb1979"],
    );
}

#[test]
fn blocks_are_indented_and_lines_have_no_blanks_at_their_end() {
    check(
        r#"class P { p("${b : B}") {} }
           class B { b("{\+${c : C}\-}") {} }
           class C { c("{\+x;\n\ny;\-}") {} }"#,
        expect![[r#"
            {
              {
                x;

                y;
              }
            }"#]],
    );
}

#[test]
fn a_template_over_several_lines_is_joined() {
    check("class P { p(\"a \n     b\n\tc\\$\\#\\\"\") {} }", expect![[r##"a bc$#""##]]);
}

#[test]
fn parentheses_stand_unless_the_child_binds_tighter() {
    let spec = |left: &str| {
        format!(
            r#"class P {{ p("${{t : Mul}}") {{}} }}
               class Mul {{ @precedence(2) mul("\(${{l : {left}}}\) * \(${{r : Num}}\)") {{}} }}
               class Add {{ @precedence(1) add("\(${{l : Num}}\) + \(${{r : Num}}\)") {{}} }}
               class Sq {{ @precedence(2) sq("1 * 1") {{}} }}
               class Num {{ @precedence(9) num("1") {{}} }}"#
        )
    };
    check(&spec("Add"), expect!["(1 + 1) * 1"]);
    check(&spec("Num"), expect!["1 * 1"]);
    check(&spec("Sq"), expect!["(1 * 1) * 1"]);
}

#[test]
fn hidden_nodes_print_nothing_and_a_child_may_be_printed_twice() {
    check(
        r#"class P { p("${h : H}${a : A} #{a}#{.n}") { loc n = (h.kind + 1); } }
           @hidden
           class H { syn kind : Int; h("secret") { this.kind = 41; } }
           class A { a("{\+x\-}") {} }"#,
        expect![[r#"
            {
              x
            } {
              x
            }42"#]],
    );
}

#[test]
fn computed_texts_carry_their_layout() {
    check(
        r#"fn block(body : String) : String = "begin\+" + body + "\-end";
           class P { p("{\+#{(block "a\nb")}\-}") {} }"#,
        expect![[r#"
            {
              begin
                a
                b
              end
            }"#]],
    );
}

#[test]
fn lists_have_the_lengths_that_weights_and_limits_say() {
    let spec = shipped::written(
        r#"@list(3)
           class P { one("x") {} @weight(3) more("x${r : P}") {} }"#,
    );
    let engine = engine(spec, Features::None, Limits::default());
    let mut lengths: BTreeMap<usize, u32> = BTreeMap::new();
    for text in texts(&engine, 3, 16_000) {
        *lengths.entry(text.len()).or_default() += 1;
    }
    // One quarter, three sixteenths, nine sixteenths.
    let near = |found: u32, wanted: u32| found.abs_diff(wanted) < wanted / 10;
    assert!(near(lengths[&1], 4000) && near(lengths[&2], 3000) && near(lengths[&3], 9000), "{lengths:?}");
    assert_eq!(lengths.len(), 3);
}

#[test]
fn no_tree_is_higher_than_the_limit() {
    let grammar =
        r#"class P { p("${e : E}") {} } class E { n("1") {} @weight(5) add("(${l : E}+${r : E})") {} }"#;
    for height in 1..6 {
        let engine =
            engine(shipped::written(grammar), Features::None, Limits { height, ..Limits::default() });
        let depth = |text: &String| {
            let mut depth = 0_i64;
            let steps = text.chars().map(|c| match c {
                '(' => {
                    depth += 1;
                    depth
                }
                ')' => {
                    depth -= 1;
                    depth
                }
                _ => depth,
            });
            steps.max().unwrap_or(0)
        };
        let deepest = texts(&engine, 1, 300).iter().map(depth).max().unwrap();
        // The limit starts below the first recursive production.
        assert_eq!(deepest, i64::from(height), "limit {height}");
    }
}

#[test]
fn literals_come_from_a_pool_of_the_program() {
    let spec = || {
        shipped::written(
            r#"@list(200) class P { end("") {} @weight(500) more("${a : A} ${r : P}") {} }
               @count(4) class A("[a-z]{8}");"#,
        )
    };
    let engine = engine(spec(), Features::None, Limits::default());
    let programs = texts(&engine, 5, 2);
    let names = |text: &str| text.split(' ').filter(|name| !name.is_empty()).map(str::to_owned).collect();
    let first: std::collections::BTreeSet<String> = names(&programs[0]);
    let second: std::collections::BTreeSet<String> = names(&programs[1]);
    assert_eq!((first.len(), second.len()), (4, 4));
    assert!(first.is_disjoint(&second));
}

#[test]
fn features_decide_which_productions_exist() {
    let spec = r#"class P { p("p") {} @feature("a,b") q("q") {} @feature("c") r("r") {} }"#;
    let seen = |features: Features<'_>| {
        let engine = engine(shipped::written(spec), features, Limits::default());
        texts(&engine, 1, 100)
            .into_iter()
            .collect::<std::collections::BTreeSet<_>>()
            .into_iter()
            .collect::<String>()
    };
    assert_eq!(seen(Features::None), "p");
    assert_eq!(seen(Features::All), "pqr");
    assert_eq!(seen(Features::Only(&["b".to_owned()])), "pq");
}

#[test]
fn a_long_list_needs_no_stack() {
    let spec = r#"@list class P { end("") {} @weight(4000000) more("${a : A}${r : P}") {} } class A("a");"#;
    let engine =
        engine(shipped::written(spec), Features::None, Limits { nodes: 100_000, ..Limits::default() });
    assert!(texts(&engine, 1, 1)[0].len() > 40_000);
}
