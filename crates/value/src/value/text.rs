//! Strings: up to [`INLINE`] bytes are stored inline, longer ones are shared.
//!
//! Names of variables and types are short, and symbol tables compare them constantly.

use std::cmp::Ordering;
use triomphe::Arc;

/// The maximum length of an inline string, in bytes.
const INLINE: usize = 14;

/// A string value. A `Long` is always longer than [`INLINE`], so equal strings have the same form.
#[derive(Clone)]
pub enum Text {
    /// A string that is stored inline: the first `len` bytes of `bytes`.
    Short {
        /// Its length in bytes.
        len: u8,
        /// Its bytes, followed by zeros.
        bytes: [u8; INLINE],
    },
    /// A longer string.
    Long(Arc<Box<str>>),
}

impl Text {
    /// Creates a string value.
    pub fn new(text: &str) -> Text {
        if text.len() <= INLINE { Text::short(text) } else { Text::Long(Arc::new(text.into())) }
    }

    /// Like [`Text::new`], but keeps the allocation of a long text.
    pub(crate) fn from_string(text: String) -> Text {
        if text.len() <= INLINE { Text::short(&text) } else { Text::Long(Arc::new(text.into())) }
    }

    fn short(text: &str) -> Text {
        let mut bytes = [0; INLINE];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        Text::Short { len: u8::try_from(text.len()).expect("at most 14 bytes"), bytes }
    }

    /// Concatenates two strings.
    pub(crate) fn joined(&self, other: &Text) -> Text {
        if let (Text::Short { len, bytes }, Text::Short { len: more, bytes: following }) = (self, other) {
            let (start, end) = (usize::from(*len), usize::from(*len + *more));
            if end <= INLINE {
                let mut bytes = *bytes;
                bytes[start..end].copy_from_slice(&following[..usize::from(*more)]);
                return Text::Short { len: *len + *more, bytes };
            }
        }
        let mut joined = String::with_capacity(self.as_bytes().len() + other.as_bytes().len());
        joined.push_str(self.as_str());
        joined.push_str(other.as_str());
        Text::from_string(joined)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        match self {
            Text::Short { len, bytes } => {
                std::str::from_utf8(&bytes[..usize::from(*len)]).expect("made from a string")
            }
            Text::Long(text) => text,
        }
    }

    /// The bytes: cheaper than [`Text::as_str`], with the same order.
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Text::Short { len, bytes } => &bytes[..usize::from(*len)],
            Text::Long(text) => text.as_bytes(),
        }
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Text) -> bool {
        match (self, other) {
            (Text::Short { len, bytes }, Text::Short { len: other_len, bytes: other }) => {
                len == other_len && bytes == other
            }
            (Text::Long(a), Text::Long(b)) => Arc::ptr_eq(a, b) || a == b,
            _ => false,
        }
    }
}

impl Eq for Text {}

impl Ord for Text {
    fn cmp(&self, other: &Text) -> Ordering {
        match (self, other) {
            // The zero padding makes the bytes compare as the strings do, except for strings that end in zeros
            // themselves: there the length decides.
            (Text::Short { len, bytes }, Text::Short { len: other_len, bytes: other }) => {
                words(bytes).cmp(&words(other)).then(len.cmp(other_len))
            }
            _ => self.as_bytes().cmp(other.as_bytes()),
        }
    }
}

/// The bytes as one integer with the same order.
fn words(bytes: &[u8; INLINE]) -> u128 {
    let mut wide = [0; 16];
    wide[..INLINE].copy_from_slice(bytes);
    u128::from_be_bytes(wide)
}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Text) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
