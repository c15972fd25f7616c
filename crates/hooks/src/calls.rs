//! Reads the code of a grammar: calls of functions, with `!`, `&&` and `||` between them.
//!
//! `this.`, `self.`, `p.` and `$parser.` before a name mean nothing. Arguments are strings, numbers, `true`, `false` and
//! names, which count as strings. An argument that reads the grammar (`$x.text`) is left out.

/// A condition or an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Call {
    Function { name: String, arguments: Vec<Argument> },
    Not(Box<Call>),
    All(Vec<Call>),
    Any(Vec<Call>),
}

/// An argument of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Argument {
    Text(String),
    Number(String),
    Truth(bool),
}

/// Conditions may nest this deep; nobody writes more.
const MAX_NESTING: usize = 32;

/// The calls of a piece of code; `None` if it is something else.
pub(crate) fn read(code: &str) -> Option<Call> {
    let mut reader = Reader { rest: code.trim().trim_end_matches(';').trim(), depth: 0 };
    let call = reader.any()?;
    reader.rest.is_empty().then_some(call)
}

/// The names of all functions that are called.
pub(crate) fn functions(call: &Call) -> Vec<&str> {
    match call {
        Call::Function { name, .. } => vec![name],
        Call::Not(inner) => functions(inner),
        Call::All(parts) | Call::Any(parts) => parts.iter().flat_map(functions).collect(),
    }
}

struct Reader<'a> {
    rest: &'a str,
    depth: usize,
}

impl Reader<'_> {
    fn eat(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn any(&mut self) -> Option<Call> {
        let mut parts = vec![self.all()?];
        while self.eat("||") || self.eat("or ") {
            parts.push(self.all()?);
        }
        if parts.len() == 1 { parts.pop() } else { Some(Call::Any(parts)) }
    }

    fn all(&mut self) -> Option<Call> {
        let mut parts = vec![self.not()?];
        while self.eat("&&") || self.eat("and ") {
            parts.push(self.not()?);
        }
        if parts.len() == 1 { parts.pop() } else { Some(Call::All(parts)) }
    }

    fn not(&mut self) -> Option<Call> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return None;
        }
        let call = if self.eat("!") || self.eat("not ") {
            Some(Call::Not(Box::new(self.not()?)))
        } else if self.eat("(") {
            let inner = self.any()?;
            self.eat(")").then_some(inner)
        } else {
            self.function()
        };
        self.depth -= 1;
        call
    }

    fn function(&mut self) -> Option<Call> {
        let _ = ["this.", "self.", "$parser.", "p."].iter().any(|prefix| self.eat(prefix));
        let name = self.word()?;
        let mut arguments = Vec::new();
        if !self.eat("(") {
            return None;
        }
        while !self.eat(")") {
            arguments.extend(self.argument()?);
            if !self.rest.starts_with(')') && !self.eat(",") {
                return None;
            }
        }
        Some(Call::Function { name, arguments })
    }

    fn word(&mut self) -> Option<String> {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let word = self.rest[..end].to_owned();
        self.rest = self.rest[end..].trim_start();
        (!word.is_empty()).then_some(word)
    }

    /// An argument; `Some(None)` if it is left out.
    fn argument(&mut self) -> Option<Option<Argument>> {
        if self.rest.starts_with('$') {
            let end = self.rest.find([',', ')'])?;
            self.rest = &self.rest[end..];
            return Some(None);
        }
        for quote in ['"', '\''] {
            if let Some(rest) = self.rest.strip_prefix(quote) {
                let end = rest.find(quote)?;
                let text = rest[..end].to_owned();
                self.rest = rest[end + 1..].trim_start();
                return (!text.contains('\\')).then_some(Some(Argument::Text(text)));
            }
        }
        let negative = self.eat("-");
        let word = self.word()?;
        Some(Some(match word.as_str() {
            "true" | "True" => Argument::Truth(true),
            "false" | "False" => Argument::Truth(false),
            digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                Argument::Number(if negative { format!("-{digits}") } else { word })
            }
            _ if negative => return None,
            _ => {
                // A qualified name such as `Lexer.RPAR` counts as its last part.
                let mut last = word;
                while self.eat(".") {
                    last = self.word()?;
                }
                Argument::Text(last)
            }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(name: &str, arguments: &[Argument]) -> Call {
        Call::Function { name: name.into(), arguments: arguments.to_vec() }
    }

    #[test]
    fn calls_with_and_without_a_receiver_are_the_same() {
        for code in ["f()", "this.f()", " self.f( ); ", "p.f()"] {
            assert_eq!(read(code), Some(function("f", &[])), "{code}");
        }
    }

    #[test]
    fn arguments_are_literals() {
        let text = |text: &str| Argument::Text(text.into());
        assert_eq!(read("n(\"of\")"), Some(function("n", &[text("of")])));
        assert_eq!(
            read("f('a', -1, true, X.RPAR, $x.text)"),
            Some(function(
                "f",
                &[text("a"), Argument::Number("-1".into()), Argument::Truth(true), text("RPAR")]
            ))
        );
    }

    #[test]
    fn conditions_combine_calls() {
        let (f, g) = (function("f", &[]), function("g", &[]));
        assert_eq!(read("!f() && g()"), Some(Call::All(vec![Call::Not(Box::new(f.clone())), g.clone()])));
        assert_eq!(read("(f() || g())"), Some(Call::Any(vec![f, g])));
    }

    #[test]
    fn other_code_is_not_a_call() {
        for code in ["", "x = 1;", "f() g()", "f(", "f(a + b)", "_input.LA(1) != '.'", "n(\"a\\n\")"] {
            assert_eq!(read(code), None, "{code}");
        }
        assert_eq!(read(&"!".repeat(100_000)), None);
    }
}
