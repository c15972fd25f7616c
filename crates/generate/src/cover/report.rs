//! What was not covered, and why.

use super::{Cover, State};
use crate::generator::Generator;
use crate::tuning::MIN_REPORTED_REFUSALS;
use polysmith_engine::Engine as _;
use polysmith_grammar::analysis::{Modes, Reach, Shadow, Symbol, Uses};
use polysmith_grammar::coverage::{Goal, GoalKind, Goals};
use polysmith_grammar::{AltId, BlockId, Element, ElementKind, TokenType};
use std::fmt;

/// Why something is not covered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// It needs tokens that nothing makes.
    Token(Vec<String>),
    /// A predicate, a weight of 0 or an option closes it.
    Closed,
    /// It cannot be finished: everything in it leads to something closed.
    Unfinished,
    /// It does not fit into the limits.
    Limit {
        /// The least depth that would do.
        depth: u32,
    },
    /// Shown: one of its tokens, or of those that must follow, cannot be made in the mode that the lexer is in.
    Mode,
    /// Shown: whatever it could be, the parser takes an earlier alternative for it.
    Shadowed,
    /// The parser takes another alternative for every text of it that was tried.
    Refused {
        /// Texts tried.
        tried: u32,
    },
    /// Nothing was found.
    NotFound {
        /// Drafts that were spent on it alone; 0 if the budget was spent before.
        tries: u32,
    },
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Token(names) => write!(f, "needs {}, which no token rule makes here", names.join(", ")),
            Reason::Closed => f.write_str("closed by a predicate, a weight of 0 or an option"),
            Reason::Unfinished => f.write_str("cannot be finished: what it calls is closed"),
            Reason::Limit { depth } => {
                write!(f, "beyond the limits: needs max-depth {depth} or more tokens")
            }
            Reason::Mode => {
                f.write_str("the lexer is in another mode there: a token of it, or behind it, cannot be made")
            }
            Reason::Shadowed => {
                f.write_str("shadowed: an earlier alternative, or what stands before it, takes all its texts")
            }
            Reason::Refused { tried } => write!(f, "not found: the parser read all {tried} texts otherwise"),
            Reason::NotFound { tries: 0 } => {
                f.write_str("not found: the budget was spent before it had a draft of its own")
            }
            Reason::NotFound { tries } => write!(f, "not found in {tries} drafts"),
        }
    }
}

/// Something that is not covered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreached {
    /// What kind of thing.
    pub kind: GoalKind,
    /// The goal, for people.
    pub goal: String,
    /// Why.
    pub reason: Reason,
}

pub(super) fn unreached(generator: &Generator, state: &State) -> Vec<Unreached> {
    let grammar = &generator.compiled.grammar;
    let goals = &state.goals;
    let mut found = Vec::new();
    let reach = Reach::from_rules(grammar, [generator.compiled.start]);
    for rule in grammar.parser_rules().filter(|rule| reach.contains(*rule)) {
        for block in BlockId::range(grammar.rule(rule).blocks.clone()) {
            for alt in grammar.alternatives(block).filter(|alt| !goals.contains(alt.index())) {
                if let Some(reason) = why_closed(generator, alt) {
                    let goal = goals.show(grammar, alt.index());
                    found.push(Unreached { kind: GoalKind::Alternative, goal, reason });
                }
            }
        }
    }
    let missing: Vec<usize> = goals.all().filter(|goal| !state.covered[*goal]).collect();
    let uses = Uses::of(grammar);
    let shadow = Shown::new(generator, goals, &uses, &missing);
    for goal in missing {
        let reason = match state.refused.get(goal) {
            _ if shadow.modes.contains(&goal) => Reason::Mode,
            _ if shadow.covers(goals, goal) => Reason::Shadowed,
            Some(refused) if *refused >= MIN_REPORTED_REFUSALS => {
                Reason::Refused { tried: u32::from(*refused) }
            }
            _ => Reason::NotFound { tries: u32::from(state.drafts[goal]) },
        };
        found.push(Unreached { kind: goals.kind(goal), goal: goals.show(grammar, goal), reason });
    }
    found
}

/// What is shadowed, with all that only shadowed alternatives lead to.
pub(super) struct Shown<'a> {
    shadow: Shadow<'a>,
    /// The alternatives that the modes of the lexer keep out of every text.
    modes: Vec<usize>,
    /// The goals that are left without it.
    left: Option<Goals>,
    rules: Vec<bool>,
}

impl<'a> Shown<'a> {
    pub(super) fn new(
        generator: &'a Generator,
        goals: &Goals,
        uses: &'a Uses,
        missing: &[usize],
    ) -> Shown<'a> {
        let grammar = &*generator.compiled.grammar;
        let suspects: Vec<AltId> = missing
            .iter()
            .filter(|goal| goals.kind(**goal) == GoalKind::Alternative)
            .map(|goal| AltId::new(*goal))
            .collect();
        let closed = |alt: AltId| !goals.contains(alt.index());
        let modes = Modes::of(grammar);
        let allowed = |alt: &AltId| modes.allow(generator.compiled.start, *alt, &closed);
        let barred: Vec<AltId> = suspects.iter().copied().filter(|alt| !allowed(alt)).collect();
        let mut shown = Shown {
            shadow: Shadow::new(grammar, uses, generator.compiled.start, &closed),
            modes: barred.iter().map(|alt| alt.index()).collect(),
            left: None,
            rules: Vec::new(),
        };
        barred.iter().for_each(|alt| shown.shadow.bury(*alt));
        let mut any = !barred.is_empty();
        while any | shown.shadow.show(&suspects) {
            any = false;
            let shadow = &shown.shadow;
            let left = Goals::new(grammar, generator.compiled.start, 2, &|alt| !shadow.is_dead(alt));
            for alt in
                suspects.iter().filter(|alt| left.as_ref().is_some_and(|left| !left.contains(alt.index())))
            {
                shown.shadow.bury(*alt);
            }
            shown.left = left;
        }
        shown.rules = vec![false; grammar.rules().len()];
        shown
            .left
            .iter()
            .flat_map(|left| left.paths().rules())
            .for_each(|rule| shown.rules[rule.index()] = true);
        shown
    }

    pub(super) fn covers(&self, goals: &Goals, goal: usize) -> bool {
        let gone = |goal: usize| self.left.as_ref().is_some_and(|left| !left.contains(goal));
        match goals.goal(goal) {
            Goal::Alternative(alt) => self.shadow.is_dead(alt) || gone(goal),
            Goal::Count(block, times) => gone(goal) || self.shadow.never_counts(block, times),
            Goal::Path(symbols) => self.left.as_ref().is_some_and(|left| {
                symbols.windows(2).any(|pair| match pair[0] {
                    Symbol::Rule(rule) => {
                        !self.rules[rule.index()]
                            || left.paths().symbols_of(rule).binary_search(&pair[1]).is_err()
                    }
                    Symbol::Token(_) => false,
                })
            }),
        }
    }
}

/// Why an alternative was no goal; `None` if only what leads to it is closed.
fn why_closed(generator: &Generator, alt: AltId) -> Option<Reason> {
    let (grammar, tables) = (&generator.compiled.grammar, &generator.compiled.tables);
    let missing: Vec<String> = grammar
        .elements(alt)
        .iter()
        .filter_map(|element| match element.kind {
            ElementKind::Token(token)
                if token != TokenType::EOF && !generator.compiled.lexical.lexicon.is_producible(token) =>
            {
                Some(grammar.tokens().display(token))
            }
            _ => None,
        })
        .collect();
    if !missing.is_empty() {
        return Some(Reason::Token(missing));
    }
    let never =
        |element: &Element| matches!(element.kind, ElementKind::Code(code) if grammar.code(code).is_never());
    if tables.weights[alt.index()] == 0 || grammar.elements(alt).iter().any(never) {
        return Some(Reason::Closed);
    }
    let curve = &tables.curves[alt.index()];
    match curve.least_height() {
        None => Some(Reason::Unfinished),
        Some(_) if curve.at(generator.sizes.limits.depth) <= generator.sizes.limits.max_tokens => None,
        Some(depth) => Some(Reason::Limit { depth: depth + 1 }),
    }
}

/// The most unreached paths that are listed.
const MOST_PATHS: usize = 20;

pub(super) fn lines(cover: &Cover) -> Vec<String> {
    let kinds = [
        (GoalKind::Alternative, "alternatives".to_owned()),
        (GoalKind::Count, "repetition counts".to_owned()),
        (GoalKind::Path, format!("{}-paths", cover.k)),
    ];
    let counts: Vec<String> = kinds
        .iter()
        .map(|(kind, name)| (cover.covered(*kind), name))
        .filter(|((_, all), _)| *all > 0)
        .map(|((covered, all), name)| format!("{covered}/{all} {name}"))
        .collect();
    let mut lines = vec![format!("covered {} of `{}`", counts.join(", "), cover.grammar().name())];
    let unreached = cover.unreached();
    let paths = unreached.iter().filter(|one| one.kind == GoalKind::Path).count();
    let shown = unreached.iter().filter(|one| one.kind != GoalKind::Path);
    let shown = shown.chain(unreached.iter().filter(|one| one.kind == GoalKind::Path).take(MOST_PATHS));
    lines.extend(shown.map(|one| format!("  {}: {}", one.goal, one.reason)));
    if paths > MOST_PATHS {
        lines.push(format!("  and {} more paths", paths - MOST_PATHS));
    }
    lines
}
