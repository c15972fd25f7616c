//! Expressions that need no interpreter: a constant, a field of an external value, or a comparison of two of these.
//!
//! Most equations and guards of a specification have this form (`e.want = Bool`, `this.want == Int`). They are
//! recognized in the bytecode by symbolic execution of straight-line code.

use crate::check::EntryId;
use crate::code::{Instruction, Program, Register};
use crate::syntax::ExternalId;
use crate::value::Value;

/// An expression of this simple form. It makes no calls and cannot fail.
#[derive(Debug, Clone)]
pub struct SimpleExpr(Form);

#[derive(Debug, Clone)]
enum Form {
    Of(Operand),
    /// A comparison for equality (`true`) or inequality (`false`).
    Compared(Operand, Operand, bool),
}

#[derive(Debug, Clone)]
enum Operand {
    Constant(Value),
    /// A path of fields that starts at an external value.
    Path(ExternalId, Vec<u16>),
}

impl SimpleExpr {
    /// Evaluates the expression. Calls `external` once for each external value that it reads.
    #[inline]
    pub fn value<'a>(&'a self, mut external: impl FnMut(ExternalId) -> &'a Value) -> Value {
        match &self.0 {
            Form::Of(operand) => operand.value(&mut external).clone(),
            Form::Compared(left, right, equal) => {
                Value::Bool((left.value(&mut external) == right.value(&mut external)) == *equal)
            }
        }
    }
}

impl Operand {
    #[inline]
    fn value<'a>(&'a self, external: &mut impl FnMut(ExternalId) -> &'a Value) -> &'a Value {
        match self {
            Operand::Constant(value) => value,
            Operand::Path(id, path) => path.iter().fold(external(*id), |value, index| match value {
                Value::Data(data) => &data.fields()[usize::from(*index)],
                _ => &Value::Nil,
            }),
        }
    }
}

impl Program {
    /// Returns the simple form of an expression if it has one.
    pub fn simple(&self, entry: EntryId) -> Option<SimpleExpr> {
        let function = &self.functions[self.entries[entry.0 as usize] as usize];
        let mut registers: Vec<Option<Form>> = vec![None; usize::from(function.size)];
        for ins in &self.code[function.entry as usize..] {
            let get = |register: Register| registers[usize::from(register)].clone();
            let operand = |register: Register| match get(register) {
                Some(Form::Of(operand)) => Some(operand),
                _ => None,
            };
            let (dst, form) = match *ins {
                Instruction::Const { dst, constant } => {
                    (dst, Form::Of(Operand::Constant(self.constants[constant as usize].clone())))
                }
                Instruction::External { dst, id } => {
                    (dst, Form::Of(Operand::Path(ExternalId(id), Vec::new())))
                }
                Instruction::Copy { dst, src } | Instruction::Take { dst, src } => (dst, get(src)?),
                Instruction::Field { dst, src, index } => {
                    let Operand::Path(id, mut path) = operand(src)? else { return None };
                    path.push(index);
                    (dst, Form::Of(Operand::Path(id, path)))
                }
                Instruction::Eq { dst, a, b } => (dst, Form::Compared(operand(a)?, operand(b)?, true)),
                Instruction::Ne { dst, a, b } => (dst, Form::Compared(operand(a)?, operand(b)?, false)),
                Instruction::Return { src } => return get(src).map(SimpleExpr),
                _ => return None,
            };
            registers[usize::from(dst)] = Some(form);
        }
        None
    }
}
