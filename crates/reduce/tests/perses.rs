//! Reduction by grammar: the figures of the Perses paper, shapes of lists, and broken inputs.

use expect_test::{Expect, expect};
use polysmith_grammar::Grammar;
use polysmith_naive::Checker;
use polysmith_parse::TextRecognizer;
use polysmith_reduce::passes;
use polysmith_reduce::tree::Language;
use polysmith_reduce::{Memory, Reducer, Step, Text, ask};

fn read(rules: &str) -> Grammar {
    let read = polysmith_antlr::read_str("T", &format!("grammar T; {rules} WS : [ \\t\\r\\n]+ -> skip ;"));
    assert!(!read.diagnostics.has_errors(), "{:?}", read.diagnostics);
    read.grammar
}

fn language(rules: &str) -> Language {
    let grammar = read(rules);
    let start = grammar.start().expect("a start rule");
    Language::new(TextRecognizer::new(grammar, start).expect("a grammar to parse with"))
}

/// A parser of its own, to check what is asked and what is left.
fn checker(rules: &str) -> Checker {
    Checker::new(&read(rules))
}

/// The result, the steps, and how many questions were asked.
fn reduce(
    language: &mut Language,
    text: &str,
    wanted: &mut dyn FnMut(&str) -> bool,
) -> (String, Vec<Step>, usize) {
    let mut memory = Memory::default();
    let text = Text::new(&[text]).expect("short enough");
    let mut question = ask(|candidate| wanted(&String::from_utf8_lossy(&candidate.bytes())));
    let reducer = Reducer::default().with_passes(vec![passes::pass("perses").expect("a pass")]);
    let reduction = reducer
        .run_by(Some(language), text, &mut question, &mut memory)
        .expect("the original is interesting");
    (String::from_utf8_lossy(reduction.text.bytes()).into_owned(), memory.steps, reduction.questions)
}

fn check(grammar: &str, text: &str, mut wanted: impl FnMut(&str) -> bool, expected: Expect) {
    let (result, _, _) = reduce(&mut language(grammar), text, &mut wanted);
    expected.assert_eq(&result);
}

/// Figure 2, with `return` and the rules that it leaves out.
const FIGURE_2: &str = r#"
    func_def : type ID '(' ')' compound_stmt EOF ;
    stmt : if_stmt | decl_stmt | expr_stmt | compound_stmt | return_stmt ;
    if_stmt : cond_plus decl_stmt | cond_plus expr_stmt | cond_plus compound_stmt ;
    cond_plus : if_cond+ ;
    if_cond : 'if' '(' expr ')' ;
    decl_stmt : type ID '=' expr ';' ;
    expr_stmt : expr ';' ;
    return_stmt : 'return' expr ';' ;
    compound_stmt : '{' stmt_star '}' ;
    stmt_star : stmt* ;
    type : 'int' ;
    expr : ID '(' (expr (',' expr)*)? ')' | ID | NUMBER | STRING ;
    ID : [a-z]+ ; NUMBER : [0-9]+ ; STRING : '"' ~["]* '"' ;
"#;

const FIGURE_1A: &str = r#"int main() {
  int a = 1;
  if (a) {
    printf("%d\n", a);
    printf("Hello ");
    printf("world!\n");
    printf("End\n");
  }
  return 0;
}
"#;

/// Prints the line and returns; what uses `a` needs its declaration, as for a compiler.
fn prints_and_returns(text: &str) -> bool {
    let compiles =
        text.contains("int a") || !text.replace("main", "").contains("(a)") && !text.contains(", a");
    let hello = text.find(r#"printf("Hello ")"#);
    let world = text.find(r#"printf("world!\n")"#);
    compiles && hello.is_some() && hello < world && text.contains("return 0;")
}

#[test]
fn figure_1a_ends_as_1d() {
    let (result, steps, _) = reduce(&mut language(FIGURE_2), FIGURE_1A, &mut prints_and_returns);
    expect![[r#"
        int main() {
          printf("Hello ");
            printf("world!\n");
            return 0;
        }
    "#]]
    .assert_eq(&result);
    let log: String = steps.iter().map(|s| format!("{} tokens left: {}\n", s.size.tokens, s.edit)).collect();
    expect![[r#"
        38 tokens left: -28..35
        36 tokens left: -28..34 -122..126
        31 tokens left: -97..116
        24 tokens left: -28..51
        19 tokens left: -15..28
    "#]]
    .assert_eq(&log);
}

#[test]
fn any_item_of_a_separated_list_can_go() {
    let grammar = "s : '[' (x (',' x)*)? ']' EOF ; x : ID | s2 ; s2 : '(' x ')' ; ID : [a-z]+ ;";
    for (wanted, result) in [("a", "[a]"), ("b", "[b]"), ("d", "[d]"), ("[", "[]")] {
        let (found, _, _) = reduce(&mut language(grammar), "[a, b, (c), d]", &mut |t| t.contains(wanted));
        assert_eq!(found, result);
    }
}

#[test]
fn operators_are_lists_of_operands() {
    let grammar = "s : e EOF ; e : e '*' e | e '+' e | '-' e | e '[' e ']' | ID ; ID : [a-z]+ ;";
    let text = "a + b * c + - d[x + y] + e";
    for (wanted, result) in [("a", "a"), ("c", "c"), ("y", "y"), ("e", "e"), ("-", "-d"), ("[", "a[x]")] {
        let (found, _, _) = reduce(&mut language(grammar), text, &mut |t| t.contains(wanted));
        assert_eq!(found.replace(' ', ""), result, "{wanted}");
    }
}

#[test]
fn combs_are_lists() {
    let grammar = "s : l EOF ; l : x l | x ; x : ID ';' ; ID : [a-z]+ ;";
    check(grammar, "a; b; c; d; e; f;", |t| t.contains("b;") && t.contains("e;"), expect!["b; e; f;"]);
}

#[test]
fn a_long_list_is_halved() {
    let grammar = "s : x* EOF ; x : ID ';' ; ID : [a-z0-9]+ ;";
    let text: String = (0..4096).map(|n| format!("v{n}; ")).collect();
    let (result, _, questions) = reduce(&mut language(grammar), &text, &mut |t| t.contains("v1234;"));
    assert_eq!(result.trim(), "v1234;");
    assert!(questions < 60, "{questions} questions");
}

#[test]
fn what_comes_together_stays_apart() {
    let grammar = "s : x* EOF ; x : '(' ID ')' | ID ; ID : [a-z]+ ;";
    check(grammar, "a(b)c", |t| t.contains('a') && t.contains('c'), expect!["a c"]);
}

#[test]
fn nothing_is_asked_that_does_not_parse() {
    let mut language = language(FIGURE_2);
    let mut checker = checker(FIGURE_2);
    let mut asked = 0;
    reduce(&mut language, FIGURE_1A, &mut |text| {
        asked += 1;
        assert!(text.is_empty() || checker.accepts(text), "asked about {text:?}");
        prints_and_returns(text)
    });
    let counts = language.counts();
    assert!(asked > 10 && counts.built >= counts.filtered && counts.outside == 0, "{counts:?}");
}

#[test]
fn a_broken_region_does_not_stop_the_rest() {
    let grammar = "s : x* EOF ; x : '{' x* '}' | ID ';' ; ID : [a-z]+ ; BAD : '#' ;";
    let text = "a; { b; } # # c; { d; { e; f; } } g;";
    let (result, _, _) = reduce(&mut language(grammar), text, &mut |t| t.contains("f;"));
    assert_eq!(result.replace([' ', '#'], ""), "f;");
}

#[test]
fn a_comment_before_the_first_token_swallows_nothing() {
    let grammar = r"s : NL? ID NL ID NL EOF ; ID : [a-z]+ ; C : '#' ~[\n]* -> skip ; NL : '\n' ;";
    let mut checker = checker(grammar);
    let (result, _, _) = reduce(&mut language(grammar), "# x\na\nb\n", &mut |text| {
        assert!(text.is_empty() || checker.accepts(text), "asked about {text:?}");
        text.contains('b')
    });
    assert_eq!(result, "# x\na\nb\n");
}

/// Whatever is one step away from a result and still parses gets a no.
fn assert_minimal(rules: &str, result: &str, wanted: &mut dyn FnMut(&str) -> bool) {
    let tried = checker(rules).step_left(result, wanted);
    let tried = tried.unwrap_or_else(|text| panic!("{result:?} can become {text:?}"));
    assert!(tried > 0);
}

#[test]
fn results_are_minimal() {
    let (result, _, _) = reduce(&mut language(FIGURE_2), FIGURE_1A, &mut prints_and_returns);
    assert_minimal(FIGURE_2, &result, &mut prints_and_returns);

    let nested =
        "s : v EOF ; v : '[' (v (',' v)*)? ']' | '{' (p (',' p)*)? '}' | ID ; p : ID ':' v ; ID : [a-z]+ ;";
    let text = "[a, {b: [c, d, {e: f, g: [h, i]}], j: k}, [l, [m, {n: o}]], p]";
    let questions: [&mut dyn FnMut(&str) -> bool; 3] = [
        &mut |t| {
            ["h", "o"].iter().all(|name| t.split(|c: char| !c.is_alphabetic()).any(|word| word == *name))
        },
        &mut |t| t.contains("g:") && t.contains("i]"),
        &mut |t| t.matches(',').count() >= 3 && t.contains("{"),
    ];
    for wanted in questions {
        let (result, _, _) = reduce(&mut language(nested), text, wanted);
        assert_minimal(nested, &result, wanted);
    }
}

/// In long lists the check looks at a short text in place of the long one: it must neither stop what is in the
/// language nor let through what is not.
#[test]
fn long_lists_are_checked_in_short() {
    let grammar =
        "s : '[' x (',' x)* ']' EOF ; x : '{' x* '}' | '(' (x (';' x)*)? ')' | ID ; ID : [a-z0-9]+ ;";
    let small: String = (0..200).map(|n| format!("{{a{n} (b{n}; c{n}; (d{n})) e{n}}}, ")).collect();
    let long: Vec<String> = (0..300).map(|n| format!("i{n}")).collect();
    let text = format!("[{small}({}), z]", long.join("; "));
    let mut language = language(grammar);
    let mut checker = checker(grammar);
    for (wanted, result) in
        [("a7 ", "[a7 ]"), ("c123", "[c123]"), ("i77", "[i77]"), ("z]", "[z]"), ("{a0 ", "[{a0 }]")]
    {
        let (found, _, questions) = reduce(&mut language, &text, &mut |t| {
            assert!(t.is_empty() || checker.accepts(t), "asked about {t:?}");
            t.contains(wanted)
        });
        assert_eq!(found, result, "{wanted}");
        assert!(questions < 120, "{wanted}: {questions} questions");
    }
    let counts = language.counts();
    assert!(counts.filtered * 3 < counts.built, "{counts:?}");
}
