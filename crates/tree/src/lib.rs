//! Derivation trees in one flat array.
//!
//! A [`Tree`] is what every engine makes and everything below reads: parsing, generation, mutation and
//! reduction share it. Its nodes are in preorder, twelve bytes each, an inner node with the number of nodes
//! below it; so a subtree is a range, the next sibling is one addition away, and printing is a scan over the
//! leaves. Texts are ranges of one buffer. Hidden and skipped text is in the tree, so a parsed file prints
//! back byte for byte.
//!
//! What it looks like: a rule node names its rule and the alternative taken; each group inside the rule,
//! quantified or not, is a list node with one item node per repetition, which names the alternative taken
//! there; leaves are tokens. Trees are not changed in place: a candidate is a base tree plus [`Edit`]s, printed
//! without being built ([`Tree::write_edited`]) and built when it is accepted ([`Tree::edited`]).
//!
//! ```
//! use polysmith_grammar::{Alt, Builder, Quantifier};
//! use polysmith_tree::{TreeBuilder, show};
//!
//! // s : (A ',')* ;
//! let mut b = Builder::new("T");
//! let (a, comma) = (b.token("A"), b.literal("','", ","));
//! let s = b.rule("s");
//! let items = b.block(Quantifier::STAR, [Alt::of([a.into(), comma.into()])]);
//! b.body(s, [Alt::of([items.into()])]);
//! let grammar = b.finish();
//!
//! let mut tree = TreeBuilder::new();
//! tree.open_rule(s, 1);
//! tree.open_list(grammar.block_numbered(s, 0).unwrap());
//! for _ in 0..2 {
//!     tree.open_item(1);
//!     tree.token(a, b"x");
//!     tree.token(comma, b",");
//!     tree.close();
//! }
//! tree.close();
//! tree.close();
//! let tree = tree.finish();
//! assert_eq!(tree.to_bytes(), b"x,x,");
//! assert_eq!(show::sexpr(&tree, &grammar), "(s x , x ,)");
//! ```
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod buffers;
mod build;
mod coverage;
mod edit;
mod edited;
mod node;
mod order;
mod preorder;
mod recognize;
pub mod save;
pub mod show;
mod tree;

pub use buffers::{BufferId, BufferSpan, Buffers};
pub use build::TreeBuilder;
pub use edit::{Edit, EditedPart, Edits, Shift};
pub use edited::{Replacement, TreeEdit};
pub use node::{Gap, Kind, Node, NodeId};
pub use order::{OrderError, Run};
pub use preorder::{Open, Preorder};
pub use recognize::{ReadError, Reading, Recognizer, TokenText};
pub use tree::{Children, Tree};
