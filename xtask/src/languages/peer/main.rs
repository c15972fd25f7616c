//! Parses a file with tree-sitter: `peer FILE ROUNDS` prints the seconds of the first parse, the median of the others,
//! and whether the tree has errors. `cargo xtask languages` builds it in the target folder, where `grammar` is the
//! crate of the language.

use std::time::Instant;

fn main() {
    let mut words = std::env::args().skip(1);
    let text = std::fs::read(words.next().expect("a file")).expect("the file can be read");
    let rounds: usize = words.next().and_then(|n| n.parse().ok()).expect("a number of rounds");
    let mut seconds = Vec::new();
    let mut wrong = false;
    for _ in 0..=rounds {
        let began = Instant::now();
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&grammar::LANGUAGE.into()).expect("the versions fit");
        let tree = parser.parse(&text, None).expect("no limit is set");
        seconds.push(began.elapsed().as_secs_f64());
        wrong = tree.root_node().has_error();
    }
    let first = seconds.remove(0);
    seconds.sort_by(f64::total_cmp);
    println!("{first} {} {wrong}", seconds[seconds.len() / 2]);
}
