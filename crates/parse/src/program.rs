//! What the parser runs: a flat list of instructions, compiled from the grammar as written.
//!
//! An instruction matches a token, calls a rule, decides, or shapes the tree. Each that can fail names the
//! network state in which ANTLR's generated code would be at that moment, because recovery depends on it. So the
//! tree follows the grammar as its author wrote it (groups, items, alternatives), while prediction and recovery
//! follow ANTLR's network. What always happens together is one instruction ([`fuse`]).

mod emit;
mod fuse;

use crate::network::StateId;
pub(crate) use emit::compile;
use polysmith_grammar::{BlockId, CodeId};

/// Place in the program.
pub(crate) type Pc = u32;

/// One instruction.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Op {
    Match {
        token: u32,
        state: StateId,
    },
    MatchAndReturn {
        token: u32,
        state: StateId,
    },
    /// `RuleAlt`, and the `Match` that follows it.
    AltAndMatch {
        alt: u32,
        token: u32,
        state: StateId,
    },
    AltMatchAndReturn {
        alt: u32,
        token: u32,
        state: StateId,
    },
    /// `any`: the wildcard, which leaves a node for a token that it had to invent.
    MatchSet {
        set: u32,
        state: StateId,
        any: bool,
    },
    /// `follow`: where the network goes on after the call.
    Call {
        rule: u32,
        precedence: u32,
        follow: StateId,
    },
    /// `Call` of a rule that begins with a `Decide`.
    CallAndDecide {
        rule: u32,
        precedence: u32,
        follow: StateId,
    },
    /// `Call` of a rule that begins with a call: all that follow are entered at once, see [`Descent`].
    CallAndDescend {
        rule: u32,
        precedence: u32,
        follow: StateId,
    },
    Predicate {
        code: CodeId,
        state: StateId,
    },
    /// An action that hooks cover.
    Action {
        code: CodeId,
        state: StateId,
    },
    Precedence {
        precedence: u32,
        state: StateId,
    },
    Sync {
        state: StateId,
    },
    /// `row`: where answers by token are kept.
    Decide {
        site: u32,
        row: u32,
    },
    /// Whether another operator follows; there is a row for each precedence.
    DecideOperator {
        site: u32,
        row: u32,
    },
    Jump(Pc),
    Return,
    /// Adds a group without items and returns.
    EmptyAndReturn {
        block: u32,
    },
    /// Opens a group and its first item, and goes on at `to`.
    Open {
        block: u32,
        alt: u32,
        to: Pc,
    },
    /// Adds a group without items.
    OpenNone {
        block: u32,
    },
    /// Closes an item, opens the next and goes on at `to`.
    Next {
        alt: u32,
        to: Pc,
    },
    /// Closes an item and its group.
    Close,
    CloseAndReturn,
    ItemAlt(u32),
    ItemAltOf {
        table: u32,
    },
    RuleAlt(u32),
    RuleAltOf {
        table: u32,
    },
    /// Makes what the rule has so far the first operand of this alternative.
    Wrap {
        alt: u32,
    },
}

/// A place where the parser decides.
#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) decision: u32,
    /// The state in which generated code syncs and predicts.
    pub(crate) state: StateId,
    /// Where each alternative goes on.
    pub(crate) targets: Box<[Pc]>,
    /// The target that is taken if one token decides and none fits; `None` is an error.
    pub(crate) otherwise: Option<u16>,
    /// It has a row of answers for each precedence.
    pub(crate) by_precedence: bool,
}

/// The calls with which a rule begins, one inside the other: whatever comes, all of them are made. Grammars that give each
/// level of operators a rule of its own have a dozen of them before every operand.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Descent {
    /// The calls are `calls[first..end]`.
    pub(crate) first: u32,
    pub(crate) end: u32,
    /// Where the innermost rule begins.
    pub(crate) to: Pc,
}

/// A call of a descent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DescentCall {
    pub(crate) rule: u32,
    pub(crate) precedence: u32,
    pub(crate) follow: StateId,
    /// Where the caller goes on.
    pub(crate) back: Pc,
    /// The alternative of the rule, if it has only one.
    pub(crate) alt: u32,
    /// The number of calls of the descent before it.
    pub(crate) level: u32,
}

/// The number of a call where there is none.
pub(crate) const NO_CALL: u32 = u32::MAX;

/// The whole program.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) ops: Vec<Op>,
    pub(crate) sites: Vec<Site>,
    /// The number of rows of answers that the sites have.
    pub(crate) n_rows: u32,
    /// Alternative of a block that is a set, by token: pairs, sorted.
    pub(crate) tables: Vec<Vec<(u32, u32)>>,
    /// By rule number: its first instruction.
    pub(crate) entries: Vec<Pc>,
    /// By rule number: its alternative, if it has only one.
    pub(crate) only_alt: Vec<u32>,
    /// By rule number.
    pub(crate) descents: Vec<Descent>,
    pub(crate) calls: Vec<DescentCall>,
    /// By decision: the group that it is about; `None` is the rule itself.
    pub(crate) decision_blocks: Vec<Option<BlockId>>,
}
