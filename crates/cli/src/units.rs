//! Times and sizes on the command line: one notation for all commands.

use std::time::Duration;

/// A number of bytes, or no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size(pub Option<u64>);

impl std::fmt::Display for Size {
    /// Writes what [`parse_size`] reads.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(bytes) => write!(f, "{bytes}"),
            None => f.write_str("none"),
        }
    }
}

/// Reads seconds with an optional fraction: `5`, `0.5`.
///
/// # Errors
/// The text is not such a number.
pub fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected seconds, such as 5 or 0.5".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

/// Reads a time with an optional unit: `90`, `90s`, `10m`, `2h`.
///
/// # Errors
/// The text is not such a time.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.find(|c: char| c.is_ascii_alphabetic()) {
        Some(at) => text.split_at(at),
        None => (text, "s"),
    };
    let factor = match unit {
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("`{unit}` is no unit of time: s, m or h")),
    };
    parse_seconds(number).map(|time| time.mul_f64(factor))
}

/// Reads a size with an optional unit, or `none`: `500M`, `4G`.
///
/// # Errors
/// The text is not such a size.
pub fn parse_size(text: &str) -> Result<Size, String> {
    if text == "none" {
        return Ok(Size(None));
    }
    let (number, shift) = match text.as_bytes().last() {
        Some(b'K' | b'k') => (&text[..text.len() - 1], 10),
        Some(b'M' | b'm') => (&text[..text.len() - 1], 20),
        Some(b'G' | b'g') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let number: u64 = number.parse().map_err(|_| "expected a size such as 500M, 4G or none".to_owned())?;
    number
        .checked_shl(shift)
        .filter(|size| size >> shift == number)
        .map(|size| Size(Some(size)))
        .ok_or_else(|| "too large".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(parse_time("90"), parse_time("1.5m"));
        assert_eq!(parse_time("2h"), Ok(Duration::from_secs(7200)));
        assert!(parse_time("2d").is_err() && parse_time("-1s").is_err() && parse_time("s").is_err());
    }

    #[test]
    fn sizes_have_units_and_bounds() {
        assert_eq!(parse_size("4G"), Ok(Size(Some(4 << 30))));
        assert_eq!(parse_size("none"), Ok(Size(None)));
        assert!(parse_size("G").is_err() && parse_size("99999999999G").is_err());
    }
}
