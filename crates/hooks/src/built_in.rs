//! Scripts for base classes of the collection antlr/grammars-v4, found by the names of the classes.

use crate::calls;
use polysmith_grammar::{CodeId, Grammar};

/// A script that is part of the binary.
#[derive(Debug, Clone, Copy)]
pub struct BuiltIn {
    /// Its file name.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
    /// The classes that it replaces.
    pub classes: &'static [&'static str],
}

/// All of them.
pub const ALL: &[BuiltIn] = &[
    BuiltIn {
        name: "Lua.hooks",
        text: include_str!("../scripts/Lua.hooks"),
        classes: &["LuaLexerBase", "LuaParserBase"],
    },
    BuiltIn {
        name: "JavaScript.hooks",
        text: include_str!("../scripts/JavaScript.hooks"),
        classes: &["JavaScriptLexerBase", "JavaScriptParserBase"],
    },
    BuiltIn {
        name: "JavaScriptJsx.hooks",
        text: include_str!("../scripts/JavaScriptJsx.hooks"),
        classes: &["JavaScriptLexerBase", "JavaScriptParserBase"],
    },
    BuiltIn { name: "Java.hooks", text: include_str!("../scripts/Java.hooks"), classes: &["JavaParserBase"] },
    BuiltIn {
        name: "Python.hooks",
        text: include_str!("../scripts/Python.hooks"),
        classes: &["PythonLexerBase"],
    },
    BuiltIn {
        name: "Rust.hooks",
        text: include_str!("../scripts/Rust.hooks"),
        classes: &["RustLexerBase", "RustParserBase"],
    },
    BuiltIn {
        name: "Dart2.hooks",
        text: include_str!("../scripts/Dart2.hooks"),
        classes: &["Dart2LexerBase"],
    },
    BuiltIn {
        name: "Bencoding.hooks",
        text: include_str!("../scripts/Bencoding.hooks"),
        classes: &["BencodingLexerBase"],
    },
    BuiltIn { name: "Go.hooks", text: include_str!("../scripts/Go.hooks"), classes: &["GoParserBase"] },
];

/// The script that replaces one of these classes. Of several, the one that has the most functions that the grammar calls.
pub fn find(classes: &[String], grammar: &Grammar) -> Option<&'static BuiltIn> {
    let replaces = |script: &&BuiltIn| script.classes.iter().any(|class| classes.iter().any(|c| c == class));
    let codes = (0..grammar.n_codes()).filter_map(|at| calls::read(&grammar.code(CodeId::new(at)).text));
    let called: Vec<String> = codes
        .flat_map(|call| calls::functions(&call).into_iter().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    // The last of equals wins in `max_by_key`, so the list is walked from its end.
    ALL.iter().rev().filter(replaces).max_by_key(|script| {
        called.iter().filter(|name| script.text.contains(&format!("fn {name}("))).count()
    })
}
