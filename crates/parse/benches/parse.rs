//! Bytes per second of lexer and parser, with the figures that do not depend on the machine beside them.
//!
//! `cargo bench -p polysmith-parse --bench parse` measures our own languages on their examples, repeated. With words
//! behind `--` it measures what they name and prints lines for a program, as `cargo xtask bench parse` uses it:
//! `warm MAIN LEXER START INPUT…` or `cold MAIN LEXER START INPUT` (`-` for no lexer grammar). All on one thread; times
//! are processor time, so a busy machine matters less.

#![allow(clippy::print_stdout, reason = "a bench prints its table")]

#[path = "parse/allocations.rs"]
mod allocations;
#[path = "parse/figures.rs"]
mod figures;
#[path = "parse/own.rs"]
mod own;

use figures::{Figures, Subject};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["warm", main, lexer, start, ref inputs @ ..] => {
            let mut subject = Subject::load(main.as_ref(), lexer, start);
            for input in inputs {
                let text = std::fs::read_to_string(input).expect("the input can be read");
                println!("{}", subject.measure(&text).line());
            }
        }
        ["cold", main, lexer, start, input] => {
            let text = std::fs::read_to_string(input).expect("the input can be read");
            println!("{:.6}", figures::cold(main.as_ref(), lexer, start, &text));
        }
        [] => {
            println!("{}", Figures::HEAD);
            for (name, mut subject, text) in own::languages() {
                println!("{}", subject.measure(&text).row(name));
            }
        }
        _ => println!("usage: warm|cold MAIN LEXER START INPUT…"),
    }
}
