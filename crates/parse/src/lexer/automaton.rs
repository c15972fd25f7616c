//! The automata of a lexer's modes, determinized as far as they have been walked.
//!
//! A state is an ordered list of configurations, computed as ANTLR does: order is priority, and a configuration
//! that has passed a lazy choice is cut off once a better one of its rule accepts. Rows are dense: ASCII
//! characters index them directly, other characters by class, the last column is the end of the input.

use super::network::{Edge, LexerNetwork};
use polysmith_grammar::{AltId, RuleId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Number of a state.
pub(crate) type LexId = u32;

pub(crate) const DEAD: u32 = u32::MAX - 1;
const UNKNOWN: u32 = u32::MAX;
const NO_STACK: u32 = 0;
const NO_COMMANDS: u32 = u32::MAX;

/// One way to be somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Config {
    state: u32,
    /// The competitor's place in its mode.
    rank: u16,
    /// It has passed a lazy choice.
    lazy: bool,
    stack: u32,
    commands: u32,
}

/// What a state accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Accept {
    pub(crate) rule: RuleId,
    /// The alternative whose commands apply.
    pub(crate) commands: Option<AltId>,
}

/// What the next character is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Symbol {
    Class(usize),
    Eof,
}

/// Automata of all modes.
#[derive(Debug, Clone)]
pub(crate) struct Automaton {
    width: usize,
    rows: Vec<u32>,
    accepts: Vec<Option<Accept>>,
    configs: Vec<Arc<[Config]>>,
    ids: FxHashMap<(Arc<[Config]>, u16), LexId>,
    modes: Vec<u16>,
    starts: Vec<u32>,
    /// Call stacks: (return state, stack below), each kept once.
    stacks: Vec<(u32, u32)>,
    stack_ids: FxHashMap<(u32, u32), u32>,
    n_configs: usize,
    out: Vec<Config>,
    seen: FxHashSet<Config>,
    todo: Vec<(Config, u32)>,
}

impl Automaton {
    pub(crate) fn new(network: &LexerNetwork) -> Automaton {
        Automaton {
            width: 128 + network.classes.len() + 1,
            rows: Vec::new(),
            accepts: Vec::new(),
            configs: Vec::new(),
            ids: FxHashMap::default(),
            modes: Vec::new(),
            starts: vec![UNKNOWN; network.modes.len()],
            stacks: vec![(0, 0)],
            stack_ids: FxHashMap::default(),
            n_configs: 0,
            out: Vec::new(),
            seen: FxHashSet::default(),
            todo: Vec::new(),
        }
    }

    /// A rough count of the bytes used.
    pub(crate) fn memory(&self) -> usize {
        self.rows.len() * 4 + self.n_configs * 20 + self.stacks.len() * 24 + self.configs.len() * 96
    }

    /// Drops everything learned.
    pub(crate) fn forget(&mut self, network: &LexerNetwork) {
        *self = Automaton::new(network);
    }

    #[inline]
    pub(crate) fn accept(&self, state: LexId) -> Option<Accept> {
        self.accepts[state as usize]
    }

    /// The state before the first character.
    pub(crate) fn start(&mut self, network: &LexerNetwork, mode: usize) -> LexId {
        if self.starts[mode] == UNKNOWN {
            self.out.clear();
            self.seen.clear();
            for (rank, (state, _)) in network.modes[mode].iter().enumerate() {
                let config = Config {
                    state: *state,
                    rank: rank as u16,
                    lazy: false,
                    stack: NO_STACK,
                    commands: NO_COMMANDS,
                };
                self.closure(network, config, false, false);
            }
            self.starts[mode] = self.state(network, mode as u16);
        }
        self.starts[mode]
    }

    /// The state behind an ASCII character.
    #[inline]
    pub(crate) fn step_ascii(&mut self, network: &LexerNetwork, state: LexId, byte: u8) -> u32 {
        let next = self.rows[state as usize * self.width + byte as usize];
        if next == UNKNOWN {
            return self.learn(network, state, Symbol::Class(network.classes.of(u32::from(byte))));
        }
        next
    }

    /// The state behind a character.
    pub(crate) fn step_char(&mut self, network: &LexerNetwork, state: LexId, c: char) -> u32 {
        let class = network.classes.of(c.into());
        match self.rows[state as usize * self.width + 128 + class] {
            UNKNOWN => self.learn(network, state, Symbol::Class(class)),
            next => next,
        }
    }

    /// The state behind the end of the input.
    pub(crate) fn step_eof(&mut self, network: &LexerNetwork, state: LexId) -> u32 {
        match self.rows[state as usize * self.width + self.width - 1] {
            UNKNOWN => self.learn(network, state, Symbol::Eof),
            next => next,
        }
    }

    /// Whether some character leads on.
    pub(crate) fn can_grow(&self, network: &LexerNetwork, state: LexId) -> bool {
        self.configs[state as usize].iter().any(|config| {
            network.states[config.state as usize].edges.iter().any(|edge| match edge {
                Edge::Chars(set, _) => network.sets[*set as usize].contains(&true),
                _ => false,
            })
        })
    }

    /// The rules that are still in the race.
    pub(crate) fn alive(&self, network: &LexerNetwork, state: LexId) -> Vec<RuleId> {
        let mode = self.modes[state as usize] as usize;
        let mut ranks: Vec<u16> = self.configs[state as usize].iter().map(|config| config.rank).collect();
        ranks.sort_unstable();
        ranks.dedup();
        ranks.into_iter().map(|rank| network.modes[mode][rank as usize].1).collect()
    }

    #[cold]
    fn learn(&mut self, network: &LexerNetwork, state: LexId, symbol: Symbol) -> u32 {
        let configs = self.configs[state as usize].clone();
        self.out.clear();
        self.seen.clear();
        let mut cut = None;
        for config in configs.iter() {
            let reached = cut == Some(config.rank);
            if reached && config.lazy {
                continue;
            }
            for edge in &network.states[config.state as usize].edges {
                let target = match (*edge, symbol) {
                    (Edge::Chars(set, to), Symbol::Class(class)) if network.sets[set as usize][class] => to,
                    (Edge::Eof(to), Symbol::Eof) => to,
                    _ => continue,
                };
                let moved = arrive(network, *config, target);
                if self.closure(network, moved, reached, symbol == Symbol::Eof) {
                    cut = Some(config.rank);
                    break;
                }
            }
        }
        let mode = self.modes[state as usize];
        let next = if self.out.is_empty() { DEAD } else { self.state(network, mode) };
        let row = state as usize * self.width;
        match symbol {
            Symbol::Eof => self.rows[row + self.width - 1] = next,
            Symbol::Class(class) => {
                self.rows[row + 128 + class] = next;
                for byte in network.classes.ascii(class) {
                    self.rows[row + *byte as usize] = next;
                }
            }
        }
        next
    }

    /// The state with the configurations in `out`.
    fn state(&mut self, network: &LexerNetwork, mode: u16) -> LexId {
        let configs: Arc<[Config]> = self.out[..].into();
        if let Some(id) = self.ids.get(&(configs.clone(), mode)) {
            return *id;
        }
        let id = self.configs.len() as LexId;
        let best = configs.iter().find(|config| network.states[config.state as usize].stop);
        self.accepts.push(best.map(|config| Accept {
            rule: network.modes[mode as usize][config.rank as usize].1,
            commands: (config.commands != NO_COMMANDS).then(|| AltId::new(config.commands as usize)),
        }));
        self.rows.resize(self.rows.len() + self.width, UNKNOWN);
        self.n_configs += configs.len();
        self.ids.insert((configs.clone(), mode), id);
        self.configs.push(configs);
        self.modes.push(mode);
        id
    }

    /// Adds what is reachable without a character to `out`; true if the rule has accepted on the way.
    fn closure(&mut self, network: &LexerNetwork, from: Config, mut reached: bool, at_eof: bool) -> bool {
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
                        self.todo.push((arrive(network, Config { stack, ..config }, target), 0));
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
                Edge::Epsilon(to) => arrive(network, config, to),
                Edge::Chars(..) => continue,
                Edge::Eof(to) if at_eof => arrive(network, config, to),
                Edge::Eof(_) => continue,
                Edge::Call { start, follow } => {
                    let stack = self.push(follow, config.stack);
                    arrive(network, Config { stack, ..config }, start)
                }
                Edge::Commands(alt, to) => {
                    let own = config.stack == NO_STACK;
                    let commands = if own { alt.index() as u32 } else { config.commands };
                    arrive(network, Config { commands, ..config }, to)
                }
            };
            self.todo.push((next, 0));
        }
        reached
    }

    fn add(&mut self, config: Config) {
        if self.seen.insert(config) {
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

fn arrive(network: &LexerNetwork, config: Config, state: u32) -> Config {
    Config { state, lazy: config.lazy || network.states[state as usize].lazy, ..config }
}
