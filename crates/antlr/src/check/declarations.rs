//! Parameters, return values and locals: the names in `[int x, List<T> y = f(1, 2)]`.
//!
//! They are written in some target language. Like ANTLR's tool, Polysmith takes commas outside of brackets and strings
//! as separators, and the last word before `=` (or the first, if there is a `:`) as the name.

use crate::syntax::tree::{CodeText, Name};
use polysmith_source::Span;

/// The declared names with their locations.
pub(super) fn names(code: Option<&CodeText>) -> Vec<Name> {
    let Some(code) = code else { return Vec::new() };
    let pieces = split(code.inner());
    pieces.into_iter().filter_map(|(start, piece)| name(code, start, piece)).collect()
}

/// The pieces between separating commas, with their offsets.
fn split(text: &str) -> Vec<(usize, &str)> {
    let mut pieces = Vec::new();
    let mut closers: Vec<char> = Vec::new();
    let mut quote = None;
    let mut escaped = false;
    let mut start = 0;
    for (at, c) in text.char_indices() {
        if std::mem::take(&mut escaped) {
            continue;
        }
        match (quote, c) {
            (Some(_), '\\') => escaped = true,
            (Some(q), c) if q == c => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, c) if closers.last() == Some(&c) => {
                closers.pop();
            }
            (None, '(') => closers.push(')'),
            (None, '[') => closers.push(']'),
            (None, '{') => closers.push('}'),
            (None, '<') if text[at..].contains('>') => closers.push('>'),
            (None, ',') if closers.is_empty() => {
                pieces.push((start, &text[start..at]));
                start = at + 1;
            }
            (None, _) => {}
        }
    }
    pieces.push((start, &text[start..]));
    pieces
}

fn name(code: &CodeText, start: usize, piece: &str) -> Option<Name> {
    let declarator = &piece[..piece.find('=').filter(|at| *at > 0).unwrap_or(piece.len())];
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (from, to) = if piece.replace("::", "").contains(':') {
        let end = declarator.find(':').unwrap_or(declarator.len());
        let from = declarator[..end].find(is_word)?;
        let length = declarator[from..end].find(|c| !is_word(c)).unwrap_or(end - from);
        (from, from + length)
    } else {
        let last = declarator.rfind(char::is_alphanumeric)?;
        let to = last + declarator[last..].find(|c| !is_word(c)).unwrap_or(declarator.len() - last);
        let from = declarator[..last].rfind(|c| !is_word(c));
        let from = from.map_or(0, |at| at + declarator[at..].chars().next().map_or(1, char::len_utf8));
        (from, to)
    };
    let offset = code.span.start as usize + 1 + start;
    let span = Span::new(code.span.source, offset + from, offset + to);
    Some(Name { text: declarator[from..to].to_owned(), span })
}

#[cfg(test)]
mod tests {
    use super::*;
    use polysmith_source::SourceMap;

    fn check(text: &str, expected: &[&str]) {
        let source = SourceMap::default().add("x", text);
        let code = CodeText { text: text.into(), span: Span::new(source, 0, text.len()) };
        let found = names(Some(&code));
        assert_eq!(found.iter().map(|name| name.text.as_str()).collect::<Vec<_>>(), expected, "{text}");
        for name in found {
            assert_eq!(&text[name.span.start as usize..name.span.end as usize], name.text);
        }
    }

    #[test]
    fn names_are_found_in_many_languages() {
        check("[int x, String[] y]", &["x", "y"]);
        check("[List<A, B> xs = f(1, 2), char c = ',']", &["xs", "c"]);
        check("[x: Int, y: A]", &["x", "y"]);
        check("[std::string s]", &["s"]);
        check("[]", &[]);
    }
}
