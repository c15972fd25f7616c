//! Decisions: which alternative the parser will take, as far as it can be known before a text is finished.
//!
//! | module | question |
//! |---|---|
//! | [`one_token`] | Which decisions does the next token settle? |
//! | [`questions`] | Which decisions of the parser correspond to a choice of the draft? |
//! | [`statistics`] | How often did the parser take each option before each token? |
//! | [`training`] | Fills the statistics by drafts that are thrown away. |

pub(crate) mod one_token;
pub(crate) mod questions;
pub(crate) mod statistics;
pub(crate) mod training;
