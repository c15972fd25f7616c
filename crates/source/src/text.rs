//! Decodes inputs, and formats bytes for people.

use std::fmt;

/// The encoding of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// UTF-8; anything else is an error with its offset.
    #[default]
    Utf8,
    /// Each byte is the code point of the same number.
    Latin1,
}

/// Bytes that are not UTF-8.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodeError {
    /// Offset of the first invalid byte.
    pub offset: usize,
    /// That byte, unless the input ends in the middle of a character.
    pub byte: Option<u8>,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.byte {
            Some(byte) => write!(f, "byte {byte:#04x} at offset {} is not valid UTF-8", self.offset),
            None => write!(f, "the UTF-8 character at offset {} is cut off", self.offset),
        }
    }
}

impl std::error::Error for DecodeError {}

/// Decodes bytes. A byte order mark is kept: the reader decides what to do with it.
pub fn decode(bytes: Vec<u8>, encoding: Encoding) -> Result<String, DecodeError> {
    match encoding {
        Encoding::Latin1 => Ok(bytes.into_iter().map(char::from).collect()),
        Encoding::Utf8 => String::from_utf8(bytes).map_err(|error| {
            let offset = error.utf8_error().valid_up_to();
            let byte = error.utf8_error().error_len().map(|_| error.as_bytes()[offset]);
            DecodeError { offset, byte }
        }),
    }
}

/// Formats bytes for people: printable text verbatim, `\` doubled, the rest as `\n` or `\xNN`. Reversible.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a>(pub &'a [u8]);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            for c in chunk.valid().chars() {
                match c {
                    '\\' => f.write_str("\\\\")?,
                    '\n' => f.write_str("\\n")?,
                    '\r' => f.write_str("\\r")?,
                    '\t' => f.write_str("\\t")?,
                    c if c.is_control() => write!(f, "\\u{{{:x}}}", u32::from(c))?,
                    c => write!(f, "{c}")?,
                }
            }
            for byte in chunk.invalid() {
                write!(f, "\\x{byte:02x}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_bytes_are_named_with_their_offset() {
        let error = decode(b"ab\xffc".to_vec(), Encoding::Utf8).unwrap_err();
        assert_eq!(error, DecodeError { offset: 2, byte: Some(0xff) });
        assert_eq!(decode(b"ab\xff".to_vec(), Encoding::Latin1).unwrap(), "abÿ");
        assert_eq!(decode(b"a\xe2\x82".to_vec(), Encoding::Utf8).unwrap_err().byte, None);
    }

    #[test]
    fn shown_bytes_are_one_printable_line() {
        assert_eq!(Shown(b"a\\b\n\x01\xffz").to_string(), r"a\\b\n\u{1}\xffz");
    }
}
