//! Reduction by grammar: passes that know which parts of a text may go.
//!
//! A text is parsed with the grammar as it is written and looked at through the normal form
//! ([`polysmith_grammar::normal::View`]): lists are lists whatever way the grammar writes them, unit chains are one
//! node, and each place knows what it accepts. That gives [`nodes::Nodes`], which never changes while a pass runs:
//! deleting an item and putting a descendant in the place of a node both only take tokens away, so all that changes
//! is which tokens are alive ([`live::Live`]: two Fenwick trees for counts and positions). A node's size is always the
//! number of live tokens in its range, and an accepted step costs the logarithm of the text for each token that goes.
//!
//! **No futile question.** A change is a few [`cut::Cut`]s. Before it is asked, two tokens that come together must
//! still be read as two ([`seams`]), and the rule around it must still parse, by token types alone, with nothing lexed
//! again and with long lists cut short ([`proof`]). Only where the text has errors at that place, the whole candidate
//! is parsed instead and must not have more of them.
//!
//! Passes ([`passes`]) other than Perses look at one place after the other and propose changes there ([`sweep`]); after
//! an accepted one the text is parsed again.

mod cut;
mod items;
mod language;
mod live;
mod names;
mod nodes;
pub(crate) mod passes;
mod proof;
mod rewrite;
mod seams;
mod session;
mod sweep;
mod texts;

pub use language::{Counts, Language};
