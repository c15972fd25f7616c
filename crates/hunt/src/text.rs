//! Texts of targets and tests, made safe to show.

use std::fmt::Write as _;

/// One line of at most `max` characters. Control characters, line ends and invalid bytes are shown as escapes, so that a
/// hostile text can neither move the cursor nor forge a line.
#[must_use]
pub fn one_line(bytes: &[u8], max: usize) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut line = String::new();
    for (n, c) in text.trim().chars().enumerate() {
        if n == max {
            line.push('…');
            break;
        }
        escape(c, &mut line);
    }
    line
}

/// The text with its line ends; everything else that is not printable is shown as an escape.
#[must_use]
pub fn printable(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => shown.push(c),
            c => escape(c, &mut shown),
        }
    }
    shown
}

/// Whether a character changes the direction, is invisible, or is for private use, so that no font shows it: such characters
/// can disguise a text.
fn is_hidden(c: char) -> bool {
    let is_private = matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}');
    is_private
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

fn escape(c: char, to: &mut String) {
    match c {
        '\n' => to.push_str("\\n"),
        '\r' => to.push_str("\\r"),
        '\t' => to.push_str("\\t"),
        c if c.is_control() || is_hidden(c) => {
            let _ = write!(to, "\\u{{{:x}}}", u32::from(c));
        }
        c => to.push(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_text_is_one_harmless_line() {
        assert_eq!(one_line(b"a\x1b[2Jb\nc\xff\r", 100), "a\\u{1b}[2Jb\\nc\u{fffd}");
        assert_eq!(one_line(b"abcdef", 3), "abc…");
        assert_eq!(one_line("\u{e000}\u{202e}".as_bytes(), 9), "\\u{e000}\\u{202e}");
        assert_eq!(printable(b"a\n\x07\tb"), "a\n\\u{7}\tb");
    }
}
