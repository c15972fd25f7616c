//! The search for one program: Section IV of the *Smith paper, on an explicit stack.
//!
//! A *call* builds one node whose class is guarded, a unit or a generator (or the root of the program): it draws the
//! unguarded nodes below it, and builds each guarded node that it meets by a nested call, as soon as the inherited
//! attributes of that node are known. The plans of the productions fix the order of equations, tests and children, so
//! an attribute is computed once, without polling. The skeleton of a call is drawn in this order too, so that a
//! conflict discards as little as possible.
//!
//! A failure (a false guard, a rule that fails, a guarded node without choices) is a [`Conflict`]: the decided nodes
//! that it depends on. It is learned as a fail pattern, and the latest of these nodes is changed (backjumping): an
//! unguarded node gets another choice that no pattern excludes; a guarded node is removed and its call is repeated
//! under the new pattern. If a node has no choice left, its reasons together, without the node, are the next conflict.
//! A conflict without nodes inside the call ends the call: FAIL if only proved reasons led to it, HEIGHT or GAVE-UP if
//! a limit contributed. Since patterns stay until their call ends, no combination is tried twice and the search is
//! complete; its proofs are sound because rules are pure functions.

use crate::answer::{Answer, Blame, BlamedPart, Counters, Limit};
use crate::arena::{Arena, NodeId};
use crate::guarded::Guarded;
use crate::lists::Lists;
use crate::memory::Memory;
use crate::options::FailPatterns;
use crate::patterns::{Conflict, Patterns, Taint};
use crate::pools::Pools;
use crate::profile::Tally;
use crate::reason::Walk;
use crate::region::Regions;
use crate::rule_failure::{RuleFailure, RuleFailures};
use crate::shrink::Shrink;
use crate::swarm;
use crate::tables::{NONE, NodeKind, Tables};
use crate::weights::{Candidates, ProductionWeights};
use polysmith_attributes::{Machine, ProductionId, Step};
use polysmith_random::{Draw, Purpose, Stream};

/// The maximum number of retries of a call if nothing is learned from conflicts.
const MAX_BLIND_RETRIES: u32 = 100;

/// A search for one node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call {
    pub root: NodeId,
    /// The length of the log at its start.
    log: u32,
    /// The number of patterns at its start.
    pub patterns: u32,
    /// The number of refusals at its start.
    pub refusals: u32,
    /// The number of frames at its start.
    frames: u32,
    /// The number of alternatives at which it gives up.
    deadline: u64,
    retries: u32,
}

/// A node whose plan is being executed.
#[derive(Debug, Clone, Copy)]
struct Frame {
    node: NodeId,
    step: u32,
}

/// The state of one thread. It is reused from attempt to attempt.
#[derive(Debug)]
pub struct Solver<'a> {
    pub(crate) engine: &'a Guarded,
    pub(crate) tables: &'a Tables,
    pub(crate) arena: Arena,
    pub(crate) calls: Vec<Call>,
    frames: Vec<Frame>,
    pub(crate) patterns: Patterns,
    memory: Memory,
    pub(crate) lists: Lists,
    pub(crate) walk: Walk,
    pub(crate) regions: Regions,
    pub(crate) shrink: Shrink,
    pub(crate) pools: Pools,
    pub(crate) machine: Machine,
    pub(crate) structure: Stream,
    pub(crate) candidates: Candidates,
    pub(crate) weights: ProductionWeights,
    pub(crate) counters: Counters,
    pub(crate) rule_failures: RuleFailures,
    pub(crate) tally: Option<Tally>,
}

impl<'a> Solver<'a> {
    pub(crate) fn new(engine: &'a Guarded) -> Solver<'a> {
        Solver {
            engine,
            tables: &engine.tables,
            arena: Arena::default(),
            calls: Vec::new(),
            frames: Vec::new(),
            patterns: Patterns::default(),
            memory: Memory::default(),
            lists: Lists::default(),
            walk: Walk::default(),
            regions: Regions::default(),
            shrink: Shrink::default(),
            pools: Pools::default(),
            machine: Machine::default(),
            structure: Stream::keyed(&[]),
            candidates: Candidates::default(),
            weights: ProductionWeights::new(&engine.spec, &engine.tables, &engine.selection),
            counters: Counters::default(),
            rule_failures: RuleFailures::default(),
            tally: engine.profile.as_ref().map(|_| Tally::new(&engine.spec)),
        }
    }

    /// The cost of the last attempt.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// The first distinct run-time failures of the last attempt.
    pub(crate) fn rule_failures(&self) -> &[RuleFailure] {
        &self.rule_failures.known
    }

    /// Makes one attempt at the program of a draw. The result depends only on the engine and the draw.
    pub fn attempt(&mut self, draw: Draw) -> Answer {
        self.counters = Counters::default();
        self.rule_failures.clear();
        self.calls.clear();
        self.frames.clear();
        self.regions.clear();
        self.shrink.clear();
        self.pools.start(&self.engine.spec, draw);
        self.structure = draw.stream(Purpose::Structure);
        if self.engine.search.swarm {
            let spec = &self.engine.spec;
            let subset = swarm::subset(spec, &self.engine.selection, &mut draw.stream(Purpose::Swarm));
            self.weights = ProductionWeights::new(spec, self.tables, &subset);
        }
        let key = self.structure.next_u64();
        self.arena.start(self.tables, key);
        self.patterns.start(self.engine.search.pattern_index);
        self.memory.start(self.tables.classes.len());
        self.lists.start(self.tables.productions.len());
        let mut next = self.enter(0);
        loop {
            if let Err(conflict) = next
                && let Err(answer) = self.resolve(conflict)
            {
                return answer;
            }
            if self.frames.is_empty() {
                let (derivation, evaluation) = self.finish(key);
                return Answer::Solved(derivation, evaluation);
            }
            next = self.execute_plans();
        }
    }

    /// Executes plans until a conflict occurs or the program is complete.
    fn execute_plans(&mut self) -> Result<(), Conflict> {
        while let Some(frame) = self.frames.last_mut() {
            let Frame { node, step } = *frame;
            frame.step += 1;
            let production = &self.tables.productions[self.arena.node(node).production as usize];
            let Some(steps) = production.steps.as_deref() else {
                self.region_step(node, step)?;
                continue;
            };
            match steps.get(step as usize) {
                Some(Step::Compute(equation)) => self.compute(node, *equation)?,
                Some(Step::Test(guard)) => self.test(node, *guard)?,
                Some(Step::Expand(child)) => self.expand(self.arena.node(node).first_child + child)?,
                None => {
                    self.frames.pop();
                    self.complete(node);
                }
            }
        }
        Ok(())
    }

    /// Ends the call of a node whose plan is complete, if it has one.
    fn complete(&mut self, node: NodeId) {
        if let Some(call) = self.calls.pop_if(|call| call.root == node) {
            self.patterns.truncate(call.patterns);
            self.patterns.truncate_refusals(call.refusals);
        }
    }

    /// Builds a node whose inherited attributes are known.
    pub(crate) fn expand(&mut self, node: NodeId) -> Result<(), Conflict> {
        if self.tables.classes[self.arena.node(node).class as usize].unit {
            self.enter(node)
        } else {
            self.decide(node)
        }
    }

    /// Starts the call of a node.
    fn enter(&mut self, node: NodeId) -> Result<(), Conflict> {
        let class_id = self.arena.node(node).class;
        let class = &self.tables.classes[class_id as usize];
        let above = self.calls.last().map_or(u64::MAX, |call| call.deadline);
        self.calls.push(Call {
            root: node,
            log: self.arena.log.len() as u32,
            patterns: self.patterns.len(),
            refusals: self.patterns.n_refusals(),
            frames: self.frames.len() as u32,
            deadline: above.min(self.counters.alternatives.saturating_add(class.max_alternatives)),
            retries: 0,
        });
        if self.engine.search.memory {
            let from = self.arena.node(node).attributes as usize;
            let inherited = &self.arena.values[from..from + class.n_inherited as usize];
            if let Some((which, blame)) = self.memory.recall(class_id, inherited) {
                self.counters.recalled += 1;
                let mut conflict = Conflict::new(blame);
                conflict.inherited = which;
                return Err(conflict);
            }
        }
        self.decide(node)
    }

    /// Starts the plan of a node that was just decided, if it has steps.
    pub(crate) fn start_plan(&mut self, node: NodeId) {
        let production = &self.tables.productions[self.arena.node(node).production as usize];
        if production.steps.as_deref().is_some_and(<[Step]>::is_empty) {
            self.complete(node);
        } else {
            self.frames.push(Frame { node, step: 0 });
        }
    }

    /// Learns from a conflict and changes a decision, until the search can continue.
    fn resolve(&mut self, mut conflict: Conflict) -> Result<(), Answer> {
        loop {
            let call = *self.calls.last().expect("the call of the root ends the loop");
            self.counters.alternatives += 1;
            if self.counters.alternatives > self.engine.search.max_alternatives {
                return Err(Answer::GaveUp(Limit::Alternatives));
            }
            if self.counters.alternatives > call.deadline {
                conflict.taint.add(Taint::BUDGET);
                conflict = self.fail(conflict)?;
                continue;
            }
            let when = |node: &NodeId| self.arena.node(*node).when;
            let Some(latest) =
                conflict.tests.iter().copied().filter(|node| when(node) >= call.log).max_by_key(when)
            else {
                conflict = self.fail(conflict)?;
                continue;
            };
            let change = match self.engine.search.fail_patterns {
                FailPatterns::Off if call.retries >= MAX_BLIND_RETRIES => {
                    conflict.taint.add(Taint::BUDGET);
                    conflict = self.fail(conflict)?;
                    continue;
                }
                FailPatterns::Off => {
                    self.calls.last_mut().expect("it was just looked at").retries += 1;
                    call.root
                }
                FailPatterns::General if self.is_refusal(&conflict, call.root) => {
                    self.counters.patterns += 1;
                    self.patterns.refuse(self.arena.node(call.root).production, conflict);
                    call.root
                }
                FailPatterns::General => {
                    self.learn(&mut conflict);
                    let change = self.whole_unit(latest, call.root);
                    self.end_list_before_element(change, call.root)
                }
                FailPatterns::Specific => {
                    if !conflict.taint.is_limit() {
                        conflict.tests.extend_from_slice(&self.arena.log[call.log as usize..]);
                        conflict.inherited = u64::MAX;
                    }
                    let latest = *self.arena.log.last().expect("something is decided");
                    let latest =
                        if conflict.taint.is_limit() { latest_of(&conflict, &self.arena) } else { latest };
                    self.learn(&mut conflict);
                    self.whole_unit(latest, call.root)
                }
            };
            self.keep_elements(change);
            self.arena.undo(change);
            self.rewind(change, call);
            let again = match change {
                _ if change == call.root => self.decide(change),
                // The rest of the skeleton is drawn when the region continues.
                _ if self.is_in_region_skeleton(change) => self.choose(change),
                _ => self.expand(change),
            };
            match again {
                Ok(()) => return Ok(()),
                Err(next) => conflict = next,
            }
        }
    }

    /// Whether a conflict only excludes the production of the call's root.
    fn is_refusal(&self, conflict: &Conflict, root: NodeId) -> bool {
        let is_tree = self.tables.classes[self.arena.node(root).class as usize].kind == NodeKind::Tree;
        is_tree && self.patterns.is_indexed() && conflict.tests.iter().all(|node| *node == root)
    }

    fn learn(&mut self, conflict: &mut Conflict) {
        conflict.tests.sort_unstable();
        conflict.tests.dedup();
        self.counters.patterns += 1;
        let own = self.calls.last().map_or(0, |call| call.patterns);
        self.patterns.learn(&mut self.arena, self.tables, conflict, own);
    }

    /// The node to change in order to change `node`: itself, or the complete guarded node that contains it.
    fn whole_unit(&self, node: NodeId, root: NodeId) -> NodeId {
        let (mut change, mut above) = (node, node);
        while above != root {
            if self.tables.classes[self.arena.node(above).class as usize].unit {
                change = above;
            }
            above = self.arena.node(above).unit;
        }
        change
    }

    /// Ends the innermost call with a failure: returns the conflict of the enclosing call, or the end of the attempt.
    fn fail(&mut self, conflict: Conflict) -> Result<Conflict, Answer> {
        let call = self.calls.pop().expect("a call is running");
        if self.arena.is_decided(call.root) {
            self.arena.undo(call.root);
        }
        self.frames.truncate(call.frames as usize);
        self.patterns.truncate(call.patterns);
        self.patterns.truncate_refusals(call.refusals);
        if self.calls.is_empty() {
            return Err(match conflict.taint {
                taint if taint.has(Taint::BUDGET) => Answer::GaveUp(Limit::Alternatives),
                taint if taint.has(Taint::HEIGHT) => Answer::GaveUp(Limit::Height),
                _ => Answer::Fail(conflict.blame),
            });
        }
        let node = self.arena.node(call.root);
        let class = &self.tables.classes[node.class as usize];
        let proved = conflict.taint.is_clean() && conflict.outer_patterns.is_empty() && !class.random;
        if self.engine.search.memory && proved {
            let from = node.attributes as usize;
            let inherited = &self.arena.values[from..from + class.n_inherited as usize];
            if self.memory.recall(node.class, inherited).is_none() {
                self.memory.store(node.class, conflict.inherited, inherited, conflict.blame);
            }
        }
        Ok(self.lift(call.root, conflict))
    }

    /// Restores the frames such that the next step follows the expansion of a node whose decision was undone.
    fn rewind(&mut self, node: NodeId, call: Call) {
        if node == call.root {
            self.frames.truncate(call.frames as usize);
            return;
        }
        let is_kept = |frame: &Frame| {
            (frame.node as usize) < self.arena.nodes.len() && self.arena.is_decided(frame.node)
        };
        while self.frames.last().is_some_and(|frame| !is_kept(frame)) {
            self.frames.pop();
        }
        // The remaining frames were decided before the node, so the node is below them.
        let top = self.frames.pop().map_or(NONE, |frame| frame.node);
        let from = self.frames.len();
        let mut below = node;
        loop {
            let frame = self.frame_above(below);
            self.frames.push(frame);
            if frame.node == top {
                break;
            }
            below = frame.node;
        }
        self.frames[from..].reverse();
    }

    /// The frame in which a node was expanded, at the step after the expansion.
    fn frame_above(&mut self, node: NodeId) -> Frame {
        let (parent, child) = (self.arena.node(node).parent, self.arena.node(node).child_no);
        if self.arena.node(node).in_region {
            let region = self.region_of(node);
            return Frame { node: region, step: self.region_step_behind(region, node) };
        }
        let production = &self.tables.productions[self.arena.node(parent).production as usize];
        Frame { node: parent, step: production.children[child as usize].resume }
    }

    /// Ends the innermost frame.
    pub(crate) fn end_frame(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.complete(frame.node);
        }
    }

    /// The failure of a node without any choice.
    pub(crate) fn no_choice(&self, node: NodeId) -> Blame {
        let class = &self.tables.classes[self.arena.node(node).class as usize];
        Blame { production: ProductionId(class.productions.start), what: BlamedPart::NoChoice }
    }
}

fn latest_of(conflict: &Conflict, arena: &Arena) -> NodeId {
    let latest = conflict.tests.iter().copied().max_by_key(|node| arena.node(*node).when);
    latest.expect("the caller found one")
}

/// Adds the counts of a thread to those of the run when it ends.
impl Drop for Solver<'_> {
    fn drop(&mut self) {
        if let (Some(profile), Some(tally)) = (&self.engine.profile, &self.tally) {
            profile.add(tally);
        }
    }
}
