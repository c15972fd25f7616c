//! Truncated, garbled and deeply nested specifications give diagnostics, never a panic.

use polysmith_random::Stream;
use polysmith_source::Memory;
use std::path::Path;

const FIGURE_3: &str = include_str!("../../../languages/figure3/figure3.lala");
const MINI: &str = include_str!("../../../languages/mini/mini.lala");

fn read(text: &[u8]) -> polysmith_lala::Read {
    polysmith_lala::read(&Memory::default().with("t.lala", text), Path::new("t.lala"))
}

#[test]
fn specs_that_are_cut_off_are_reported() {
    for (text, step) in [(FIGURE_3, 41), (MINI, 997)] {
        for end in (0..text.len() - 40).step_by(step).filter(|end| text.is_char_boundary(*end)) {
            read(&text.as_bytes()[..end]);
        }
    }
    assert!(read(&FIGURE_3.as_bytes()[..FIGURE_3.len() / 2]).spec.is_none());
}

#[test]
fn specs_with_changed_bytes_are_read() {
    let mut stream = Stream::keyed(&[17]);
    for text in [FIGURE_3, MINI] {
        for _ in 0..25 {
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..1 + stream.index(4) {
                let at = stream.index(bytes.len());
                match stream.index(3) {
                    0 => bytes[at] = *stream.pick(b"(){}[];:,.\"$#@\\ =a0").unwrap_or(&b' '),
                    1 => drop(bytes.remove(at)),
                    _ => bytes.insert(at, *stream.pick(b"(){}[];:\"$#\0\xff\n").unwrap_or(&b' ')),
                }
            }
            read(&bytes);
        }
    }
}

#[test]
fn odd_files_are_reported() {
    for text in
        ["", "\0", "\u{feff}", "\"", "class", "class P {", "@", "#", "class P { p(\"${", "class P { p(\"#{"]
    {
        assert!(read(text.as_bytes()).spec.is_none(), "{text:?}");
    }
    assert!(read(b"class P { p(\"\xff\") {} }").diagnostics.has_errors());
    let windows = FIGURE_3.replace('\n', "\r\n");
    assert!(read(format!("\u{feff}{windows}").as_bytes()).spec.is_some());
}

#[test]
fn a_hundred_thousand_levels_are_refused() {
    let deep = 100_000;
    let around = |open: &str, middle: &str, close: &str| {
        format!("{}{middle}{}", open.repeat(deep), close.repeat(deep))
    };
    let expressions = [
        around("(", "1", ")"),
        around("[", "1", "]"),
        around("{ a = ", "1", " }"),
        around("(f ", "1", ")"),
        around("if true then 1 else ", "1", ""),
        around("not ", "true", ""),
        around("- ", "1", ""),
        around("(x -> ", "1", ")"),
        around("let x = 1 in ", "1", ""),
        around("match 1 { _ -> ", "1", "; }"),
        format!("x{}", ".a".repeat(deep)),
        format!("x{}", " with { a = 1 }".repeat(deep)),
        format!("1{}", " + 1 - 1".repeat(deep)),
    ];
    for expression in expressions {
        let text = format!("class P {{ p(\"x\") {{ require {expression}; }} }}");
        assert!(read(text.as_bytes()).spec.is_none(), "{}", &expression[..20]);
    }
    let types = [
        around("List(", "Int", ")"),
        around("(", "Int", ")"),
        around("Int -> ", "Int", ""),
        around("Int", "", "?"),
    ];
    for ty in types {
        let text = format!("class P {{ syn a : {ty}; p(\"x\") {{ this.a = 1; }} }}");
        assert!(read(text.as_bytes()).spec.is_none(), "{}", &ty[..20]);
    }
    let pattern = around("[", "_", "]");
    assert!(
        read(format!("fn f(x) = match x {{ {pattern} -> 1; }}; class P(\"a\");").as_bytes()).spec.is_none()
    );
    assert!(read(around("module M { ", "", "}").as_bytes()).spec.is_none());
}

#[test]
fn long_chains_are_fine() {
    let sum = "1 + ".repeat(20_000);
    let text = format!("class P {{ p(\"#{{.x}}\") {{ loc x = {sum} 1; }} }}");
    assert!(read(text.as_bytes()).spec.is_some());
    let locals: String = (1..5000).map(|n| format!("loc a{n} = .a{};", n - 1)).collect();
    let text = format!("class P {{ p(\"#{{.a4999}}\") {{ loc a0 = 1; {locals} }} }}");
    assert!(read(text.as_bytes()).spec.is_none());
    let doubling: String = (1..40).map(|n| format!("loc a{n} = .a{0} + .a{0};", n - 1)).collect();
    let text = format!("class P {{ p(\"#{{.a30}}\") {{ loc a0 = 1; {doubling} }} }}");
    assert!(read(text.as_bytes()).spec.is_none());
}
