//! A choice of the draft that the parser makes again when it reads the text.

use polysmith_grammar::{AltId, BlockId, Grammar};

/// What the draft chose, and what the parser has to choose too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Choice {
    /// An alternative of a group or of a rule's body.
    Alternative(AltId),
    /// The end of a group: no further iteration. For the body of a left-recursive rule: no further operator.
    Leave(BlockId),
}

/// Numbers the choices of a grammar, for tables with one row for each: alternatives first, then the ends of groups.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChoiceRows {
    n_alternatives: usize,
    n_blocks: usize,
}

impl ChoiceRows {
    pub(crate) fn new(grammar: &Grammar) -> ChoiceRows {
        ChoiceRows { n_alternatives: grammar.n_alternatives(), n_blocks: grammar.n_blocks() }
    }

    /// The number of rows.
    pub(crate) fn len(self) -> usize {
        self.n_alternatives + self.n_blocks
    }

    /// The row of a choice.
    #[inline]
    pub(crate) fn of(self, choice: Choice) -> usize {
        match choice {
            Choice::Alternative(alt) => alt.index(),
            Choice::Leave(block) => self.n_alternatives + block.index(),
        }
    }
}
