//! Single passes on small texts: what each is for, and what it does not ask.
#![expect(clippy::unwrap_used, reason = "helpers of a test")]

use polysmith_reduce::{Memory, Reducer, Text, ask, passes};

/// Runs one pass to its end and gives the result, and the candidates it asked about.
fn run(pass: &str, text: &str, holds: impl Fn(&str) -> bool) -> (String, Vec<String>) {
    let mut asked = Vec::new();
    let mut question = ask(|candidate| {
        let text = String::from_utf8(candidate.bytes()).unwrap();
        let answer = holds(&text);
        asked.push(text);
        answer
    });
    let reducer = Reducer::default().with_passes(vec![passes::pass(pass).unwrap()]);
    let reduction = reducer.run(Text::new(&[text]).unwrap(), &mut question, &mut Memory::default()).unwrap();
    (String::from_utf8(reduction.text.bytes().to_vec()).unwrap(), asked)
}

#[track_caller]
fn check(pass: &str, before: &str, holds: impl Fn(&str) -> bool, after: &str) {
    assert_eq!(run(pass, before, holds).0, after);
}

/// Whether every name that is used is declared by a line `declare NAME;` or `declare WORD NAME;` before it.
fn declared(text: &str) -> bool {
    let mut known = vec!["int", "declare", "use", "0"];
    text.lines().all(|line| {
        let words: Vec<&str> = line.split([' ', ';']).filter(|word| !word.is_empty()).collect();
        if let ["declare", .., new] = words[..] {
            known.push(new);
        }
        words.iter().all(|word| known.contains(word))
    })
}

#[test]
fn an_address_in_a_string_is_no_comment() {
    let before = "a(\"http://x\"); // one\nb('it\\'s //'); // two\n// three\n";
    let (after, asked) =
        run("comments", before, |text| text.contains("http://x\");") && text.contains("s //');"));
    assert_eq!(after, "a(\"http://x\"); \nb('it\\'s //'); \n");
    // The original, nothing, all comments at once, and the result again.
    assert!(asked.len() <= 5, "{asked:?}");
}

#[test]
fn a_name_loses_its_definition() {
    let before = "declare int number;\nuse number;\n";
    let holds = |text: &str| declared(text) && (text.contains("use int") || text.contains("use number"));
    check("definitions", before, holds, "use int;\n");
}

#[test]
fn a_value_takes_the_place_of_a_name() {
    let holds =
        |text: &str| text.contains("f(5 + 5)") || text.contains("x = 5 + 5;") && text.contains("f(x)");
    check("definitions", "int x = 5 + 5;\nf(x);\n", holds, "f(5 + 5);\n");
}

#[test]
fn qualifiers_go_even_where_a_name_must_be_told_apart() {
    // A bare column is fine if just one table has it.
    let holds = |text: &str| {
        let (tables, query) = text.split_once(" select ").unwrap_or_default();
        let columns: Vec<&str> = tables.split(['(', ')']).skip(1).step_by(2).collect();
        let names: Vec<&str> = query.trim_end_matches(';').split(", ").collect();
        let is_known = |name: &&str| match name.split_once('.') {
            Some((table, column)) => tables.contains(&format!("{table}({column})")),
            None => columns.iter().filter(|column| *column == name).count() == 1,
        };
        names.len() == 2 && names.iter().all(is_known)
    };
    check("qualifiers", "t(id) u(id) select t.id, u.id;", holds, "t(b) u(a) select b, a;");
}

#[test]
fn a_block_becomes_a_semicolon() {
    let holds = |text: &str| text.starts_with("f()") && (text.contains("{a") || text.contains(';'));
    check("brackets", "f(){a b}", holds, "f();");
}

#[test]
fn windows_keep_brackets_together_while_they_match() {
    let (after, asked) = run("windows", "a (b c) [d]", |text| text.contains('c'));
    assert!(!after.contains('d') && after.contains('c'));
    let balance = |text: &str| text.matches(['(', '[']).count() == text.matches([')', ']']).count();
    assert!(asked.iter().all(|text| balance(text)), "{asked:?}");
    // In a text that has lost its balance already, anything may go.
    let (after, _) = run("windows", "(a) b ] x y", |text| text.contains('x') && text.contains('('));
    assert!(!after.contains(']') || !after.contains(')'), "{after}");
}

/// Whether every line after one that ends with a colon is indented deeper than it, as Python asks for.
fn is_indented(text: &str) -> bool {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let lines: Vec<&str> = text.lines().collect();
    let is_deeper = |pair: &[&str]| !pair[0].ends_with(':') || indent(pair[1]) > indent(pair[0]);
    lines.windows(2).all(is_deeper)
}

#[test]
fn indentation_becomes_one_blank_for_each_level() {
    let before = "def f():\n    if x:\n        boom()\n";
    let holds = |text: &str| {
        is_indented(text)
            && text.contains("def f():\n")
            && text.contains("if x:\n")
            && text.contains("boom()")
    };
    check("spaces", before, holds, "def f():\n if x:\n  boom()");
}

#[test]
fn numbers_are_bisected() {
    let value = |text: &str| text.trim_start_matches("f(").trim_end_matches(')').parse().unwrap_or(0);
    check("numbers", "f(987654)", |text| value(text) >= 1234, "f(1234)");
    let (_, asked) = run("numbers", "f(987654)", |text| value(text) >= 1234);
    assert!(asked.len() < 40, "{asked:?}");
}
