//! Runs the program over the tokens and builds the tree.
//!
//! An explicit stack of frames, no recursion: depth comes from the input. The hot path of a decision is one
//! table read: per site and token type, what sync and prediction answered last time, if that depends on nothing
//! else. Everything about errors is in [`recover`], what is shown of them in [`report`].

mod leaves;
mod recover;
mod report;

use crate::error::{Limits, ParseError};
use crate::fast::FastAnswer;
use crate::lexer::Lexed;
use crate::network::{NO_STATE, StateId};
use crate::parser::{Compiled, Learned};
use crate::position::Positions;
use crate::predict::{Answer, Callers, Question};
use crate::profile::Profile;
use crate::program::{Op, Pc};
use leaves::Leaves;
use polysmith_grammar::{BlockId, CodeId, RuleId};
use polysmith_tree::{Kind, Tree};
pub use report::{ErrorKind, SyntaxError};

/// An open rule.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    rule: u32,
    /// Where the caller goes on in the program, and in the network.
    back: Pc,
    follow: StateId,
    precedence: u32,
    /// Where the rule's nodes begin.
    mark: u32,
    /// How many groups were open when it began.
    open: u32,
    /// The alternative, once known.
    alt: u32,
}

/// An open group, or an open item of the group below it.
#[derive(Debug, Clone, Copy)]
struct Open {
    mark: u32,
    /// The block of a group, the alternative of an item.
    number: u32,
}

/// Why a rule stops in the middle.
pub(crate) enum Failure {
    NoViable {
        start: usize,
        offending: usize,
    },
    /// The token ahead fits nothing here; `remembered`: the expected set is that of the place sync remembered.
    Mismatch {
        remembered: bool,
    },
    Predicate(CodeId),
    Precedence(u32),
    Stopped(ParseError),
}

/// What parsing gives.
pub(crate) struct Outcome {
    pub(crate) tree: Tree,
    pub(crate) errors: Vec<SyntaxError>,
    /// The place of the first token that was not consumed.
    pub(crate) at: usize,
    /// The last token that was looked at.
    pub(crate) looked: usize,
}

/// A decision to take otherwise: the first time it is asked at a token.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Forced {
    pub(crate) decision: u32,
    pub(crate) at: usize,
    pub(crate) alt: u16,
}

/// What to parse.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    pub(crate) text: &'a str,
    /// The part of the text that the tokens come from.
    pub(crate) span: (usize, usize),
    pub(crate) lexed: &'a Lexed,
    /// Places of the tokens on the parser's channel.
    pub(crate) visible: &'a [u32],
    /// Their types.
    pub(crate) types: &'a [u32],
}

/// The running parser.
pub(crate) struct Machine<'a> {
    compiled: &'a Compiled,
    learned: &'a mut Learned,
    limits: &'a Limits,
    input: Input<'a>,
    /// Place in `types` of the token ahead.
    at: usize,
    state: StateId,
    frames: Vec<Frame>,
    open: Vec<Open>,
    leaves: Leaves<'a>,
    errors: Vec<SyntaxError>,
    recovery: recover::Recovery,
    looked: usize,
    steps: u64,
    /// The token matched last, for alternatives that are a set.
    matched: u32,
    /// An alternative to take against the prediction, once.
    forced: Option<Forced>,
    profile: Option<&'a mut Profile>,
    /// Every decision is looked at, to count it or to take it otherwise.
    watched: bool,
}

impl<'a> Machine<'a> {
    pub(crate) fn new(
        compiled: &'a Compiled,
        learned: &'a mut Learned,
        limits: &'a Limits,
        input: Input<'a>,
        forced: Option<Forced>,
        profile: Option<&'a mut Profile>,
    ) -> Machine<'a> {
        Machine {
            compiled,
            learned,
            limits,
            input,
            at: 0,
            state: NO_STATE,
            frames: Vec::new(),
            open: Vec::new(),
            leaves: Leaves::new(input),
            errors: Vec::new(),
            recovery: recover::Recovery::default(),
            looked: 0,
            steps: 0,
            matched: 0,
            watched: forced.is_some() || profile.is_some(),
            forced,
            profile,
        }
    }

    /// Parses from a rule on.
    pub(crate) fn run(mut self, start: RuleId) -> Result<Outcome, ParseError> {
        let before = self.learned.predictor.steps();
        self.learned.predictor.set_limit(before.saturating_add(self.limits.max_steps));
        self.enter(start.index() as u32, 0, 0, NO_STATE)?;
        let mut pc = self.compiled.program.entries[start.index()];
        while !self.frames.is_empty() {
            match self.steps(pc) {
                Ok(()) => break,
                Err(Failure::Stopped(error)) => return Err(error),
                Err(failure) => {
                    self.report_failure(&failure);
                    self.recover();
                    pc = self.abandon();
                }
            }
        }
        let tree = self.leaves.finish();
        Ok(Outcome { tree, errors: self.errors, at: self.at, looked: self.looked })
    }

    #[inline]
    fn token(&self) -> u32 {
        self.input.types[self.at]
    }

    /// Runs until the start rule returns or something fails.
    fn steps(&mut self, mut pc: Pc) -> Result<(), Failure> {
        let compiled = self.compiled;
        loop {
            let op = compiled.program.ops[pc as usize];
            pc += 1;
            match op {
                Op::Match { token, state } => {
                    if self.token() == token {
                        self.accept();
                    } else {
                        self.state = state;
                        self.matched = token;
                        self.match_inline(true)?;
                    }
                }
                Op::MatchSet { set, state, any } => {
                    let token = self.token();
                    let fits = compiled.network.sets[set as usize].contains(token as usize)
                        || (token as usize >= compiled.network.n_types);
                    self.matched = token;
                    if fits {
                        self.accept();
                    } else {
                        self.state = state;
                        self.match_inline(any)?;
                    }
                }
                Op::Call { rule, precedence, follow } => {
                    self.enter(rule, precedence, pc, follow).map_err(Failure::Stopped)?;
                    pc = compiled.program.entries[rule as usize];
                }
                Op::Return => match self.leave() {
                    Some(back) => pc = back,
                    None => return Ok(()),
                },
                Op::Decide { site } => pc = self.decide(site)?,
                Op::Jump(to) => pc = to,
                Op::Sync { state } => {
                    self.state = state;
                    self.sync()?;
                }
                Op::Predicate { code, state } => {
                    self.state = state;
                    if !self.learned.predictor.code_holds(code) {
                        return Err(Failure::Predicate(code));
                    }
                }
                Op::Precedence { precedence, state } => {
                    self.state = state;
                    if precedence < self.frame().precedence {
                        return Err(Failure::Precedence(precedence));
                    }
                }
                op => self.shape(op),
            }
        }
    }

    /// Instructions that shape the tree.
    #[inline]
    fn shape(&mut self, op: Op) {
        let mark = self.leaves.mark();
        match op {
            Op::Open { block, alt } => {
                self.open.push(Open { mark, number: block });
                self.open.push(Open { mark, number: alt });
            }
            Op::OpenNone { block } => self.leaves.close(mark, list(block)),
            Op::Next => {
                self.close_item();
                let mark = self.leaves.mark();
                self.open.push(Open { mark, number: 0 });
            }
            Op::Close => {
                self.close_item();
                self.close_list();
            }
            Op::ItemAlt(alt) => {
                if let Some(item) = self.open.last_mut() {
                    item.number = alt;
                }
            }
            Op::ItemAltOf { table } => {
                let alt = self.alt_of(table);
                if let Some(item) = self.open.last_mut() {
                    item.number = alt;
                }
            }
            Op::RuleAlt(alt) => self.frame_mut().alt = alt,
            Op::RuleAltOf { table } => self.frame_mut().alt = self.alt_of(table),
            Op::Wrap { alt } => {
                let frame = *self.frame();
                self.leaves.close(frame.mark, node(frame));
                self.frame_mut().alt = alt;
            }
            _ => unreachable!("`steps` does the others"),
        }
    }

    fn alt_of(&self, table: u32) -> u32 {
        let table = &self.compiled.program.tables[table as usize];
        table.binary_search_by_key(&self.matched, |entry| entry.0).map_or(1, |at| table[at].1)
    }

    fn close_item(&mut self) {
        let item = self.open.pop().expect("an item is open");
        self.leaves.close(item.mark, Kind::Item { alt: item.number });
    }

    fn close_list(&mut self) {
        let group = self.open.pop().expect("a group is open below its item");
        self.leaves.close(group.mark, list(group.number));
    }

    #[inline]
    fn frame(&self) -> &Frame {
        self.frames.last().expect("a rule is open while instructions run")
    }

    #[inline]
    fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a rule is open while instructions run")
    }

    #[inline]
    fn enter(&mut self, rule: u32, precedence: u32, back: Pc, follow: StateId) -> Result<(), ParseError> {
        if self.frames.len() >= self.limits.max_depth {
            let (line, column) = Positions::new(self.input.text).human(self.offset(self.at));
            return Err(ParseError::Depth { limit: self.limits.max_depth, line, column });
        }
        self.steps += 1;
        if self.steps > self.limits.max_steps {
            return Err(ParseError::Steps { limit: self.limits.max_steps });
        }
        self.frames.push(Frame {
            rule,
            back,
            follow,
            precedence,
            mark: self.leaves.mark(),
            open: self.open.len() as u32,
            alt: self.compiled.program.only_alt[rule as usize],
        });
        Ok(())
    }

    /// Ends a rule; where the caller goes on, if there is one.
    #[inline]
    fn leave(&mut self) -> Option<Pc> {
        let frame = *self.frame();
        if self.frames.len() == 1 {
            self.leaves.rest(self.at);
        }
        self.leaves.close(frame.mark, node(frame));
        self.frames.pop();
        self.recovery.left(self.frames.len(), frame.follow);
        (!self.frames.is_empty()).then_some(frame.back)
    }

    /// Ends a rule in the middle, after recovery.
    fn abandon(&mut self) -> Pc {
        self.leave().unwrap_or(0)
    }

    /// Closes the groups that the present rule has open.
    fn close_groups(&mut self) {
        let base = self.frame().open as usize;
        while self.open.len() > base {
            let item = self.open.last().expect("there is one above the base");
            if item.number == 0 && self.leaves.mark() == item.mark {
                self.open.pop();
            } else {
                self.close_item();
            }
            self.close_list();
        }
    }

    /// Consumes the token ahead as one that was asked for.
    #[inline]
    fn accept(&mut self) {
        self.recovery.matched();
        self.consume();
    }

    /// Consumes the token ahead; it is an error node while recovering. The end of the input stays ahead.
    #[inline]
    fn consume(&mut self) {
        let error = self.recovery.recovering;
        self.leaves.token(self.input.visible[self.at], error);
        if self.input.types[self.at] != 0 {
            self.at += 1;
            self.looked = self.looked.max(self.at);
        }
    }

    /// Syncs, predicts, and goes to the alternative.
    #[inline]
    fn decide(&mut self, site: u32) -> Result<Pc, Failure> {
        if !self.recovery.recovering
            && !self.watched
            && let Some(answer) = self.learned.fast.get(site, self.token())
        {
            if answer.remembers() {
                let state = self.compiled.program.sites[site as usize].state;
                self.recovery.remember(state, self.frames.len());
            } else {
                self.recovery.forget();
            }
            return Ok(answer.pc());
        }
        self.decide_slowly(site)
    }

    fn decide_slowly(&mut self, site: u32) -> Result<Pc, Failure> {
        let compiled = self.compiled;
        let place = &compiled.program.sites[site as usize];
        self.state = place.state;
        let before = self.at;
        let was_recovering = self.recovery.recovering;
        self.sync()?;
        let (alt, depends) = self.choose(site)?;
        let in_next = compiled.look.next(&compiled.network, place.state).contains(self.token() as usize);
        let plain = before == self.at && !was_recovering && !self.recovery.recovering;
        let target = place.targets[alt as usize - 1];
        if plain && !depends && !self.watched {
            self.learned.fast.set(site, self.token(), FastAnswer::new(target, !in_next));
        }
        Ok(target)
    }

    /// The alternative, and whether it depends on more than the token ahead.
    fn choose(&mut self, site: u32) -> Result<(u16, bool), Failure> {
        let compiled = self.compiled;
        let place = &compiled.program.sites[site as usize];
        if let Some(forced) = self.forced
            && (forced.decision, forced.at) == (place.decision, self.at)
        {
            self.forced = None;
            return Ok((forced.alt, true));
        }
        let table = compiled.one_token_table(place.decision as usize);
        if let Some(table) = table {
            if let Some(profile) = &mut self.profile {
                profile.by_table(place.decision);
            }
            return match table.get(self.token() as usize) {
                Some(0) | None => match place.otherwise {
                    Some(alt) => Ok((alt, false)),
                    None => Err(Failure::NoViable { start: self.at, offending: self.at }),
                },
                Some(alt) => Ok((*alt, false)),
            };
        }
        if self.learned.predictor.memory() > self.limits.max_memory {
            self.learned.predictor.forget(&compiled.network);
        }
        let question = Question {
            decision: place.decision,
            types: self.input.types,
            at: self.at,
            callers: &OpenRules(&self.frames),
            precedence: self.frame().precedence,
        };
        let answer = self.learned.predictor.predict(&compiled.network, question);
        let cost = self.learned.predictor.cost;
        self.looked = self.looked.max((self.at + cost.lookahead - 1).min(self.input.types.len() - 1));
        if let Some(profile) = &mut self.profile {
            profile.by_prediction(place.decision, self.at, cost);
        }
        match answer {
            Answer::Alt(alt) => Ok((alt, !cost.simple)),
            Answer::NoViable { offending } => Err(Failure::NoViable { start: self.at, offending }),
            Answer::OutOfSteps => Err(Failure::Stopped(ParseError::Steps { limit: self.limits.max_steps })),
        }
    }

    /// Where a token of the parser's channel starts.
    fn offset(&self, at: usize) -> usize {
        self.input.lexed.tokens[self.input.visible[at] as usize].start as usize
    }
}

/// The open rules, as prediction sees them.
struct OpenRules<'a>(&'a [Frame]);

impl Callers for OpenRules<'_> {
    fn depth(&self) -> usize {
        self.0.len() - 1
    }

    fn follow(&self, up: usize) -> StateId {
        self.0[self.0.len() - 1 - up].follow
    }
}

fn node(frame: Frame) -> Kind {
    Kind::Rule { rule: RuleId::new(frame.rule as usize), alt: frame.alt }
}

fn list(block: u32) -> Kind {
    Kind::List { block: BlockId::new(block as usize) }
}
