//! Sprigs: small subtrees that are drawn once and stand in many tests.
//!
//! Most of a large tree lies close to its leaves: an expression grammar walks down fifteen rules to an identifier, and
//! asks the parser about half of them, every time in the same way. So what a call with a small budget becomes is drawn
//! beforehand, without texts, and copied: a *sprig*. Its texts and separators are drawn where it stands.
//!
//! A place (a [`Context`] and a size) has [`POOL`] sprigs; which one stands at a call is drawn there, and a few calls
//! are walked all the same, so every tree stays possible. A sprig follows from the run's seed, the place and its number
//! alone. It is drawn when it is first needed, and when that is makes no difference. Every [`ERA`] tests have others.
//!
//! What is decided inside of a sprig is followed while it is drawn, but only by what holds whoever calls
//! ([`polysmith_parse::PendingPrediction`]'s approximation): those decisions are settled wherever the sprig stands. The others,
//! mostly about its end, are listed, and are open questions of every test that it stands in.

use super::choose::Stratum;
use super::lock::{Link, Lock, Pending};
use super::{Drafter, NONE};
use crate::curves::Curve;
use crate::tables::Tables;
use polysmith_grammar::{ModeId, RuleId, TokenType};
use polysmith_random::{Draw, Stream};
use polysmith_tree::{Kind, Node, Tree, TreeBuilder};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash as _, Hasher as _};

/// Sprigs for one place.
const POOL: u64 = 32;
/// For every [`POOL`] calls that become sprigs so many are walked.
const WALKED: u64 = 4;
/// Budgets that sprigs are drawn with; a budget in between is rounded down.
const SIZES: [u32; 10] = [0, 1, 2, 3, 4, 6, 8, 12, 16, 24];
/// One sprig has at most one in so many of the tokens that a test aims at: small tests vary where large ones need not.
const PART: u32 = 4;
/// The most rule calls inside each other in a sprig; rules that need more than half of them have none.
pub(super) const MOST_HEIGHT: u32 = 128;
/// Tests that have the same sprigs.
const ERA: u64 = 1 << 16;
/// Nodes of all sprigs together. Beyond that they are dropped, and drawn again where they are needed.
const MOST_NODES: usize = 1 << 22;

/// What a subtree depends on besides its budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Context {
    pub(super) rule: RuleId,
    pub(super) precedence: u32,
    /// The operator whose left operand it ends; [`NONE`] if there is none.
    pub(super) operator: u32,
    pub(super) mode: ModeId,
}

/// Where a sprig is kept, whether it has been drawn or not.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    at: usize,
    number: u64,
    /// The budget that it is drawn with.
    pub(super) size: u32,
}

/// A subtree without texts. What it consists of are runs in the lists of [`Sprigs`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Sprig {
    parts: Run,
    locks: Run,
    pending: Run,
    links: Run,
    types: Run,
    /// Rule calls inside each other.
    pub(super) height: u32,
    pub(super) first: TokenType,
    pub(super) last: TokenType,
}

impl Sprig {
    pub(super) fn tokens(&self) -> u32 {
        self.types.len
    }

    /// Whether something is decided inside that the parser may still take otherwise.
    pub(super) fn is_open(&self) -> bool {
        self.locks.len > 0 || self.pending.len > 0
    }
}

/// Neighbours in a list.
#[derive(Debug, Clone, Copy)]
struct Run {
    from: u32,
    len: u32,
}

impl Run {
    /// Everything that was added to a list since it had `from` elements.
    fn since<T>(list: &[T], from: usize) -> Run {
        Run { from: from as u32, len: (list.len() - from) as u32 }
    }

    fn of<T>(self, list: &[T]) -> &[T] {
        &list[self.from as usize..][..self.len as usize]
    }
}

/// A node of a sprig.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) node: Node,
    /// Its parent, counted from the sprig's first node; [`NONE`] if that is this one.
    pub(super) parent: u32,
}

/// What a slot holds that no sprig was drawn for yet, and where none can be drawn.
const UNKNOWN: u32 = u32::MAX;
const IMPOSSIBLE: u32 = u32::MAX - 1;

/// All sprigs of a worker.
#[derive(Debug)]
pub(crate) struct Sprigs {
    seed: u64,
    era: u64,
    /// By rule: too high for sprigs.
    is_high: Vec<bool>,
    places: FxHashMap<(Context, u32), u32>,
    slots: Vec<u32>,
    list: Vec<Sprig>,
    /// Sprigs by a hash of their contents: equal ones are one.
    equals: FxHashMap<u64, u32>,
    parts: Vec<Part>,
    /// The types of all tokens, and their places among the sprig's parts.
    types: Vec<u32>,
    leaves: Vec<u32>,
    /// Questions that are open at a sprig's end. Tokens and calls are counted from the sprig's first.
    locks: Vec<Lock>,
    pending: Vec<Pending>,
    links: Vec<Link>,
    /// What sprigs are drawn with.
    pub(super) nursery: Nursery,
}

/// Draws beside the draft that needs a sprig.
#[derive(Debug)]
pub(super) struct Nursery {
    pub(super) drafter: Drafter,
    pub(super) builder: TreeBuilder,
    tree: Option<Tree>,
    open: Vec<Above>,
    needed: Vec<u32>,
}

/// A node that others lie below.
#[derive(Debug, Clone, Copy)]
struct Above {
    at: u32,
    end: usize,
    /// Rules from the root on, itself included.
    height: u32,
}

impl Sprigs {
    /// The largest budget that becomes a sprig, in a test that aims at so many tokens.
    pub(super) fn largest(target: u32) -> u32 {
        (target / PART).min(SIZES[SIZES.len() - 1])
    }

    pub(crate) fn new(n_tokens: usize, tables: &Tables) -> Sprigs {
        let is_high = |curve: &Curve| curve.least_height().is_none_or(|height| height > MOST_HEIGHT / 2);
        Sprigs {
            seed: 0,
            era: 0,
            is_high: tables.rules.iter().map(is_high).collect(),
            places: FxHashMap::default(),
            slots: Vec::new(),
            list: Vec::new(),
            equals: FxHashMap::default(),
            parts: Vec::new(),
            types: Vec::new(),
            leaves: Vec::new(),
            locks: Vec::new(),
            pending: Vec::new(),
            links: Vec::new(),
            nursery: Nursery {
                drafter: Drafter::sketching(n_tokens),
                builder: TreeBuilder::new(),
                tree: None,
                open: Vec::new(),
                needed: Vec::new(),
            },
        }
    }

    /// A test begins.
    pub(crate) fn begin(&mut self, draw: Draw) {
        let era = draw.index / ERA;
        if (self.seed, self.era) != (draw.seed, era) || self.parts.len() > MOST_NODES {
            (self.seed, self.era) = (draw.seed, era);
            self.forget();
        }
    }

    /// Drops all. Nothing changes but the time that the next tests take.
    pub(crate) fn forget(&mut self) {
        self.places.clear();
        self.slots.clear();
        self.list.clear();
        self.equals.clear();
        self.parts.clear();
        self.types.clear();
        self.leaves.clear();
        self.locks.clear();
        self.pending.clear();
        self.links.clear();
    }

    /// Draws which sprig stands at a call; `None` if the call is to be walked.
    pub(super) fn draw(&mut self, context: Context, budget: u32, stream: &mut Stream) -> Option<Slot> {
        let number = stream.below(POOL + WALKED);
        if number >= POOL || self.is_high[context.rule.index()] {
            return None;
        }
        let size = SIZES.iter().rev().copied().find(|size| *size <= budget).unwrap_or(0);
        let next = self.slots.len() as u32;
        let first = *self.places.entry((context, size)).or_insert(next);
        if first == next {
            self.slots.resize(next as usize + POOL as usize, UNKNOWN);
        }
        Some(Slot { at: first as usize + number as usize, number, size })
    }

    /// The sprig of a slot; `None` if there can be none, or it was not drawn yet.
    pub(super) fn get(&self, slot: Slot) -> Option<Sprig> {
        self.list.get(self.slots[slot.at] as usize).copied()
    }

    pub(super) fn is_unknown(&self, slot: Slot) -> bool {
        self.slots[slot.at] == UNKNOWN
    }

    /// Where the first choice of a sprig is to fall: alternatives get their shares of the sprigs of a place.
    pub(super) fn stratum(slot: Slot) -> Stratum {
        Stratum { number: slot.number, of: POOL }
    }

    /// What a sprig is drawn from.
    pub(super) fn stream(&self, context: Context, slot: Slot, attempt: u64) -> Stream {
        let Context { rule, precedence, operator, mode } = context;
        Stream::keyed(&[
            0x0073_7072_6967,
            self.seed,
            self.era,
            rule.index() as u64,
            u64::from(precedence) << 32 | u64::from(operator),
            mode.index() as u64,
            u64::from(slot.size),
            slot.number,
            attempt,
        ])
    }

    pub(super) fn parts(&self, sprig: Sprig) -> &[Part] {
        sprig.parts.of(&self.parts)
    }

    /// The types of its tokens.
    pub(super) fn types(&self, sprig: Sprig) -> &[u32] {
        sprig.types.of(&self.types)
    }

    /// Its tokens, and their places among its parts.
    pub(super) fn tokens(&self, sprig: Sprig) -> impl Iterator<Item = (TokenType, usize)> {
        let leaves = sprig.types.of(&self.leaves).iter();
        let types = self.types(sprig).iter();
        types.zip(leaves).map(|(token, leaf)| (TokenType::new(*token as usize), *leaf as usize))
    }

    pub(super) fn locks(&self, sprig: Sprig) -> &[Lock] {
        sprig.locks.of(&self.locks)
    }

    pub(super) fn pending(&self, sprig: Sprig) -> &[Pending] {
        sprig.pending.of(&self.pending)
    }

    pub(super) fn links(&self, sprig: Sprig) -> &[Link] {
        sprig.links.of(&self.links)
    }

    /// There is no sprig for a slot.
    pub(super) fn close(&mut self, slot: Slot) {
        self.slots[slot.at] = IMPOSSIBLE;
    }

    /// Keeps what the nursery has drawn.
    pub(super) fn keep(&mut self, slot: Slot) {
        let starts =
            [self.parts.len(), self.locks.len(), self.pending.len(), self.links.len(), self.types.len()];
        let Nursery { drafter, builder, tree, open, needed } = &mut self.nursery;
        let tree = match tree {
            Some(tree) => {
                builder.finish_into(tree);
                tree
            }
            None => tree.insert(std::mem::take(builder).finish()),
        };
        let Outline { height, first, last } = add_parts(tree, open, &mut self.parts, &mut self.leaves);
        self.types.extend_from_slice(drafter.types());
        drafter.hand_over_open(needed, &mut self.locks, &mut self.pending, &mut self.links);
        let sprig = Sprig {
            parts: Run::since(&self.parts, starts[0]),
            locks: Run::since(&self.locks, starts[1]),
            pending: Run::since(&self.pending, starts[2]),
            links: Run::since(&self.links, starts[3]),
            types: Run::since(&self.types, starts[4]),
            height,
            first,
            last,
        };
        let next = self.list.len() as u32;
        let known = *self.equals.entry(self.hash(sprig)).or_insert(next);
        if known == next || !self.is_equal(sprig, self.list[known as usize]) {
            self.slots[slot.at] = next;
            self.list.push(sprig);
            return;
        }
        self.slots[slot.at] = known;
        self.parts.truncate(starts[0]);
        self.locks.truncate(starts[1]);
        self.pending.truncate(starts[2]);
        self.links.truncate(starts[3]);
        self.types.truncate(starts[4]);
        self.leaves.truncate(starts[4]);
    }

    fn hash(&self, sprig: Sprig) -> u64 {
        let mut hasher = FxHasher::default();
        for part in self.parts(sprig) {
            part.node.kind().hash(&mut hasher);
        }
        (sprig.locks.len, sprig.pending.len).hash(&mut hasher);
        hasher.finish()
    }

    fn is_equal(&self, a: Sprig, b: Sprig) -> bool {
        self.parts(a) == self.parts(b)
            && self.locks(a) == self.locks(b)
            && self.pending(a) == self.pending(b)
            && self.links(a) == self.links(b)
    }
}

struct Outline {
    /// Rule calls inside each other.
    height: u32,
    first: TokenType,
    last: TokenType,
}

/// Adds the nodes of a tree with their parents.
fn add_parts(tree: &Tree, open: &mut Vec<Above>, parts: &mut Vec<Part>, leaves: &mut Vec<u32>) -> Outline {
    let mut highest = 0;
    let (mut first, mut last) = (None, TokenType::EOF);
    open.clear();
    for (at, node) in tree.nodes().iter().enumerate() {
        while open.last().is_some_and(|above| above.end <= at) {
            open.pop();
        }
        let above = open.last().copied();
        parts.push(Part { node: *node, parent: above.map_or(NONE, |above| above.at) });
        if let Kind::Token(token) = node.kind() {
            first = first.or(Some(token));
            last = token;
            leaves.push(at as u32);
            continue;
        }
        let is_rule = matches!(node.kind(), Kind::Rule { .. });
        let height = above.map_or(0, |above| above.height) + u32::from(is_rule);
        highest = highest.max(height);
        open.push(Above { at: at as u32, end: at + node.size(), height });
    }
    Outline { height: highest, first: first.unwrap_or(last), last }
}
