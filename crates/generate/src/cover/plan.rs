//! The smallest trees through one goal, as decisions made beforehand.
//!
//! A steered draft goes wherever something wanted lies, which in a grammar with recursion is nearly everywhere; it
//! may never come to the one place where a goal can be had. A plan is the opposite: one way from the start rule to
//! the goal, and nothing around it that is not needed. The way of the fewest tokens is known for every rule (one
//! search from the start rule, Dijkstra's). What the parser makes of the text is another matter, so there are many
//! plans for one goal, each a little looser than the one before: other callers, other small neighbours, optional
//! parts, more repetitions.

use crate::tables::curves::NEVER;
use crate::tables::{StepKind, Tables};
use crate::tuning::{MAX_DETOURS, MAX_PLAN_DECISIONS, MAX_RANDOM_DECISIONS, TOKENS_FOR_OTHER_GOALS};
use crate::uniform::Decision;
use polysmith_grammar::coverage::Times;
use polysmith_grammar::{BlockId, Grammar, RuleId};
use polysmith_random::Stream;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Out of reach.
const FAR: u32 = u32::MAX;

/// What a plan is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// An alternative.
    Alternative(u32),
    /// A group with this number of iterations.
    Count(BlockId, Times),
}

/// A request for a plan.
pub(super) struct PlanRequest<'a> {
    pub(super) target: Target,
    /// The number of plans made before for the target: the higher it is, the more may be around the goal.
    pub(super) number: u32,
    /// Rule calls inside each other, at most.
    pub(super) depth: u32,
    /// Alternatives that the first try takes in where there is room.
    pub(super) fresh: &'a dyn Fn(u32) -> bool,
}

/// A step of an alternative, by its number among all steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct StepRef {
    alt: u32,
    step: u32,
}

/// The ways to all places of a grammar.
#[derive(Debug)]
pub(super) struct Planner {
    start: RuleId,
    /// By alternative: its block, and the rule of it.
    blocks: Vec<BlockId>,
    rules: Vec<RuleId>,
    /// By group: the step that contains it; `None` for bodies.
    holders: Vec<Option<StepRef>>,
    /// By rule: who calls it, the cheapest first.
    callers: Vec<Vec<StepRef>>,
    /// By rule: the caller on the way of the fewest tokens; `None` for the start rule and for what is out of reach.
    best: Vec<Option<StepRef>>,
    /// By rule: tokens around it on that way.
    around: Vec<u32>,
    /// By alternative: tokens that its rule needs around it.
    beside: Vec<u32>,
}

impl Planner {
    pub(super) fn new(grammar: &Grammar, tables: &Tables, start: RuleId) -> Planner {
        let n_rules = grammar.rules().len();
        let mut planner = Planner {
            start,
            blocks: vec![BlockId::new(0); tables.alternatives.len()],
            rules: vec![start; tables.alternatives.len()],
            holders: vec![None; tables.blocks.len()],
            callers: vec![Vec::new(); n_rules],
            best: vec![None; n_rules],
            around: vec![FAR; n_rules],
            beside: vec![0; tables.alternatives.len()],
        };
        let mut calls = vec![Vec::new(); n_rules];
        // Inner groups have higher numbers than outer ones, so what surrounds a group is known before.
        for (block, choice) in tables.blocks.iter().enumerate() {
            let rule = grammar.block(BlockId::new(block)).rule;
            for alt in choice.alternatives.clone() {
                planner.blocks[alt as usize] = BlockId::new(block);
                planner.rules[alt as usize] = rule;
                let holder = planner.holders[block];
                planner.beside[alt as usize] = holder.map_or(0, |place| planner.without(tables, place));
                if !is_open(tables, alt as usize) {
                    continue;
                }
                for step in tables.alternatives[alt as usize].clone() {
                    match tables.steps[step as usize].kind {
                        StepKind::Group(inner) => {
                            planner.holders[inner.index()] = Some(StepRef { alt, step })
                        }
                        StepKind::Call(callee, _) => {
                            calls[rule.index()].push((callee, StepRef { alt, step }))
                        }
                        StepKind::Token(_) | StepKind::TokenSet(_) => {}
                    }
                }
            }
        }
        planner.search(tables, &calls);
        planner
    }

    /// Finds the way of the fewest tokens to every rule.
    fn search(&mut self, tables: &Tables, calls: &[Vec<(RuleId, StepRef)>]) {
        let mut queue = BinaryHeap::from([Reverse((0, self.start))]);
        self.around[self.start.index()] = 0;
        while let Some(Reverse((around, rule))) = queue.pop() {
            if around > self.around[rule.index()] {
                continue;
            }
            for (callee, place) in &calls[rule.index()] {
                let longer = around.saturating_add(self.without(tables, *place));
                self.callers[callee.index()].push(*place);
                if longer < self.around[callee.index()] {
                    self.around[callee.index()] = longer;
                    self.best[callee.index()] = Some(*place);
                    queue.push(Reverse((longer, *callee)));
                }
            }
        }
        for callers in &mut self.callers {
            let cost = |place: &StepRef| {
                let rule = self.rules[place.alt as usize];
                let beside = self.beside[place.alt as usize] + least(tables, place.alt as usize);
                self.around[rule.index()].saturating_add(beside)
            };
            callers.sort_by_key(cost);
            callers.dedup();
        }
    }

    /// The least tokens of a rule without one of its steps.
    fn without(&self, tables: &Tables, place: StepRef) -> u32 {
        let own = tables.steps[place.step as usize].curve.least_tokens().unwrap_or(FAR);
        let all = least(tables, place.alt as usize);
        self.beside[place.alt as usize].saturating_add(all.saturating_sub(own))
    }

    /// Tokens of the smallest text with a target; [`FAR`] if there is none.
    pub(super) fn cost(&self, tables: &Tables, target: Target) -> u32 {
        let alt = match target {
            Target::Alternative(alt) => alt,
            Target::Count(block, _) => match self.holders[block.index()] {
                Some(holder) => holder.alt,
                None => return FAR,
            },
        };
        let around = self.around[self.rules[alt as usize].index()];
        around.saturating_add(self.beside[alt as usize]).saturating_add(least(tables, alt as usize))
    }

    /// Plans a tree; false if there is none.
    pub(super) fn plan(
        &self,
        tables: &Tables,
        request: PlanRequest<'_>,
        stream: &mut Stream,
        decisions: &mut Vec<Decision>,
    ) -> bool {
        let PlanRequest { target, number, depth, fresh } = request;
        decisions.clear();
        let Some(way) = self.way(target, number, stream) else { return false };
        // Every other try is as small as it can be.
        let free_tokens = match number {
            0 => TOKENS_FOR_OTHER_GOALS,
            _ if number.is_multiple_of(2) => 0,
            _ => stream.below(2 + u64::from(number.min(30))) as u32,
        };
        let none = |_| false;
        let fresh = if number == 0 { fresh } else { &none };
        let mut builder = PlanBuilder {
            tables,
            target,
            way,
            free_tokens,
            fresh,
            taken_in: Vec::new(),
            packs: number == 0,
            drawn: 0,
            stream,
            decisions,
            todo: Vec::new(),
        };
        let body = tables.bodies[self.start.index()];
        let Some(height) = depth.checked_sub(1) else { return false };
        builder.todo.push(PlanTask::Item { block: body, on: Some(0), height });
        builder.draw().is_some()
    }

    /// The way from the start rule to a target: alternatives with the step that leads on, the last without one.
    fn way(&self, target: Target, number: u32, stream: &mut Stream) -> Option<Vec<StepRef>> {
        let mut place = match target {
            Target::Alternative(alt) => StepRef { alt, step: FAR },
            Target::Count(block, _) => self.holders[block.index()]?,
        };
        let mut way = vec![place];
        let mut detours = 0;
        let mut is_first = true;
        loop {
            let block = self.blocks[place.alt as usize];
            place = match self.holders[block.index()] {
                Some(holder) => holder,
                None => {
                    let rule = self.rules[place.alt as usize];
                    if rule == self.start {
                        way.reverse();
                        return Some(way);
                    }
                    let callers = &self.callers[rule.index()];
                    let is_detour = detours < MAX_DETOURS && number > 0 && stream.below(3) == 0;
                    let caller = if is_first && (number as usize) < 3 * callers.len() {
                        // Every caller has its turn.
                        Some(callers[number as usize / 3])
                    } else if is_detour && !callers.is_empty() {
                        Some(callers[stream.index(callers.len())])
                    } else {
                        self.best[rule.index()]
                    };
                    detours += u32::from(is_detour);
                    is_first = false;
                    caller?
                }
            };
            way.push(place);
        }
    }
}

fn is_open(tables: &Tables, alt: usize) -> bool {
    tables.weights[alt] > 0 && tables.curves[alt].least_height().is_some()
}

fn least(tables: &Tables, alt: usize) -> u32 {
    tables.curves[alt].least_tokens().unwrap_or(FAR)
}

/// What is still to be written down.
#[derive(Debug, Clone, Copy)]
enum PlanTask {
    /// One iteration of a group, or a rule's body; on the way, from a place of it on.
    Item {
        block: BlockId,
        on: Option<usize>,
        height: u32,
    },
    Step {
        step: u32,
        on: Option<usize>,
        height: u32,
    },
}

/// A plan that is being made.
struct PlanBuilder<'a> {
    tables: &'a Tables,
    target: Target,
    way: Vec<StepRef>,
    /// Tokens that may be there although they need not.
    free_tokens: u32,
    /// Alternatives that are worth it, those that the plan has taken in, and whether nothing else is.
    fresh: &'a dyn Fn(u32) -> bool,
    taken_in: Vec<u32>,
    packs: bool,
    drawn: u32,
    stream: &'a mut Stream,
    decisions: &'a mut Vec<Decision>,
    todo: Vec<PlanTask>,
}

impl PlanBuilder<'_> {
    /// Writes everything down; `None` if something does not fit.
    fn draw(&mut self) -> Option<()> {
        while let Some(part) = self.todo.pop() {
            if self.decisions.len() > MAX_PLAN_DECISIONS {
                return None;
            }
            match part {
                PlanTask::Item { block, on, height } => {
                    let alt = self.alternative(block, on, height)?;
                    self.decisions.push(Decision::Alternative(alt));
                    let leads = on.and_then(|at| Some((at, self.way.get(at)?.step)));
                    let steps = self.tables.alternatives[alt as usize].clone();
                    self.todo.extend(steps.rev().map(|step| {
                        let on = leads.filter(|(_, leading)| *leading == step).map(|(at, _)| at + 1);
                        PlanTask::Step { step, on, height }
                    }));
                }
                PlanTask::Step { step, on, height } => match self.tables.steps[step as usize].kind {
                    StepKind::Token(_) => {}
                    StepKind::TokenSet(choice) => {
                        let n = self.tables.token_sets[choice as usize].len();
                        self.decisions.push(Decision::Token(self.stream.index(n) as u32));
                    }
                    StepKind::Call(rule, _) => {
                        let block = self.tables.bodies[rule.index()];
                        self.todo.push(PlanTask::Item { block, on, height: height.checked_sub(1)? });
                    }
                    StepKind::Group(block) => self.group(block, on, height),
                },
            }
        }
        Some(())
    }

    fn group(&mut self, block: BlockId, on: Option<usize>, height: u32) {
        // After the last step of the way the group itself is the goal.
        let leads = on.filter(|at| *at < self.way.len());
        let count = match self.target {
            Target::Count(_, times) if on == Some(self.way.len()) => match times {
                Times::Never => 0,
                Times::Once => 1,
                Times::Many => 2,
            },
            _ => self.count(block, leads.is_some(), height),
        };
        self.decisions.push(Decision::Count(count));
        let leading = if count > 0 { self.stream.below(count.into()) as u32 } else { 0 };
        let item = |at| PlanTask::Item { block, on: leads.filter(|_| at == leading), height };
        self.todo.extend((0..count).rev().map(item));
    }

    /// How often a group is repeated that is not the goal.
    fn count(&mut self, block: BlockId, leads: bool, height: u32) -> u32 {
        let choice = &self.tables.block(block);
        let quantifier = choice.quantifier;
        let least = quantifier.min.max(u32::from(leads));
        let item = choice.curve.at(height);
        let may =
            quantifier.max.is_none_or(|max| least < max) && item <= self.free_tokens && self.free_tokens > 0;
        let worth = if self.packs {
            choice.alternatives.clone().any(|alt| self.is_worth_it(alt))
        } else {
            may && self.stream.below(2) == 0
        };
        if may && worth && self.drawn < MAX_RANDOM_DECISIONS {
            self.drawn += 1;
            self.free_tokens -= item;
            return least + 1;
        }
        least
    }

    fn is_worth_it(&self, alt: u32) -> bool {
        (self.fresh)(alt) && self.tables.weights[alt as usize] > 0 && !self.taken_in.contains(&alt)
    }

    /// An alternative: the one on the way, else one of the smallest, or one a little larger.
    fn alternative(&mut self, block: BlockId, on: Option<usize>, height: u32) -> Option<u32> {
        if let Some(place) = on.and_then(|at| self.way.get(at)) {
            return Some(place.alt);
        }
        let tables = self.tables;
        let costs = |alt: &u32| tables.curves[*alt as usize].at(height);
        let range = tables.block(block).alternatives.clone();
        let open = range.filter(|alt| tables.weights[*alt as usize] > 0 && costs(alt) != NEVER);
        if self.drawn >= MAX_RANDOM_DECISIONS {
            return open.min_by_key(|alt| tables.curves[*alt as usize].least_height());
        }
        let smallest = open.clone().map(|alt| costs(&alt)).min()?;
        let mut worth =
            open.clone().filter(|alt| costs(alt) - smallest <= self.free_tokens && self.is_worth_it(*alt));
        if let Some(alt) = worth.next() {
            self.taken_in.push(alt);
            self.drawn += 1;
            self.free_tokens -= costs(&alt) - smallest;
            return Some(alt);
        }
        let free_tokens = if !self.packs && self.stream.below(2) == 0 { self.free_tokens } else { 0 };
        let fits = |alt: &u32| costs(alt) - smallest <= free_tokens;
        let n = open.clone().filter(fits).count();
        self.drawn += u32::from(n > 1);
        let drawn = if n > 1 { self.stream.index(n) } else { 0 };
        let alt = open.clone().filter(fits).nth(drawn)?;
        self.free_tokens -= costs(&alt) - smallest;
        Some(alt)
    }
}
