//! Fuses instructions: what always happens together is one step.
//!
//! Each instruction becomes what it does together with those behind it; these stay where they are, for whoever comes
//! there another way. Nothing that can fail is moved: only the last part of a fused instruction may.

use super::{Op, Pc};

/// Fuses all instructions, whose jumps lead to places. `entries`: by rule, its first instruction.
pub(super) fn fuse(ops: &mut [Op], entries: &[Pc]) {
    let plain = ops.to_vec();
    let decides = |rule: u32| matches!(plain[entries[rule as usize] as usize], Op::Decide { .. });
    for (at, op) in ops.iter_mut().enumerate() {
        *op = match fused(&plain, at as Pc) {
            Op::Call { rule, precedence, follow } if decides(rule) => {
                Op::CallAndDecide { rule, precedence, follow }
            }
            op => op,
        };
    }
}

/// The place where a jump to `pc` really ends.
pub(super) fn settle(ops: &[Op], mut pc: Pc) -> Pc {
    while let Some(Op::Jump(to)) = ops.get(pc as usize) {
        pc = *to;
    }
    pc
}

fn fused(ops: &[Op], at: Pc) -> Op {
    let behind = settle(ops, at + 1);
    let next = ops.get(behind as usize).copied();
    let returns = |pc: Pc| matches!(ops.get(settle(ops, pc) as usize), Some(Op::Return));
    match (ops[at as usize], next) {
        (Op::Jump(to), _) => match ops[settle(ops, to) as usize] {
            op @ (Op::Return | Op::Decide { .. } | Op::DecideOperator { .. }) => op,
            _ => Op::Jump(settle(ops, to)),
        },
        (Op::OpenNone { block }, Some(Op::Return)) => Op::EmptyAndReturn { block },
        (Op::Match { token, state }, Some(Op::Return)) => Op::MatchAndReturn { token, state },
        (Op::Close, Some(Op::Return)) => Op::CloseAndReturn,
        (Op::RuleAlt(alt), Some(Op::Match { token, state })) if behind == at + 1 => {
            if returns(behind + 1) {
                Op::AltMatchAndReturn { alt, token, state }
            } else {
                Op::AltAndMatch { alt, token, state }
            }
        }
        (Op::Open { block, alt: 0, .. }, Some(Op::ItemAlt(alt))) => Op::Open { block, alt, to: behind + 1 },
        (Op::Open { block, alt, .. }, _) => Op::Open { block, alt, to: behind },
        (Op::Next { .. }, Some(Op::ItemAlt(alt))) => Op::Next { alt, to: behind + 1 },
        (Op::Next { .. }, _) => Op::Next { alt: 0, to: behind },
        (op, _) => op,
    }
}
