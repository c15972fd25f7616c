//! Compares the engine with brute force on small random specifications: a few classes with inherited and synthesized
//! numbers, literals, generators, a list or a recursion, and guards over all of it. `SPECS=1000` checks more of them,
//! `SEED=7` others.

#![allow(clippy::unwrap_used, reason = "a test may")]

mod agree;
mod brute;

use brute::{Case, Known, compare};
use polysmith_attributes::{Features, Selection};
use polysmith_guarded::{FailPatterns, Limits};
use polysmith_random::{Draw, Purpose, Stream};
use polysmith_source::{Memory, render};
use std::fmt::Write as _;
use std::path::Path;

/// Specs with more valid programs take too long.
const MANY: usize = 24;

#[test]
fn random_specs_have_the_programs_that_brute_force_finds() {
    let number = |name: &str, by_itself| std::env::var(name).map_or(by_itself, |n| n.parse().unwrap());
    let (specs, seed) = (number("SPECS", 16), number("SEED", 1));
    let (mut satisfiable, mut impossible) = (0, 0);
    for index in 0..specs {
        let text = Writer::new(Draw::new(seed, index).stream(Purpose::Structure)).spec();
        let known = Known::of(&case(index, &text));
        if known.lines.len() > MANY {
            continue;
        }
        *(if known.lines.is_empty() { &mut impossible } else { &mut satisfiable }) += 1;
        for fail_patterns in [FailPatterns::Off, FailPatterns::Specific, FailPatterns::General] {
            let wrong = compare::every_switch(case(index, &text), &known, fail_patterns);
            assert!(wrong.is_empty(), "spec {index} of seed {seed}:\n{text}\n{}", wrong.join("\n"));
        }
    }
    assert!(satisfiable > 0 && impossible > 0, "{satisfiable} specs with programs, {impossible} without");
}

fn case(index: u64, text: &str) -> Case {
    let loaded = polysmith_lala::read(&Memory::default().with("t.lala", text), Path::new("t.lala"));
    let shown = render::human(&loaded.sources, &loaded.diagnostics, &render::Style::plain());
    let spec = loaded.spec.unwrap_or_else(|| panic!("{text}\n{shown}"));
    Case {
        name: index.to_string(),
        selection: Selection::new(&spec, Features::None),
        limits: Limits { height: 2, ..Limits::default() },
        n_trees: 0,
        texts: None,
        faults: false,
        spec,
    }
}

/// The kinds of classes. All but the first have `inh i : Int` and `syn s : Int`.
const CLASSES: [&str; 6] = ["P", "A", "B", "C", "L", "G"];
/// The maximum number of trees of a production of each.
const MOST_TREES: [usize; 6] = [300, 40, 12, 9, 3, 2];

/// Writes one specification. The children of a class are of later classes, except for the tail of a list and the
/// content of brackets.
struct Writer {
    stream: Stream,
    out: String,
}

impl Writer {
    fn new(stream: Stream) -> Writer {
        Writer { stream, out: String::new() }
    }

    fn spec(mut self) -> String {
        for (class, name) in CLASSES.into_iter().enumerate() {
            let attributes = if class == 0 { "" } else { "inh i : Int; syn s : Int;" };
            let is_list = class == 2 && self.stream.chance(1, 2);
            let annotation = if is_list { "@list(2) " } else { "" };
            let _ = writeln!(self.out, "{annotation}class {name} {{ {attributes}");
            match name {
                "B" if is_list => {
                    self.production("end", 2, &[4]);
                    self.production("more", 2, &[4, 2]);
                }
                "B" => {
                    self.production("end", 2, &[]);
                    self.production("more", 2, &[2]);
                }
                "L" => self.literal(),
                "G" => self.generator(),
                _ => self.productions(class),
            }
            self.out.push_str("}\n");
        }
        self.out.push_str("class T(\"a|b|c\");\n");
        self.out.push_str(
            "fn number(t : String) : Int = if t == \"a\" then 0 else if t == \"b\" then 1 else 2;\n",
        );
        self.out
    }

    fn productions(&mut self, class: usize) {
        for number in 0..if class == 0 { 1 } else { 1 + self.stream.index(2) } {
            let n_children = if class == 0 { 2 } else { self.stream.index(3) };
            let mut children: Vec<usize> =
                (0..n_children).map(|_| class + 1 + self.stream.index(CLASSES.len() - 1 - class)).collect();
            let trees =
                |children: &[usize]| children.iter().map(|child| MOST_TREES[*child]).product::<usize>();
            while trees(&children) > MOST_TREES[class] {
                children.pop();
            }
            self.production(&format!("p{number}"), class, &children);
        }
    }

    fn literal(&mut self) {
        self.out.push_str("  l(\"${t : T}\") {\n");
        self.rules(&["this.i".to_owned(), "(number t.str)".to_owned()], &[], true);
        self.out.push_str("  }\n");
    }

    fn generator(&mut self) {
        let list = format!("[{}, {}]", self.stream.index(3), self.number(&["this.i".to_owned()]));
        let _ = writeln!(self.out, "  g ({list}) : Int {{");
        self.rules(&["this.i".to_owned(), "$".to_owned()], &[], true);
        self.out.push_str("  }\n");
    }

    /// A production whose children are computed in a random order, each from those before it.
    fn production(&mut self, name: &str, class: usize, children: &[usize]) {
        let has_attributes = class > 0;
        let written = children.iter().zip(0..).map(|(class, at)| format!("${{c{at} : {}}}", CLASSES[*class]));
        let _ = writeln!(self.out, "  {name}(\"{name}({})\") {{", written.collect::<String>());
        let mut order: Vec<usize> = (0..children.len()).collect();
        self.stream.shuffle(&mut order);
        let own: Vec<String> = has_attributes.then(|| "this.i".to_owned()).into_iter().collect();
        self.rules(&own, &order, has_attributes);
        self.out.push_str("  }\n");
    }

    /// Equations for the children in an order, for `this.s`, and sometimes a guard.
    fn rules(&mut self, own: &[String], order: &[usize], has_attributes: bool) {
        let mut sources = own.to_vec();
        for child in order {
            let value = self.number(&sources);
            let _ = writeln!(self.out, "    c{child}.i = {value};");
            sources.push(format!("c{child}.s"));
        }
        if has_attributes {
            let value = self.number(&sources);
            let _ = writeln!(self.out, "    this.s = {value};");
        }
        if self.stream.chance(1, 2) {
            let condition = self.condition(&sources, 2);
            let _ = writeln!(self.out, "    require {condition};");
        }
    }

    /// A number from 0 to 2, computed from the sources.
    fn number(&mut self, sources: &[String]) -> String {
        let mut operand = || match sources {
            [] => self.stream.index(3).to_string(),
            _ if self.stream.chance(1, 4) => self.stream.index(3).to_string(),
            _ => sources[self.stream.index(sources.len())].clone(),
        };
        let (a, b) = (operand(), operand());
        match self.stream.index(3) {
            0 => format!("(({a} + {b}) % 3)"),
            1 => format!("(if {a} == {b} then {} else {a})", self.stream.index(3)),
            _ => a,
        }
    }

    fn condition(&mut self, sources: &[String], depth: usize) -> String {
        let (a, b) = (self.number(sources), self.number(sources));
        match self.stream.index(if depth == 0 { 3 } else { 5 }) {
            0 => format!("{a} == {b}"),
            1 => format!("{a} != {b}"),
            2 => format!("{a} < {b}"),
            3 => {
                let (left, right) = (self.condition(sources, depth - 1), self.condition(sources, depth - 1));
                format!("({left}) and ({right})")
            }
            _ => {
                let (yes, no) = (self.condition(sources, depth - 1), self.condition(sources, depth - 1));
                format!("(if {a} == {b} then {yes} else {no})")
            }
        }
    }
}
