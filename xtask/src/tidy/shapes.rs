//! A struct has at most 20 fields, a function at most 6 parameters besides `self`.
//!
//! The rule reads formatted Rust without comments and literals; it needs no parser for that.

use super::{Complaints, Tracked};
use regex::Regex;
use std::sync::LazyLock;

const MAX_FIELDS: usize = 20;
const MAX_PARAMETERS: usize = 6;

/// Items that may be larger: file, name, reason. One that is small again, or gone, must leave the list.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("crates/antlr/tests/round_trip.rs", "random_grammars", "a property: each parameter is a random part"),
    ("crates/parse/tests/naive.rs", "sequence", "to be split: a struct for what the recursion carries"),
];

/// A struct or a function with the number of its fields or parameters.
#[derive(Debug, PartialEq, Eq)]
struct Item {
    is_struct: bool,
    name: String,
    line: usize,
    count: usize,
}

impl Item {
    fn is_too_large(&self) -> bool {
        self.count > if self.is_struct { MAX_FIELDS } else { MAX_PARAMETERS }
    }
}

pub(crate) fn check(files: &[Tracked], complaints: &mut Complaints) {
    check_with(EXCEPTIONS, files, complaints);
}

fn check_with(exceptions: &[(&str, &str, &str)], files: &[Tracked], complaints: &mut Complaints) {
    let mut is_used = vec![false; exceptions.len()];
    for file in files.iter().filter(|file| file.is_rust()) {
        let path = &file.path;
        let all = items(file.text.as_deref().unwrap_or_default());
        for Item { is_struct, name, line, count } in all.into_iter().filter(Item::is_too_large) {
            let what = if is_struct { "fields" } else { "parameters" };
            match exceptions.iter().position(|(file, item, _)| file == path && *item == name) {
                Some(at) => {
                    is_used[at] = true;
                    let reason = exceptions[at].2;
                    complaints.notes.push(format!("{path}:{line} `{name}` has {count} {what}: {reason}"));
                }
                None => complaints.failures.push(format!(
                    "{path}:{line} `{name}` has {count} {what}: split it by subject, or name the reason in {}",
                    file!()
                )),
            }
        }
    }
    for ((path, name, _), _) in exceptions.iter().zip(is_used).filter(|(_, is_used)| !is_used) {
        complaints
            .failures
            .push(format!("{path} has no large `{name}` any more: take it off the exception list"));
    }
}

/// The structs with named fields and the functions of a file.
fn items(code: &str) -> Vec<Item> {
    static HEAD: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\b(struct|fn) ([A-Za-z_]\w*)").ok());
    let code = without_literals(code);
    let heads = HEAD.iter().flat_map(|head| head.captures_iter(&code));
    let found = heads.filter_map(|head| {
        let (all, is_struct, name) = (head.get(0)?, &head[1] == "struct", &head[2]);
        let elements = elements(&code[all.end()..], if is_struct { '{' } else { '(' })?;
        let count = elements.iter().filter(|element| is_struct || !is_self(element)).count();
        let line = code[..all.start()].matches('\n').count() + 1;
        Some(Item { is_struct, name: name.to_owned(), line, count })
    });
    found.collect()
}

fn is_self(parameter: &str) -> bool {
    let name = parameter.split(':').next().unwrap_or_default();
    name.split([' ', '&']).next_back() == Some("self")
}

/// What is between commas in the first list that `open` begins, outside of `<…>`. A `;` ends the search.
fn elements(code: &str, open: char) -> Option<Vec<String>> {
    let mut depth = 0_usize;
    let mut list: Option<(usize, Vec<String>)> = None;
    let mut before = ' ';
    for c in code.chars() {
        let is_arrow = c == '>' && matches!(before, '-' | '=');
        before = c;
        if depth == 0 && list.is_none() && (c == open || matches!(c, ';' | '{')) {
            if c != open {
                return None;
            }
            depth += 1;
            list = Some((depth, vec![String::new()]));
            continue;
        }
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' if !is_arrow => depth = depth.saturating_sub(1),
            _ => {}
        }
        let Some((level, parts)) = &mut list else { continue };
        if depth < *level {
            parts.retain(|part| !part.trim().is_empty());
            return Some(parts.iter().map(|part| part.trim().to_owned()).collect());
        }
        match parts.last_mut() {
            Some(last) if c != ',' || depth > *level => last.push(c),
            _ => parts.push(String::new()),
        }
    }
    None
}

/// The code with blanks in place of comments, strings and characters; line ends stay.
fn without_literals(code: &str) -> String {
    static LITERAL: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let comments_and_characters = r"(?s)//[^\n]*|/\*.*?\*/|'(?:[^'\\\n]|\\(?:u\{[0-9a-fA-F]+\}|x..|.))'";
        let strings = r####"|r###".*?"###|r##".*?"##|r#".*?"#|\br"[^"]*"|"(?:[^"\\]|\\.)*""####;
        Regex::new(&format!("{comments_and_characters}{strings}")).ok()
    });
    let mut rest = code.to_owned();
    if let Some(literal) = &*LITERAL {
        let blank = |found: &regex::Captures<'_>| found[0].replace(|c| c != '\n', " ");
        rest = literal.replace_all(code, blank).into_owned();
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(code: &str) -> Vec<(String, usize)> {
        items(code).into_iter().map(|item| (item.name, item.count)).collect()
    }

    #[test]
    fn fields_and_parameters_are_counted() {
        let code = "struct A<'a, T> where T: Fn(u8) -> u8 {\n    /// One, two.\n    a: &'a [(u8, u8); 2],\n    \
                    b: Map<T, u8>,\n}\nstruct Unit;\nstruct Pair(u8, u8);\nimpl A {\n    \
                    fn f<F: Fn(u8, u8)>(&'a mut self, a: (u8, u8), b: F) -> B<u8, u8> { g(1, ',', \"(,\", 4) }\n    \
                    fn g() {}\n    fn h(self: Arc<Self>, r#if: u8,\n        x: impl Fn() -> u8,\n    );\n}\n";
        let expected = [("A", 2), ("f", 2), ("g", 0), ("h", 2)];
        assert_eq!(counts(code), expected.map(|(name, count)| (name.to_owned(), count)));
    }

    #[test]
    fn large_items_need_a_reason_and_reasons_need_large_items() {
        let text = "fn big(a: A, b: A, c: A, d: A, e: A, f: A, g: A) {}\n";
        let file = || [Tracked { path: "x.rs".to_owned(), text: Some(text.to_owned()) }];
        let failures = |exceptions: &[(&str, &str, &str)]| {
            let mut complaints = Complaints::default();
            check_with(exceptions, &file(), &mut complaints);
            complaints.failures.len()
        };
        assert_eq!(failures(&[]), 1);
        assert_eq!(failures(&[("x.rs", "big", "why")]), 0);
        assert_eq!(failures(&[("x.rs", "big", "why"), ("x.rs", "small", "why")]), 1);
    }
}
