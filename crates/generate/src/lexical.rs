//! Tokens as text: how each type can be written, and what may follow what.
//!
//! | module | content |
//! |---|---|
//! | [`producers`] | the sequences of token rules that produce a token, by lexer mode |
//! | [`token_text`], [`charset`] | draws the text of a token rule |
//! | [`automata`] | the lexer's automata, which check such a text |
//! | [`lexicon`], [`text_table`] | checked texts and separators, computed once per grammar |
//! | [`writer`] | writes the tokens of a draft so that the lexer reads exactly these tokens back |

pub(crate) mod automata;
pub(crate) mod charset;
pub(crate) mod lexicon;
pub(crate) mod producers;
pub(crate) mod text_table;
pub(crate) mod token_text;
pub(crate) mod writer;
