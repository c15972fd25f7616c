//! Decisions: which alternative the parser will take, as far as it can be known before a text is finished.
//!
//! | module | question |
//! |---|---|
//! | [`choice`] | What does the draft choose that the parser chooses again? |
//! | [`one_token`] | Which choices does the next token settle? |
//! | [`questions`] | Which decisions of the parser correspond to a choice of the draft? |
//! | [`statistics`] | How often did the parser agree with each choice before each token? |
//! | [`training`] | Fills the statistics by drafts that are thrown away. |

pub(crate) mod choice;
pub(crate) mod one_token;
pub(crate) mod questions;
pub(crate) mod statistics;
pub(crate) mod training;
