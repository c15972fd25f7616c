//! Draws a tree from the top, with an explicit stack.
//!
//! The walk opens, fills and closes nodes in the order of the text; each token goes to the [`Writer`] at once,
//! which gives it a text and a separator. Two limits hold without exception: `height` (rule calls) and `most`
//! (tokens). `reserved` is what everything still on the stack needs at least, so an alternative is open exactly
//! if its curve fits into what is left: the walk cannot run into a dead end.
//!
//! Inside the limits a *budget* steers the size: the test's target is handed down, each part that can grow gets a
//! random share of what is left over, and what a part does not use goes on to its right neighbours. Alternatives
//! that can use up a budget are as many times as likely as the square of it.
//!
//! Every number that the walk draws is kept in a log. A draft that the parser reads differently is drawn again
//! from just before the place where the two differ: the log is replayed up to there ([`Drafter::keep`]).

mod choose;
mod settle;
mod size;

use crate::cooldown::Cooldown;
use crate::habits::{Doubt, Habits};
use crate::sure::Sure;
use crate::tables::{Operand, StepKind, Tables};
use crate::traits::{Listener, Model};
use crate::write::Writer;
use polysmith_grammar::analysis::BitMatrix;
use polysmith_grammar::{BlockId, RuleId, TokenType};
use polysmith_random::Stream;
use polysmith_tree::TreeBuilder;

/// How large a test may be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// Nested rule calls.
    pub(crate) depth: u32,
    /// Tokens, never more.
    pub(crate) most: u32,
    /// Tokens to aim at.
    pub(crate) target: u32,
}

/// Why a draft came to nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stuck {
    /// No text for a token where the lexer stands.
    Token(TokenType),
    /// No alternative of a block fits. Only a goal or a model that contradicts itself leads here.
    Choice(BlockId),
}

/// What the trailing end of a frame must not be: a call of a left-recursive rule that accepts this precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tail {
    /// Number of the left-recursive rule.
    rule: u32,
    precedence: u32,
}

#[derive(Debug, Clone, Copy)]
enum Frame {
    /// The parts of an alternative.
    Sequence {
        next: u32,
        end: u32,
        /// The rule, its precedence argument and its operator, if the alternative is an operator: looked at
        /// behind the left operand.
        operator: u32,
        precedence: u32,
        /// What is decided when the call has ended.
        after: Option<Pending>,
        common: Common,
    },
    /// The iterations of a group.
    Loop { block: BlockId, node: u32, left: u32, done: u32, common: Common },
}

#[derive(Debug, Clone, Copy)]
struct Common {
    /// Rule calls that are still allowed below.
    height: u32,
    /// Tokens that the rest of the frame should take.
    budget: u32,
    /// Tokens before the frame began.
    before: u32,
    tail: Option<Tail>,
    /// The goal must be reached inside.
    carries: bool,
}

/// A decision that the next token will settle.
#[derive(Debug, Clone, Copy)]
enum Pending {
    Option { option: u32, node: u32 },
    Operator { rule: RuleId, alt: u32, precedence: u32 },
    End { rule: RuleId, precedence: u32 },
}

/// Where a draft should lead to: least heights towards a goal.
#[derive(Debug, Clone, Default)]
pub(crate) struct Goal {
    /// By [`polysmith_grammar::AltId`]: rule calls below the alternative until the goal; `u32::MAX` if it does not lead there.
    pub(crate) alternatives: Vec<u32>,
    /// By step.
    pub(crate) steps: Vec<u32>,
    /// A group that is the goal, and how often to repeat it.
    pub(crate) repeat: Option<(BlockId, u32)>,
    /// By alternative: whether it is the goal.
    pub(crate) at_goal: Vec<bool>,
}

/// Draws drafts, one after the other, with the same memory.
#[derive(Debug)]
pub(crate) struct Drafter {
    frames: Vec<Frame>,
    pending: Vec<Pending>,
    weights: Vec<u64>,
    log: Vec<u64>,
    at: usize,
    kept: usize,
    /// By node: draws before it was opened.
    pub(crate) draws_at: Vec<u32>,
    used: u32,
    reserved: u32,
    ended: bool,
    /// The tokens that should not come next, if there are any.
    forbidden: BitMatrix,
    forbids: bool,
    /// Options that were not sure.
    pub(crate) doubts: Vec<Doubt>,
    /// The token written last.
    pub(crate) last: Option<TokenType>,
    /// Some decision is not sure.
    pub(crate) unsure: bool,
    /// The goal was reached.
    pub(crate) reached: bool,
}

/// What a draft is drawn from.
pub(crate) struct Source<'a> {
    pub(crate) tables: &'a Tables,
    pub(crate) sure: &'a Sure,
    pub(crate) habits: &'a Habits,
    pub(crate) stream: &'a mut Stream,
    pub(crate) writer: &'a mut Writer,
    pub(crate) builder: &'a mut TreeBuilder,
    pub(crate) model: Option<&'a mut (dyn Model + 'a)>,
    pub(crate) listener: Option<&'a mut (dyn Listener + 'a)>,
    pub(crate) cooldown: Option<&'a mut Cooldown>,
    pub(crate) goal: Option<&'a Goal>,
    pub(crate) bounds: Bounds,
}

impl Drafter {
    pub(crate) fn new(n_tokens: usize) -> Drafter {
        Drafter {
            frames: Vec::new(),
            pending: Vec::new(),
            weights: Vec::new(),
            log: Vec::new(),
            at: 0,
            kept: 0,
            draws_at: Vec::new(),
            used: 0,
            reserved: 0,
            ended: false,
            forbidden: BitMatrix::new(1, n_tokens),
            forbids: false,
            doubts: Vec::new(),
            last: None,
            unsure: false,
            reached: false,
        }
    }

    /// Forgets the draws of the test before.
    pub(crate) fn forget(&mut self) {
        self.kept = 0;
    }

    /// The next draft repeats the first `draws` draws of this one.
    pub(crate) fn keep(&mut self, draws: usize) {
        self.kept = draws.min(self.log.len());
    }

    /// Tokens of the draft, without the end of the input.
    pub(crate) fn tokens(&self) -> u32 {
        self.used
    }

    /// How many numbers the draft took.
    pub(crate) fn draws(&self) -> usize {
        self.at
    }

    /// Draws a tree of a rule.
    pub(crate) fn draft(&mut self, source: &mut Source<'_>, start: RuleId) -> Result<(), Stuck> {
        self.frames.clear();
        self.pending.clear();
        self.draws_at.clear();
        self.log.truncate(self.kept);
        (self.at, self.used, self.reserved) = (0, 0, 0);
        (self.ended, self.unsure, self.reached) = (false, false, source.goal.is_none());
        self.doubts.clear();
        self.last = None;
        self.permit();
        source.builder.truncate(0);
        source.writer.begin();
        let common = Common {
            height: source.bounds.depth,
            budget: source.bounds.target,
            before: 0,
            tail: None,
            carries: source.goal.is_some(),
        };
        self.call(source, start, 0, None, common)?;
        while let Some(frame) = self.frames.last().copied() {
            match frame {
                Frame::Sequence { next, end, .. } if next == end => self.close(source),
                Frame::Sequence { next, operator, precedence, common, .. } => {
                    self.step(source, next, operator, precedence, common)?;
                }
                Frame::Loop { left: 0, block, .. } => {
                    self.leave(source, block);
                    self.close(source);
                }
                Frame::Loop { block, common, .. } => self.iterate(source, block, common)?,
            }
        }
        self.settle(source, TokenType::EOF);
        Ok(())
    }

    /// Ends the frame on top and its node.
    fn close(&mut self, source: &mut Source<'_>) {
        source.builder.close();
        let Some(frame) = self.frames.pop() else { return };
        if let Frame::Sequence { after: Some(pending), .. } = frame {
            self.pending.push(pending);
        }
        let taken = self.used - frame.common().before;
        if let Some(above) = self.frames.last_mut() {
            let common = above.common_mut();
            common.budget = common.budget.saturating_sub(taken);
        }
    }

    fn step(
        &mut self,
        source: &mut Source<'_>,
        at: u32,
        operator: u32,
        precedence: u32,
        common: Common,
    ) -> Result<(), Stuck> {
        let step = &source.tables.steps[at as usize];
        if let Some(Frame::Sequence { next, .. }) = self.frames.last_mut() {
            *next += 1;
        }
        let least = step.curve.at(common.height);
        self.reserved -= least;
        let tail = if step.at_end { common.tail } else { None };
        let carries = common.carries && self.carries(source, at, common.height);
        match step.kind {
            StepKind::Token(token) => self.token(source, token),
            StepKind::Choice(choice) => {
                let allowed = &source.tables.choices[choice as usize];
                let n = source.writer.n_ready(allowed);
                let mut token = None;
                for _ in 0..8 {
                    let drawn = self.draw(source.stream, n.max(1) as u64) as usize;
                    token = source.writer.nth_ready(allowed, drawn);
                    if token.is_none_or(|token| !self.forbids || !self.forbidden.contains(0, token.index())) {
                        break;
                    }
                }
                self.token(source, token.ok_or(Stuck::Token(allowed[0]))?)
            }
            StepKind::Group(block) => {
                let share = self.share(source, at, common, least);
                self.open_list(source, block);
                let inner = Common { budget: share, before: self.used, tail, carries, ..common };
                let count = self.count(source, block, inner);
                let item = source.tables.blocks[block.index()].curve.at(common.height);
                self.reserved += if count == 0 { 0 } else { item * count };
                let node = source.builder.len() as u32 - 1;
                self.frames.push(Frame::Loop { block, node, left: count, done: 0, common: inner });
                Ok(())
            }
            StepKind::Call(rule, operand) => {
                let share = self.share(source, at, common, least);
                let (argument, tail) = match operand {
                    Operand::Free => (0, tail),
                    Operand::Trailing(least) => (least, common.tail),
                    Operand::Left(of_operator) => {
                        let number = source.tables.recursive[rule.index()].unwrap_or(0);
                        (precedence, Some(Tail { rule: number, precedence: of_operator }))
                    }
                };
                let pending = match operand {
                    Operand::Left(_) => Some(Pending::Operator { rule, alt: operator, precedence }),
                    _ if source.tables.recursive[rule.index()].is_some() => {
                        Some(Pending::End { rule, precedence: argument })
                    }
                    _ => None,
                };
                let inner = Common { height: common.height, budget: share, before: self.used, tail, carries };
                self.call(source, rule, argument, pending, inner)
            }
        }
    }

    /// Chooses an alternative of a rule and opens its node.
    fn call(
        &mut self,
        source: &mut Source<'_>,
        rule: RuleId,
        precedence: u32,
        after: Option<Pending>,
        common: Common,
    ) -> Result<(), Stuck> {
        let body = source.tables.bodies[rule.index()];
        let height = common.height.checked_sub(1).ok_or(Stuck::Choice(body))?;
        let inner = Common { height, ..common };
        self.draws_at.push(self.at as u32);
        let alt = self.choose(source, body, precedence, inner)?;
        let number = alt as u32 - source.tables.blocks[body.index()].alternatives.start + 1;
        source.builder.open_rule(rule, number);
        if let Some(listener) = &mut source.listener {
            listener.enter_rule(rule, number);
        }
        self.push(source, alt, precedence, after, inner);
        Ok(())
    }

    fn open_list(&mut self, source: &mut Source<'_>, block: BlockId) {
        self.draws_at.push(self.at as u32);
        source.builder.open_list(block);
    }

    /// One more iteration of the group on top.
    fn iterate(&mut self, source: &mut Source<'_>, block: BlockId, common: Common) -> Result<(), Stuck> {
        let Some(Frame::Loop { left, done, common: own, .. }) = self.frames.last_mut() else { return Ok(()) };
        own.carries = false;
        *left -= 1;
        *done += 1;
        let left = *left;
        self.draws_at.push(self.at as u32);
        let item = source.tables.blocks[block.index()].curve.at(common.height);
        self.reserved -= item;
        let share = if left == 0 {
            common.budget
        } else {
            let fair = 2 * common.budget / (left + 1);
            (self.draw(source.stream, u64::from(fair) + 1) as u32).max(item)
        };
        let carries = common.carries;
        let tail = if left == 0 { common.tail } else { None };
        let inner = Common { budget: share, before: self.used, tail, carries, ..common };
        let alt = self.choose(source, block, 0, inner)?;
        let number = alt as u32 - source.tables.blocks[block.index()].alternatives.start + 1;
        source.builder.open_item(number);
        self.push(source, alt, 0, None, inner);
        Ok(())
    }

    /// Begins the parts of an alternative.
    fn push(
        &mut self,
        source: &mut Source<'_>,
        alt: usize,
        precedence: u32,
        after: Option<Pending>,
        common: Common,
    ) {
        self.reserved += source.tables.curves[alt].at(common.height);
        let range = &source.tables.alternatives[alt];
        let mut common = common;
        if common.carries && source.goal.is_some_and(|goal| goal.at_goal[alt]) {
            self.reached = true;
            common.carries = false;
        }
        let grip = source.tables.grips[alt];
        if grip.is_none_or(|grip| !grip.left) && !source.sure.always(alt) {
            let node = source.builder.len() as u32 - 1;
            self.pending.push(Pending::Option { option: alt as u32, node });
            self.forbid(source.habits, alt);
        }
        self.frames.push(Frame::Sequence {
            next: range.start,
            end: range.end,
            operator: alt as u32,
            precedence,
            after,
            common,
        });
    }

    /// Whether the step is the one that leads to the goal: the first that can.
    fn carries(&mut self, source: &Source<'_>, at: u32, height: u32) -> bool {
        let leads = !self.reached && source.goal.is_some_and(|goal| goal.steps[at as usize] <= height);
        if leads && let Some(Frame::Sequence { common, .. }) = self.frames.last_mut() {
            common.carries = false;
        }
        leads
    }

    /// A group is left: that was a decision too.
    fn leave(&mut self, source: &Source<'_>, block: BlockId) {
        let quantifier = source.tables.blocks[block.index()].quantifier;
        let Some(Frame::Loop { done, node, .. }) = self.frames.last() else { return };
        let option = source.sure.leaving(block);
        if !quantifier.is_one() && quantifier.max != Some(*done) && !source.sure.always(option) {
            self.pending.push(Pending::Option { option: option as u32, node: *node });
            self.forbid(source.habits, option);
        }
    }

    fn token(&mut self, source: &mut Source<'_>, token: TokenType) -> Result<(), Stuck> {
        self.settle(source, token);
        self.permit();
        self.draws_at.push(self.at as u32);
        if token == TokenType::EOF {
            self.ended = true;
            source.builder.token(token, b"");
            return Ok(());
        }
        if self.ended {
            return Err(Stuck::Token(token));
        }
        self.used += 1;
        if let Some(frame) = self.frames.last_mut() {
            let common = frame.common_mut();
            common.budget = common.budget.saturating_sub(1);
        }
        let nodes_before = source.builder.len();
        let done = source.writer.token(source.builder, token);
        // Separators are nodes as well.
        for _ in nodes_before + 1..source.builder.len() {
            self.draws_at.push(self.at as u32);
        }
        if !done {
            return Err(Stuck::Token(token));
        }
        self.last = Some(token);
        self.forbid(source.habits, source.habits.behind(token));
        Ok(())
    }

    /// The next number below `n`: from the log where it is replayed, else from the stream.
    #[inline]
    fn draw(&mut self, stream: &mut Stream, n: u64) -> u64 {
        let value = match self.log.get(self.at) {
            Some(kept) => *kept % n,
            None => {
                let value = stream.below(n);
                self.log.push(value);
                value
            }
        };
        self.at += 1;
        value
    }
}

impl Frame {
    fn common(&self) -> &Common {
        match self {
            Frame::Sequence { common, .. } | Frame::Loop { common, .. } => common,
        }
    }

    fn common_mut(&mut self) -> &mut Common {
        match self {
            Frame::Sequence { common, .. } | Frame::Loop { common, .. } => common,
        }
    }
}

impl Stuck {
    /// What to tell the user.
    pub(crate) fn explain(self, grammar: &polysmith_grammar::Grammar) -> String {
        match self {
            Stuck::Token(token) => {
                format!("no text of {} fits where the lexer stands", grammar.tokens().display(token))
            }
            Stuck::Choice(block) => {
                format!("no alternative of `{}` fits", grammar.rule(grammar.block(block).rule).name)
            }
        }
    }
}
