//! Limits in the messages of engines, named as options of the command line.

/// Writes the limits that a message of an engine names, such as `max-depth`, as the options that set them.
pub fn as_options(message: &str) -> String {
    const LIMITS: &[&str] =
        &["max-depth", "max-tokens", "min-tokens", "max-restarts", "max-height", "max-alternatives"];
    LIMITS.iter().fold(message.to_owned(), |text, limit| text.replace(limit, &format!("--{limit}")))
}

#[cfg(test)]
mod tests {
    #[test]
    fn limits_become_options_of_generate() {
        let message = super::as_options("max-tokens 3 is too small: the smallest with max-depth 9 is 5");
        assert_eq!(message, "--max-tokens 3 is too small: the smallest with --max-depth 9 is 5");
    }
}
