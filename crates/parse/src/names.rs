//! How tokens are named in messages: as ANTLR's generated Java code names them.

use crate::types::TypeSet;
use polysmith_grammar::{Grammar, TokenType};

/// The names of all token types.
#[derive(Debug)]
pub(crate) struct Names {
    shown: Vec<String>,
}

impl Names {
    pub(crate) fn new(grammar: &Grammar) -> Names {
        let tokens = grammar.tokens();
        let mut shown = vec!["<EOF>".to_string()];
        for token in tokens.types() {
            let literal = tokens.get(token).literal.as_deref();
            shown.push(literal.map_or_else(|| tokens.display(token), literal_in_java));
        }
        Names { shown }
    }

    /// The name of a type.
    pub(crate) fn show(&self, token: TokenType) -> String {
        self.shown.get(token.index()).cloned().unwrap_or_else(|| token.antlr().to_string())
    }

    /// A set: one name bare, several in braces.
    pub(crate) fn show_set(&self, set: &TypeSet) -> String {
        let names: Vec<String> = set.iter().map(|token| self.show(token)).collect();
        match &names[..] {
            [only] => only.clone(),
            names => format!("{{{}}}", names.join(", ")),
        }
    }
}

/// A literal as spelled in a grammar, as it comes out of generated Java code: quotes and backslashes lose their
/// escape, other escapes keep it, and what is not printable ASCII gets one.
fn literal_in_java(spelled: &str) -> String {
    let inner = spelled.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).unwrap_or(spelled);
    let mut out = String::from("'");
    let mut rest = inner.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            plain(c, &mut out);
            continue;
        }
        match rest.next() {
            Some(c @ ('n' | 'r' | 't' | 'b' | 'f')) => out.extend(['\\', c]),
            Some('u') => {
                let mut digits = String::new();
                let mut ahead = rest.clone();
                if ahead.next() == Some('{') {
                    rest.next();
                    digits.extend(rest.by_ref().take_while(|c| *c != '}'));
                } else {
                    digits.extend(rest.by_ref().take(4));
                }
                match u32::from_str_radix(&digits, 16).ok() {
                    Some(code_point) => escaped(code_point, &mut out),
                    None => out.push_str(&digits),
                }
            }
            Some('\\') => out.push('\\'),
            Some(c) => plain(c, &mut out),
            None => out.push('\\'),
        }
    }
    out.push('\'');
    out
}

fn plain(c: char, out: &mut String) {
    if (' '..'\u{7F}').contains(&c) { out.push(c) } else { escaped(c.into(), out) }
}

/// Beyond the first plane Java's tables have an escaped first half and a bare second half, which no encoding
/// can show.
fn escaped(code_point: u32, out: &mut String) {
    let mut units = [0; 2];
    match char::from_u32(code_point).map(|c| c.encode_utf16(&mut units)) {
        Some([high, _]) => out.push_str(&format!("\\u{high:04X}\u{FFFD}")),
        _ => out.push_str(&format!("\\u{code_point:04X}")),
    }
}

/// A text in quotes, with line breaks and tabs escaped, as messages show it.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\n', "\\n").replace('\r', "\\r").replace('\t', "\\t"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_look_as_in_java() {
        for (spelled, shown) in [
            (r"'a'", "'a'"),
            (r"'\\'", r"'\'"),
            (r"'\''", "'''"),
            (r"'\n'", r"'\n'"),
            (r"'\u0041'", r"'\u0041'"),
            ("'é'", r"'\u00E9'"),
        ] {
            assert_eq!(literal_in_java(spelled), shown);
        }
    }
}
