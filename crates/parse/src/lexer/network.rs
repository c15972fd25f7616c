//! The network of the token rules: states, and edges over character classes.
//!
//! The same constructions as for parser rules, without what only parsers can observe. Lazy loops and optional
//! groups mark the state in which they choose: a walk that passes it may be cut off once its rule has matched.

use super::classes::Classes;
use crate::error::CompileError;
use polysmith_grammar::{
    AltId, BlockId, CharSet, CodeId, CodeKind, Command, Element, ElementKind, Grammar, Quantifier, RuleId,
    RuleKind, TokenType,
};

pub(crate) const NO_STATE: u32 = u32::MAX;

/// A state.
#[derive(Debug, Clone, Default)]
pub(crate) struct LexerNetworkState {
    pub(crate) edges: Vec<LexerEdge>,
    /// The end of a rule.
    pub(crate) stop: bool,
    /// A choice that prefers to end.
    pub(crate) lazy: bool,
    /// Has an edge that consumes.
    pub(crate) consumes: bool,
}

/// A way on.
#[derive(Debug, Clone, Copy)]
pub(crate) enum LexerEdge {
    Epsilon(u32),
    /// Consumes a character of a set.
    Chars(u32, u32),
    /// The end of the input.
    Eof(u32),
    Call {
        start: u32,
        follow: u32,
    },
    /// The commands of an alternative, where the rule is the token's own.
    Commands(AltId, u32),
    /// A predicate that hooks answer.
    Predicate(CodeId, u32),
    /// An action that hooks run, where the rule is the token's own.
    Action(CodeId, u32),
}

/// States of all token rules and fragments.
#[derive(Debug)]
pub(crate) struct LexerNetwork {
    pub(crate) states: Vec<LexerNetworkState>,
    /// By set number: which classes are in it.
    pub(crate) sets: Vec<Box<[bool]>>,
    pub(crate) classes: Classes,
    /// By rule number.
    pub(crate) starts: Vec<u32>,
    /// By mode: the start and the rule of each competitor.
    pub(crate) modes: Vec<Vec<(u32, RuleId)>>,
    /// By rule: what a match without commands is.
    pub(crate) plain: Vec<MatchEffect>,
    /// By alternative: what a match with its commands is.
    pub(crate) commanded: Vec<MatchEffect>,
}

/// What a match is, if that does not depend on anything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MatchEffect {
    Token {
        kind: TokenType,
        channel: u32,
    },
    Skip,
    /// Its commands must be run.
    RunCommands,
}

impl MatchEffect {
    fn of(grammar: &Grammar, rule: RuleId, commands: &[Command]) -> MatchEffect {
        let kind = own_type(grammar, rule);
        match *commands {
            [] => MatchEffect::Token { kind, channel: 0 },
            [Command::Channel(channel)] if channel != 0 => MatchEffect::Token { kind, channel },
            [Command::Type(kind)] => MatchEffect::Token { kind, channel: 0 },
            [Command::Skip] => MatchEffect::Skip,
            _ => MatchEffect::RunCommands,
        }
    }
}

/// By rule and by alternative.
fn effects(grammar: &Grammar) -> (Vec<MatchEffect>, Vec<MatchEffect>) {
    let mut commanded = vec![MatchEffect::RunCommands; grammar.n_alternatives()];
    for rule in grammar.rules().filter(|rule| grammar.rule(*rule).kind != RuleKind::Parser) {
        for alt in grammar.alternatives(grammar.rule(rule).body()) {
            commanded[alt.index()] = MatchEffect::of(grammar, rule, &grammar.alternative(alt).commands);
        }
    }
    (grammar.rules().map(|rule| MatchEffect::of(grammar, rule, &[])).collect(), commanded)
}

/// The type of a rule's own name. A rule that has none (its commands give another, or collect more) gets the
/// number after the last type, which no parser rule asks for.
pub(crate) fn own_type(grammar: &Grammar, rule: RuleId) -> TokenType {
    match grammar.rule(rule).kind {
        RuleKind::Token { token: Some(token), .. } => token,
        _ => TokenType::new(grammar.tokens().len()),
    }
}

/// Builds the network of a grammar's token rules. `covers` says which code hooks run.
pub(crate) fn build(grammar: &Grammar, covers: &dyn Fn(CodeId) -> bool) -> LexerNetwork {
    let mut builder = LexerNetworkBuilder {
        grammar,
        covers,
        states: Vec::new(),
        sets: Vec::new(),
        starts: vec![NO_STATE; grammar.rules().len()],
        stops: vec![NO_STATE; grammar.rules().len()],
        handles: vec![None; grammar.n_blocks()],
        set_ids: rustc_hash::FxHashMap::default(),
    };
    let rules: Vec<RuleId> =
        grammar.rules().filter(|rule| grammar.rule(*rule).kind != RuleKind::Parser).collect();
    for rule in &rules {
        builder.starts[rule.index()] = builder.state();
        builder.stops[rule.index()] = builder.state();
        builder.states[builder.stops[rule.index()] as usize].stop = true;
    }
    for rule in rules {
        builder.rule(rule);
    }
    builder.finish()
}

#[derive(Debug, Clone, Copy)]
struct Handle {
    left: u32,
    right: u32,
}

struct LexerNetworkBuilder<'g> {
    grammar: &'g Grammar,
    covers: &'g dyn Fn(CodeId) -> bool,
    states: Vec<LexerNetworkState>,
    sets: Vec<CharSet>,
    starts: Vec<u32>,
    stops: Vec<u32>,
    handles: Vec<Option<Handle>>,
    set_ids: rustc_hash::FxHashMap<CharSet, u32>,
}

impl LexerNetworkBuilder<'_> {
    fn state(&mut self) -> u32 {
        self.states.push(LexerNetworkState::default());
        (self.states.len() - 1) as u32
    }

    fn edge(&mut self, from: u32, edge: LexerEdge) {
        self.states[from as usize].edges.push(edge);
    }

    fn rule(&mut self, rule: RuleId) {
        let definition = self.grammar.rule(rule);
        let body = definition.body();
        let mut outermost = None;
        for block in BlockId::range(definition.blocks.clone()).rev() {
            let handle = self.block(block, block == body);
            self.handles[block.index()] = Some(handle);
            outermost = Some(handle);
        }
        let handle = outermost.expect("a rule has a body");
        self.edge(self.starts[rule.index()], LexerEdge::Epsilon(handle.left));
        self.edge(handle.right, LexerEdge::Epsilon(self.stops[rule.index()]));
    }

    fn block(&mut self, id: BlockId, is_body: bool) -> Handle {
        let Quantifier { min, max, greedy } = self.grammar.block(id).quantifier;
        let (left, right) = (self.state(), self.state());
        let alts: Vec<AltId> = self.grammar.alternatives(id).collect();
        let alike = |a: &AltId, b: &AltId| {
            self.one_character(*a, is_body).is_some() && self.one_character(*b, is_body).is_some()
        };
        let groups: Vec<&[AltId]> = alts.chunk_by(alike).collect();
        for group in groups {
            let handle = match group {
                [alt] => self.alternative(*alt, is_body),
                _ => self.one_of(group, is_body),
            };
            self.edge(left, LexerEdge::Epsilon(handle.left));
            self.edge(handle.right, LexerEdge::Epsilon(right));
        }
        let ways = |again: u32, end: u32| if greedy { [again, end] } else { [end, again] };
        match (min, max) {
            (1, Some(1)) => {}
            (0, Some(1)) => {
                let at = if greedy { self.states[left as usize].edges.len() } else { 0 };
                self.states[left as usize].edges.insert(at, LexerEdge::Epsilon(right));
                self.states[left as usize].lazy = !greedy;
            }
            (0, _) => {
                let (entry, end) = (self.state(), self.state());
                for way in ways(left, end) {
                    self.edge(entry, LexerEdge::Epsilon(way));
                }
                self.states[entry as usize].lazy = !greedy;
                self.edge(right, LexerEdge::Epsilon(entry));
                return Handle { left: entry, right: end };
            }
            _ => {
                let (back, end) = (self.state(), self.state());
                for way in ways(left, end) {
                    self.edge(back, LexerEdge::Epsilon(way));
                }
                self.states[back as usize].lazy = !greedy;
                self.edge(right, LexerEdge::Epsilon(back));
                return Handle { left, right: end };
            }
        }
        Handle { left, right }
    }

    /// The characters that an alternative takes, if it takes one and does nothing else.
    fn one_character(&self, alt: AltId, is_body: bool) -> Option<CharSet> {
        if is_body && !self.grammar.alternative(alt).commands.is_empty() {
            return None;
        }
        let [element] = self.grammar.elements(alt) else { return None };
        match element.kind {
            ElementKind::Chars(set) => Some(self.grammar.char_sets()[set.index()].clone()),
            ElementKind::Text(text) => {
                let mut chars = self.grammar.text(text).chars();
                chars.next().filter(|_| chars.next().is_none()).map(CharSet::single)
            }
            _ => None,
        }
    }

    /// Neighbouring alternatives that take one character each: one set, as in ANTLR. Grammars list hundreds of ranges of
    /// letters in this way, and each would be a configuration of nearly every state.
    fn one_of(&mut self, alts: &[AltId], is_body: bool) -> Handle {
        let sets: Vec<CharSet> = alts.iter().filter_map(|alt| self.one_character(*alt, is_body)).collect();
        let union = CharSet::from_ranges(sets.iter().flat_map(|set| set.ranges().iter().copied()));
        let left = self.state();
        let right = self.consume(left, union);
        Handle { left, right }
    }

    fn alternative(&mut self, alt: AltId, is_body: bool) -> Handle {
        let left = self.state();
        let mut at = left;
        for element in self.grammar.elements(alt) {
            at = self.element(at, element);
        }
        if is_body && !self.grammar.alternative(alt).commands.is_empty() {
            let next = self.state();
            self.edge(at, LexerEdge::Commands(alt, next));
            at = next;
        }
        Handle { left, right: at }
    }

    /// Adds an element after a state; returns the state after the element.
    fn element(&mut self, at: u32, element: &Element) -> u32 {
        match element.kind {
            ElementKind::Chars(set) => self.consume(at, self.grammar.char_sets()[set.index()].clone()),
            ElementKind::Text(text) => {
                let mut at = at;
                for c in self.grammar.text(text).chars() {
                    at = self.consume(at, CharSet::single(c));
                }
                at
            }
            ElementKind::Token(TokenType::EOF) => {
                let next = self.state();
                self.edge(at, LexerEdge::Eof(next));
                next
            }
            ElementKind::Rule(rule) => {
                let follow = self.state();
                let start = self.starts[rule.index()];
                if start != NO_STATE {
                    self.edge(at, LexerEdge::Call { start, follow });
                }
                follow
            }
            ElementKind::Block(block) => {
                let handle = self.handles[block.index()].expect("inner blocks are built first");
                self.edge(at, LexerEdge::Epsilon(handle.left));
                handle.right
            }
            ElementKind::Code(code) => {
                let next = self.state();
                let (covered, text) = ((self.covers)(code), self.grammar.code(code));
                match text.kind {
                    CodeKind::Predicate { .. } if covered => {
                        self.edge(at, LexerEdge::Predicate(code, next));
                    }
                    CodeKind::Action if covered => self.edge(at, LexerEdge::Action(code, next)),
                    _ if text.is_never() => {}
                    _ => self.edge(at, LexerEdge::Epsilon(next)),
                }
                next
            }
            // Tokens and their sets do not occur in token rules: nothing matches them.
            ElementKind::Token(_) | ElementKind::NotTokens(_) | ElementKind::AnyToken => self.state(),
        }
    }

    fn consume(&mut self, at: u32, chars: CharSet) -> u32 {
        let set = *self.set_ids.entry(chars).or_insert_with_key(|chars| {
            self.sets.push(chars.clone());
            (self.sets.len() - 1) as u32
        });
        let next = self.state();
        self.edge(at, LexerEdge::Chars(set, next));
        next
    }

    fn finish(mut self) -> LexerNetwork {
        for state in &mut self.states {
            state.consumes =
                state.edges.iter().any(|e| matches!(e, LexerEdge::Chars(..) | LexerEdge::Eof(_)));
        }
        let ranges: Vec<&[(u32, u32)]> = self.sets.iter().map(CharSet::ranges).collect();
        let classes = Classes::new(&ranges);
        let sets = ranges.iter().map(|set| classes.members(set)).collect();
        let starts = &self.starts;
        let competitors = |mode: &polysmith_grammar::Mode| {
            mode.rules.iter().map(|rule| (starts[rule.index()], *rule)).collect()
        };
        let modes = self.grammar.lexer().modes.iter().map(competitors).collect();
        let (plain, commanded) = effects(self.grammar);
        LexerNetwork { states: self.states, sets, classes, starts: self.starts, modes, plain, commanded }
    }
}

/// An error for the first token rule that calls itself, or goes round, without consuming a character.
pub(crate) fn check(grammar: &Grammar, network: &LexerNetwork) -> Result<(), CompileError> {
    let nullable = nullable_rules(network);
    let mut done = vec![false; network.states.len()];
    let mut on_way = vec![false; network.states.len()];
    for rule in grammar.rules().filter(|rule| network.starts[rule.index()] != NO_STATE) {
        let mut way = vec![(network.starts[rule.index()], 0usize)];
        while let Some((state, next)) = way.last_mut() {
            on_way[*state as usize] = true;
            let steps = free_steps(network, &nullable, *state);
            let Some(to) = steps.get(*next).copied() else {
                on_way[*state as usize] = false;
                done[*state as usize] = true;
                way.pop();
                continue;
            };
            *next += 1;
            if on_way[to as usize] {
                return Err(CompileError::Endless { rule: grammar.rule(rule).name.clone() });
            }
            if !done[to as usize] {
                way.push((to, 0));
            }
        }
    }
    Ok(())
}

/// Where a walk can go from a state without a character. After a call only if the rule can be empty.
fn free_steps(network: &LexerNetwork, nullable: &[bool], state: u32) -> Vec<u32> {
    let mut steps = Vec::new();
    for edge in &network.states[state as usize].edges {
        match *edge {
            LexerEdge::Epsilon(to)
            | LexerEdge::Commands(_, to)
            | LexerEdge::Predicate(_, to)
            | LexerEdge::Action(_, to) => steps.push(to),
            LexerEdge::Chars(..) | LexerEdge::Eof(_) => {}
            LexerEdge::Call { start, follow } => {
                steps.push(start);
                if nullable[start as usize] {
                    steps.push(follow);
                }
            }
        }
    }
    steps
}

/// By start state: whether the rule can be empty. A fixed point: each round adds a rule or is the last.
fn nullable_rules(network: &LexerNetwork) -> Vec<bool> {
    let mut nullable = vec![false; network.states.len()];
    loop {
        let mut grown = false;
        for start in network.starts.iter().copied().filter(|start| *start != NO_STATE) {
            if nullable[start as usize] {
                continue;
            }
            let mut seen = rustc_hash::FxHashSet::default();
            let mut todo = vec![start];
            while let Some(state) = todo.pop() {
                if !seen.insert(state) {
                    continue;
                }
                if network.states[state as usize].stop {
                    nullable[start as usize] = true;
                    grown = true;
                    break;
                }
                for edge in &network.states[state as usize].edges {
                    match *edge {
                        LexerEdge::Epsilon(to)
                        | LexerEdge::Commands(_, to)
                        | LexerEdge::Predicate(_, to)
                        | LexerEdge::Action(_, to) => todo.push(to),
                        LexerEdge::Call { start, follow } if nullable[start as usize] => todo.push(follow),
                        _ => {}
                    }
                }
            }
        }
        if !grown {
            return nullable;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grammar(rules: &str) -> Grammar {
        let text = format!("grammar G; s : (A | B)* EOF; {rules}");
        polysmith_antlr::read_str("G", &text).grammar
    }

    #[test]
    fn neighbouring_characters_are_one_set_and_others_keep_their_place() {
        let edges = |network: &LexerNetwork| {
            let edges = network.states.iter().flat_map(|state| &state.edges);
            edges.filter(|edge| matches!(edge, LexerEdge::Chars(..))).count()
        };
        assert_eq!(edges(&build(&grammar("A : 'a' | 'b' .. 'd' | [x-z] | '_'; B : 'q';"), &|_| false)), 2);
        assert_eq!(edges(&build(&grammar("A : 'a' | 'bc' | 'd'; B : 'q' | 'r' -> skip;"), &|_| false)), 6);
    }
}
