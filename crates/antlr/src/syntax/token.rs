//! The tokens of a `.g4` file.

use std::fmt;

/// A kind of token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    // `options {`, `tokens {` and `channels {` are one token each, brace included.
    Options,
    Tokens,
    Channels,
    Import,
    Fragment,
    Lexer,
    Parser,
    Grammar,
    Returns,
    Locals,
    Throws,
    Catch,
    Finally,
    Mode,
    Colon,
    ColonColon,
    Comma,
    Semi,
    LeftParen,
    RightParen,
    Arrow,
    Less,
    Greater,
    Assign,
    Question,
    Star,
    Plus,
    PlusAssign,
    Or,
    Dollar,
    Dot,
    Range,
    At,
    Pound,
    Not,
    RightBrace,
    TokenRef,
    RuleRef,
    Int,
    Literal,
    CharSet,
    Arguments,
    Action,
    Predicate,
    End,
}

impl Kind {
    /// The keyword with this spelling. `options`, `tokens` and `channels` are not among them: they need their brace.
    pub(crate) fn keyword(word: &str) -> Option<Kind> {
        Some(match word {
            "import" => Kind::Import,
            "fragment" => Kind::Fragment,
            "lexer" => Kind::Lexer,
            "parser" => Kind::Parser,
            "grammar" => Kind::Grammar,
            "returns" => Kind::Returns,
            "locals" => Kind::Locals,
            "throws" => Kind::Throws,
            "catch" => Kind::Catch,
            "finally" => Kind::Finally,
            "mode" => Kind::Mode,
            _ => return None,
        })
    }

    /// Whether it may stand for a name: both kinds of references.
    pub(crate) fn is_name(self) -> bool {
        matches!(self, Kind::TokenRef | Kind::RuleRef)
    }

    /// Whether it is `?`, `*` or `+`.
    pub(crate) fn is_suffix(self) -> bool {
        matches!(self, Kind::Question | Kind::Star | Kind::Plus)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Options => "`options {`",
            Kind::Tokens => "`tokens {`",
            Kind::Channels => "`channels {`",
            Kind::Import => "`import`",
            Kind::Fragment => "`fragment`",
            Kind::Lexer => "`lexer`",
            Kind::Parser => "`parser`",
            Kind::Grammar => "`grammar`",
            Kind::Returns => "`returns`",
            Kind::Locals => "`locals`",
            Kind::Throws => "`throws`",
            Kind::Catch => "`catch`",
            Kind::Finally => "`finally`",
            Kind::Mode => "`mode`",
            Kind::Colon => "`:`",
            Kind::ColonColon => "`::`",
            Kind::Comma => "`,`",
            Kind::Semi => "`;`",
            Kind::LeftParen => "`(`",
            Kind::RightParen => "`)`",
            Kind::Arrow => "`->`",
            Kind::Less => "`<`",
            Kind::Greater => "`>`",
            Kind::Assign => "`=`",
            Kind::Question => "`?`",
            Kind::Star => "`*`",
            Kind::Plus => "`+`",
            Kind::PlusAssign => "`+=`",
            Kind::Or => "`|`",
            Kind::Dollar => "`$`",
            Kind::Dot => "`.`",
            Kind::Range => "`..`",
            Kind::At => "`@`",
            Kind::Pound => "`#`",
            Kind::Not => "`~`",
            Kind::RightBrace => "`}`",
            Kind::TokenRef => "a token name",
            Kind::RuleRef => "a rule name",
            Kind::Int => "a number",
            Kind::Literal => "a literal",
            Kind::CharSet => "a character set",
            Kind::Arguments => "`[…]`",
            Kind::Action => "an action `{…}`",
            Kind::Predicate => "a predicate `{…}?`",
            Kind::End => "the end of the file",
        })
    }
}

/// A token: its kind and its bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) start: u32,
    pub(crate) end: u32,
}
