//! The automata of a lexer's modes, determinized as far as they have been walked.
//!
//! A state is an ordered list of configurations, computed as ANTLR does: order is priority, and a configuration
//! that has passed a lazy choice is cut off once a better one of its rule accepts. Rows are dense: one of 128 edges for
//! ASCII, which the lexer's inner loop reads, and one by class for other characters, whose last column is the end of the
//! input. An edge is a state's number with a bit that says whether the state accepts, so that loop reads nothing else.

use super::network::{Edge, LexerNetwork, Outcome};
use polysmith_grammar::{AltId, RuleId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Number of a state.
pub(crate) type LexId = u32;

/// An edge: twice the number of a state, and one more if the state accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step(u32);

impl Step {
    /// No rule can go on.
    pub(crate) const DEAD: Step = Step(u32::MAX - 1);
    /// Nobody has looked yet.
    pub(crate) const UNKNOWN: Step = Step(u32::MAX);

    #[inline]
    pub(crate) fn accepts(self) -> bool {
        self.0 & 1 == 1
    }

    #[inline]
    pub(crate) fn state(self) -> LexId {
        self.0 >> 1
    }
}

/// A row of edges.
pub(crate) type AsciiRow = [Step; 128];

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
    /// By state.
    pub(crate) ascii: Vec<AsciiRow>,
    /// Edges by class, `width` for each state.
    wide: Vec<Step>,
    width: usize,
    accepts: Vec<Option<Accept>>,
    /// By state: what a match that ends there is.
    outcomes: Vec<Outcome>,
    configs: Vec<Arc<[Config]>>,
    ids: FxHashMap<(Arc<[Config]>, u16), LexId>,
    modes: Vec<u16>,
    starts: Vec<Step>,
    /// Call stacks: (return state, stack below), each kept once.
    stacks: Vec<(u32, u32)>,
    stack_ids: FxHashMap<(u32, u32), u32>,
    n_configs: usize,
    /// A state was added since the memory was last looked at.
    grown: bool,
    out: Vec<Config>,
    seen: FxHashSet<Config>,
    todo: Vec<(Config, u32)>,
}

impl Automaton {
    pub(crate) fn new(network: &LexerNetwork) -> Automaton {
        Automaton {
            ascii: Vec::new(),
            wide: Vec::new(),
            width: network.classes.len() + 1,
            accepts: Vec::new(),
            outcomes: Vec::new(),
            configs: Vec::new(),
            ids: FxHashMap::default(),
            modes: Vec::new(),
            starts: vec![Step::UNKNOWN; network.modes.len()],
            stacks: vec![(0, 0)],
            stack_ids: FxHashMap::default(),
            n_configs: 0,
            grown: false,
            out: Vec::new(),
            seen: FxHashSet::default(),
            todo: Vec::new(),
        }
    }

    /// A rough count of the bytes used.
    pub(crate) fn memory(&self) -> usize {
        let rows = self.ascii.len() * size_of::<AsciiRow>() + self.wide.len() * 4;
        rows + self.n_configs * 20 + self.stacks.len() * 24 + self.configs.len() * 96
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
    pub(crate) fn outcome(&self, state: LexId) -> Outcome {
        self.outcomes[state as usize]
    }

    /// The state before the first character.
    #[inline]
    pub(crate) fn start(&mut self, network: &LexerNetwork, mode: usize) -> Step {
        match self.starts[mode] {
            Step::UNKNOWN => self.learn_start(network, mode),
            start => start,
        }
    }

    #[cold]
    fn learn_start(&mut self, network: &LexerNetwork, mode: usize) -> Step {
        self.out.clear();
        self.seen.clear();
        for (rank, (state, _)) in network.modes[mode].iter().enumerate() {
            let (rank, lazy) = (rank as u16, false);
            let config = Config { state: *state, rank, lazy, stack: NO_STACK, commands: NO_COMMANDS };
            self.closure(network, config, false, false);
        }
        self.starts[mode] = self.state(network, mode as u16);
        self.starts[mode]
    }

    /// The edge over a character.
    pub(crate) fn step_char(&mut self, network: &LexerNetwork, state: LexId, c: char) -> Step {
        let class = network.classes.of(c.into());
        match self.wide[state as usize * self.width + class] {
            Step::UNKNOWN => self.learn(network, state, Symbol::Class(class)),
            next => next,
        }
    }

    /// The edge over the end of the input.
    pub(crate) fn step_eof(&mut self, network: &LexerNetwork, state: LexId) -> Step {
        match self.wide[state as usize * self.width + self.width - 1] {
            Step::UNKNOWN => self.learn(network, state, Symbol::Eof),
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
    fn learn(&mut self, network: &LexerNetwork, state: LexId, symbol: Symbol) -> Step {
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
        let next = if self.out.is_empty() { Step::DEAD } else { self.state(network, mode) };
        let row = state as usize * self.width;
        match symbol {
            Symbol::Eof => self.wide[row + self.width - 1] = next,
            Symbol::Class(class) => {
                self.wide[row + class] = next;
                for byte in network.classes.ascii(class) {
                    self.ascii[state as usize][*byte as usize] = next;
                }
            }
        }
        next
    }

    fn step_to(&self, state: LexId) -> Step {
        Step(state << 1 | u32::from(self.accepts[state as usize].is_some()))
    }

    /// The edge to the state with the configurations in `out`.
    fn state(&mut self, network: &LexerNetwork, mode: u16) -> Step {
        let configs: Arc<[Config]> = self.out[..].into();
        if let Some(id) = self.ids.get(&(configs.clone(), mode)) {
            return self.step_to(*id);
        }
        self.grown = true;
        let id = self.configs.len() as LexId;
        let best = configs.iter().find(|config| network.states[config.state as usize].stop);
        let accept = best.map(|config| Accept {
            rule: network.modes[mode as usize][config.rank as usize].1,
            commands: (config.commands != NO_COMMANDS).then(|| AltId::new(config.commands as usize)),
        });
        self.accepts.push(accept);
        self.outcomes.push(match accept {
            Some(Accept { commands: Some(alt), .. }) => network.commanded[alt.index()],
            Some(Accept { rule, .. }) => network.plain[rule.index()],
            None => Outcome::Obey,
        });
        self.ascii.push([Step::UNKNOWN; 128]);
        self.wide.resize(self.wide.len() + self.width, Step::UNKNOWN);
        self.n_configs += configs.len();
        self.ids.insert((configs.clone(), mode), id);
        self.configs.push(configs);
        self.modes.push(mode);
        self.step_to(id)
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
