//! Pages on what Polysmith reports beyond ANTLR's tool.

use crate::codes;
use polysmith_source::{Code, Explanation};

const fn page(code: Code, title: &'static str, text: &'static str) -> Explanation {
    Explanation { code, title, text }
}

pub(super) const PAGES: &[Explanation] = &[
    page(
        codes::NESTING,
        "groups are nested too deeply",
        "Groups may nest 256 levels deep. Grammars that people write have fewer than ten levels; a deeper \
         one was probably made by a program.\n\nMove an inner group into a rule of its own.\n",
    ),
    page(
        codes::NEVER_MATCHES,
        "a token can never match",
        "Every text of the rule is taken by an earlier rule of the same mode: of two matches of equal length the \
         earlier rule wins.\n\n```antlr\ngrammar T;\ns : ID IF EOF ;\nID : [a-z]+ ;\nIF : 'if' ;\n```\n\n\
         Put the special rule in front of the general one.\n",
    ),
    page(
        codes::UNUSED,
        "nothing refers to a rule",
        "Neither the start rule nor anything that it leads to uses the rule.\n\n```antlr\ngrammar T;\ns : 'x' EOF ;\n\
         t : 'y' ;\n```\n\nUse it or leave it out. A second start rule should end with `EOF`.\n",
    ),
    page(
        codes::SHADOWED,
        "an alternative is the same as an earlier one",
        "The parser always takes the earlier one.\n\n```antlr\ngrammar T;\ns : A | B | A ;\nA : 'x' ;\nB : 'y' ;\n```\n\n\
         Leave the later one out.\n",
    ),
    page(
        codes::ENDLESS,
        "a rule has no finite text",
        "Every way through the rule comes back to the rule itself or has the predicate `{false}?`.\n\n```antlr\ngrammar T;\n\
         s : 'x' | t EOF ;\nt : '(' t ')' ;\n```\n\nAdd an alternative that leads out: `| 'x'`.\n",
    ),
    page(
        codes::NO_TEXT,
        "the start rule has no finite text",
        "Every way through the start rule comes back to it or has the predicate `{false}?`, so the language is empty: \
         nothing can be generated, and the parser reports an error for every input.\n\n```antlr\ngrammar T;\ns : '(' s ')' ;\n```\n\nAdd an alternative that leads out, \
         or start from another rule.\n",
    ),
    page(
        codes::NO_EOF,
        "the start rule does not ask for the end of the input",
        "Without `EOF` the parser stops where the rule is satisfied and leaves the rest of the input unread.\n\n\
         ```antlr\ngrammar T;\ns : 'x'+ ;\n```\n\nWrite `s : 'x'+ EOF ;`.\n",
    ),
    page(
        codes::SUPERFLUOUS,
        "options without effect",
        "The options say what holds anyway.\n\n```antlr\ngrammar T;\noptions { caseInsensitive = false; }\n\
         s : 'x' EOF ;\n```\n\nLeave them out.\n",
    ),
    page(
        codes::TARGET_CODE,
        "target code is not run",
        "Actions do nothing here and predicates count as true, whatever their language; only `{true}?` and `{false}?` \
         are obeyed, and a predicate that is a number is a weight for generation. So more texts may be accepted than \
         by the parser that ANTLR would make.\n\n```antlr\ngrammar T;\n\
         s : {isNew()}? 'x' EOF | 'y' EOF ;\n```\n\nNothing has to be done if that is good enough.\n",
    ),
    page(
        codes::NUMBER,
        "the number in a lexer command is out of range",
        "A command may name a token type, a channel or a mode by its number: types from 1 to 1,048,576, channels up to \
         65,535, modes that there are. A command with any other number is left out; ANTLR takes it, and the lexer that \
         it makes goes wrong when the rule matches.\n\n```antlr\nlexer grammar T;\nA : 'a' -> channel(70000) ;\n```\n\n\
         Declare a name in `channels { … }` or `tokens { … }` and use that.\n",
    ),
];
