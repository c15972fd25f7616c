//! Words of a shell: quoting, in one place for all that write command lines.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;

/// A word as a POSIX shell reads it back: in single quotes where it needs them.
#[must_use]
pub fn quote(word: impl AsRef<OsStr>) -> OsString {
    let bytes = word.as_ref().as_bytes();
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-+=:,@%".contains(byte);
    if !bytes.is_empty() && bytes.iter().all(is_plain) {
        return word.as_ref().to_owned();
    }
    let mut quoted = b"'".to_vec();
    for byte in bytes {
        match byte {
            b'\'' => quoted.extend_from_slice(b"'\\''"),
            byte => quoted.push(*byte),
        }
    }
    quoted.push(b'\'');
    OsStr::from_bytes(&quoted).to_owned()
}

/// Words as one command line.
#[must_use]
pub fn join<W: AsRef<OsStr>>(words: impl IntoIterator<Item = W>) -> OsString {
    let quoted: Vec<OsString> = words.into_iter().map(quote).collect();
    quoted.join(OsStr::new(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_back_what_was_quoted() {
        let words = ["plain-1.c", "", "it's", "a b", "$x `y` \"z\"", "*", "-o=x", "\\", "ä", "two\nlines"];
        let line = join(words);
        let script = OsStr::from_bytes(b"printf '%s\\0' ").to_owned();
        let command = [script, line].join(OsStr::new(""));
        let output = std::process::Command::new("sh").arg("-c").arg(command).output().unwrap();
        let read: Vec<&[u8]> = output.stdout.strip_suffix(b"\0").unwrap().split(|byte| *byte == 0).collect();
        assert_eq!(read, words.map(str::as_bytes));
        assert_eq!(quote("plain-1.c"), "plain-1.c");
    }
}
