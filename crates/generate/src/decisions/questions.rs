//! The parser's decisions that correspond to the choices of a draft.
//!
//! A draft takes an alternative, repeats a group or leaves it; the parser then has to answer one or two questions
//! of its own the same way. This table says which, computed once.

use crate::decisions::choice::Choice;
use crate::decisions::one_token::OneTokenDecisions;
use crate::tables::Tables;
use polysmith_grammar::{AltId, BlockId, ElementKind, Grammar, OperatorClass, Quantifier, RuleId, RuleKind};
use polysmith_parse::{Decisions, Parser};

/// A decision and the alternative that is meant, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) decision: u32,
    pub(crate) alt: u16,
}

impl Question {
    /// There is nothing to ask.
    pub(crate) const NONE: Question = Question { decision: u32::MAX, alt: 0 };

    fn new(decision: Option<u32>, alt: usize) -> Question {
        match (decision, u16::try_from(alt)) {
            (Some(decision), Ok(alt)) => Question { decision, alt },
            _ => Question::NONE,
        }
    }

    /// Whether the parser may take another alternative: the first one always wins (see [`crate::decisions::one_token`]).
    pub(crate) fn is_open(self) -> bool {
        self.decision != u32::MAX && self.alt > 1
    }
}

/// Questions by choice.
#[derive(Debug)]
pub(crate) struct QuestionTable {
    /// By step: the state of the parser's network after the call.
    pub(crate) follows: Vec<u32>,
    /// By alternative: the choice among its neighbours.
    pub(crate) choice: Vec<Question>,
    /// By block: one more repetition.
    pub(crate) again: Vec<Question>,
    /// By block: its end.
    pub(crate) leave: Vec<Question>,
    /// By rule: another operator after an operand.
    pub(crate) operator: Vec<Question>,
    /// By rule: no more operators.
    pub(crate) end: Vec<Question>,
    /// By block: the next token settles every choice, or there is only one.
    pub(crate) settled: Vec<bool>,
    /// That is so for all blocks.
    pub(crate) all_settled: bool,
}

impl QuestionTable {
    pub(crate) fn new(
        grammar: &Grammar,
        parser: &Parser,
        tables: &Tables,
        one_token: &OneTokenDecisions,
    ) -> QuestionTable {
        let mut questions = QuestionTable {
            follows: follows(grammar, parser, tables),
            choice: vec![Question::NONE; grammar.n_alternatives()],
            again: vec![Question::NONE; grammar.n_blocks()],
            leave: vec![Question::NONE; grammar.n_blocks()],
            operator: vec![Question::NONE; grammar.rules().len()],
            end: vec![Question::NONE; grammar.rules().len()],
            settled: vec![true; grammar.n_blocks()],
            all_settled: true,
        };
        for rule in grammar.parser_rules() {
            for block in BlockId::range(grammar.rule(rule).blocks.clone()) {
                questions.block(grammar, block, parser.decisions().of_block(block));
                questions.settled[block.index()] = settled(grammar, one_token, block);
            }
            if grammar.rule(rule).recursion.is_some() {
                questions.operators(grammar, rule, parser.decisions().of_operators(rule));
                questions.settled[grammar.rule(rule).body().index()] = false;
            }
        }
        questions.all_settled = questions.settled.iter().all(|settled| *settled);
        questions
    }

    fn block(&mut self, grammar: &Grammar, block: BlockId, decisions: Decisions) {
        let Quantifier { min, max, greedy } = grammar.block(block).quantifier;
        let optional = min == 0 && max == Some(1);
        let first = if optional && !greedy { 2 } else { 1 };
        let recursion = grammar.rule(grammar.block(block).rule).recursion.as_ref();
        let operators = recursion.filter(|_| grammar.rule(grammar.block(block).rule).body() == block);
        let mut next = first;
        for alt in grammar.alternatives(block) {
            let class = operators.map(|table| table.operators[grammar.alternative_number(alt) - 1].class);
            if class.is_some_and(OperatorClass::is_left_recursive) {
                continue;
            }
            self.choice[alt.index()] =
                Question::new(decisions.choice, if decisions.is_set { first } else { next });
            next += 1;
        }
        let after = if decisions.is_set { first + 1 } else { next };
        if optional {
            self.leave[block.index()] = Question::new(decisions.choice, if greedy { after } else { 1 });
        } else if decisions.repeat.is_some() {
            let (again, leave) = if greedy { (1, 2) } else { (2, 1) };
            self.again[block.index()] = Question::new(decisions.repeat, again);
            self.leave[block.index()] = Question::new(decisions.repeat, leave);
        }
    }

    fn operators(&mut self, grammar: &Grammar, rule: RuleId, decisions: Decisions) {
        self.operator[rule.index()] = Question::new(decisions.repeat, 1);
        self.end[rule.index()] = Question::new(decisions.repeat, 2);
        let table = grammar.rule(rule).recursion.as_ref().expect("the caller looked");
        let mut next = 1;
        for class in [OperatorClass::Binary, OperatorClass::Suffix] {
            for alt in grammar.alternatives(grammar.rule(rule).body()) {
                if table.operators[grammar.alternative_number(alt) - 1].class == class {
                    self.choice[alt.index()] = Question::new(decisions.choice, next);
                    next += 1;
                }
            }
        }
    }
}

/// Whether the next token settles every choice at a block.
fn settled(grammar: &Grammar, one_token: &OneTokenDecisions, block: BlockId) -> bool {
    let is_settled = |choice| one_token.is_always_settled(choice);
    let leaving = grammar.block(block).quantifier.is_one() || is_settled(Choice::Leave(block));
    leaving && grammar.alternatives(block).map(Choice::Alternative).all(is_settled)
}

fn follows(grammar: &Grammar, parser: &Parser, tables: &Tables) -> Vec<u32> {
    let mut follows = vec![u32::MAX; tables.steps.len()];
    for alt in (0..grammar.n_alternatives()).map(AltId::new) {
        if grammar.rule(grammar.block(grammar.alternative(alt).block).rule).kind != RuleKind::Parser {
            continue;
        }
        let is_step =
            |kind| !matches!(kind, ElementKind::Code(_) | ElementKind::Chars(_) | ElementKind::Text(_));
        let elements = grammar.element_ids(alt).filter(|element| is_step(grammar.element(*element).kind));
        for (step, element) in tables.alternatives[alt.index()].clone().zip(elements) {
            follows[step as usize] = parser.decisions().return_state(element);
        }
    }
    follows
}
