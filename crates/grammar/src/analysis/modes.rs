//! Alternatives that the modes of the lexer keep out of every text.
//!
//! A token can be made only while the lexer is in a mode that has it, and what mode that is follows from the tokens
//! before: behind `(` of a language that hides line breaks in parentheses no rule can get one. This analysis follows
//! the mode stack through the grammar, as far as a rule changes it *relative* to where the rule began: what was pushed
//! is known, what lies below is not. Rules mostly leave the stack as they found it, however deep they nest, so that
//! little gets lost. A tree with some alternative is looked for by marking the ways through it; if no marked way leads
//! from the start rule to its end, there is none.
//!
//! Everything errs on the side of "there is": hidden tokens may stand anywhere, each alternative of a token rule may
//! have matched, and where the stack gets too high or goes below where it began, any mode is possible. Behind a token
//! that takes all characters to the end of the text nothing follows.

use crate::ids::{AltId, BlockId, ModeId, RuleId};
use crate::lexer::Command;
use crate::model::{ElementKind, Grammar, RuleKind};
use crate::tokens::TokenType;
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// Modes on a stack that are told apart.
const MOST_HEIGHT: usize = 4;
/// Parts looked at for one question.
const MOST_WORK: u64 = 3_000_000;

/// The mode stack, relative to where a part of the grammar began.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Stack {
    /// The mode in which it began (or what became of it), and what was pushed on it.
    Known(Vec<ModeId>),
    /// Any mode.
    Any,
    /// The text is at its end.
    End,
}

/// A change of the stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Move {
    To(ModeId),
    Push(ModeId),
    Pop,
    /// Nothing can follow.
    Finish,
}

/// Whether a way went through the alternative that is asked about, and where it led.
type Way = (bool, Stack);

/// What the lexer can do in each mode.
#[derive(Debug)]
pub struct Modes<'a> {
    grammar: &'a Grammar,
    /// By mode: the tokens that the parser gets, with what they do to the stack.
    tokens: Vec<Vec<(TokenType, Vec<Move>)>>,
    /// By mode: text that the parser does not get, if it changes the stack.
    silent: Vec<Vec<Vec<Move>>>,
    /// The token types that no token rule makes.
    foreign: Vec<TokenType>,
    /// There is anything to find out.
    matters: bool,
}

impl<'a> Modes<'a> {
    /// Reads the lexer's rules.
    pub fn of(grammar: &'a Grammar) -> Modes<'a> {
        let n = grammar.lexer().modes.len();
        let mut modes = Modes {
            grammar,
            tokens: vec![Vec::new(); n],
            silent: vec![Vec::new(); n],
            foreign: Vec::new(),
            matters: n > 1,
        };
        let mut made = vec![false; grammar.tokens().len()];
        for (at, mode) in grammar.lexer().modes.iter().enumerate() {
            for rule in &mode.rules {
                modes.read(at, *rule, &mut made);
            }
        }
        let types = (0..made.len()).map(TokenType::new);
        modes.foreign.extend(types.filter(|token| *token != TokenType::EOF && !made[token.index()]));
        modes
    }

    fn read(&mut self, mode: usize, rule: RuleId, made: &mut [bool]) {
        let RuleKind::Token { token: own, .. } = self.grammar.rule(rule).kind else { return };
        let finishes = takes_the_rest(self.grammar, rule);
        self.matters |= finishes;
        for alt in self.grammar.alternatives(self.grammar.rule(rule).body()) {
            let (mut token, mut gets, mut moves) = (own, true, Vec::new());
            for command in &self.grammar.alternative(alt).commands {
                match *command {
                    Command::Skip | Command::More => gets = false,
                    Command::Type(other) => token = Some(other),
                    Command::Channel(channel) => gets &= channel == 0,
                    Command::Mode(to) => moves.push(Move::To(to)),
                    Command::PushMode(to) => moves.push(Move::Push(to)),
                    Command::PopMode => moves.push(Move::Pop),
                }
            }
            if finishes {
                moves = vec![Move::Finish];
            }
            if let Some(token) = token {
                made[token.index()] = true;
            }
            match token {
                Some(token) if gets => self.tokens[mode].push((token, moves)),
                _ if moves.is_empty() => {}
                _ => self.silent[mode].push(moves),
            }
        }
    }

    /// Whether the modes leave a text of the start rule with this alternative in its tree, as far as can be told.
    /// Alternatives for which `closed` holds are in no tree.
    pub fn allow(&self, start: RuleId, alt: AltId, closed: &dyn Fn(AltId) -> bool) -> bool {
        if !self.matters || self.grammar.lexer().modes.is_empty() {
            return true;
        }
        let mut search = Search {
            modes: self,
            wanted: alt,
            closed,
            ways: FxHashMap::default(),
            order: Vec::new(),
            work: Cell::new(0),
        };
        search.run(self.grammar.rule(start).body())
    }
}

/// Whether a token rule goes on over any character that follows: all its alternatives end with a greedy loop over
/// every character.
fn takes_the_rest(grammar: &Grammar, rule: RuleId) -> bool {
    let takes_all = |block: BlockId| {
        grammar.alternatives(block).any(|alt| {
            let mut kinds = grammar.elements(alt).iter().map(|element| element.kind);
            let mut kinds = kinds.by_ref().filter(|kind| !matches!(kind, ElementKind::Code(_)));
            let all = matches!(kinds.next(), Some(ElementKind::Chars(set))
                if grammar.chars(set).ranges() == [(0, crate::charset::MAX_CODE_POINT)]);
            all && kinds.next().is_none()
        })
    };
    grammar.alternatives(grammar.rule(rule).body()).all(|alt| {
        let last = grammar.elements(alt).iter().map(|element| element.kind);
        let last = last.rev().find(|kind| !matches!(kind, ElementKind::Code(_)));
        let Some(ElementKind::Block(block)) = last else { return false };
        let quantifier = grammar.block(block).quantifier;
        quantifier.greedy && quantifier.max.is_none() && takes_all(block)
    })
}

/// The ways through one iteration of each group, by where the lexer stands: least sets, found by going over the
/// entries until nothing changes.
struct Search<'a> {
    modes: &'a Modes<'a>,
    wanted: AltId,
    closed: &'a dyn Fn(AltId) -> bool,
    ways: FxHashMap<(BlockId, Stack), Vec<Way>>,
    order: Vec<(BlockId, Stack)>,
    work: Cell<u64>,
}

impl Search<'_> {
    fn run(&mut self, body: BlockId) -> bool {
        let begin = Stack::Known(vec![ModeId::new(0)]);
        loop {
            let marked = self.once(body, &begin).iter().any(|(marked, _)| *marked);
            if marked || self.work.get() > MOST_WORK {
                return true;
            }
            let mut changed = false;
            let mut at = 0;
            while let Some((block, stack)) = self.order.get(at).cloned() {
                at += 1;
                let mut found = Vec::new();
                for alt in self.modes.grammar.alternatives(block).filter(|alt| !(self.closed)(*alt)) {
                    for way in self.sequence(alt, &stack) {
                        insert(&mut found, way);
                    }
                }
                let known = self.ways.entry((block, stack)).or_default();
                changed |= known.len() != found.len();
                *known = found;
            }
            if !changed {
                return self.once(body, &begin).iter().any(|(marked, _)| *marked);
            }
        }
    }

    /// The ways through an alternative.
    fn sequence(&mut self, alt: AltId, from: &Stack) -> Vec<Way> {
        let mut ways = vec![(alt == self.wanted, from.clone())];
        for element in self.modes.grammar.elements(alt) {
            let mut next = Vec::new();
            for (marked, stack) in &ways {
                for (more, stack) in self.element(element.kind, stack) {
                    insert(&mut next, (*marked || more, stack));
                }
            }
            ways = next;
            if ways.is_empty() {
                break;
            }
        }
        ways
    }

    fn element(&mut self, kind: ElementKind, from: &Stack) -> Vec<Way> {
        self.work.set(self.work.get() + 1);
        let grammar = self.modes.grammar;
        let plain = |stacks: Vec<Stack>| stacks.into_iter().map(|stack| (false, stack)).collect();
        match kind {
            ElementKind::Token(token) => plain(self.token(from, &|other| other == token)),
            ElementKind::AnyToken => plain(self.token(from, &|other| other != TokenType::EOF)),
            ElementKind::NotTokens(set) => {
                let set = grammar.token_set(set);
                plain(self.token(from, &|other| other != TokenType::EOF && !set.contains(&other)))
            }
            ElementKind::Rule(rule) => self.apply(grammar.rule(rule).body(), from),
            ElementKind::Block(block) => self.repeated(block, from),
            ElementKind::Code(code) if grammar.code(code).is_never() => Vec::new(),
            _ => vec![(false, from.clone())],
        }
    }

    fn repeated(&mut self, block: BlockId, from: &Stack) -> Vec<Way> {
        let quantifier = self.modes.grammar.block(block).quantifier;
        let mut all = Vec::new();
        let mut fresh = vec![(false, from.clone())];
        let mut count = 0;
        loop {
            let mut next = Vec::new();
            if count >= quantifier.min {
                fresh.retain(|way| insert(&mut all, way.clone()));
            }
            if fresh.is_empty() || quantifier.max.is_some_and(|max| count >= max) {
                return all;
            }
            for (marked, stack) in &fresh {
                for (more, stack) in self.apply(block, stack) {
                    insert(&mut next, (*marked || more, stack));
                }
            }
            fresh = next;
            count += 1;
        }
    }

    /// One iteration of a group, or a rule, on top of what lies there.
    fn apply(&mut self, block: BlockId, from: &Stack) -> Vec<Way> {
        let Stack::Known(modes) = from else { return self.once(block, from) };
        let Some((top, below)) = modes.split_last() else { return self.once(block, &Stack::Any) };
        let ways = self.once(block, &Stack::Known(vec![*top]));
        let on = |(marked, stack): Way| match stack {
            // The group took its own bottom away.
            Stack::Known(more) if more.is_empty() && below.is_empty() => (marked, Stack::Known(more)),
            Stack::Known(more) => (marked, known([below, &more].concat())),
            other => (marked, other),
        };
        ways.into_iter().map(on).collect()
    }

    /// One iteration, as far as is known by now.
    fn once(&mut self, block: BlockId, from: &Stack) -> Vec<Way> {
        let key = (block, from.clone());
        if let Some(ways) = self.ways.get(&key) {
            return ways.clone();
        }
        self.ways.insert(key.clone(), Vec::new());
        self.order.push(key);
        Vec::new()
    }

    /// Where the lexer can be behind a token of some types.
    fn token(&self, from: &Stack, fits: &dyn Fn(TokenType) -> bool) -> Vec<Stack> {
        let mut found = Vec::new();
        if fits(TokenType::EOF) {
            return vec![Stack::End];
        }
        if *from == Stack::End {
            return found;
        }
        for stack in self.silently(from) {
            let top = match &stack {
                Stack::Known(modes) => modes.last().copied(),
                _ => None,
            };
            let foreign = self.modes.foreign.iter().any(|token| fits(*token));
            let (Some(top), false) = (top, foreign) else {
                insert(&mut found, Stack::Any);
                continue;
            };
            for (_, moves) in self.modes.tokens[top.index()].iter().filter(|(token, _)| fits(*token)) {
                insert(&mut found, moved(&stack, moves));
            }
        }
        found
    }

    /// Where hidden text can lead.
    fn silently(&self, from: &Stack) -> Vec<Stack> {
        let mut all = vec![from.clone()];
        let mut at = 0;
        while let Some(stack) = all.get(at).cloned() {
            at += 1;
            if let Stack::Known(modes) = &stack
                && let Some(top) = modes.last()
            {
                for moves in &self.modes.silent[top.index()] {
                    insert(&mut all, moved(&stack, moves));
                }
            }
        }
        all
    }
}

/// A stack after some moves. Below an empty one anything may lie.
fn moved(stack: &Stack, moves: &[Move]) -> Stack {
    let Stack::Known(modes) = stack else { return stack.clone() };
    let mut modes = modes.clone();
    for step in moves {
        match step {
            Move::Finish => return Stack::End,
            Move::Push(mode) => modes.push(*mode),
            Move::To(mode) => {
                if modes.pop().is_none() {
                    return Stack::Any;
                }
                modes.push(*mode);
            }
            Move::Pop => {
                if modes.pop().is_none() {
                    return Stack::Any;
                }
            }
        }
    }
    known(modes)
}

fn known(modes: Vec<ModeId>) -> Stack {
    if modes.len() > MOST_HEIGHT { Stack::Any } else { Stack::Known(modes) }
}

/// Adds something that is not there; whether it was not.
fn insert<T: PartialEq>(all: &mut Vec<T>, one: T) -> bool {
    let is_new = !all.contains(&one);
    if is_new {
        all.push(one);
    }
    is_new
}
