//! Lexer and parser over a [`polysmith_grammar::Grammar`]: text to tree, with ANTLR's choices and errors.
//!
//! ANTLR v4 is followed to the letter, as its *generated* parsers behave: the same tokens, the same tree, the
//! same messages at the same places, the same recovery. How it is made here: the grammar is compiled once into
//! a network (for prediction and recovery), a program (for the parser) and automata (for the lexer); automata
//! and predictions are learned while parsing and kept ([`Parser`]).
//!
//! What is not here: the syntax of `.g4` files, files, and printing. Code of a target language in a grammar is
//! not run: predicates `{false}?` and `{true}?` are obeyed, others are true, actions do nothing, unless [`hooks`] say
//! what they mean.
//!
//! ```
//! use polysmith_grammar::{Alt, Builder, CharSet, Command, ModeId, Quantifier};
//! use polysmith_parse::{Limits, Parser};
//!
//! // s : ID (',' ID)* EOF ;   ID : [a-z]+ ;   WS : ' ' -> skip ;
//! let mut b = Builder::new("List");
//! let (comma, id, ws) = (b.literal("','", ","), b.token("ID"), b.token("WS"));
//! let s = b.rule("s");
//! let more = b.block(Quantifier::STAR, [Alt::of([comma.into(), id.into()])]);
//! b.body(s, [Alt::of([id.into(), more.into(), polysmith_grammar::TokenType::EOF.into()])]);
//! for (name, token, text) in [("T__0", comma, ","), ("WS", ws, " ")] {
//!     let rule = b.token_rule(name, Some(token), ModeId::new(0));
//!     let text = b.text(text);
//!     let skip = (name == "WS").then_some(Command::Skip);
//!     b.body(rule, [Alt::of([text.into()]).commands(skip)]);
//! }
//! let rule = b.token_rule("ID", Some(id), ModeId::new(0));
//! let letters = b.chars(CharSet::from_ranges([(97, 122)]));
//! let word = b.block(Quantifier::PLUS, [Alt::of([letters.into()])]);
//! b.body(rule, [Alt::of([word.into()])]);
//! let grammar = std::sync::Arc::new(b.finish());
//!
//! let mut parser = Parser::new(grammar.clone()).unwrap();
//! let parsed = parser.parse(s, "a, b", &Limits::default()).unwrap();
//! assert!(parsed.accepted());
//! assert_eq!(polysmith_tree::show::sexpr(&parsed.tree, &grammar), "(s a , b <EOF>)");
//! assert_eq!(parsed.tree.to_bytes(), b"a, b");
//! let parsed = parser.parse(s, "a,,b", &Limits::default()).unwrap();
//! assert_eq!(parsed.errors[0].message, "extraneous input ',' expecting ID");
//! ```
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod coarse;
pub mod codes;
mod compiled;
mod decisions;
mod error;
mod fast;
pub mod hooks;
mod index;
mod learned;
mod lexer;
mod lookahead;
mod machine;
mod names;
mod network;
mod parser;
mod position;
mod predict;
mod profile;
mod program;
mod recognize;
mod show;
mod spare;
mod types;

pub use decisions::{DecisionTable, Decisions};
pub use error::{CompileError, Limits, ParseError};
pub use lexer::{Dropped, LexState, LexWalk, Lexed, LexerView, ReportedError, Token};
pub use lookahead::{Lookahead, PendingPrediction, Prediction};
pub use machine::{ErrorKind, SyntaxError};
pub use parser::{ForcedAlternative, ParseOptions, Parsed, Parser, PredictionCost, lexer_errors};
pub use position::{PositionCursor, Positions};
pub use predict::Callers;
pub use profile::{Ambiguity, DecisionProfile, Profile};
pub use recognize::TextRecognizer;
pub use show::{show_tokens, type_name, write_tokens};
