//! Numbers that name the parts of a grammar.

use std::ops::Range;

macro_rules! id {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// The id with this number.
            #[inline]
            pub fn new(number: usize) -> $name {
                $name(u32::try_from(number).expect("a grammar has fewer than 2^32 parts"))
            }

            /// Its number, as an index into arrays kept by id.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// All ids of a range, in order.
            pub fn range(range: Range<$name>) -> impl DoubleEndedIterator<Item = $name> + ExactSizeIterator + Clone {
                (range.start.0..range.end.0).map($name)
            }
        }
    )*};
}

id! {
    /// A parser rule, a token rule or a fragment.
    RuleId
    /// A rule's body or a group inside it.
    BlockId
    /// An alternative of some block. Coverage counts these.
    AltId
    /// One place in an alternative.
    ElementId
    /// A set of characters.
    CharSetId
    /// A set of token types.
    TokenSetId
    /// An action or predicate.
    CodeId
    /// A literal text of a lexer rule.
    TextId
    /// A lexer mode; 0 is the default one.
    ModeId
}
