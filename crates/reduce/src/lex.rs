//! Structure without a grammar: tokens, comments, and which brackets and tags belong together.
//!
//! The lexer knows what most languages share: quoted strings, `/* */` and `//` comments, three kinds of brackets,
//! and, in a text that starts with `<`, the tags of XML. Brackets that have no partner are plain tokens.

use std::ops::Range;

use crate::measure::{is_space, token_end};

/// What a token is, as far as structure goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LexemeKind {
    /// A word or a number.
    Word,
    /// A quoted string.
    Text,
    /// Any other byte.
    Mark(u8),
    /// A comment.
    Comment,
    /// A start tag.
    Open,
    /// An end tag.
    Close,
    /// A tag without content, a processing instruction.
    Tag,
    /// The beginning `<!` of a declaration; its end `>` is a mark.
    Declaration,
}

/// A token, and the number of the one that closes it if it opens a group.
#[derive(Clone, Debug)]
pub(crate) struct Lexeme {
    pub(crate) range: Range<u32>,
    pub(crate) kind: LexemeKind,
    pub(crate) partner: Option<u32>,
}

/// Whether a text has tags rather than brackets.
pub(crate) fn is_markup(text: &[u8]) -> bool {
    text.iter().find(|byte| !is_space(**byte)) == Some(&b'<')
}

/// Splits a piece of text. Positions are relative to `offset`.
pub(crate) fn lex(text: &[u8], offset: u32, markup: bool) -> Vec<Lexeme> {
    let mut lexemes = Vec::new();
    // Declarations that are open; an internal subset has declarations in it.
    let mut declarations: Vec<usize> = Vec::new();
    let mut at = 0;
    loop {
        at += text[at..].iter().take_while(|byte| is_space(**byte)).count();
        let is_declared = !declarations.is_empty();
        let Some((end, kind)) = next(text, at, markup, is_declared) else { break };
        let range = offset + at as u32..offset + end as u32;
        let number = lexemes.len();
        lexemes.push(Lexeme { range, kind, partner: None });
        match kind {
            LexemeKind::Declaration => declarations.push(number),
            LexemeKind::Mark(b'>') => {
                if let Some(open) = declarations.pop() {
                    lexemes[open].partner = u32::try_from(number).ok();
                    pair_brackets(&mut lexemes[open + 1..number], open + 1);
                }
            }
            _ => {}
        }
        at = end;
    }
    if markup {
        pair_tags(&mut lexemes, text, offset)
    } else {
        pair_brackets(&mut lexemes, 0)
    }
    lexemes
}

fn next(text: &[u8], at: usize, markup: bool, is_declared: bool) -> Option<(usize, LexemeKind)> {
    let rest = &text[at..];
    let end_at = |pattern: &[u8]| find(rest, pattern, 2).map(|found| at + found + pattern.len());
    if markup && rest.starts_with(b"<") {
        return Some(tag(text, at));
    }
    if rest.starts_with(b"/*")
        && let Some(end) = end_at(b"*/")
    {
        return Some((end, LexemeKind::Comment));
    }
    if rest.starts_with(b"//") && !markup {
        let line = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        return Some((at + line, LexemeKind::Comment));
    }
    let end = if markup && !is_declared { text_end(text, at)? } else { token_end(text, at)? };
    let kind = match rest[0] {
        b'"' | b'\'' if end > at + 1 => LexemeKind::Text,
        byte if crate::measure::is_word(byte) => LexemeKind::Word,
        byte => LexemeKind::Mark(byte),
    };
    Some((end, kind))
}

/// In markup, quotes in running text mean nothing.
fn text_end(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at)? {
        b'"' | b'\'' => Some(at + 1),
        _ => token_end(text, at),
    }
}

fn tag(text: &[u8], at: usize) -> (usize, LexemeKind) {
    let rest = &text[at..];
    let until = |pattern: &[u8]| find(rest, pattern, 1).map(|found| at + found + pattern.len());
    let (end, kind) = match rest.get(1) {
        Some(b'!') if rest.starts_with(b"<!--") => (until(b"-->"), LexemeKind::Comment),
        Some(b'!') if rest.starts_with(b"<![") => {
            (declaration_end(rest).map(|end| at + end), LexemeKind::Tag)
        }
        Some(b'!') => (declaration_end(rest).map(|_| at + 2), LexemeKind::Declaration),
        Some(b'?') => (until(b"?>"), LexemeKind::Tag),
        Some(b'/') => (until(b">"), LexemeKind::Close),
        Some(byte) if byte.is_ascii_alphabetic() || *byte == b'_' => (until(b">"), LexemeKind::Open),
        _ => (None, LexemeKind::Mark(b'<')),
    };
    match end {
        Some(end) if kind == LexemeKind::Open && text[end - 2] == b'/' => (end, LexemeKind::Tag),
        Some(end) => (end, kind),
        None => (at + 1, LexemeKind::Mark(b'<')),
    }
}

/// `<!DOCTYPE x [ … ]>`: the end after the internal subset.
fn declaration_end(rest: &[u8]) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in rest.iter().enumerate() {
        match byte {
            b'[' => depth += 1,
            b']' => depth -= 1,
            b'>' if depth <= 0 => return Some(at + 1),
            _ => {}
        }
    }
    None
}

fn find(text: &[u8], pattern: &[u8], from: usize) -> Option<usize> {
    let tail = text.get(from..)?;
    tail.windows(pattern.len()).position(|window| window == pattern).map(|at| at + from)
}

/// Pairs the brackets of some lexemes, the first of which has the number `first`.
fn pair_brackets(lexemes: &mut [Lexeme], first: usize) {
    let mut stack: Vec<(u8, usize)> = Vec::new();
    for at in 0..lexemes.len() {
        let LexemeKind::Mark(byte) = lexemes[at].kind else { continue };
        match byte {
            b'(' | b'[' | b'{' => stack.push((closer(byte), at)),
            b')' | b']' | b'}' => {
                // Openers above the partner have none; a closer without partner is plain.
                if let Some(depth) = stack.iter().rposition(|(expected, _)| *expected == byte) {
                    lexemes[stack[depth].1].partner = u32::try_from(first + at).ok();
                    stack.truncate(depth);
                }
            }
            _ => {}
        }
    }
}

pub(crate) fn closer(opener: u8) -> u8 {
    match opener {
        b'(' => b')',
        b'[' => b']',
        _ => b'}',
    }
}

fn pair_tags(lexemes: &mut [Lexeme], text: &[u8], offset: u32) {
    let name = |lexeme: &Lexeme, skip: usize| -> Range<usize> {
        let start = (lexeme.range.start - offset) as usize + skip;
        let len =
            text[start..].iter().take_while(|byte| !is_space(**byte) && !matches!(byte, b'>' | b'/')).count();
        start..start + len
    };
    let mut stack: Vec<(Range<usize>, usize)> = Vec::new();
    for at in 0..lexemes.len() {
        match lexemes[at].kind {
            LexemeKind::Open => stack.push((name(&lexemes[at], 1), at)),
            LexemeKind::Close => {
                let closed = name(&lexemes[at], 2);
                let depth = stack.iter().rposition(|(open, _)| text[open.clone()] == text[closed.clone()]);
                if let Some(depth) = depth {
                    lexemes[stack[depth].1].partner = u32::try_from(at).ok();
                    stack.truncate(depth);
                }
            }
            _ => {}
        }
    }
}

/// A token, or a group from its opening to its closing token.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    pub(crate) range: Range<u32>,
    /// What lies between opening and closing token.
    pub(crate) inside: Option<Range<u32>>,
    pub(crate) kind: LexemeKind,
}

impl Unit {
    /// What lies between opening and closing token, and whether that has tags rather than brackets, for a unit of a text
    /// that has (`markup`) or has not.
    pub(crate) fn group(&self, text: &[u8], markup: bool) -> Option<(Range<u32>, bool)> {
        let inside = self.inside.clone()?;
        let has_tags = || markup || is_markup(&text[inside.start as usize..inside.end as usize]);
        let markup = self.kind != LexemeKind::Declaration && has_tags();
        Some((inside, markup))
    }
}

/// The units of a piece of text that are in no group of it.
pub(crate) fn units(lexemes: &[Lexeme]) -> Vec<Unit> {
    let mut units = Vec::new();
    let mut at = 0;
    while let Some(lexeme) = lexemes.get(at) {
        match lexeme.partner {
            Some(partner) => {
                let close = &lexemes[partner as usize].range;
                let inside = lexeme.range.end..close.start;
                units.push(Unit {
                    range: lexeme.range.start..close.end,
                    inside: Some(inside),
                    kind: lexeme.kind,
                });
                at = partner as usize + 1;
            }
            None => {
                units.push(Unit { range: lexeme.range.clone(), inside: None, kind: lexeme.kind });
                at += 1;
            }
        }
    }
    units
}
