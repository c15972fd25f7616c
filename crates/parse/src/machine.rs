//! Runs the program over the tokens and builds the tree.
//!
//! An explicit stack of frames, no recursion: depth comes from the input. How alternatives are chosen is in
//! [`decide`], everything about errors in [`recover`], what is shown of them in [`report`].

mod decide;
mod descend;
mod hooked;
mod leaves;
mod recover;
mod report;

use crate::compiled::Compiled;
use crate::error::{Limits, ParseError};
use crate::learned::Learned;
use crate::lexer::Lexed;
use crate::network::{NO_STATE, StateId};
use crate::parser::ForcedAlternative;
use crate::position::Positions;
use crate::profile::Profile;
use crate::program::{NO_CALL, Op, Pc};
use leaves::Leaves;
use polysmith_grammar::{BlockId, CodeId, RuleId};
use polysmith_tree::{Kind, Open, Tree};
use polysmith_value::Value;
pub(crate) use report::ReportedError;
pub use report::{ErrorKind, SyntaxError};

/// An open rule.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RuleFrame {
    /// The call with which the rule began, if it was entered together with the rule ([`descend`]).
    inner: u32,
    /// Where the caller goes on in the program, and in the network.
    back: Pc,
    pub(crate) follow: StateId,
    precedence: u32,
    node: Open,
    /// The number of groups that were open when it began.
    n_groups: u32,
}

/// An open group with its open item.
#[derive(Debug, Clone, Copy)]
struct OpenGroup {
    list: Open,
    item: Open,
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
pub(crate) struct ParseOutcome {
    pub(crate) tree: Tree,
    /// In the order of the reports.
    pub(crate) errors: Vec<ReportedError>,
    /// The place of the first token that was not consumed.
    pub(crate) at: usize,
    /// The last token that was looked at.
    pub(crate) looked: usize,
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
    frames: Vec<RuleFrame>,
    groups: Vec<OpenGroup>,
    leaves: Leaves<'a>,
    errors: Vec<ReportedError>,
    recovery: recover::Recovery,
    looked: usize,
    steps: u64,
    /// The token matched last, for alternatives that are a set.
    matched: u32,
    /// An alternative to take against the prediction, once.
    forced: Option<ForcedAlternative>,
    profile: Option<&'a mut Profile>,
    /// Every decision is looked at, to count it or to take it otherwise.
    watched: bool,
    /// The state of the hooks, if the parser has some.
    hook_state: Option<Value>,
}

impl<'a> Machine<'a> {
    pub(crate) fn new(
        compiled: &'a Compiled,
        learned: &'a mut Learned,
        limits: &'a Limits,
        input: Input<'a>,
        forced: Option<ForcedAlternative>,
        profile: Option<&'a mut Profile>,
    ) -> Machine<'a> {
        let nodes = learned.spare.nodes(input.lexed.tokens.len());
        Machine {
            compiled,
            learned,
            limits,
            input,
            at: 0,
            state: NO_STATE,
            frames: Vec::new(),
            groups: Vec::new(),
            leaves: Leaves::new(input, nodes),
            errors: Vec::new(),
            recovery: recover::Recovery::default(),
            looked: 0,
            steps: 0,
            matched: 0,
            watched: forced.is_some() || profile.is_some(),
            forced,
            profile,
            hook_state: None,
        }
    }

    /// Parses from a rule on.
    pub(crate) fn run(mut self, start: RuleId) -> Result<ParseOutcome, ParseError> {
        self.learned.predictor.history.clear();
        let ended = self.parse(start);
        self.learned.predictor.history.clear();
        ended?;
        let tree = self.leaves.finish();
        self.learned.spare.saw_nodes(tree.len(), self.input.lexed.tokens.len());
        Ok(ParseOutcome { tree, errors: self.errors, at: self.at, looked: self.looked.max(self.at) })
    }

    fn parse(&mut self, start: RuleId) -> Result<(), ParseError> {
        let before = self.learned.predictor.steps();
        self.learned.predictor.set_limit(before.saturating_add(self.limits.max_steps));
        self.start_hooks()?;
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
        Ok(())
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
                Op::Match { token, state } => self.match_token(token, state)?,
                Op::MatchAndReturn { token, state } => {
                    self.match_token(token, state)?;
                    match self.leave() {
                        Some(back) => pc = back,
                        None => return Ok(()),
                    }
                }
                Op::AltAndMatch { alt, token, state } => {
                    self.set_rule_alt(alt);
                    self.match_token(token, state)?;
                    pc += 1;
                }
                Op::AltMatchAndReturn { alt, token, state } => {
                    self.set_rule_alt(alt);
                    self.match_token(token, state)?;
                    match self.leave() {
                        Some(back) => pc = back,
                        None => return Ok(()),
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
                Op::CallAndDecide { rule, precedence, follow } => {
                    self.enter(rule, precedence, pc, follow).map_err(Failure::Stopped)?;
                    pc = compiled.program.entries[rule as usize];
                    if let Op::Decide { site, row } = compiled.program.ops[pc as usize] {
                        pc = self.decide(site, row)?;
                    }
                }
                Op::CallAndDescend { rule, precedence, follow } => {
                    pc = self.descend(rule, precedence, pc, follow).map_err(Failure::Stopped)?;
                    if let Op::Decide { site, row } = compiled.program.ops[pc as usize] {
                        pc = self.decide(site, row)?;
                    }
                }
                Op::EmptyAndReturn { block } => {
                    self.leaves.nodes.childless(list(block));
                    match self.leave() {
                        Some(back) => pc = back,
                        None => return Ok(()),
                    }
                }
                Op::CloseAndReturn => {
                    self.close_group();
                    match self.leave() {
                        Some(back) => pc = back,
                        None => return Ok(()),
                    }
                }
                Op::Return => match self.leave() {
                    Some(back) => pc = back,
                    None => return Ok(()),
                },
                Op::Open { block, alt, to } => {
                    let nodes = &mut self.leaves.nodes;
                    let list = nodes.open(list(block));
                    let item = nodes.open(Kind::Item { alt });
                    self.groups.push(OpenGroup { list, item });
                    pc = to;
                }
                Op::Next { alt, to } => {
                    let nodes = &mut self.leaves.nodes;
                    if let Some(group) = self.groups.last_mut() {
                        nodes.close(group.item);
                        group.item = nodes.open(Kind::Item { alt });
                    }
                    pc = to;
                }
                Op::Decide { mut site, mut row } => loop {
                    // After an operand, one level of operators after the other ends.
                    match self.ascend(pc - 1, site) {
                        Some(back) => pc = back,
                        None => {
                            pc = self.decide(site, row)?;
                            let Op::EmptyAndReturn { block } = compiled.program.ops[pc as usize] else {
                                break;
                            };
                            self.leaves.nodes.childless(list(block));
                            match self.leave() {
                                Some(back) => pc = back,
                                None => return Ok(()),
                            }
                        }
                    }
                    let Op::Decide { site: next, row: of_next } = compiled.program.ops[pc as usize] else {
                        break;
                    };
                    (site, row) = (next, of_next);
                    pc += 1;
                },
                Op::DecideOperator { site, row } => {
                    pc = self.decide(site, row + self.frame().precedence)?;
                }
                Op::Jump(to) => pc = to,
                Op::Sync { state } => {
                    self.state = state;
                    self.sync()?;
                }
                Op::Predicate { code, state } => {
                    self.state = state;
                    if !self.pass_predicate(code)? {
                        return Err(Failure::Predicate(code));
                    }
                }
                Op::Action { code, state } => {
                    self.state = state;
                    self.act(code)?;
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
        let nodes = &mut self.leaves.nodes;
        match op {
            Op::OpenNone { block } => nodes.childless(list(block)),
            Op::Close => self.close_group(),
            Op::ItemAlt(alt) => self.set_item_alt(alt),
            Op::ItemAltOf { table } => self.set_item_alt(self.alt_of(table)),
            Op::RuleAlt(alt) => self.set_rule_alt(alt),
            Op::RuleAltOf { table } => self.set_rule_alt(self.alt_of(table)),
            Op::Wrap { alt } => {
                let node = self.frame().node;
                self.frame_mut().node = self.leaves.nodes.wrap(node, alt);
            }
            _ => unreachable!("`steps` does the others"),
        }
    }

    #[inline(always)]
    fn close_group(&mut self) {
        if let Some(group) = self.groups.pop() {
            self.leaves.nodes.close(group.item);
            self.leaves.nodes.close(group.list);
        }
    }

    /// Matches one type.
    #[inline(always)]
    fn match_token(&mut self, token: u32, state: StateId) -> Result<(), Failure> {
        if self.token() == token {
            self.accept();
            return Ok(());
        }
        self.state = state;
        self.matched = token;
        self.match_inline(true)
    }

    fn alt_of(&self, table: u32) -> u32 {
        let table = &self.compiled.program.tables[table as usize];
        table.binary_search_by_key(&self.matched, |entry| entry.0).map_or(1, |at| table[at].1)
    }

    #[inline]
    fn set_item_alt(&mut self, alt: u32) {
        if let Some(group) = self.groups.last() {
            self.leaves.nodes.set_alt(group.item, alt);
        }
    }

    #[inline]
    fn set_rule_alt(&mut self, alt: u32) {
        let node = self.frame().node;
        self.leaves.nodes.set_alt(node, alt);
    }

    #[inline(always)]
    fn frame(&self) -> &RuleFrame {
        self.frames.last().expect("a rule is open while instructions run")
    }

    #[inline(always)]
    fn frame_mut(&mut self) -> &mut RuleFrame {
        self.frames.last_mut().expect("a rule is open while instructions run")
    }

    #[inline(always)]
    fn enter(&mut self, rule: u32, precedence: u32, back: Pc, follow: StateId) -> Result<(), ParseError> {
        if self.frames.len() >= self.limits.max_depth {
            let (line, column) = Positions::new(self.input.text).human(self.offset(self.at));
            return Err(ParseError::Depth { limit: self.limits.max_depth, line, column });
        }
        self.steps += 1;
        if self.steps > self.limits.max_steps {
            return Err(ParseError::Steps { limit: self.limits.max_steps });
        }
        let alt = self.compiled.program.only_alt[rule as usize];
        let node = self.leaves.nodes.open(Kind::Rule { rule: RuleId::new(rule as usize), alt });
        let n_groups = self.groups.len() as u32;
        self.frames.push(RuleFrame { inner: NO_CALL, back, follow, precedence, node, n_groups });
        Ok(())
    }

    /// Ends a rule; where the caller goes on, if there is one.
    #[inline(always)]
    fn leave(&mut self) -> Option<Pc> {
        let frame = *self.frame();
        if self.frames.len() == 1 {
            self.leaves.rest(self.at);
        }
        self.leaves.nodes.close(frame.node);
        self.frames.pop();
        self.recovery.left(self.frames.len(), frame.follow);
        (!self.frames.is_empty()).then_some(frame.back)
    }

    /// Ends a rule in the middle, after recovery.
    fn abandon(&mut self) -> Pc {
        self.leave().unwrap_or(0)
    }

    /// Closes the groups that the present rule has open. An item that was not begun vanishes.
    fn close_groups(&mut self) {
        let base = self.frame().n_groups as usize;
        let nodes = &mut self.leaves.nodes;
        for group in self.groups.drain(base..).rev() {
            if !nodes.take_back(group.item) {
                nodes.close(group.item);
            }
            nodes.close(group.list);
        }
    }

    /// Consumes the token ahead as one that was asked for.
    #[inline(always)]
    fn accept(&mut self) {
        self.recovery.matched();
        self.consume();
    }

    /// Consumes the token ahead; it is an error node while recovering. The end of the input stays ahead.
    #[inline(always)]
    fn consume(&mut self) {
        let error = self.recovery.recovering;
        self.leaves.token(self.input.visible[self.at], error);
        if self.input.types[self.at] != 0 {
            self.at += 1;
        }
    }

    /// Where a token of the parser's channel starts.
    fn offset(&self, at: usize) -> usize {
        self.input.lexed.tokens[self.input.visible[at] as usize].start as usize
    }
}

#[inline]
fn list(block: u32) -> Kind {
    Kind::List { block: BlockId::new(block as usize) }
}
