//! Expressions that need no machine: a constant, a field of an external value, or a comparison of two such.
//!
//! Most equations and guards of a specification are of this form (`e.want = Bool`, `this.want == Int`). They are found
//! in the compiled code, by following it as long as it goes straight on.

use crate::check::EntryId;
use crate::code::{Ins, Program, Reg};
use crate::syntax::ExternalId;
use crate::value::Value;

/// An expression of simple form. It makes no calls and cannot fail.
#[derive(Debug, Clone)]
pub struct Simple(Form);

#[derive(Debug, Clone)]
enum Form {
    Of(Operand),
    /// Whether the operands are equal, or, with `false`, different.
    Compared(Operand, Operand, bool),
}

#[derive(Debug, Clone)]
enum Operand {
    Constant(Value),
    /// A field of a field of an external value.
    Path(ExternalId, Vec<u16>),
}

impl Simple {
    /// Its value. `external` is asked once for each external value that it looks at.
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
    /// An expression in simple form, if it has one.
    pub fn simple(&self, entry: EntryId) -> Option<Simple> {
        let function = &self.functions[self.entries[entry.0 as usize] as usize];
        let mut registers: Vec<Option<Form>> = vec![None; usize::from(function.size)];
        for ins in &self.code[function.entry as usize..] {
            let get = |register: Reg| registers[usize::from(register)].clone();
            let operand = |register: Reg| match get(register) {
                Some(Form::Of(operand)) => Some(operand),
                _ => None,
            };
            let (dst, form) = match *ins {
                Ins::Const { dst, constant } => {
                    (dst, Form::Of(Operand::Constant(self.constants[constant as usize].clone())))
                }
                Ins::External { dst, id } => (dst, Form::Of(Operand::Path(ExternalId(id), Vec::new()))),
                Ins::Copy { dst, src } | Ins::Take { dst, src } => (dst, get(src)?),
                Ins::Field { dst, src, index } => {
                    let Operand::Path(id, mut path) = operand(src)? else { return None };
                    path.push(index);
                    (dst, Form::Of(Operand::Path(id, path)))
                }
                Ins::Eq { dst, a, b } => (dst, Form::Compared(operand(a)?, operand(b)?, true)),
                Ins::Ne { dst, a, b } => (dst, Form::Compared(operand(a)?, operand(b)?, false)),
                Ins::Return { src } => return get(src).map(Simple),
                _ => return None,
            };
            registers[usize::from(dst)] = Some(form);
        }
        None
    }
}
