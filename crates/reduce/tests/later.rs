//! The passes past Perses, one by one: what each can do that Perses cannot.

use polysmith_grammar::rewrite::Rewrite;
use polysmith_naive::Checker;
use polysmith_parse::TextRecognizer;
use polysmith_reduce::passes::{self, Pass};
use polysmith_reduce::tree::Language;
use polysmith_reduce::{Memory, Reducer, Text, ask};

const SMALL_C: &str = r"grammar C;
    s : stmt* EOF ;
    stmt : 'while' '(' e ')' stmt | '{' stmt* '}' | 'int' ID '=' e ';' | e ';' | 'let' ID '=' e 'in' stmt | 'in' stmt ;
    e : e '*' e | e '+' e | ID '(' (e (',' e)*)? ')' | '<' p '>' | '<' NUM '>' | ID | NUM ;
    p : '[' e ';' e ']' ;
    ID : [a-z]+ ; NUM : [0-9]+ ; WS : [ \t\r\n]+ -> skip ; COMMENT : '#' ~[\n]* -> skip ;";

/// Runs Perses, then Perses with one more pass; gives both results.
fn both(
    pass: &str,
    text: &str,
    rewrites: &[(&str, &str)],
    wanted: impl Fn(&str) -> bool,
) -> (String, String) {
    let grammar = polysmith_antlr::read_str("C", SMALL_C).grammar;
    let rewrites: Vec<Rewrite> = rewrites
        .iter()
        .map(|(pattern, template)| Rewrite::read(pattern, template, &grammar).expect("a rewrite"))
        .collect();
    let start = grammar.start().expect("a start rule");
    let mut checker = Checker::new(&grammar);
    let language = Language::new(TextRecognizer::new(grammar, start).expect("a grammar to parse with"));
    let (mut language, unread) = language.with_rewrites(&rewrites);
    assert!(unread.is_empty());
    let mut run = |names: &[&str]| {
        let chosen: Vec<&Pass> = names.iter().map(|name| passes::pass(name).expect("a pass")).collect();
        let mut question = ask(|candidate| {
            let text = String::from_utf8_lossy(&candidate.bytes()).into_owned();
            assert!(text.is_empty() || checker.accepts(&text), "asked about {text:?}");
            wanted(&text)
        });
        let reducer = Reducer::default().with_passes(chosen);
        let text = Text::new(&[text]).expect("short enough");
        let reduction = reducer
            .run_by(Some(&mut language), text, &mut question, &mut Memory::default())
            .expect("interesting");
        String::from_utf8_lossy(reduction.text.bytes()).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    (run(&["perses"]), run(&["perses", pass]))
}

#[track_caller]
fn check(pass: &str, text: &str, wanted: impl Fn(&str) -> bool, perses: &str, with_pass: &str) {
    let (without, with) = both(pass, text, &[], wanted);
    assert_eq!((without.as_str(), with.as_str()), (perses, with_pass));
}

/// Names in parentheses or after `=` are declared before, as a compiler would have it.
fn declared(text: &str) -> bool {
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    ["a", "b"].iter().all(|name| {
        let first = words.iter().position(|word| word == name);
        first.is_none_or(|at| at > 0 && words[at - 1] == "int")
    })
}

#[test]
fn wrap_puts_a_small_shape_around_what_must_stay() {
    let text = "while (f(x)) { y; z; }";
    check("wrap", text, |t| t.contains("f(x)"), "while (f(x)) y;", "f(x);");
}

#[test]
fn smallest_needs_nothing_of_the_kind_in_the_file() {
    let text = "int q = f(g(x, y), z);";
    let wanted = |t: &str| {
        t.contains("int q =")
            && !["f", "g", "q", "x", "y", "z"].iter().any(|n| t.contains(&format!("= {n};")))
    };
    check("smallest", text, wanted, "int q = g();", "int q = 0;");
}

#[test]
fn replace_takes_a_smaller_text_from_elsewhere() {
    let wanted = |t: &str| {
        let barred = ["f", "q", "x"].iter().any(|name| t.contains(&format!("= {name};")));
        t.contains("int q =") && t.ends_with("k;") && !barred
    };
    check("replace", "int q = f(x); k;", wanted, "int q = f(); k;", "int q = k; k;");
}

#[test]
fn operands_are_what_the_context_allows() {
    let text = "f(<[u; 7]>);";
    check("operands", text, |t| t.contains('<') && t.contains('7'), "<[u; 7]>;", "<7>;");
}

#[test]
fn siblings_go_together() {
    let text = "let v = 1 in w;";
    check("siblings", text, |t| t.contains("in w"), "let v = 1 in w;", "in w;");
}

#[test]
fn declarations_go_with_their_uses() {
    let text = "int a = 1; int b = 2; f(a); f(b);";
    // Two statements name `a`, or none does: neither can go alone.
    let wanted = |t: &str| t.contains("f(b)") && declared(t) && matches!(t.matches('a').count(), 0 | 2);
    check("declarations", text, wanted, "int a = 1; int b = 2; a; f(b);", "int b = 2; f(b);");
}

#[test]
fn identifiers_are_merged() {
    let text = "int a = 1; int b = 2; f(a + b);";
    let wanted = |t: &str| {
        let barred = ["f(1", "f(2", "+ 1", "+ 2"].iter().any(|number| t.contains(number));
        t.contains('+') && t.matches('f').count() == 1 && t.contains("f(") && declared(t) && !barred
    };
    check("identifiers", text, wanted, "int a = 1; int b = 2; f(a + b);", "int b = 2; f(b + b);");
}

#[test]
fn rewrites_come_from_the_side_file() {
    let wanted = |t: &str| t.contains("twice(a * b)") || t.contains("a * b+2");
    let (without, with) = both("rewrites", "twice(a * b); # end", &[("twice ( $x:e )", "$x + 2")], wanted);
    assert_eq!((without.as_str(), with.as_str()), ("twice(a * b); # end", "a * b+2; # end"));
    // Holes of one name take the same text.
    let wanted = |t: &str| t.contains("q * q") || t.contains("q * r") || t.contains("sq");
    let rewrite = [("$x:e * $x:e", "sq ( $x )")];
    assert_eq!(both("rewrites", "k(q * q + 1, r);", &rewrite, wanted).1, "q * q ;", "not smaller");
}

#[test]
fn what_would_be_read_as_one_token_or_as_a_comment_is_not_asked() {
    // After `# no` nothing can be on the same line; `a` and `b` would be one name.
    let (found, _) = both("siblings", "a; # no\n f(b); c;", &[], |t| t.contains('a') && t.contains("c;"));
    assert!(found == "a; # no c;" || found == "a; c;", "{found}");
}
