//! What a lexer has beyond its rules: modes, channels, commands.

use crate::ids::{ModeId, RuleId};
use crate::tokens::TokenType;

/// The lexer half of a grammar.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lexer {
    /// The modes; number 0 is `DEFAULT_MODE`.
    pub modes: Vec<Mode>,
    /// Names of channels by number; 0 is the parser's, 1 is `HIDDEN`.
    pub channels: Vec<String>,
}

/// A set of token rules that compete with each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mode {
    /// Its name.
    pub name: String,
    /// Its token rules (no fragments), the preferred first.
    pub rules: Vec<RuleId>,
}

/// What happens when a token rule has matched, in the order written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Command {
    /// Throw the text away.
    Skip,
    /// Go on collecting text for the same token.
    More,
    /// Give the token another type.
    Type(TokenType),
    /// Send it to a channel.
    Channel(u32),
    /// Switch to a mode.
    Mode(ModeId),
    /// Remember the present mode and switch.
    PushMode(ModeId),
    /// Go back to the mode remembered last.
    PopMode,
}
