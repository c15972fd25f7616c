//! The codes of problems in side files, with their manual pages.

use polysmith_source::{Code, Explanation};

/// The file is not TOML.
pub const NOT_TOML: Code = Code::own('T', 1);
/// An unknown key.
pub const UNKNOWN_KEY: Code = Code::own('T', 2);
/// A value of the wrong type.
pub const WRONG_TYPE: Code = Code::own('T', 3);
/// A rule or token that the grammar does not have.
pub const UNKNOWN_NAME: Code = Code::own('T', 4);
/// A rewrite that cannot be applied.
pub const BAD_REWRITE: Code = Code::own('T', 5);
/// A table or key that this kind of description cannot use.
pub const OTHER_KIND: Code = Code::own('T', 6);

/// The manual pages of these codes.
pub const EXPLANATIONS: &[Explanation] = &[
    Explanation {
        code: NOT_TOML,
        title: "a side file is not TOML",
        text: "The file `Name.toml` beside a description (`Name.g4`, `Name.lala`) is read as TOML, and this one \
               cannot be. A string without quotes is the usual reason:\n\n    start = program\n\nWrite\n\n    \
               start = \"program\"\n",
    },
    Explanation {
        code: UNKNOWN_KEY,
        title: "a side file has a key that means nothing",
        text: "Side files have three tables: `[language]` with `start`, `extensions` and `description`; `[tokens]` \
               with a text or a list of texts per token; `[rewrites]` with a template per pattern. Any other key is \
               an error, because a typing mistake would otherwise silently do nothing.\n",
    },
    Explanation {
        code: WRONG_TYPE,
        title: "a side file has a value of the wrong type",
        text: "`start` and `description` are strings, `extensions` is a list of strings, a token has a string or a \
               list of strings, a rewrite has a string.\n",
    },
    Explanation {
        code: UNKNOWN_NAME,
        title: "a side file names a rule or token that the grammar does not have",
        text: "`start` must name a rule of the grammar; each key of `[tokens]` must be a token type, by its name or, \
               in quotes, by its literal.\n\n    [tokens]\n    \"'if'\" = \"IF\"\n",
    },
    Explanation {
        code: BAD_REWRITE,
        title: "a rewrite of a side file cannot be carried out",
        text: "A line of `[rewrites]` is a pattern and a template. `$x:expr` in a pattern is a hole `x` that takes \
               what the rule `expr` accepts; `$x` alone takes anything. The rule must be a parser rule of the grammar, \
               and a template can only use holes of its pattern. A dollar sign is `$$`.\n\n    [rewrites]\n    \
               \"( $x:expr )\" = \"$x\"\n",
    },
    Explanation {
        code: OTHER_KIND,
        title: "a side file has a table that this kind of description cannot use",
        text: "`[tokens]`, `[rewrites]` and the key `start` of `[language]` belong to ANTLR grammars. The tokens of a \
               LALA specification are written in its productions, it starts with its first class, and texts are not \
               parsed with it. A table without effect is an error, because its author expects one. Delete it.\n",
    },
];
