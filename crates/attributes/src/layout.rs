//! Layout characters inside strings: how a computed text requests indentation.
//!
//! A template has `\n`, `\+` and `\-` for a new line at the same, a deeper and a shallower indentation. A string that
//! a print command computes can do the same: the printer interprets its line breaks and these two characters. They are
//! the shift characters of ASCII, which program texts do not need.

/// A new line, one level deeper (`\+`).
pub const INDENT: char = '\u{0e}';
/// A new line, one level shallower (`\-`).
pub const UNINDENT: char = '\u{0f}';
