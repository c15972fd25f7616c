//! The tokens of a `.g4` file.

use std::fmt;

/// A kind of token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
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

impl TokenKind {
    /// The keyword with this spelling. `options`, `tokens` and `channels` are not included: they need their brace.
    pub(crate) fn keyword(word: &str) -> Option<TokenKind> {
        Some(match word {
            "import" => TokenKind::Import,
            "fragment" => TokenKind::Fragment,
            "lexer" => TokenKind::Lexer,
            "parser" => TokenKind::Parser,
            "grammar" => TokenKind::Grammar,
            "returns" => TokenKind::Returns,
            "locals" => TokenKind::Locals,
            "throws" => TokenKind::Throws,
            "catch" => TokenKind::Catch,
            "finally" => TokenKind::Finally,
            "mode" => TokenKind::Mode,
            _ => return None,
        })
    }

    /// Whether it can be a name: both kinds of references.
    pub(crate) fn is_name(self) -> bool {
        matches!(self, TokenKind::TokenRef | TokenKind::RuleRef)
    }

    /// Whether it is `?`, `*` or `+`.
    pub(crate) fn is_suffix(self) -> bool {
        matches!(self, TokenKind::Question | TokenKind::Star | TokenKind::Plus)
    }
}

impl fmt::Display for TokenKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TokenKind::Options => "`options {`",
            TokenKind::Tokens => "`tokens {`",
            TokenKind::Channels => "`channels {`",
            TokenKind::Import => "`import`",
            TokenKind::Fragment => "`fragment`",
            TokenKind::Lexer => "`lexer`",
            TokenKind::Parser => "`parser`",
            TokenKind::Grammar => "`grammar`",
            TokenKind::Returns => "`returns`",
            TokenKind::Locals => "`locals`",
            TokenKind::Throws => "`throws`",
            TokenKind::Catch => "`catch`",
            TokenKind::Finally => "`finally`",
            TokenKind::Mode => "`mode`",
            TokenKind::Colon => "`:`",
            TokenKind::ColonColon => "`::`",
            TokenKind::Comma => "`,`",
            TokenKind::Semi => "`;`",
            TokenKind::LeftParen => "`(`",
            TokenKind::RightParen => "`)`",
            TokenKind::Arrow => "`->`",
            TokenKind::Less => "`<`",
            TokenKind::Greater => "`>`",
            TokenKind::Assign => "`=`",
            TokenKind::Question => "`?`",
            TokenKind::Star => "`*`",
            TokenKind::Plus => "`+`",
            TokenKind::PlusAssign => "`+=`",
            TokenKind::Or => "`|`",
            TokenKind::Dollar => "`$`",
            TokenKind::Dot => "`.`",
            TokenKind::Range => "`..`",
            TokenKind::At => "`@`",
            TokenKind::Pound => "`#`",
            TokenKind::Not => "`~`",
            TokenKind::RightBrace => "`}`",
            TokenKind::TokenRef => "a token name",
            TokenKind::RuleRef => "a rule name",
            TokenKind::Int => "a number",
            TokenKind::Literal => "a literal",
            TokenKind::CharSet => "a character set",
            TokenKind::Arguments => "`[…]`",
            TokenKind::Action => "an action `{…}`",
            TokenKind::Predicate => "a predicate `{…}?`",
            TokenKind::End => "the end of the file",
        })
    }
}

/// A token: its kind and its bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) start: u32,
    pub(crate) end: u32,
}
