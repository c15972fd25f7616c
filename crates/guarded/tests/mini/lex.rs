//! Tokens of `mini`.

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token {
    Name(String),
    Number(i64),
    Text(String),
    Mark(&'static str),
}

/// Longer ones first.
const MARKS: [&str; 26] = [
    "==", "!=", "<=", ">=", "&&", "||", "..", "{", "}", "(", ")", "[", "]", ",", ";", ":", ".", "=", "<",
    ">", "+", "-", "*", "/", "%", "!",
];

pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut rest = text.trim_start();
    let mut tokens = Vec::new();
    while let Some(first) = rest.chars().next() {
        let length = if first.is_ascii_alphabetic() {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
            tokens.push(Token::Name(rest[..end].to_owned()));
            end
        } else if first.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            tokens.push(Token::Number(
                rest[..end].parse().map_err(|_| format!("{} is too big", &rest[..end]))?,
            ));
            end
        } else if first == '"' {
            let end = rest[1..].find(['"', '\n']).ok_or("a string does not end")? + 1;
            if !rest[end..].starts_with('"') {
                return Err("a string does not end on its line".to_owned());
            }
            tokens.push(Token::Text(rest[1..end].to_owned()));
            end + 1
        } else {
            let mark = MARKS.iter().find(|mark| rest.starts_with(**mark));
            let mark = mark.ok_or_else(|| format!("`{first}` is no token"))?;
            tokens.push(Token::Mark(mark));
            mark.len()
        };
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}
