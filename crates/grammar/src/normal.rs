//! The Perses normal form of a grammar (Sun et al., ICSE 2018, Section 4.1), as a grammar and as a view of trees.
//!
//! In this form every rule is a sequence, or one symbol with `*`, `+` or `?`; recursion at an end of a rule has
//! become a quantifier, and nothing but the start rule derives the empty text. It says which parts of a text may
//! go: the items of lists, and what is optional.
//!
//! Algorithm 1 as printed in the paper neither always ends nor stays small. Here it does both:
//!
//! - What is quantified already is kept, and a nullable symbol becomes optional where it is used, so removing empty
//!   alternatives at most squares an alternative in which everything may be empty.
//! - Recursion is removed in the textbook order: a nonterminal is freed of its own recursion before it is put into
//!   later ones, so each substitution strictly raises the number of the leading nonterminal, and ends.
//! - Substitution inside a component of mutual recursion may still grow exponentially with the number of its
//!   nonterminals. A component that would grow beyond [`GROWTH_LIMIT`] times its size stays as it was, and
//!   [`NormalForm::kept`] names it. The result is thus at most that much larger than the grammar.
//!
//! The language of the grammar (as sequences of tokens) is the same before and after; precedence is not, which is
//! why reduction parses with the grammar as written and only looks through the form: see [`View`].
//!
//! ```
//! use polysmith_grammar::{Alt, Builder};
//!
//! // e : e '+' e | ID ;
//! let mut b = Builder::new("E");
//! let (plus, id) = (b.literal("'+'", "+"), b.token("ID"));
//! let e = b.rule("e");
//! b.body(e, [Alt::of([e.into(), plus.into(), e.into()]), Alt::of([id.into()])]);
//! let grammar = b.finish();
//!
//! let form = polysmith_grammar::normal::normal_form(&grammar, e);
//! assert_eq!(form.grammar.to_string(), "e : ID e_star ;\ne_part : '+' e ;\ne_star : e_part* ;\n");
//! ```

mod emit;
mod form;
mod import;
mod quantify;
mod recursion;
mod view;

pub use view::{Comb, Expected, GroupView, View};

use crate::ids::RuleId;
use crate::model::Grammar;
use form::Form;

/// A component of mutual recursion may grow to so many times its size (plus a constant) before it is kept as it was.
pub const GROWTH_LIMIT: usize = 4;

/// A grammar in normal form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NormalForm {
    /// The grammar: same tokens, same lexer, other parser rules.
    pub grammar: Grammar,
    /// Names of rules whose mutual recursion was left as it is because the result would have been too large.
    pub kept: Vec<String>,
}

/// The normal form of what a start rule reaches. A start rule without any finite text is returned as it is.
pub fn normal_form(grammar: &Grammar, start: RuleId) -> NormalForm {
    let Some(mut form) = import::import(grammar, start) else {
        return NormalForm { grammar: grammar.clone(), kept: Vec::new() };
    };
    let mut kept = recursion::remove_left(&mut form);
    quantify::quantify(&mut form);
    kept.extend(recursion::remove_right(&mut form));
    quantify::quantify(&mut form);
    let mut names: Vec<String> = kept.into_iter().map(|at| form.names[at].clone()).collect();
    names.sort_unstable();
    names.dedup();
    NormalForm { grammar: emit::emit(grammar, &form), kept: names }
}

/// Whether a form is small enough for its algorithms; shared by the passes.
fn weight(form: &Form, nonterminals: impl Iterator<Item = usize>) -> usize {
    nonterminals.flat_map(|at| &form.rules[at]).map(|sequence| sequence.len() + 1).sum()
}
