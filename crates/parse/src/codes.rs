//! The codes of what is wrong with an input.

use crate::machine::ErrorKind;
use polysmith_source::{Code, Explanation};

/// No token rule matches.
pub const LEXER: Code = Code::own('P', 1);
/// The tokens do not fit the rules.
pub const PARSER: Code = Code::own('P', 2);
/// Something is left over.
pub const TRAILING: Code = Code::own('P', 3);

/// The code of a kind of error.
pub fn code_of(kind: ErrorKind) -> Code {
    match kind {
        ErrorKind::Lexer => LEXER,
        ErrorKind::Parser => PARSER,
        ErrorKind::Trailing => TRAILING,
    }
}

/// The manual pages of these codes.
pub const EXPLANATIONS: &[Explanation] = &[
    Explanation {
        code: LEXER,
        title: "no token rule matches",
        text: "No token rule of the current mode matches at this place. The message, ANTLR's own, shows the text \
               from the beginning of the token up to the character with which no rule could go on; that text is \
               dropped, and lexing goes on after it.\n\n\
               Often a character is missing in the token rules, or a string or comment is not closed.\n",
    },
    Explanation {
        code: PARSER,
        title: "the tokens do not fit the rules",
        text: "The message is ANTLR's own, in one of five forms: `mismatched input`, `extraneous input` (one token \
               too many: it was skipped), `missing` (one too few: parsing went on as if it were there), `no \
               viable alternative` (no alternative of a choice fits; the text runs from the choice to the token \
               where the last one died), and `failed predicate`.\n\n\
               Later errors of the same file can follow from the first one.\n",
    },
    Explanation {
        code: TRAILING,
        title: "something is left over after the start rule",
        text: "The start rule ended without an error before the input did. ANTLR would not complain, because the \
               rule does not ask for `EOF`; `polysmith parse` does, because what is left over was not checked.\n\n\
               If the rest belongs to the language, end the start rule with `EOF`: that also makes ANTLR's \
               parsers report what is wrong with it.\n",
    },
];
