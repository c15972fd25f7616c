//! From a grammar to its network.
//!
//! Blocks are built from the innermost outwards (a block's number is smaller than those inside it, so going
//! down the numbers needs no recursion), each to a pair of states as in ANTLR's factory. A left-recursive rule
//! is built as `( primary | … ) ( {precedence}? operator | … )*`.

use super::{Call, Decision, Edge, NO_STATE, Network, State, StateId, StateKind, tail};
use crate::types::TypeSet;
use polysmith_grammar::{
    AltId, BlockId, CodeKind, Element, ElementKind, Grammar, LeftRecursion, OperatorClass, Quantifier,
    RuleId, RuleKind,
};

/// Where the parts of a block are, for the program and for sync.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockStates {
    pub(crate) start: StateId,
    /// Loop entry of a star block.
    pub(crate) entry: StateId,
    pub(crate) loop_back: StateId,
    /// The choice between the alternatives (with the way out, where the block is optional).
    pub(crate) choice: Option<u32>,
    /// The choice between going on and ending, where the block is a loop.
    pub(crate) repeat: Option<u32>,
    /// All alternatives are single tokens, and were made one set.
    pub(crate) is_set: bool,
}

impl Default for BlockStates {
    fn default() -> BlockStates {
        BlockStates {
            start: NO_STATE,
            entry: NO_STATE,
            loop_back: NO_STATE,
            choice: None,
            repeat: None,
            is_set: false,
        }
    }
}

/// The network with what the program needs to know about it.
pub(crate) struct Built {
    pub(crate) network: Network,
    /// By block number.
    pub(crate) blocks: Vec<BlockStates>,
    /// By element number: the state in which it is matched or called.
    pub(crate) elements: Vec<StateId>,
    /// By rule number: the loop of operators of a left-recursive rule.
    pub(crate) operators: Vec<BlockStates>,
    /// By alternative number: where the precedence of an operator alternative is tested.
    pub(crate) tests: Vec<StateId>,
    /// By decision: the group that it is about; `None` is the rule itself.
    pub(crate) decision_blocks: Vec<Option<BlockId>>,
}

/// Builds the network of a grammar's parser rules.
pub(crate) fn build(grammar: &Grammar) -> Built {
    let mut builder = NetworkBuilder::new(grammar);
    let parser_rules: Vec<RuleId> = grammar.parser_rules().collect();
    for rule in &parser_rules {
        builder.rule = *rule;
        builder.starts[rule.index()] = builder.state(StateKind::RuleStart);
        builder.stops[rule.index()] = builder.state(StateKind::RuleStop);
    }
    for rule in parser_rules {
        builder.rule(rule);
    }
    builder.finish()
}

/// The first and the last state of a finished part of the network.
#[derive(Debug, Clone, Copy)]
struct Handle {
    left: StateId,
    right: StateId,
}

/// A state while edges are still added and redirected.
pub(super) struct DraftState {
    pub(super) kind: StateKind,
    rule: RuleId,
    pub(super) edges: Vec<Edge>,
    block_end: StateId,
}

struct NetworkBuilder<'g> {
    grammar: &'g Grammar,
    n_types: usize,
    rule: RuleId,
    states: Vec<DraftState>,
    sets: Vec<TypeSet>,
    decisions: Vec<Decision>,
    starts: Vec<StateId>,
    stops: Vec<StateId>,
    blocks: Vec<BlockStates>,
    /// By inner block: its finished part.
    handles: Vec<Option<Handle>>,
    elements: Vec<StateId>,
    operators: Vec<BlockStates>,
    tests: Vec<StateId>,
    precedence_entries: Vec<StateId>,
    decision_blocks: Vec<Option<BlockId>>,
    /// The group being built.
    group: Option<BlockId>,
}

impl<'g> NetworkBuilder<'g> {
    fn new(grammar: &'g Grammar) -> NetworkBuilder<'g> {
        let n_rules = grammar.rules().len();
        NetworkBuilder {
            grammar,
            n_types: grammar.tokens().len(),
            rule: RuleId::new(0),
            states: Vec::new(),
            sets: Vec::new(),
            decisions: Vec::new(),
            starts: vec![NO_STATE; n_rules],
            stops: vec![NO_STATE; n_rules],
            blocks: vec![BlockStates::default(); grammar.n_blocks()],
            handles: vec![None; grammar.n_blocks()],
            elements: vec![NO_STATE; grammar.n_elements()],
            operators: vec![BlockStates::default(); n_rules],
            tests: vec![NO_STATE; grammar.n_alternatives()],
            precedence_entries: Vec::new(),
            decision_blocks: Vec::new(),
            group: None,
        }
    }

    fn state(&mut self, kind: StateKind) -> StateId {
        self.states.push(DraftState { kind, rule: self.rule, edges: Vec::new(), block_end: NO_STATE });
        (self.states.len() - 1) as StateId
    }

    fn edge(&mut self, from: StateId, edge: Edge) {
        self.states[from as usize].edges.push(edge);
    }

    fn epsilon(&mut self, from: StateId, to: StateId) {
        self.edge(from, Edge::Epsilon(to));
    }

    fn decision(&mut self, state: StateId, lazy: bool) -> u32 {
        self.decisions.push(Decision { state, lazy });
        self.decision_blocks.push(self.group);
        (self.decisions.len() - 1) as u32
    }

    fn rule(&mut self, rule: RuleId) {
        self.rule = rule;
        let definition = self.grammar.rule(rule);
        let body = definition.body();
        for block in BlockId::range(definition.blocks.clone()).rev() {
            if block != body {
                self.group = Some(block);
                let handle = self.block(block);
                self.handles[block.index()] = Some(handle);
            }
        }
        self.group = None;
        let handle = match &definition.recursion {
            Some(table) => self.recursive_body(rule, table),
            None => self.block(body),
        };
        self.epsilon(self.starts[rule.index()], handle.left);
        self.epsilon(handle.right, self.stops[rule.index()]);
    }

    /// A block with its quantifier.
    fn block(&mut self, id: BlockId) -> Handle {
        let quantifier = self.grammar.block(id).quantifier;
        let mut states = BlockStates { is_set: self.is_set(id), ..BlockStates::default() };
        let alternatives: Vec<Handle> = if states.is_set {
            vec![self.set_of(id)]
        } else {
            self.grammar.alternatives(id).map(|alt| self.alternative(alt, &[], 0, None)).collect()
        };
        let handle = self.quantified(quantifier, &alternatives, &mut states);
        self.blocks[id.index()] = states;
        handle
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        alternatives: &[Handle],
        states: &mut BlockStates,
    ) -> Handle {
        if quantifier.is_one() && alternatives.len() == 1 {
            states.start = alternatives[0].left;
            return alternatives[0];
        }
        let block = self.choice(alternatives);
        states.start = block.left;
        let several = alternatives.len() > 1;
        let optional = quantifier.min == 0 && quantifier.max == Some(1);
        if several || optional {
            states.choice = Some(self.decision(block.left, optional && !quantifier.greedy));
        }
        match (quantifier.min, quantifier.max) {
            (1, Some(1)) => block,
            (0, Some(1)) => {
                let at = if quantifier.greedy { self.states[block.left as usize].edges.len() } else { 0 };
                self.states[block.left as usize].edges.insert(at, Edge::Epsilon(block.right));
                block
            }
            (0, _) => self.star(block, quantifier.greedy, states),
            _ => self.plus(block, quantifier.greedy, states),
        }
    }

    /// Start, alternatives, end; each alternative's last state merged with the end where ANTLR does it.
    fn choice(&mut self, alternatives: &[Handle]) -> Handle {
        let (left, right) = (self.state(StateKind::BlockStart), self.state(StateKind::BlockEnd));
        self.states[left as usize].block_end = right;
        for alternative in alternatives {
            self.epsilon(left, alternative.left);
            self.epsilon(alternative.right, right);
            tail::merge_tail(&mut self.states, alternative.left);
        }
        Handle { left, right }
    }

    fn star(&mut self, block: Handle, greedy: bool, states: &mut BlockStates) -> Handle {
        let entry = self.state(StateKind::StarLoopEntry);
        let end = self.state(StateKind::LoopEnd);
        let back = self.state(StateKind::StarLoopBack);
        states.repeat = Some(self.decision(entry, !greedy));
        (states.entry, states.loop_back) = (entry, back);
        self.ways_on(entry, block.left, end, greedy);
        self.epsilon(block.right, back);
        self.epsilon(back, entry);
        Handle { left: entry, right: end }
    }

    fn plus(&mut self, block: Handle, greedy: bool, states: &mut BlockStates) -> Handle {
        let back = self.state(StateKind::PlusLoopBack);
        let end = self.state(StateKind::LoopEnd);
        states.repeat = Some(self.decision(back, !greedy));
        states.loop_back = back;
        self.epsilon(block.right, back);
        self.ways_on(back, block.left, end, greedy);
        Handle { left: block.left, right: end }
    }

    fn ways_on(&mut self, from: StateId, again: StateId, end: StateId, greedy: bool) {
        let (first, second) = if greedy { (again, end) } else { (end, again) };
        self.epsilon(from, first);
        self.epsilon(from, second);
    }

    /// The elements of an alternative from number `skip` on, after some edges that consume nothing. A call
    /// that is last may ask for a precedence.
    fn alternative(&mut self, alt: AltId, before: &[Edge], skip: usize, operand: Option<u32>) -> Handle {
        let grammar = self.grammar;
        let elements = grammar.elements(alt);
        let trailing = elements.iter().rposition(|element| !is_code(element));
        let mut handles = Vec::with_capacity(before.len() + elements.len());
        for edge in before {
            handles.push(self.single(|to| redirected(*edge, to)));
        }
        if let Some(first) = handles.first() {
            self.tests[alt.index()] = first.left;
        }
        for (at, id) in grammar.element_ids(alt).enumerate().skip(skip) {
            let precedence = operand.filter(|_| Some(at) == trailing).unwrap_or(0);
            let handle = self.element(grammar.element(id), precedence);
            self.elements[id.index()] = handle.left;
            handles.push(handle);
        }
        if handles.is_empty() {
            return self.single(Edge::Epsilon);
        }
        self.sequence(&handles)
    }

    fn single(&mut self, edge: impl FnOnce(StateId) -> Edge) -> Handle {
        let (left, right) = (self.state(StateKind::Basic), self.state(StateKind::Basic));
        self.edge(left, edge(right));
        Handle { left, right }
    }

    fn element(&mut self, element: &Element, precedence: u32) -> Handle {
        match element.kind {
            ElementKind::Token(token) => self.single(|to| Edge::Token(token.index() as u32, to)),
            ElementKind::NotTokens(set) => {
                let mut types = TypeSet::all_but_eof(self.n_types);
                for token in self.grammar.token_set(set) {
                    types.remove(token.index());
                }
                self.set(types)
            }
            ElementKind::AnyToken => self.set(TypeSet::all_but_eof(self.n_types)),
            ElementKind::Rule(rule) if self.grammar.rule(rule).kind == RuleKind::Parser => {
                let (start, rule) = (self.starts[rule.index()], rule.index() as u32);
                self.single(|follow| Edge::Call(Call { start, rule, precedence, follow }))
            }
            ElementKind::Block(block) => self.handles[block.index()].expect("inner blocks are built first"),
            ElementKind::Code(code) => match self.grammar.code(code).kind {
                CodeKind::Action => self.single(Edge::Action),
                CodeKind::Predicate { .. } => self.single(|to| Edge::Predicate(code, to)),
            },
            // Characters and token rules do not occur in parser rules.
            ElementKind::Rule(_) | ElementKind::Chars(_) | ElementKind::Text(_) => self.single(Edge::Epsilon),
        }
    }

    fn set(&mut self, types: TypeSet) -> Handle {
        self.sets.push(types);
        let set = (self.sets.len() - 1) as u32;
        self.single(|to| Edge::Set(set, to))
    }

    /// Chains handles. A handle that is one edge between basic states gives up its right state.
    fn sequence(&mut self, handles: &[Handle]) -> Handle {
        for pair in handles.windows(2) {
            let (handle, next) = (pair[0], pair[1].left);
            let basic = |builder: &Self, state| builder.states[state as usize].kind == StateKind::Basic;
            let one_edge = match self.states[handle.left as usize].edges[..] {
                [edge] => target_after(edge) == handle.right,
                _ => false,
            };
            if basic(self, handle.left) && basic(self, handle.right) && one_edge {
                let edge = &mut self.states[handle.left as usize].edges[0];
                *edge = redirected(*edge, next);
            } else {
                self.epsilon(handle.right, next);
            }
        }
        Handle { left: handles[0].left, right: handles[handles.len() - 1].right }
    }

    /// `( primary | … ) ( {precedence}? operator | … )*`: binary operators before suffix operators.
    fn recursive_body(&mut self, rule: RuleId, table: &LeftRecursion) -> Handle {
        let body = self.grammar.rule(rule).body();
        let entries: Vec<_> = self.grammar.alternatives(body).zip(table.operators.iter().copied()).collect();
        let mut primaries = Vec::new();
        for (alt, operator) in entries.iter().filter(|(_, operator)| !operator.class.is_left_recursive()) {
            // The empty action in front of the first primary stops predicates from being seen after it.
            let before: &[Edge] = if primaries.is_empty() { &[Edge::Action(NO_STATE)] } else { &[] };
            let operand = (operator.class == OperatorClass::Prefix).then_some(operator.operand);
            primaries.push(self.alternative(*alt, before, 0, operand));
        }
        let mut operators = Vec::new();
        for class in [OperatorClass::Binary, OperatorClass::Suffix] {
            for (alt, operator) in entries.iter().filter(|(_, operator)| operator.class == class) {
                let test = [Edge::Precedence(operator.precedence, NO_STATE)];
                let operand = (class == OperatorClass::Binary).then_some(operator.operand);
                operators.push(self.alternative(*alt, &test, 1, operand));
            }
        }
        let mut states = BlockStates::default();
        let primary = self.quantified(Quantifier::ONE, &primaries, &mut states);
        self.blocks[body.index()] = states;
        let mut states = BlockStates::default();
        let operator_loop = self.quantified(Quantifier::STAR, &operators, &mut states);
        self.operators[rule.index()] = states;
        self.precedence_entries.push(states.entry);
        self.sequence(&[primary, operator_loop])
    }

    /// Whether ANTLR makes one set of a block: two or more alternatives, each one token and nothing else.
    fn is_set(&self, id: BlockId) -> bool {
        let grammar = self.grammar;
        let is_body = grammar.rule(grammar.block(id).rule).body() == id;
        let mut alternatives = grammar.alternatives(id);
        let labelled =
            alternatives.clone().next().is_some_and(|alt| grammar.alternative(alt).label.is_some());
        let single_token =
            |alt| matches!(grammar.elements(alt), [Element { kind: ElementKind::Token(_), label: None }]);
        alternatives.len() > 1 && !(is_body && labelled) && alternatives.all(single_token)
    }

    fn set_of(&mut self, id: BlockId) -> Handle {
        let grammar = self.grammar;
        let mut types = TypeSet::empty(self.n_types);
        for alt in grammar.alternatives(id) {
            if let [Element { kind: ElementKind::Token(token), .. }] = grammar.elements(alt) {
                types.insert(token.index());
            }
        }
        let handle = self.set(types);
        for alt in grammar.alternatives(id) {
            for element in grammar.element_ids(alt) {
                self.elements[element.index()] = handle.left;
            }
        }
        handle
    }

    /// Adds the ways back from rules to their callers, and lays everything flat.
    fn finish(mut self) -> Built {
        let recursive: Vec<bool> =
            self.grammar.rules().map(|rule| self.grammar.rule(rule).recursion.is_some()).collect();
        for at in 0..self.states.len() {
            for edge in 0..self.states[at].edges.len() {
                if let Edge::Call(call) = self.states[at].edges[edge] {
                    let outermost = recursive[call.rule as usize] && call.precedence == 0;
                    let stop = self.stops[call.rule as usize];
                    self.edge(stop, Edge::Return { target: call.follow, outermost });
                }
            }
        }
        let mut edges = Vec::new();
        let mut states = Vec::with_capacity(self.states.len());
        for (at, draft) in self.states.iter().enumerate() {
            states.push(State {
                kind: draft.kind,
                rule: draft.rule.index() as u32,
                first: edges.len() as u32,
                count: draft.edges.len() as u32,
                consumes: draft.edges.is_empty() || draft.edges.iter().any(|edge| edge.consumes()),
                precedence_decision: self.precedence_entries.contains(&(at as StateId)),
            });
            edges.extend_from_slice(&draft.edges);
        }
        let mut network = Network {
            shortcut: Vec::new(),
            block_ends: self.states.iter().map(|draft| draft.block_end).collect(),
            states,
            edges,
            sets: self.sets,
            decisions: self.decisions,
            starts: self.starts,
            stops: self.stops,
            n_types: self.n_types,
        };
        network.shortcut = shortcuts(&network);
        Built {
            network,
            blocks: self.blocks,
            elements: self.elements,
            operators: self.operators,
            tests: self.tests,
            decision_blocks: self.decision_blocks,
        }
    }
}

fn shortcuts(network: &Network) -> Vec<StateId> {
    let follow = |mut state: StateId| {
        // An empty loop would go round for ever; `check` reports it.
        for _ in 0..network.states.len() {
            match network.edges(state) {
                [Edge::Epsilon(to)] => state = *to,
                _ => break,
            }
        }
        state
    };
    (0..network.states.len() as StateId).map(follow).collect()
}

fn is_code(element: &Element) -> bool {
    matches!(element.kind, ElementKind::Code(_))
}

/// Where the walk goes on in the same rule.
pub(super) fn target_after(edge: Edge) -> StateId {
    match edge {
        Edge::Call(call) => call.follow,
        edge => edge.target(),
    }
}

/// The same edge, leading elsewhere in the same rule.
pub(super) fn redirected(edge: Edge, to: StateId) -> Edge {
    match edge {
        Edge::Epsilon(_) => Edge::Epsilon(to),
        Edge::Token(token, _) => Edge::Token(token, to),
        Edge::Set(set, _) => Edge::Set(set, to),
        Edge::Call(call) => Edge::Call(Call { follow: to, ..call }),
        Edge::Predicate(code, _) => Edge::Predicate(code, to),
        Edge::Precedence(precedence, _) => Edge::Precedence(precedence, to),
        Edge::Action(_) => Edge::Action(to),
        Edge::Return { outermost, .. } => Edge::Return { target: to, outermost },
    }
}
