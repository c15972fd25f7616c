//! The characters of names.

/// Whether a name may begin with `c`. ANTLR's tool accepts only the basic multilingual plane.
pub(super) fn is_start(c: char) -> bool {
    matches!(c,
        'A'..='Z' | 'a'..='z' | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}'
        | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}' | '\u{200C}'..='\u{200D}' | '\u{2070}'..='\u{218F}'
        | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}'
        | '\u{FDF0}'..='\u{FEFE}' | '\u{FF00}'..='\u{FFFD}')
}

/// Whether a name may continue with `c`.
pub(super) fn is_part(c: char) -> bool {
    is_start(c) || matches!(c, '0'..='9' | '_' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}

/// Whether a name refers to a token: its first character is upper case. All other names refer to parser rules.
pub(crate) fn is_token(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase)
}
