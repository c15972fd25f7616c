//! Single passes on small texts: what each is for, and what it does not ask.
#![expect(clippy::unwrap_used, reason = "helpers of a test")]

use polysmith_reduce::passes::{Pass, When, Work};
use polysmith_reduce::{Edit, Edits, Memory, Reducer, Text, ask, passes};

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

#[test]
fn names_become_free_letters_and_never_keywords() {
    // As in many dialects of SQL, a keyword may be a name too.
    let holds = |text: &str| {
        let words: Vec<&str> = text.split([' ', '(', ')', ';']).filter(|word| !word.is_empty()).collect();
        matches!(words[..], ["CREATE", "TABLE", a, b, "SELECT", c, "FROM", d] if a == d && b == c)
    };
    let before = "CREATE TABLE orders(total);SELECT total FROM orders";
    check("names", before, holds, "CREATE TABLE a(a);SELECT a FROM a");
}

#[test]
fn a_word_that_cannot_be_a_letter_becomes_a_shorter_word() {
    let holds = |text: &str| matches!(text, "unsigned x;int y;" | "int x;int y;" | "int x;int x;");
    check("names", "unsigned x;int y;", holds, "int x;int x;");
}

#[test]
fn words_get_lower_case_where_the_test_allows_it() {
    let before = "SELECT Name FROM Users";
    let (after, asked) = run("case", before, |text| text.eq_ignore_ascii_case(before));
    assert_eq!(after, "select name from users");
    // The original, nothing, all words at once, and the result twice again.
    assert!(asked.len() <= 5, "{asked:?}");
    check("case", before, |text| text.contains("Users"), "select name from Users");
}

/// Whether a document has the elements that its type declares, once each, and the type allows these only.
fn is_valid_document(text: &str) -> bool {
    let Some((dtd, document)) = text.split_once("]><r>") else { return false };
    let Some(content) = dtd.split_once("<!ELEMENT r (").and_then(|(_, rest)| rest.split_once(")>")) else {
        return false;
    };
    let names: Vec<&str> = content.0.split(',').collect();
    let declared: String = names.iter().map(|name| format!("<!ELEMENT {name} EMPTY>")).collect();
    let used: String = names.iter().map(|name| format!("<{name}/>")).collect();
    content.1 == declared && document == format!("{used}</r>")
}

#[test]
fn an_element_goes_from_the_document_and_from_its_type() {
    let dtd = "<!ELEMENT r (one,two)><!ELEMENT one EMPTY><!ELEMENT two EMPTY>";
    let before = format!("<!DOCTYPE r [{dtd}]><r><one/><two/></r>");
    let holds = |text: &str| is_valid_document(text) && text.contains("two");
    assert!(holds(&before));
    let after = "<!DOCTYPE r [<!ELEMENT r (two)><!ELEMENT two EMPTY>]><r><two/></r>";
    check("occurrences", &before, holds, after);
}

#[test]
fn a_type_parameter_goes_from_all_places() {
    let holds = |text: &str| {
        text.starts_with("class A") && text.contains(" x;") && matches!(text.matches("<T>").count(), 0 | 2)
    };
    check("occurrences", "class A<T>{A<T> x;}", holds, "class A{A x;}");
}

#[test]
fn brackets_in_declarations_of_markup_are_seen() {
    let before = "<!DOCTYPE r [<!ELEMENT r (first,second,third)>]><r/>";
    let holds = |text: &str| {
        text.starts_with("<!DOCTYPE r [<!ELEMENT r (")
            && text.ends_with(")>]><r/>")
            && text.contains("second")
    };
    check("blocks", before, holds, "<!DOCTYPE r [<!ELEMENT r (second)>]><r/>");
    let holds = |text: &str| text.starts_with("<!ELEMENT r") && text.ends_with("><r/>");
    check("brackets", "<!ELEMENT r ((a|b),c)><r/>", holds, "<!ELEMENT r ><r/>");
}

#[test]
fn passes_that_find_nothing_rest_until_the_others_are_done() {
    /// Takes one byte away in each run.
    const SLOW: Pass = Pass {
        name: "slow",
        manual: "",
        when: When::Always,
        work: Work::Text(|problem| {
            let end = problem.text().bytes().len() as u32;
            problem.attempt(Edits::delete(end.saturating_sub(1)..end)).map(drop)
        }),
    };
    /// Asks about twenty other texts of one byte less.
    const FUTILE: Pass = Pass {
        name: "futile",
        manual: "",
        when: When::Always,
        work: Work::Text(|problem| {
            (b'a'..b'u').try_for_each(|letter| {
                problem.attempt(Edits::new(vec![Edit::replace(0..2, vec![letter])])).map(drop)
            })
        }),
    };
    let mut question = ask(|candidate| candidate.bytes().starts_with(b"XX"));
    let reduction = Reducer::default()
        .with_passes(vec![&SLOW, &FUTILE])
        .run(Text::new(&["XX123456789"]).unwrap(), &mut question, &mut Memory::default())
        .unwrap();
    assert_eq!(reduction.text.bytes(), b"XX");
    let futile = reduction.tally.passes.iter().find(|row| row.pass == "futile").unwrap();
    assert_eq!(futile.questions, 40, "once in the first round, and once when nothing else is left to do");
}
