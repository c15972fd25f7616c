//! Checks programs of Figure 3's language with a scanner that is independent of the specification: every variable on
//! the right of a `:=` occurred on the left of an earlier one.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may; the share is a measured figure")]

mod shipped;

use polysmith_attributes::Features;
use polysmith_guarded::Limits;
use std::collections::BTreeSet;

/// What a program uses.
#[derive(Debug, Default, PartialEq, Eq)]
struct Scan {
    numbers: usize,
    variables: usize,
    /// The variables that are used before they are assigned, or another error.
    wrong: Vec<String>,
}

impl Scan {
    fn add(&mut self, program: &str) {
        let mut defined = BTreeSet::new();
        for line in program.lines() {
            match line.strip_suffix(';').and_then(|line| line.split_once(" := ")) {
                Some((name, expression)) if is_name(name) => {
                    self.expression(expression, &defined);
                    defined.insert(name);
                }
                _ => self.wrong.push(format!("`{line}` is no assignment")),
            }
        }
    }

    /// Checks that operands and operators alternate, with spaces between them.
    fn expression(&mut self, text: &str, defined: &BTreeSet<&str>) {
        let words: Vec<&str> = text.split(' ').collect();
        for (at, word) in words.iter().enumerate() {
            if at % 2 == 1 {
                if !matches!(*word, "+" | "-" | "*" | "/") {
                    self.wrong.push(format!("`{word}` is no operator"));
                }
            } else if !word.is_empty() && word.chars().all(|c| c.is_ascii_digit()) {
                self.numbers += 1;
            } else {
                self.variables += 1;
                if !defined.contains(word) {
                    self.wrong.push(format!("`{word}` is not defined in `{text}`"));
                }
            }
        }
        if words.len().is_multiple_of(2) {
            self.wrong.push(format!("`{text}` lacks an operand"));
        }
    }
}

fn is_name(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase())
}

fn scan(program: &str) -> Scan {
    let mut scan = Scan::default();
    scan.add(program);
    scan
}

#[test]
fn the_scanner_tells_right_from_wrong() {
    let right = scan("a := 1;\nb := a + 22 * a;\n");
    assert_eq!((right.numbers, right.variables, right.wrong.len()), (2, 2, 0));
    for wrong in [
        "a := b;",
        "a := a;",
        "a := 1;\nb := 1 + c;",
        "a := 1 +;",
        "a := 1 ! 2;",
        "a = 1;",
        "a := ;",
        "a := 1",
    ] {
        assert!(!scan(wrong).wrong.is_empty(), "{wrong}");
    }
}

#[test]
fn most_programs_without_guards_are_wrong() {
    let programs = shipped::unguarded("figure3", Features::None, Limits::default(), 100);
    let wrong = programs.iter().filter(|program| !scan(program).wrong.is_empty()).count();
    assert!(wrong >= 60, "{wrong} of 100");
}

/// No undefined variable; at least a quarter of the leaves are variables.
#[track_caller]
fn check(features: Features<'_>, without: &[&str]) {
    let n = shipped::how_many(500);
    let mut scan = Scan::default();
    let engine = shipped::engine("figure3", features, without, Limits::default());
    shipped::guarded(&engine, n, |_, program| scan.add(program));
    let Scan { numbers, variables, wrong } = scan;
    assert!(wrong.is_empty(), "{} in {n} programs: {:#?}", wrong.len(), &wrong[..wrong.len().min(5)]);
    println!("{n} programs: {variables} of {} leaves are variables", numbers + variables);
    assert!(variables * 4 >= numbers + variables, "{variables} variables, {numbers} numbers");
}

#[test]
fn guarded_variables_are_defined() {
    check(Features::None, &[]);
}

#[test]
fn generated_variables_are_defined() {
    check(Features::All, &["Expr.use_var"]);
}
