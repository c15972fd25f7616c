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
/// A path that leads nowhere.
pub const BAD_PATH: Code = Code::own('T', 7);
/// Rules about names that cannot be used.
pub const BAD_NAMES: Code = Code::own('T', 8);
/// A file that the side file names and that cannot be read.
pub const UNREADABLE_FILE: Code = Code::own('T', 9);

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
        text: "Side files have these tables: `[language]` with `start`, `extensions`, `description` and `standard`; \
               `[tokens]` with a text or a list of texts per token; `[rewrites]` with a template per pattern; `[names]` \
               with what defines and uses names. Any other key is an error, because a typing mistake would otherwise silently do nothing.\n",
    },
    Explanation {
        code: WRONG_TYPE,
        title: "a side file has a value of the wrong type",
        text: "`start`, `description` and `standard` are strings, `extensions` is a list of strings, a token has a string or a \
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
        text: "`[tokens]`, `[rewrites]`, `[names]` and the key `start` of `[language]` belong to ANTLR grammars. The tokens of a \
               LALA specification are written in its productions, it starts with its first class, and texts are not \
               parsed with it. A table without effect is an error, because its author expects one. Delete it.\n",
    },
    Explanation {
        code: BAD_PATH,
        title: "a path of a side file leads nowhere",
        text: "Paths in `[names]` name nodes of a tree: `variable.ID` is the token `ID` as a child of the rule \
               `variable`. A step is a rule, the label of an alternative, a token or a literal in quotes. `a.b` is a \
               child (groups do not count), `a..b` is anything below, `a+` is one or more nested `a`. The grammar \
               must have each name, and a child must be possible.\n\n    [names]\n    use = [{ at = \
               \"value.ID\", kind = \"variable\" }]\n",
    },
    Explanation {
        code: BAD_NAMES,
        title: "rules about names cannot be used",
        text: "`visible` is `after` (from the name on), `after-node` (from the end of the node of the path's first step \
               on) or `scope` (everywhere in the scope). The path of a condition, or of a name that is visible after a \
               node, can have no `+` and no `..`. There can be 64 needs and conditions.\n",
    },
    Explanation {
        code: UNREADABLE_FILE,
        title: "a side file names a file that cannot be read",
        text: "The file must be in the same folder as the description and must be text in UTF-8.\n",
    },
];
