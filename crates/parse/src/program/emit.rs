//! Compiles the parser rules of a grammar into a program.
//!
//! Emission works off a stack of tasks, so groups inside groups need no recursion. Places that are not known yet are
//! labels until the end.

use super::fuse::{fuse, settle};
use super::{Descent, Op, Pc, Program, Site};
use crate::network::{BlockStates, Built, NO_STATE, StateId};
use polysmith_grammar::{
    AltId, BlockId, CodeId, CodeKind, Element, ElementId, ElementKind, Grammar, OperatorClass, Quantifier,
    RuleId, RuleKind,
};

/// Compiles all parser rules. Of the actions, only those that are `covered` by hooks are run.
pub(crate) fn compile(grammar: &Grammar, built: &Built, covered: &dyn Fn(CodeId) -> bool) -> Program {
    let n_rules = grammar.rules().len();
    let mut emitter = Emitter {
        grammar,
        built,
        program: Program {
            ops: Vec::new(),
            sites: Vec::new(),
            n_rows: 0,
            tables: Vec::new(),
            entries: vec![0; n_rules],
            only_alt: vec![0; n_rules],
            descents: vec![Descent::default(); n_rules],
            calls: Vec::new(),
            decision_blocks: built.decision_blocks.clone(),
        },
        labels: Vec::new(),
        covered,
    };
    for rule in grammar.parser_rules() {
        emitter.rule(rule);
    }
    emitter.finish()
}

/// What is still to be emitted.
enum Task {
    Op(Op),
    Place(Label),
    Element(ElementId, u32),
    Block(BlockId),
    Decide(Choice),
    /// A choice that depends on the precedence of the call, with the highest one.
    DecideOperator(Choice, u32),
}

/// A site whose targets are labels.
struct Choice {
    decision: u32,
    state: StateId,
    targets: Vec<Label>,
    otherwise: Option<u16>,
}

/// A place that is not known yet. Targets are labels until [`Emitter::finish`].
type Label = u32;

struct Emitter<'a> {
    grammar: &'a Grammar,
    built: &'a Built,
    program: Program,
    labels: Vec<Pc>,
    covered: &'a dyn Fn(CodeId) -> bool,
}

impl Emitter<'_> {
    fn label(&mut self) -> Label {
        self.labels.push(0);
        (self.labels.len() - 1) as Label
    }

    fn rule(&mut self, rule: RuleId) {
        self.program.entries[rule.index()] = self.program.ops.len() as Pc;
        let definition = self.grammar.rule(rule);
        let mut tasks = match &definition.recursion {
            Some(_) => self.recursive_body(rule),
            None => self.body(rule),
        };
        tasks.push(Task::Op(Op::Return));
        let mut todo: Vec<Task> = tasks.into_iter().rev().collect();
        while let Some(task) = todo.pop() {
            let more = self.perform(task);
            todo.extend(more.into_iter().rev());
        }
    }

    /// Emits what can be emitted at once; returns what a task consists of.
    fn perform(&mut self, task: Task) -> Vec<Task> {
        match task {
            Task::Op(op) => self.program.ops.push(op),
            Task::Place(label) => self.labels[label as usize] = self.program.ops.len() as Pc,
            Task::Decide(choice) => {
                let (site, row) = self.site(choice, None);
                self.program.ops.push(Op::Decide { site, row });
            }
            Task::DecideOperator(choice, highest) => {
                let (site, row) = self.site(choice, Some(highest));
                self.program.ops.push(Op::DecideOperator { site, row });
            }
            Task::Element(id, precedence) => return self.element(id, precedence),
            Task::Block(id) => return self.block(id),
        }
        Vec::new()
    }

    /// A new site and its first row.
    fn site(&mut self, choice: Choice, highest: Option<u32>) -> (u32, u32) {
        let Choice { decision, state, targets, otherwise } = choice;
        let (site, row) = (self.program.sites.len() as u32, self.program.n_rows);
        let by_precedence = highest.is_some();
        self.program.sites.push(Site { decision, state, targets: targets.into(), otherwise, by_precedence });
        self.program.n_rows += highest.map_or(1, |highest| highest + 1);
        (site, row)
    }

    fn body(&mut self, rule: RuleId) -> Vec<Task> {
        let body = self.grammar.rule(rule).body();
        let states = self.built.blocks[body.index()];
        if states.is_set {
            let table = self.table(body);
            return vec![Task::Op(self.match_set(states.start, false)), Task::Op(Op::RuleAltOf { table })];
        }
        let alternatives: Vec<AltId> = self.grammar.alternatives(body).collect();
        if let [only] = alternatives[..] {
            self.program.only_alt[rule.index()] = 1;
            return self.elements(only, 0, None);
        }
        let end = self.label();
        let mut tasks = Vec::new();
        let cases = self.cases(&alternatives, end, |emitter, alt| {
            let number = emitter.grammar.alternative_number(alt) as u32;
            let mut tasks = vec![Task::Op(Op::RuleAlt(number))];
            tasks.extend(emitter.elements(alt, 0, None));
            tasks
        });
        self.decide(states, cases, None, &mut tasks);
        tasks.push(Task::Place(end));
        tasks
    }

    /// The code of each alternative, each ending with a jump to the code after the block.
    fn cases(
        &mut self,
        alternatives: &[AltId],
        end: Label,
        mut code: impl FnMut(&mut Self, AltId) -> Vec<Task>,
    ) -> Vec<Vec<Task>> {
        let case = |alt: &AltId| {
            let mut tasks = code(self, *alt);
            tasks.push(Task::Op(Op::Jump(end)));
            tasks
        };
        alternatives.iter().map(case).collect()
    }

    /// A decision at a block's start, then its cases in order. `skip` is the way out of an optional block, and
    /// whether that is its first alternative.
    fn decide(
        &mut self,
        states: BlockStates,
        cases: Vec<Vec<Task>>,
        skip: Option<(Label, bool)>,
        tasks: &mut Vec<Task>,
    ) {
        let labels: Vec<Label> = cases.iter().map(|_| self.label()).collect();
        let mut targets = labels.clone();
        let mut otherwise = None;
        if let Some((label, first)) = skip {
            let at = if first { 0 } else { targets.len() };
            targets.insert(at, label);
            otherwise = Some((at + 1) as u16);
        }
        match states.choice {
            Some(decision) => {
                tasks.push(Task::Decide(Choice { decision, state: states.start, targets, otherwise }));
            }
            None => tasks.push(Task::Op(Op::Jump(targets[0]))),
        }
        for (label, case) in labels.into_iter().zip(cases) {
            tasks.push(Task::Place(label));
            tasks.extend(case);
        }
    }

    /// `( primary | … ) ( operator | … )*`. The operator is chosen before the left operand is wrapped.
    fn recursive_body(&mut self, rule: RuleId) -> Vec<Task> {
        let grammar = self.grammar;
        let body = grammar.rule(rule).body();
        let table = grammar.rule(rule).recursion.as_ref().expect("the caller looked");
        let entries: Vec<_> = grammar.alternatives(body).zip(table.operators.iter().copied()).collect();
        let of = |classes: [OperatorClass; 2]| {
            let mut alts = Vec::new();
            for class in classes {
                alts.extend(entries.iter().filter(|(_, op)| op.class == class).map(|(alt, op)| (*alt, *op)));
            }
            alts
        };
        let mut primaries = of([OperatorClass::Primary, OperatorClass::Prefix]);
        primaries.sort_by_key(|(alt, _)| *alt);
        let operators = of([OperatorClass::Binary, OperatorClass::Suffix]);
        let states = self.built.operators[rule.index()];
        let repeat = states.repeat.expect("the operators are a loop");
        let (after_primary, again, iterated, end) = (self.label(), self.label(), self.label(), self.label());

        let mut tasks = Vec::new();
        let primary_alts: Vec<AltId> = primaries.iter().map(|(alt, _)| *alt).collect();
        let cases = self.cases(&primary_alts, after_primary, |emitter, alt| {
            let operator = table.operators[grammar.alternative_number(alt) - 1];
            let operand = (operator.class == OperatorClass::Prefix).then_some(operator.operand);
            let mut tasks = vec![Task::Op(Op::RuleAlt(grammar.alternative_number(alt) as u32))];
            tasks.extend(emitter.elements(alt, 0, operand));
            tasks
        });
        self.decide(self.built.blocks[body.index()], cases, None, &mut tasks);
        tasks.push(Task::Place(after_primary));
        let highest = table.operators.iter().map(|op| op.operand.max(op.precedence)).max().unwrap_or(0);
        let go_on = |state| {
            let choice = Choice { decision: repeat, state, targets: vec![again, end], otherwise: Some(2) };
            Task::DecideOperator(choice, highest)
        };
        tasks.push(go_on(states.entry));

        tasks.push(Task::Place(again));
        let operator_alts: Vec<AltId> = operators.iter().map(|(alt, _)| *alt).collect();
        let cases = self.cases(&operator_alts, iterated, |emitter, alt| {
            let operator = table.operators[grammar.alternative_number(alt) - 1];
            let operand = (operator.class == OperatorClass::Binary).then_some(operator.operand);
            let state = emitter.built.tests[alt.index()];
            let mut tasks = vec![
                Task::Op(Op::Wrap { alt: grammar.alternative_number(alt) as u32 }),
                Task::Op(Op::Precedence { precedence: operator.precedence, state }),
            ];
            tasks.extend(emitter.elements(alt, 1, operand));
            tasks
        });
        self.decide(states, cases, None, &mut tasks);
        tasks.push(Task::Place(iterated));
        tasks.push(go_on(states.loop_back));
        tasks.push(Task::Place(end));
        tasks
    }

    fn elements(&mut self, alt: AltId, skip: usize, operand: Option<u32>) -> Vec<Task> {
        let elements = self.grammar.elements(alt);
        let trailing = elements.iter().rposition(|element| !matches!(element.kind, ElementKind::Code(_)));
        let with_precedence = |(at, id)| {
            let precedence = operand.filter(|_| Some(at) == trailing).unwrap_or(0);
            Task::Element(id, precedence)
        };
        self.grammar.element_ids(alt).enumerate().skip(skip).map(with_precedence).collect()
    }

    fn element(&mut self, id: ElementId, precedence: u32) -> Vec<Task> {
        let state = self.built.elements[id.index()];
        let op = match self.grammar.element(id).kind {
            ElementKind::Token(token) => Op::Match { token: token.index() as u32, state },
            ElementKind::NotTokens(_) => self.match_set(state, false),
            ElementKind::AnyToken => self.match_set(state, true),
            ElementKind::Rule(rule) if self.grammar.rule(rule).kind == RuleKind::Parser => Op::Call {
                rule: rule.index() as u32,
                precedence,
                follow: self.built.network.call(state).follow,
            },
            ElementKind::Block(block) => return vec![Task::Block(block)],
            ElementKind::Code(code) => match self.grammar.code(code).kind {
                CodeKind::Action if (self.covered)(code) => Op::Action { code, state },
                CodeKind::Action => return Vec::new(),
                CodeKind::Predicate { .. } => Op::Predicate { code, state },
            },
            ElementKind::Rule(_) | ElementKind::Chars(_) | ElementKind::Text(_) => return Vec::new(),
        };
        vec![Task::Op(op)]
    }

    fn match_set(&self, state: StateId, any: bool) -> Op {
        match self.built.network.edges(state) {
            [crate::network::Edge::Set(set, _)] => Op::MatchSet { set: *set, state, any },
            _ => unreachable!("a set is one edge"),
        }
    }

    /// A group with its quantifier.
    fn block(&mut self, id: BlockId) -> Vec<Task> {
        let states = self.built.blocks[id.index()];
        let Quantifier { min, max, greedy } = self.grammar.block(id).quantifier;
        match (min, max) {
            (_, Some(1)) => self.once(id, states, (min == 0).then_some(!greedy)),
            (0, _) => self.star(id, states, greedy),
            _ => self.plus(id, states, greedy),
        }
    }

    /// `( … )` or `( … )?`; `lazy` is there if it is optional.
    fn once(&mut self, id: BlockId, states: BlockStates, lazy: Option<bool>) -> Vec<Task> {
        let block = id.index() as u32;
        let (end, none) = (self.label(), self.label());
        let cases = self.block_cases(
            id,
            states,
            end,
            |number| Op::Open { block, alt: number, to: 0 },
            Some(Op::Close),
        );
        let mut tasks = Vec::new();
        self.decide(states, cases, lazy.map(|first| (none, first)), &mut tasks);
        if lazy.is_some() {
            tasks.push(Task::Place(none));
            tasks.push(Task::Op(Op::OpenNone { block }));
        }
        tasks.push(Task::Place(end));
        tasks
    }

    /// The cases of a group, each between an opening and a closing instruction.
    fn block_cases(
        &mut self,
        id: BlockId,
        states: BlockStates,
        end: Label,
        open: impl Fn(u32) -> Op,
        close: Option<Op>,
    ) -> Vec<Vec<Task>> {
        if states.is_set {
            let state = self.set_state(id);
            let table = self.table(id);
            let mut tasks = vec![
                Task::Op(open(0)),
                Task::Op(self.match_set(state, false)),
                Task::Op(Op::ItemAltOf { table }),
            ];
            tasks.extend(close.map(Task::Op));
            tasks.push(Task::Op(Op::Jump(end)));
            return vec![tasks];
        }
        let alternatives: Vec<AltId> = self.grammar.alternatives(id).collect();
        self.cases(&alternatives, end, |emitter, alt| {
            let number = emitter.grammar.alternative_number(alt) as u32;
            let mut tasks = vec![Task::Op(open(number))];
            tasks.extend(emitter.elements(alt, 0, None));
            tasks.extend(close.map(Task::Op));
            tasks
        })
    }

    /// The state of a set is that of any of its tokens.
    fn set_state(&self, id: BlockId) -> StateId {
        let mut alternatives = self.grammar.alternatives(id);
        let first = alternatives.next().and_then(|alt| self.grammar.element_ids(alt).next());
        first.map_or(NO_STATE, |element| self.built.elements[element.index()])
    }

    fn star(&mut self, id: BlockId, states: BlockStates, greedy: bool) -> Vec<Task> {
        let block = id.index() as u32;
        let (first, none, out) = (self.label(), self.label(), self.label());
        let repeat = states.repeat.expect("a star block is a loop");
        let mut tasks = vec![Task::Decide(Choice {
            decision: repeat,
            state: states.entry,
            targets: ordered(first, none, greedy),
            otherwise: greedy.then_some(2),
        })];
        tasks.push(Task::Place(first));
        tasks.push(Task::Op(Op::Open { block, alt: 0, to: 0 }));
        self.rounds(id, states, greedy, &mut tasks);
        tasks.push(Task::Op(Op::Jump(out)));
        tasks.push(Task::Place(none));
        tasks.push(Task::Op(Op::OpenNone { block }));
        tasks.push(Task::Place(out));
        tasks
    }

    fn plus(&mut self, id: BlockId, states: BlockStates, greedy: bool) -> Vec<Task> {
        let mut tasks = Vec::new();
        if states.choice.is_none() {
            tasks.push(Task::Op(Op::Sync { state: states.start }));
        }
        tasks.push(Task::Op(Op::Open { block: id.index() as u32, alt: 0, to: 0 }));
        self.rounds(id, states, greedy, &mut tasks);
        tasks
    }

    /// Items until the loop ends; the first is open already.
    fn rounds(&mut self, id: BlockId, states: BlockStates, greedy: bool, tasks: &mut Vec<Task>) {
        let (round, back, again, end) = (self.label(), self.label(), self.label(), self.label());
        tasks.push(Task::Place(round));
        let cases = self.block_cases(id, states, back, Op::ItemAlt, None);
        self.decide(states, cases, None, tasks);
        tasks.push(Task::Place(back));
        tasks.push(Task::Decide(Choice {
            decision: states.repeat.expect("the block is a loop"),
            state: states.loop_back,
            targets: ordered(again, end, greedy),
            otherwise: greedy.then_some(2),
        }));
        tasks.push(Task::Place(again));
        tasks.push(Task::Op(Op::Next { alt: 0, to: 0 }));
        tasks.push(Task::Op(Op::Jump(round)));
        tasks.push(Task::Place(end));
        tasks.push(Task::Op(Op::Close));
    }

    /// Which alternative a token of a set is; the first one that names it.
    fn table(&mut self, id: BlockId) -> u32 {
        let mut table: Vec<(u32, u32)> = Vec::new();
        for alt in self.grammar.alternatives(id) {
            if let [Element { kind: ElementKind::Token(token), .. }] = self.grammar.elements(alt) {
                table.push((token.index() as u32, self.grammar.alternative_number(alt) as u32));
            }
        }
        table.sort_unstable();
        table.dedup_by_key(|entry| entry.0);
        self.program.tables.push(table);
        (self.program.tables.len() - 1) as u32
    }

    /// Labels become places.
    fn finish(mut self) -> Program {
        let ops = &mut self.program.ops;
        for op in ops.iter_mut() {
            if let Op::Jump(label) = op {
                *label = self.labels[*label as usize];
            }
        }
        for site in &mut self.program.sites {
            for target in &mut site.targets {
                *target = settle(ops, self.labels[*target as usize]);
            }
        }
        fuse(&mut self.program);
        self.program
    }
}

fn ordered(again: Label, end: Label, greedy: bool) -> Vec<Label> {
    if greedy { vec![again, end] } else { vec![end, again] }
}
