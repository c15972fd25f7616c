//! Fuzz targets as plain functions: any bytes in, no panic, no hang.
//!
//! To add one: a file with `pub fn NAME(bytes: &[u8])` and a line in [`TARGETS`]. `cargo test` runs each over made
//! inputs and over `regressions/NAME/`, where past findings are kept; cargo-fuzz runs them for hours.

mod antlr;
mod lala;
mod parse;
mod render;

/// All targets by name.
pub const TARGETS: &[(&str, fn(&[u8]))] = &[
    ("antlr", antlr::antlr),
    ("lala", lala::lala),
    ("render", render::render),
    ("lexer", parse::lexer),
    ("parser", parse::parser),
    ("grammar_and_text", parse::grammar_and_text),
];

/// The target of this name.
pub fn find(name: &str) -> Option<fn(&[u8])> {
    TARGETS.iter().find(|(known, _)| *known == name).map(|(_, target)| *target)
}

#[cfg(test)]
mod tests {
    use super::*;
    use polysmith_random::Stream;

    #[test]
    fn made_inputs() {
        for (at, (_, target)) in TARGETS.iter().enumerate() {
            let mut stream = Stream::keyed(&[at as u64]);
            for _ in 0..2_000 {
                target(&made(&mut stream));
            }
        }
    }

    #[test]
    fn regressions() {
        for (name, target) in TARGETS {
            let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions").join(name);
            for entry in std::fs::read_dir(folder).into_iter().flatten() {
                target(&std::fs::read(entry.expect("a readable folder").path()).expect("a readable file"));
            }
        }
    }

    /// Bytes that look a little like a description: characters that matter, words, and some of anything.
    fn made(stream: &mut Stream) -> Vec<u8> {
        const PIECES: &[&str] = &[
            "grammar T;",
            "class T {",
            "p(\"${x : T}\") {",
            "}",
            "this.",
            "require",
            "@list",
            "a",
            "B",
            ":",
            ";",
            "|",
            "(",
            ")",
            "'x'",
            "[a-z]",
            "~",
            "..",
            "*",
            "+",
            "?",
            "->",
            "skip",
            "{",
            "}",
            "\n",
            "\r\n",
            "\t",
            " ",
            "//",
            "/*",
            "*/",
            "'",
            "\"",
            "\\",
            "é",
            "日",
            "\u{10ffff}",
            "\0",
            "#",
            "=",
            ",",
        ];
        let mut bytes = Vec::new();
        for _ in 0..stream.below(60) {
            if stream.chance(1, 12) {
                bytes.push(stream.below(256) as u8);
            } else {
                bytes.extend(stream.pick(PIECES).expect("there are pieces").bytes());
            }
        }
        bytes
    }
}
