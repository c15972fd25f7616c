//! Decisions that the parser must take as drafted, followed token by token.
//!
//! What was decided since the last token is *pending*. The next token settles most of it: a set says that no
//! other option can begin with that token. The rest becomes *locks*, questions to the parser's prediction, which
//! get this token and all later ones until the parser knows what it takes. Lists are only ever appended to, so
//! that stepping back is a matter of lengths.

use super::{After, Drafter, Invocation, Source, Stuck};
use crate::asks::Ask;
use crate::habits::Habits;
use polysmith_grammar::TokenType;
use polysmith_parse::{Callers, PendingPrediction, Prediction};

/// A decision that the next token will settle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pending {
    pub(super) option: u32,
    /// Sets can tell whether the option is sure.
    pub(super) by_sets: bool,
    pub(super) first: Ask,
    pub(super) second: Ask,
    pub(super) callers: u32,
    pub(super) precedence: u32,
    pub(super) checkpoint: u32,
}

/// A question that is open.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lock {
    pub(super) prediction: PendingPrediction,
    pub(super) meant: u16,
    /// Where its tokens begin.
    pub(super) from: u32,
    pub(super) callers: u32,
    pub(super) option: u32,
    /// The token that it began with.
    pub(super) token: TokenType,
    pub(super) checkpoint: u32,
    /// The operator that is to stand behind the operand whose end is asked about, if it accepts any operator.
    pub(super) operator: Option<u32>,
}

/// What became of an option before a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The parser took it.
    Won { option: u32, token: TokenType },
    /// The parser would not have taken it.
    Lost { option: u32, token: TokenType },
    /// An operand that accepts any operator ended (by this option) before an operator; whether the parser let it end
    /// there.
    Operand { ended: u32, operator: u32, won: bool },
    /// Nothing could stand between two tokens.
    Apart { last: TokenType, token: TokenType },
}

/// The open calls of all moments of a draft: a tree of return states.
#[derive(Debug, Default)]
pub(super) struct Calls {
    links: Vec<Link>,
}

#[derive(Debug, Clone, Copy)]
struct Link {
    follow: u32,
    below: u32,
    depth: u32,
}

impl Calls {
    /// The callers of the start rule.
    pub(super) const NOBODY: u32 = u32::MAX;

    pub(super) fn clear(&mut self) {
        self.links.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.links.len()
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.links.truncate(len);
    }

    #[inline]
    pub(super) fn push(&mut self, follow: u32, below: u32) -> u32 {
        let depth = if below == Calls::NOBODY { 1 } else { self.links[below as usize].depth + 1 };
        self.links.push(Link { follow, below, depth });
        self.links.len() as u32 - 1
    }
}

/// The calls that were open at one moment.
struct Chain<'a> {
    links: &'a [Link],
    top: u32,
}

impl Callers for Chain<'_> {
    fn depth(&self) -> usize {
        if self.top == Calls::NOBODY { 0 } else { self.links[self.top as usize].depth as usize }
    }

    fn follow(&self, up: usize) -> u32 {
        let mut at = self.top;
        for _ in 0..up {
            at = self.links[at as usize].below;
        }
        self.links[at as usize].follow
    }
}

impl Drafter {
    /// Remembers a decision until the next token. `first` is asked before `second`.
    pub(super) fn decided(
        &mut self,
        source: &Source<'_>,
        option: usize,
        first: Ask,
        second: Ask,
        at: Invocation,
    ) {
        self.pend(option, true, first, second, at);
        self.forbid(source.habits, option);
    }

    fn pend(&mut self, option: usize, by_sets: bool, first: Ask, second: Ask, at: Invocation) {
        self.pending.push(Pending {
            option: option as u32,
            by_sets,
            first,
            second,
            callers: at.callers,
            precedence: at.precedence,
            checkpoint: self.checkpoints.len() as u32,
        });
    }

    /// What the parser decides behind an operand.
    pub(super) fn after(&mut self, source: &Source<'_>, after: After, at: Invocation) {
        match after {
            After::Nothing => {}
            After::Operator { rule, alt } => {
                let (first, second) = (source.asks.operator[rule.index()], source.asks.choice[alt as usize]);
                self.pend(alt as usize, false, first, second, at);
            }
            After::End { rule } => {
                let option = source.sure.leaving(source.tables.bodies[rule.index()]);
                self.pend(option, false, Ask::NONE, source.asks.end[rule.index()], at);
                self.forbid(source.habits, option);
            }
        }
    }

    /// Before these tokens the option taken would be lost.
    pub(super) fn forbid(&mut self, habits: &Habits, option: usize) {
        if let Some(bad) = habits.bad(option) {
            self.forbidden.union_with(0, bad);
            self.forbids = true;
        }
    }

    pub(super) fn permit(&mut self) {
        if self.forbids {
            self.forbidden.clear(0);
            self.forbids = false;
        }
    }

    /// What is forbidden where the walk has stepped back to.
    pub(super) fn forbid_again(&mut self, habits: &Habits) {
        self.permit();
        if let Some(last) = self.last {
            self.forbid(habits, habits.behind(last));
        }
        for at in self.pending_from as usize..self.pending.len() {
            self.forbid(habits, self.pending[at].option as usize);
        }
    }

    /// Whether everything that an option can stand before is forbidden, or would be lost by the option itself.
    pub(super) fn is_hopeless(&self, source: &Source<'_>, option: usize) -> bool {
        let own = source.habits.bad(option);
        if !self.forbids && own.is_none() {
            return false;
        }
        let forbidden = self.forbidden.row(0);
        source.sure.predict.row(option).is_within(forbidden, own.unwrap_or(forbidden))
    }

    /// Something is decided that the parser may still take otherwise.
    #[inline]
    pub(super) fn is_open(&self) -> bool {
        self.locks.len() as u32 > self.locks_from || self.pending.len() as u32 > self.pending_from
    }

    /// The next token goes to everything that waits for it.
    #[inline]
    pub(super) fn settle(&mut self, source: &mut Source<'_>, token: TokenType) -> Result<(), Stuck> {
        self.types.push(token.index() as u32);
        if !self.is_open() || self.careless {
            self.pending_from = self.pending.len() as u32;
            self.load = 0;
            return Ok(());
        }
        self.settle_open(source, token)
    }

    fn settle_open(&mut self, source: &mut Source<'_>, token: TokenType) -> Result<(), Stuck> {
        let open = self.locks.len();
        for at in self.locks_from as usize..open {
            let lock = self.locks[at];
            self.follow(source, lock)?;
        }
        for at in self.pending_from as usize..self.pending.len() {
            let pending = self.pending[at];
            if pending.by_sets && source.sure.before(pending.option as usize, token) {
                continue;
            }
            // Who wants to learn wants to know at once.
            let patience = if self.learning { 1 } else { source.habits.patience(pending.option) };
            let operator = if self.learning { self.operator_behind(source, at) } else { None };
            for ask in [pending.first, pending.second].into_iter().filter(|ask| ask.is_open()) {
                let lock = Lock {
                    prediction: source.parser.lookahead().predict(
                        ask.decision,
                        pending.precedence,
                        ask.alt,
                        patience,
                    ),
                    meant: ask.alt,
                    from: self.types.len() as u32 - 1,
                    callers: pending.callers,
                    option: pending.option,
                    token,
                    checkpoint: pending.checkpoint,
                    operator,
                };
                self.follow(source, lock)?;
            }
        }
        self.locks_from = open as u32;
        self.pending_from = self.pending.len() as u32;
        let now = self.types.len() as u32;
        self.load = self.locks[open..].iter().map(|lock| now - lock.from).sum();
        if self.checkpoints.is_empty() {
            self.locks.drain(..open);
            self.locks_from = 0;
            self.pending.clear();
            self.pending_from = 0;
        }
        Ok(())
    }

    /// The token written last, for a lock.
    #[inline]
    fn follow(&mut self, source: &mut Source<'_>, mut lock: Lock) -> Result<(), Stuck> {
        let callers = Chain { links: &self.calls.links, top: lock.callers };
        let Lock { option, checkpoint, .. } = lock;
        let types = &self.types[lock.from as usize..];
        match source.parser.lookahead().next_token(&mut lock.prediction, types, &callers) {
            Prediction::Open => {
                self.locks.push(lock);
                Ok(())
            }
            Prediction::Takes(alt) if alt == lock.meant => {
                if self.learning {
                    self.outcomes.push(Outcome::Won { option, token: lock.token });
                    self.note_operand(lock, true);
                }
                Ok(())
            }
            Prediction::Takes(_) | Prediction::Fails => {
                let (token, age) = (TokenType::new(types[types.len() - 1] as usize), types.len() as u32);
                if self.learning {
                    self.outcomes.push(Outcome::Lost { option, token: lock.token });
                    self.note_operand(lock, false);
                }
                Err(Stuck::Lost { option, token, checkpoint, age })
            }
            Prediction::TooHard => Err(Stuck::TooHard),
        }
    }

    /// If what is pending there is the end of an operand that accepts any operator: the operator that comes next.
    fn operator_behind(&self, source: &Source<'_>, at: usize) -> Option<u32> {
        let is_operator = |pending: &Pending| {
            !pending.by_sets && (pending.option as usize) < source.tables.alternatives.len()
        };
        let ended = &self.pending[at];
        if ended.by_sets || ended.precedence > 0 || is_operator(ended) {
            return None;
        }
        self.pending[at..].iter().find(|pending| is_operator(pending)).map(|pending| pending.option)
    }

    fn note_operand(&mut self, lock: Lock, won: bool) {
        let outcome = |operator| Outcome::Operand { ended: lock.option, operator, won };
        self.outcomes.extend(lock.operator.map(outcome));
    }
}
