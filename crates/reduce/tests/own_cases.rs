//! Five cases of our own, on languages that we ship, with tiny targets: the result still says yes, nothing was asked
//! that does not parse, and a naive checker finds no step that was missed.

use polysmith_naive::Checker;
use polysmith_parse::TextRecognizer;
use polysmith_reduce::passes::{PASSES, Pass};
use polysmith_reduce::tree::Language;
use polysmith_reduce::{Memory, Reducer, Text, ask};

fn grammar(path: &str) -> polysmith_grammar::Grammar {
    let path = std::path::PathBuf::from(format!("{}/../../languages/{path}", env!("CARGO_MANIFEST_DIR")));
    let read =
        polysmith_antlr::read(&polysmith_source::Disk, &path, &polysmith_antlr::ReadOptions::default());
    assert!(!read.diagnostics.has_errors(), "{}", path.display());
    read.grammar
}

/// Reduces by all passes by tree and checks the result; gives its tokens apart.
fn check(language: &str, text: &str, mut wanted: impl FnMut(&str) -> bool, expected: &str) {
    let grammar = grammar(language);
    let mut checker = Checker::new(&grammar);
    assert!(checker.accepts(text), "the input is in the language");
    let start = grammar.start().expect("a start rule");
    let mut language = Language::new(TextRecognizer::new(grammar, start).expect("a grammar to parse with"));
    let by_tree: Vec<&Pass> = PASSES.iter().copied().filter(|pass| pass.is_by_tree()).collect();
    let mut question = ask(|candidate| {
        let text = String::from_utf8_lossy(&candidate.bytes()).into_owned();
        assert!(text.is_empty() || checker.accepts(&text), "asked about {text:?}");
        wanted(&text)
    });
    let reducer = Reducer::default().with_passes(by_tree);
    let text = Text::new(&[text]).expect("short enough");
    let reduction = reducer
        .run_by(Some(&mut language), text, &mut question, &mut Memory::default())
        .expect("the original is interesting");
    let result = String::from_utf8_lossy(reduction.text.bytes()).into_owned();
    assert_eq!(result.split_whitespace().collect::<Vec<_>>().join(" "), expected);
    assert!(wanted(&result));
    checker.step_left(&result, &mut wanted).unwrap_or_else(|text| panic!("{result:?} can become {text:?}"));
    assert_eq!(language.counts().outside, 0);
}

/// A reader that keeps the last of two equal keys: interesting is an object in which that loses something.
fn loses_a_key(text: &str) -> bool {
    let mut open: Vec<Vec<String>> = Vec::new();
    let mut at = 0;
    let bytes = text.as_bytes();
    while at < bytes.len() {
        match bytes[at] {
            b'{' => open.push(Vec::new()),
            b'}' => drop(open.pop()),
            b'"' => {
                let end = at + 1 + text[at + 1..].find('"').unwrap_or(0);
                let is_key = text[end + 1..].trim_start().starts_with(':');
                if let (true, Some(keys)) = (is_key, open.last_mut()) {
                    let key = text[at..end].to_owned();
                    if keys.contains(&key) {
                        return true;
                    }
                    keys.push(key);
                }
                at = end;
            }
            _ => {}
        }
        at += 1;
    }
    false
}

#[test]
fn json_with_a_key_twice() {
    let text = r#"{"orders": [{"id": 1, "lines": [{"sku": "a", "n": 2}, {"sku": "b", "n": 1, "sku": "c"}]},
        {"id": 2, "lines": []}], "total": 17.5, "paid": true, "notes": {"de": "x", "en": ["y", null]}}"#;
    check("json/JSON.g4", text, loses_a_key, r#"{"sku": "b", "sku": "c"}"#);
}

#[test]
fn xml_with_a_link_in_a_link() {
    let text = r#"<?xml version="1.0"?><!-- a page --><page lang="en"><head><title>T</title></head>
        <body class="b"><p>one <a href="x">two <b>three</b></a></p><div><a name="y"><i>see <a href="z">here</a> now</i>
        </a><br/></div></body></page>"#;
    let nested = |text: &str| {
        let mut depth = 0;
        for tag in text.split('<').skip(1) {
            depth += i32::from(tag.starts_with("a ") || tag.starts_with("a>"));
            if depth > 1 {
                return true;
            }
            depth -= i32::from(tag.starts_with("/a>"));
        }
        false
    };
    check("xml/XMLParser.g4", text, nested, "<a ><a ></a></a>");
}

#[test]
fn csv_with_a_comma_in_quotes() {
    let text = "name,age,city\nAnn,31,Oslo\n\"Smith, John\",45,\"Bergen\"\nEve,22,\"New \"\"Old\"\" Town\"\n";
    let wide = |text: &str| text.lines().any(|line| line.matches(',').count() > 2);
    check("csv/CSV.g4", text, wide, "\"Smith, John\",,");
}

/// A compiler without a check for the loop variable: crashes on a `for` whose body assigns what its head declares.
fn crashes(text: &str) -> bool {
    let words: Vec<&str> =
        text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|w| !w.is_empty()).collect();
    let Some(at) = text.find("for") else { return false };
    let Some(head) = text[at..].strip_prefix("for").map(str::trim_start).and_then(|t| t.strip_prefix("("))
    else {
        return false;
    };
    let Some(name) = head.trim_start().strip_prefix("int ").map(str::trim_start) else { return false };
    let name: String = name.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let Some(body) = head.find(')').map(|end| &head[end + 1..]) else { return false };
    words.contains(&"for") && !name.is_empty() && body.replace(' ', "").contains(&format!("{name}="))
}

#[test]
fn mc_with_an_assigned_loop_variable() {
    let text = "struct point { int x; int y; };\nint limit = 10;\nint add(int a, int b) { return a + b; }\n\
        int main() {\n  int sum = 0;\n  for (int step = 0; step < limit; step = step + 1) {\n    sum += add(sum, step);\n\
        if (sum > 5) { step = limit * 2; break; }\n  }\n  while (sum) { sum = sum - 1; }\n  return sum;\n}\n";
    check("mc/MC.g4", text, crashes, "int main() { for (int step ; ; ) step = limit ; }");
}

/// A calculator without variables that divides by zero; what is not a number counts as one.
fn divides_by_zero(text: &str) -> bool {
    let Some(at) = text.find('/') else { return false };
    let divisor = text[at + 1..].trim_start();
    divisor.starts_with('(')
        && divisor[1..].split(')').next().is_some_and(|inner| {
            let parts: Vec<&str> = inner.split('-').map(str::trim).collect();
            matches!(parts.as_slice(), [a, b] if a == b && !a.is_empty())
        })
}

#[test]
fn arithmetic_with_a_division_by_zero() {
    let text =
        "x = 4; y = x * (3 + 2) ^ 2;\nmax(y, 7) + x * (100 / (x - x)) - sqrt(2); # the end\nz = -y % 3;\n";
    check("arithmetic/Arithmetic.g4", text, divides_by_zero, "100 / (x - x); # the end");
}
