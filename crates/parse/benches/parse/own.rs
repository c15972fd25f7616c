//! Our own languages, each with a text of a megabyte made of its examples.

use crate::figures::Subject;
use std::path::Path;

const BYTES: usize = 1_000_000;

/// How examples are put together to one longer text.
struct Recipe {
    name: &'static str,
    main: &'static str,
    lexer: &'static str,
    start: &'static str,
    examples: &'static [&'static str],
    before: &'static str,
    between: &'static str,
    after: &'static str,
}

const RECIPES: &[Recipe] = &[
    Recipe {
        name: "json",
        main: "JSON.g4",
        lexer: "-",
        start: "json",
        examples: &["object.json", "nested.json", "numbers.json", "strings.json"],
        before: "[",
        between: ",",
        after: "]",
    },
    Recipe {
        name: "xml",
        main: "XMLParser.g4",
        lexer: "XMLLexer.g4",
        start: "document",
        examples: &["mixed.xml", "drawing.svg"],
        before: "<all>",
        between: "\n",
        after: "</all>",
    },
    Recipe {
        name: "mc",
        main: "MC.g4",
        lexer: "-",
        start: "program",
        examples: &["list.mc", "switch.mc", "operators.mc", "primes.mc"],
        before: "",
        between: "\n",
        after: "",
    },
    Recipe {
        name: "arithmetic",
        main: "Arithmetic.g4",
        lexer: "-",
        start: "program",
        examples: &["area.calc", "precedence.calc", "power.calc", "nested.calc"],
        before: "",
        between: "\n",
        after: "",
    },
];

/// Name, parser and text of each.
pub(crate) fn languages() -> impl Iterator<Item = (&'static str, Subject, String)> {
    RECIPES.iter().map(|recipe| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../languages").join(recipe.name);
        let lexer = match recipe.lexer {
            "-" => "-".to_owned(),
            name => folder.join(name).display().to_string(),
        };
        let subject = Subject::load(&folder.join(recipe.main), &lexer, recipe.start);
        (recipe.name, subject, text(recipe, &folder.join("examples")))
    })
}

fn text(recipe: &Recipe, folder: &Path) -> String {
    let read = |name: &&str| std::fs::read_to_string(folder.join(name)).expect("an example of ours");
    let examples: Vec<String> = recipe.examples.iter().map(read).collect();
    let mut text = recipe.before.to_owned();
    for (at, example) in examples.iter().cycle().enumerate() {
        if text.len() >= BYTES {
            break;
        }
        if at > 0 {
            text.push_str(recipe.between);
        }
        text.push_str(example);
    }
    text + recipe.after
}
