//! Limits in the messages of engines, named as options of the command line.

use polysmith_generate::SetupError;

/// What is wrong with the options for a grammar, with limits as the options that set them.
pub fn setup_message(error: &SetupError) -> String {
    match error {
        SetupError::Depth { given, least } => {
            format!("--max-depth {given} is too small: the smallest that works is {least}")
        }
        SetupError::Tokens { given, depth, least } => format!(
            "--max-tokens {given} is too small: the smallest that works with --max-depth {depth} is {least}"
        ),
        SetupError::MinAboveLimit { given, limit } => {
            format!("--min-tokens {given} is too large: --max-tokens is {limit}")
        }
        SetupError::MinAboveLongest { given, longest } => {
            format!("--min-tokens {given} is too large: the longest text has {longest} tokens")
        }
        SetupError::TooDeep { start, rule, least } => {
            format!("no text of `{start}` within the limits contains `{rule}`: --max-depth {least} would do")
        }
        SetupError::NoStart
        | SetupError::Fragment(_)
        | SetupError::Infinite { .. }
        | SetupError::Unreachable { .. }
        | SetupError::Grammar(_) => error.to_string(),
    }
}

/// Writes the limits that a message about one test names, such as `max-height`, as the options that set them. Engines
/// for specifications give such messages as text.
pub fn as_options(message: &str) -> String {
    const LIMITS: &[&str] = &["max-restarts", "max-height", "max-alternatives"];
    LIMITS.iter().fold(message.to_owned(), |text, limit| text.replace(limit, &format!("--{limit}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_become_options_of_generate() {
        let message = setup_message(&SetupError::Tokens { given: 3, depth: 9, least: 5 });
        assert_eq!(message, "--max-tokens 3 is too small: the smallest that works with --max-depth 9 is 5");
        assert_eq!(as_options("nothing within max-height 3"), "nothing within --max-height 3");
    }

    #[test]
    fn only_the_names_of_limits_differ_from_the_message_of_the_library() {
        let (start, rule) = ("s".to_owned(), "x".to_owned());
        let errors = [
            SetupError::Depth { given: 1, least: 2 },
            SetupError::Tokens { given: 1, depth: 2, least: 3 },
            SetupError::MinAboveLimit { given: 5, limit: 3 },
            SetupError::MinAboveLongest { given: 5, longest: 3 },
            SetupError::TooDeep { start, rule, least: 4 },
        ];
        for error in errors {
            let plain = setup_message(&error).replace("--m", "m");
            assert_eq!(plain, error.to_string());
        }
    }
}
