//! The shape of a language: rules, alternatives, quantifiers, tokens.
//!
//! A [`Grammar`] says which trees a language has, as its author wrote them: EBNF is kept, nothing is
//! desugared, and lexer rules have the same form as parser rules, with characters instead of tokens. What
//! depends on data (attributes, guards, lengths) is not here: engines keep it in tables of their own, keyed by
//! [`RuleId`] and [`AltId`]. How a grammar is written in a file is the business of the front ends.
//!
//! Everything lies in flat arrays, numbered in the order of the text: the blocks of a rule are one range, the
//! alternatives of a block are one range, the elements of an alternative are one range. So walking a grammar
//! follows no pointers, every analysis is an array over ids, and a grammar nested 100,000 deep is no deeper
//! in memory than any other.
//!
//! ```
//! use polysmith_grammar::{Alt, Builder, Quantifier};
//!
//! // list : NUM (',' NUM)* ;
//! let mut b = Builder::new("List");
//! let num = b.token("NUM");
//! let comma = b.literal("','", ",");
//! let list = b.rule("list");
//! let more = b.block(Quantifier::STAR, [Alt::of([comma.into(), num.into()])]);
//! b.body(list, [Alt::of([num.into(), more.into()])]);
//! let grammar = b.finish();
//! assert_eq!(grammar.to_string(), "list : NUM (',' NUM)* ;\n");
//! ```
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod analysis;
mod builder;
mod charset;
mod code;
pub mod coverage;
mod display;
mod ids;
mod lexer;
mod model;
pub mod normal;
mod recursion;
pub mod rewrite;
mod tokens;

pub use builder::{Alt, Builder, DraftBlock, Part};
pub use charset::{CharSet, MAX_CODE_POINT};
pub use code::{Code, CodeKind, Meaning};
pub use display::TokenNames;
pub use ids::{AltId, BlockId, CharSetId, CodeId, ElementId, ModeId, RuleId, TextId, TokenSetId};
pub use lexer::{Command, Lexer, Mode};
pub use model::{
    Alternative, Associativity, Block, Element, ElementKind, Grammar, Label, Quantifier, Rule, RuleKind,
};
pub use recursion::{LeftRecursion, Operator, OperatorClass};
pub use tokens::{Token, TokenType, Tokens};
