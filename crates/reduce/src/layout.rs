//! A layout that a person can read, for a text that a reduction left on one line.
//!
//! Without a grammar nobody knows where white space means something. So line ends that are there stay, and the test is
//! asked about the new text. Statements, blocks and members of objects get lines of their own, as do the tags of markup
//! that nothing but tags surround.

use std::sync::Arc;

use crate::candidate::Candidate;
use crate::lex::{Lexeme, LexemeKind, is_markup, lex};
use crate::question::{Answer, Question, Stop};
use crate::text::Text;

/// Blanks for each level of blocks.
const INDENT: usize = 2;

/// The text in a readable layout, if that differs from it and the test says yes to it.
///
/// # Errors
/// When the test cannot be asked.
pub fn lay_out(text: &Text, question: &mut dyn Question) -> Result<Option<Text>, Stop> {
    let files: Vec<Vec<u8>> = text.parts().iter().map(|part| readable(text.slice(&part.range))).collect();
    let is_whole = text.parts().iter().all(|part| part.present);
    let Some(new) = Text::new(&files).ok().filter(|new| is_whole && new.bytes() != text.bytes()) else {
        return Ok(None);
    };
    question.submit(0, &Candidate::unchanged(Arc::new(new.clone())))?;
    let (_, answer) = question.wait()?;
    Ok((answer == Answer::Yes).then_some(new))
}

/// A text with line ends and indentation as its brackets or tags suggest.
#[must_use]
pub fn readable(text: &[u8]) -> Vec<u8> {
    let markup = is_markup(text);
    let lexemes = lex(text, 0, markup);
    let mut out = Vec::with_capacity(2 * text.len());
    let mut layout = Layout { lexemes: &lexemes, text, open: Vec::new() };
    let mut at = 0;
    for (number, Lexeme { range, .. }) in lexemes.iter().enumerate() {
        let gap = &text[at..range.start as usize];
        let between = if markup { layout.between_tags(number) } else { layout.between_tokens(number) };
        match between {
            _ if number == 0 || gap.contains(&b'\n') => out.extend_from_slice(gap),
            Between::Line => {
                out.push(b'\n');
                out.extend(std::iter::repeat_n(b' ', INDENT * layout.depth(markup)));
            }
            Between::Blank if gap.is_empty() => out.push(b' '),
            Between::Blank | Between::AsItIs => out.extend_from_slice(gap),
        }
        out.extend_from_slice(&text[range.start as usize..range.end as usize]);
        at = range.end as usize;
    }
    out.extend_from_slice(&text[at..]);
    out
}

/// What comes between two lexemes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Between {
    Line,
    Blank,
    AsItIs,
}

struct Layout<'a> {
    lexemes: &'a [Lexeme],
    text: &'a [u8],
    /// Groups around the present lexeme: the numbers of the lexemes that open and close them.
    open: Vec<(usize, usize)>,
}

impl Layout<'_> {
    /// Levels of indentation.
    fn depth(&self, markup: bool) -> usize {
        self.open.iter().filter(|(open, _)| markup || self.is(*open, b'{')).count()
    }

    fn is(&self, number: usize, mark: u8) -> bool {
        self.lexemes.get(number).is_some_and(|lexeme| lexeme.kind == LexemeKind::Mark(mark))
    }

    fn shown(&self, number: usize) -> &[u8] {
        let range = &self.lexemes[number].range;
        &self.text[range.start as usize..range.end as usize]
    }

    /// Leaves groups that end here and enters the one that the lexeme before opens.
    fn walk(&mut self, number: usize) {
        if let Some(before) = number.checked_sub(1)
            && let Some(close) = self.lexemes[before].partner
        {
            self.open.push((before, close as usize));
        }
        self.open.pop_if(|(_, close)| *close == number);
    }

    fn between_tokens(&mut self, number: usize) -> Between {
        self.walk(number);
        let Some(before) = number.checked_sub(1) else { return Between::AsItIs };
        let is_block = |open: usize| self.is(open, b'{');
        let innermost = self.open.last().map(|(open, _)| *open);
        let in_block = innermost.is_none_or(is_block);
        let opens = self.lexemes[before].partner.is_some() && is_block(before);
        let closes = self.is(number, b'}');
        let after_block = self.is(before, b'}') && in_block && !self.goes_on(number);
        // A `;` in the head of a loop may be its last token.
        let ends_head = self.is(number, b')') || self.is(number, b']');
        let after_statement = in_block && self.is(before, b';') && !ends_head;
        let after_group = innermost.is_none() && self.is(before, b')') && self.is(number, b'(');
        if opens && closes {
            Between::AsItIs
        } else if opens || closes || after_block || after_group || after_statement {
            Between::Line
        } else if self.is(before, b',') {
            let in_object = innermost.is_some_and(is_block);
            if in_object { Between::Line } else { Between::Blank }
        } else {
            Between::AsItIs
        }
    }

    /// Whether a lexeme goes on with the statement of the block before it.
    fn goes_on(&self, number: usize) -> bool {
        let is_mark =
            matches!(self.lexemes[number].kind, LexemeKind::Mark(mark) if mark != b'{' && mark != b'(');
        is_mark || matches!(self.shown(number), b"else" | b"catch" | b"finally" | b"while" | b"as")
    }

    fn between_tags(&mut self, number: usize) -> Between {
        self.walk(number);
        let is_tag = |number: usize| {
            let tags = [LexemeKind::Open, LexemeKind::Close, LexemeKind::Tag, LexemeKind::Declaration];
            tags.contains(&self.lexemes[number].kind)
        };
        let Some(before) = number.checked_sub(1) else { return Between::AsItIs };
        let is_empty = self.lexemes[before].partner == u32::try_from(number).ok();
        let ends_tag =
            self.is(before, b'>') || is_tag(before) && self.lexemes[before].kind != LexemeKind::Declaration;
        if ends_tag && is_tag(number) && !is_empty { Between::Line } else { Between::AsItIs }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::ask;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let shown = String::from_utf8(readable(text.as_bytes())).unwrap();
        assert_eq!(shown, expected);
        assert_eq!(readable(shown.as_bytes()), shown.as_bytes(), "a readable text stays as it is");
    }

    #[test]
    fn statements_and_blocks_have_lines() {
        check(
            "int f(int a,int b){if(a){b=1;}else g();for(;;);return 0;}int x;",
            "int f(int a, int b){\n  if(a){\n    b=1;\n  }else g();\n  for(;;);\n  return 0;\n}\nint x;",
        );
        check("create table a(b);select b,c from a", "create table a(b);\nselect b, c from a");
        check("(assert a)(check-sat)", "(assert a)\n(check-sat)");
    }

    #[test]
    fn members_of_objects_have_lines() {
        check(r#"{"a":{},"b":[1,2]}"#, "{\n  \"a\":{},\n  \"b\":[1, 2]\n}");
    }

    #[test]
    fn tags_have_lines_and_text_stays_with_its_tags() {
        check("<a><b>x y</b><c></c><d/></a>", "<a>\n  <b>x y</b>\n  <c></c>\n  <d/>\n</a>");
    }

    #[test]
    fn line_ends_that_are_there_stay() {
        check("if x:\n  f(a)\n  g()", "if x:\n  f(a)\n  g()");
    }

    #[test]
    fn the_test_decides() {
        let text = Text::new(&["a;b;"]).unwrap();
        let lines = lay_out(&text, &mut ask(|_| true)).unwrap();
        assert_eq!(lines.unwrap().bytes(), b"a;\nb;");
        assert!(lay_out(&text, &mut ask(|_| false)).unwrap().is_none());
        let same = Text::new(&["a;\nb;"]).unwrap();
        assert!(lay_out(&same, &mut ask(|_| panic!("nothing to ask about"))).unwrap().is_none());
    }
}
