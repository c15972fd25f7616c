//! A text with one token deleted, doubled, or swapped with the next one.

use polysmith_parse::{Lexed, Token};
use polysmith_random::Stream;
use std::fmt;

/// What is done to a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edit {
    Delete,
    Double,
    Swap,
}

impl Edit {
    pub(super) const ALL: [Edit; 3] = [Edit::Delete, Edit::Double, Edit::Swap];
}

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Edit::Delete => "deleted",
            Edit::Double => "doubled",
            Edit::Swap => "swapped",
        })
    }
}

/// A changed text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mutant {
    pub(super) text: String,
    /// The byte where it differs, and a little text around.
    pub(super) at: usize,
    pub(super) around: String,
}

/// Changes one token that the parser sees, drawn from all of them; `None` if there are too few.
pub(super) fn mutant(text: &str, lexed: &Lexed, edit: Edit, random: &mut Stream) -> Option<Mutant> {
    // The last token is the end of the text.
    let tokens: Vec<&Token> =
        lexed.tokens.iter().filter(|token| token.channel == 0 && token.start < token.end).collect();
    let at = random.index(tokens.len().checked_sub(1).filter(|&n| n > 0)?);
    let of = |token: &Token| &text[token.start as usize..token.end as usize];
    let (token, next) = (tokens[at], tokens[at + 1]);
    let (start, end) = (token.start as usize, token.end as usize);
    let (changed, end) = match edit {
        Edit::Delete => (" ".to_owned(), end),
        Edit::Double => (format!("{0} {0}", of(token)), end),
        Edit::Swap => {
            let between = &text[end..next.start as usize];
            (format!("{}{between} {}", of(next), of(token)), next.end as usize)
        }
    };
    let text = format!("{}{changed} {}", &text[..start], &text[end..]);
    let around = String::from_utf8_lossy(
        &text.as_bytes()[start.saturating_sub(50)..text.len().min(start + changed.len() + 40)],
    );
    let around = around.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(Mutant { at: start, around, text })
}

#[cfg(test)]
mod tests {
    use super::*;
    use polysmith_grammar::TokenType;

    #[test]
    fn each_edit_changes_one_place() {
        let text = "a b";
        let token = |start, end| Token { start, end, kind: TokenType::EOF, channel: 0 };
        let lexed = Lexed { tokens: vec![token(0, 1), token(2, 3), token(3, 3)], ..Lexed::default() };
        let texts = Edit::ALL.map(|edit| {
            let mutant = mutant(text, &lexed, edit, &mut Stream::keyed(&[1])).unwrap();
            mutant.text.split_whitespace().collect::<Vec<_>>().join(" ")
        });
        assert_eq!(texts, ["b", "a a b", "b a"]);
    }

    #[test]
    fn a_text_of_one_token_is_left_alone() {
        let lexed = Lexed::default();
        assert_eq!(mutant("", &lexed, Edit::Swap, &mut Stream::keyed(&[1])), None);
    }
}
