//! The automata of a lexer's modes, determinized as far as they have been walked.
//!
//! A state is an ordered list of configurations, computed as ANTLR does: order is priority, and a configuration
//! that has passed a lazy choice is cut off once a better one of its rule accepts. A state has a dense row of edges, by
//! class of characters; its last column is the end of the input. The class of an ASCII character is one array read that
//! waits for nothing, so the lexer's inner loop takes one step of the automaton per read of a row, and rows are short
//! enough to stay near. An edge is a state's number with two bits that say whether the state accepts and whether the walk
//! stops there, so that loop reads nothing else and has one way out.

use super::actions::{ActionLists, LexerAction};
use super::asked::{AskPlace, Questions};
use super::network::{LexerEdge, LexerNetwork, MatchEffect};
use crate::index::{Index, Mix};
use polysmith_grammar::{AltId, CodeId, RuleId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Number of a state.
pub(crate) type LexId = u32;

/// An edge: the number of a state, then a bit if the walk stops there, then a bit if the state accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LexStep(u32);

const ACCEPTS: u32 = 1;
const STOPS: u32 = 2;
const STATE_SHIFT: u32 = 2;

impl LexStep {
    /// No rule can go on.
    pub(crate) const DEAD: LexStep = LexStep(u32::MAX - 1);
    /// Not computed yet.
    pub(crate) const UNKNOWN: LexStep = LexStep(u32::MAX);
    /// Depends on the answers of predicates ([`Questions`]). The bits say that the walk stops and nothing accepts.
    pub(crate) const ASK: LexStep = LexStep(u32::MAX - 5);

    fn new(state: LexId, stops: bool, accepts: bool) -> LexStep {
        LexStep(state << STATE_SHIFT | if stops { STOPS } else { 0 } | if accepts { ACCEPTS } else { 0 })
    }

    #[inline]
    pub(crate) fn accepts(self) -> bool {
        self.0 & ACCEPTS != 0
    }

    /// Whether the walk has no further edge to read: it is not computed yet, no rule can go on, or the state accepts and
    /// no character leads on.
    #[inline]
    pub(crate) fn stops(self) -> bool {
        self.0 & STOPS != 0
    }

    #[inline]
    pub(crate) fn state(self) -> LexId {
        self.0 >> STATE_SHIFT
    }
}

const NO_STACK: u32 = 0;
const NO_COMMANDS: u32 = u32::MAX;
/// Numbers of commands from here on are lists; below are alternatives.
const FIRST_LIST: u32 = 1 << 31;

/// One way to be somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LexConfig {
    state: u32,
    /// The competitor's place in its mode.
    rank: u16,
    /// It has passed a lazy choice.
    lazy: bool,
    stack: u32,
    /// The alternative whose commands apply, or a list that has actions too ([`ActionLists`]).
    commands: u32,
}

impl LexConfig {
    #[inline]
    fn mixed_into(self, mix: Mix) -> Mix {
        mix.and_both(self.state, u32::from(self.rank) << 1 | u32::from(self.lazy))
            .and_both(self.stack, self.commands)
    }
}

/// What a state accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Accept {
    pub(crate) rule: RuleId,
    /// The alternative whose commands apply.
    pub(crate) commands: Option<AltId>,
    /// The list that applies instead, if the match has passed an action of hooks.
    pub(crate) list: Option<u32>,
}

/// Automata of all modes.
#[derive(Debug, Clone)]
pub(crate) struct Automaton {
    /// Edges by class, `1 << shift` for each state.
    edges: Vec<LexStep>,
    shift: u32,
    /// The column of the end of the input.
    end_of_input: usize,
    /// By state: the edge that leads to it.
    steps: Vec<LexStep>,
    accepts: Vec<Option<Accept>>,
    /// By state: what a match that ends there is.
    effects: Vec<MatchEffect>,
    configs: Vec<Arc<[LexConfig]>>,
    /// States by configurations and mode.
    ids: Index,
    modes: Vec<u16>,
    starts: Vec<LexStep>,
    /// Call stacks: (return state, stack below), each kept once.
    stacks: Vec<(u32, u32)>,
    stack_ids: FxHashMap<(u32, u32), u32>,
    n_configs: usize,
    /// A state was added since the memory was last looked at.
    grown: bool,
    /// Edges that depend on predicates.
    questions: Questions,
    pub(super) lists: ActionLists,
    /// What the present walk has found.
    out: Vec<LexConfig>,
    out_index: Index,
    todo: Vec<(LexConfig, u32)>,
}

impl Automaton {
    pub(crate) fn new(network: &LexerNetwork) -> Automaton {
        let n_classes = network.classes.len();
        Automaton {
            edges: Vec::new(),
            shift: (n_classes + 1).next_power_of_two().trailing_zeros(),
            end_of_input: n_classes,
            steps: Vec::new(),
            accepts: Vec::new(),
            effects: Vec::new(),
            configs: Vec::new(),
            ids: Index::default(),
            modes: Vec::new(),
            starts: vec![LexStep::UNKNOWN; network.modes.len()],
            stacks: vec![(0, 0)],
            stack_ids: FxHashMap::default(),
            n_configs: 0,
            grown: false,
            questions: Questions::default(),
            lists: ActionLists::default(),
            out: Vec::new(),
            out_index: Index::default(),
            todo: Vec::new(),
        }
    }

    /// A rough count of the bytes used.
    pub(crate) fn memory(&self) -> usize {
        self.edges.len() * 4 + self.n_configs * 20 + self.stacks.len() * 24 + self.configs.len() * 96
    }

    /// Drops everything learned.
    pub(crate) fn forget(&mut self, network: &LexerNetwork) {
        *self = Automaton::new(network);
    }

    /// Drops everything learned if it takes more memory than allowed.
    #[inline]
    pub(crate) fn forget_beyond(&mut self, max_memory: usize, network: &LexerNetwork) {
        if std::mem::take(&mut self.grown) && self.memory() > max_memory {
            self.forget(network);
        }
    }

    /// What a state accepts, if it does.
    #[inline]
    pub(crate) fn accept(&self, state: LexId) -> Option<Accept> {
        self.accepts[state as usize]
    }

    /// What a match is that ends in a state, which accepts.
    #[inline]
    pub(crate) fn effect(&self, state: LexId) -> MatchEffect {
        self.effects[state as usize]
    }

    /// The state before the first character. Predicates count as true.
    #[inline]
    pub(crate) fn start(&mut self, network: &LexerNetwork, mode: usize) -> LexStep {
        match self.starts[mode] {
            LexStep::UNKNOWN => {
                let start = self.learn_start(network, mode);
                self.if_all_hold(AskPlace::Start(mode), start)
            }
            LexStep::ASK => self.if_all_hold(AskPlace::Start(mode), LexStep::ASK),
            start => start,
        }
    }

    /// The edge to where all predicates hold.
    fn if_all_hold(&self, place: AskPlace, step: LexStep) -> LexStep {
        if step == LexStep::ASK { self.questions.all_hold(place) } else { step }
    }

    /// The predicates that an edge depends on, if it is [`LexStep::ASK`].
    pub(super) fn asked(&self, place: AskPlace) -> Arc<[CodeId]> {
        self.questions.codes(place)
    }

    /// An edge as far as it is known, without answers of predicates.
    pub(super) fn unanswered(&mut self, network: &LexerNetwork, place: AskPlace) -> LexStep {
        let known = match place {
            AskPlace::Start(mode) => self.starts[mode],
            AskPlace::Edge(state, class) => self.known_step(state, class),
        };
        match known {
            LexStep::UNKNOWN => self.learn_at(network, place),
            step => step,
        }
    }

    /// The edge for these answers of the predicates that it depends on.
    pub(super) fn answered(&mut self, network: &LexerNetwork, place: AskPlace, answers: &[bool]) -> LexStep {
        if let Some(step) = self.questions.get(place, answers) {
            return step;
        }
        self.questions.begin_with(place, answers);
        let step = match place {
            AskPlace::Start(mode) => self.reach_start(network, mode),
            AskPlace::Edge(state, class) => self.reach(network, state, class),
        };
        self.questions.answer(place, answers, step);
        step
    }

    fn learn_at(&mut self, network: &LexerNetwork, place: AskPlace) -> LexStep {
        match place {
            AskPlace::Start(mode) => self.learn_start(network, mode),
            AskPlace::Edge(state, class) => self.learn(network, state, class),
        }
    }

    #[cold]
    fn learn_start(&mut self, network: &LexerNetwork, mode: usize) -> LexStep {
        self.questions.begin();
        let step = self.reach_start(network, mode);
        self.starts[mode] = self.questions.end(AskPlace::Start(mode), step);
        self.starts[mode]
    }

    fn reach_start(&mut self, network: &LexerNetwork, mode: usize) -> LexStep {
        self.out.clear();
        self.out_index.clear();
        for (rank, (state, _)) in network.modes[mode].iter().enumerate() {
            let (rank, lazy) = (rank as u16, false);
            let config = LexConfig { state: *state, rank, lazy, stack: NO_STACK, commands: NO_COMMANDS };
            self.closure(network, config, false, false);
        }
        // A mode without rules has a state too: the walk drops a character there.
        self.state(network, mode as u16)
    }

    /// The column of the end of the input, among those of the classes.
    pub(crate) fn end_of_input(&self) -> usize {
        self.end_of_input
    }

    #[inline(always)]
    fn place(&self, state: LexId, class: usize) -> usize {
        ((state as usize) << self.shift) + class
    }

    /// The edge over a character of a class, as far as it is known.
    #[inline(always)]
    pub(crate) fn known_step(&self, state: LexId, class: usize) -> LexStep {
        self.edges[self.place(state, class)]
    }

    /// The edge over a character of a class. Predicates count as true.
    #[inline]
    pub(crate) fn step(&mut self, network: &LexerNetwork, state: LexId, class: usize) -> LexStep {
        match self.known_step(state, class) {
            LexStep::UNKNOWN => {
                let next = self.learn(network, state, class);
                self.if_all_hold(AskPlace::Edge(state, class), next)
            }
            LexStep::ASK => self.if_all_hold(AskPlace::Edge(state, class), LexStep::ASK),
            next => next,
        }
    }

    #[cold]
    fn learn(&mut self, network: &LexerNetwork, state: LexId, class: usize) -> LexStep {
        self.questions.begin();
        let step = self.reach(network, state, class);
        let step = self.questions.end(AskPlace::Edge(state, class), step);
        let place = self.place(state, class);
        self.edges[place] = step;
        step
    }

    fn reach(&mut self, network: &LexerNetwork, state: LexId, class: usize) -> LexStep {
        let at_eof = class == self.end_of_input;
        let configs = self.configs[state as usize].clone();
        self.out.clear();
        self.out_index.clear();
        let mut cut = None;
        for config in configs.iter() {
            let reached = cut == Some(config.rank);
            if reached && config.lazy {
                continue;
            }
            for edge in &network.states[config.state as usize].edges {
                let target = match *edge {
                    LexerEdge::Chars(set, to) if !at_eof && network.sets[set as usize][class] => to,
                    LexerEdge::Eof(to) if at_eof => to,
                    _ => continue,
                };
                let moved = arrive(network, *config, target);
                if self.closure(network, moved, reached, at_eof) {
                    cut = Some(config.rank);
                    break;
                }
            }
        }
        let mode = self.modes[state as usize];
        if self.out.is_empty() { LexStep::DEAD } else { self.state(network, mode) }
    }

    /// The edge to the state with the configurations in `out`.
    fn state(&mut self, network: &LexerNetwork, mode: u16) -> LexStep {
        let start = Mix::default().and(u64::from(mode));
        let hash = self.out.iter().fold(start, |mix, config| config.mixed_into(mix)).hash();
        let is_same =
            |id: LexId| self.modes[id as usize] == mode && self.configs[id as usize][..] == self.out[..];
        if let Some(id) = self.ids.get_or_insert(hash, self.configs.len(), is_same) {
            return self.steps[id as usize];
        }
        self.grown = true;
        let configs: Arc<[LexConfig]> = self.out[..].into();
        let id = self.configs.len() as LexId;
        let best = configs.iter().find(|config| network.states[config.state as usize].stop);
        let accept = best.map(|config| Accept {
            rule: network.modes[mode as usize][config.rank as usize].1,
            commands: (config.commands < FIRST_LIST).then(|| AltId::new(config.commands as usize)),
            list: list_of(config.commands),
        });
        self.accepts.push(accept);
        self.effects.push(match accept {
            Some(Accept { list: Some(_), .. }) => MatchEffect::RunCommands,
            Some(Accept { commands: Some(alt), .. }) => network.commanded[alt.index()],
            Some(Accept { rule, .. }) => network.plain[rule.index()],
            None => MatchEffect::RunCommands,
        });
        let stops =
            accept.is_some() && configs.iter().all(|config| network.states[config.state as usize].stop);
        let step = LexStep::new(id, stops, accept.is_some());
        self.steps.push(step);
        self.edges.resize(self.edges.len() + (1 << self.shift), LexStep::UNKNOWN);
        self.n_configs += configs.len();
        self.configs.push(configs);
        self.modes.push(mode);
        step
    }

    /// Adds what is reachable without a character to `out`; true if the rule has accepted on the way.
    fn closure(&mut self, network: &LexerNetwork, from: LexConfig, mut reached: bool, at_eof: bool) -> bool {
        self.todo.push((from, 0));
        while let Some((config, at)) = self.todo.pop() {
            let state = &network.states[config.state as usize];
            if at == 0 {
                if state.stop {
                    if config.stack == NO_STACK {
                        self.add(config);
                        reached = true;
                    } else {
                        let (target, stack) = self.stacks[config.stack as usize];
                        self.todo.push((arrive(network, LexConfig { stack, ..config }, target), 0));
                    }
                    continue;
                }
                if state.consumes && !(reached && config.lazy) {
                    self.add(config);
                }
            }
            let Some(edge) = state.edges.get(at as usize) else { continue };
            if at + 1 < state.edges.len() as u32 {
                self.todo.push((config, at + 1));
            }
            let next = match *edge {
                LexerEdge::Epsilon(to) => arrive(network, config, to),
                LexerEdge::Chars(..) => continue,
                LexerEdge::Eof(to) if at_eof => arrive(network, config, to),
                LexerEdge::Eof(_) => continue,
                LexerEdge::Call { start, follow } => {
                    let stack = self.push(follow, config.stack);
                    arrive(network, LexConfig { stack, ..config }, start)
                }
                LexerEdge::Commands(alt, to) => {
                    let commands = match list_of(config.commands) {
                        _ if config.stack != NO_STACK => config.commands,
                        None => alt.index() as u32,
                        list => FIRST_LIST + self.lists.after(list, LexerAction::Commands(alt)),
                    };
                    arrive(network, LexConfig { commands, ..config }, to)
                }
                LexerEdge::Predicate(code, to) => match self.questions.holds(code) {
                    true => arrive(network, config, to),
                    false => continue,
                },
                LexerEdge::Action(code, to) => {
                    let before = list_of(config.commands);
                    let commands = match config.stack {
                        NO_STACK => FIRST_LIST + self.lists.after(before, LexerAction::Code(code)),
                        _ => config.commands,
                    };
                    arrive(network, LexConfig { commands, ..config }, to)
                }
            };
            self.todo.push((next, 0));
        }
        reached
    }

    fn add(&mut self, config: LexConfig) {
        let hash = config.mixed_into(Mix::default()).hash();
        let is_same = |at: u32| self.out[at as usize] == config;
        if self.out_index.get_or_insert(hash, self.out.len(), is_same).is_none() {
            self.out.push(config);
        }
    }

    fn push(&mut self, state: u32, below: u32) -> u32 {
        let next = self.stacks.len() as u32;
        let id = *self.stack_ids.entry((state, below)).or_insert(next);
        if id == next {
            self.stacks.push((state, below));
        }
        id
    }
}

fn arrive(network: &LexerNetwork, config: LexConfig, state: u32) -> LexConfig {
    LexConfig { state, lazy: config.lazy || network.states[state as usize].lazy, ..config }
}

/// The list that commands are, if they are one.
fn list_of(commands: u32) -> Option<u32> {
    (FIRST_LIST..NO_COMMANDS).contains(&commands).then(|| commands - FIRST_LIST)
}
