//! Layout inside strings: how a computed text says "a line further in".
//!
//! A template has `\n`, `\+` and `\-` for a new line at the same indentation, one step further in, one step
//! further out. A string that a print command gives can say the same: its line breaks and these two
//! characters are carried out by the printer. They are the shift characters of ASCII, which no program text
//! needs.

/// A new line, one step further in (`\+`).
pub const INDENT: char = '\u{0e}';
/// A new line, one step further out (`\-`).
pub const UNINDENT: char = '\u{0f}';
