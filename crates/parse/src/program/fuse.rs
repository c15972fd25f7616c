//! Fuses instructions: what always happens together is one step.
//!
//! Each instruction becomes what it does together with those after it; these stay where they are, for whoever comes
//! there another way. Nothing that can fail is moved: only the last part of a fused instruction may.

use super::{Descent, DescentCall, Op, Pc, Program};

/// A longer descent is made in pieces: a rule that begins with itself has no end of calls.
const MAX_DESCENT: usize = 32;

/// Fuses all instructions, whose jumps lead to places.
pub(super) fn fuse(program: &mut Program) {
    let plain = program.ops.clone();
    for rule in 0..program.entries.len() {
        let first = program.calls.len() as u32;
        let to = descend(program, &plain, program.entries[rule]);
        program.descents[rule] = Descent { first, end: program.calls.len() as u32, to };
    }
    let begins = |rule: u32| plain.get(program.entries[rule as usize] as usize);
    for (at, op) in program.ops.iter_mut().enumerate() {
        *op = match fused(&plain, at as Pc) {
            Op::Call { rule, precedence, follow } => match begins(rule) {
                Some(Op::Decide { .. }) => Op::CallAndDecide { rule, precedence, follow },
                Some(Op::Call { .. }) => Op::CallAndDescend { rule, precedence, follow },
                _ => Op::Call { rule, precedence, follow },
            },
            op => op,
        };
    }
}

/// Notes the calls that follow each other from a rule's beginning on; the beginning of the innermost rule.
fn descend(program: &mut Program, plain: &[Op], mut at: Pc) -> Pc {
    for level in 0..MAX_DESCENT {
        let Some(Op::Call { rule, precedence, follow }) = plain.get(at as usize) else { break };
        let (rule, precedence, follow) = (*rule, *precedence, *follow);
        let alt = program.only_alt[rule as usize];
        let level = level as u32;
        program.calls.push(DescentCall { rule, precedence, follow, back: at + 1, alt, level });
        at = program.entries[rule as usize];
    }
    at
}

/// The place where a jump to `pc` really ends.
pub(super) fn settle(ops: &[Op], mut pc: Pc) -> Pc {
    while let Some(Op::Jump(to)) = ops.get(pc as usize) {
        pc = *to;
    }
    pc
}

fn fused(ops: &[Op], at: Pc) -> Op {
    let after = settle(ops, at + 1);
    let next = ops.get(after as usize).copied();
    let returns = |pc: Pc| matches!(ops.get(settle(ops, pc) as usize), Some(Op::Return));
    match (ops[at as usize], next) {
        (Op::Jump(to), _) => match ops[settle(ops, to) as usize] {
            op @ (Op::Return | Op::Decide { .. } | Op::DecideOperator { .. }) => op,
            _ => Op::Jump(settle(ops, to)),
        },
        (Op::OpenNone { block }, Some(Op::Return)) => Op::EmptyAndReturn { block },
        (Op::Match { token, state }, Some(Op::Return)) => Op::MatchAndReturn { token, state },
        (Op::Close, Some(Op::Return)) => Op::CloseAndReturn,
        (Op::RuleAlt(alt), Some(Op::Match { token, state })) if after == at + 1 => {
            if returns(after + 1) {
                Op::AltMatchAndReturn { alt, token, state }
            } else {
                Op::AltAndMatch { alt, token, state }
            }
        }
        (Op::Open { block, alt: 0, .. }, Some(Op::ItemAlt(alt))) => Op::Open { block, alt, to: after + 1 },
        (Op::Open { block, alt, .. }, _) => Op::Open { block, alt, to: after },
        (Op::Next { .. }, Some(Op::ItemAlt(alt))) => Op::Next { alt, to: after + 1 },
        (Op::Next { .. }, _) => Op::Next { alt: 0, to: after },
        (op, _) => op,
    }
}
