//! The interpreter loop.

use super::calls::{is_true, len};
use super::{Cursor, Externals, Machine, ReturnTo, Stop, clear};
use crate::arithmetic;
use crate::code::{Instruction, Program};
use crate::failure::FailureKind;
use crate::syntax::ExternalId;
use crate::value::{Closure, Data, List, Value};

impl Machine {
    #[expect(
        clippy::too_many_lines,
        reason = "one arm per instruction: split, the registers would go through memory"
    )]
    pub(super) fn run<E: Externals + ?Sized>(
        &mut self,
        program: &Program,
        mut at: Cursor,
        externals: &mut E,
    ) -> Result<Value, Stop> {
        let code = &program.code[..];
        macro_rules! reg {
            ($register:expr) => {
                self.stack[at.base + usize::from($register)]
            };
        }
        // Saves the program counter only on failure, so that success costs nothing.
        macro_rules! attempt {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(stop) => {
                        self.pc = at.pc;
                        return Err(Stop::from(stop));
                    }
                }
            };
        }
        macro_rules! arithmetic {
            ($dst:expr, $a:expr, $b:expr, $fast:ident, $slow:path) => {{
                let result = match (&reg!($a), &reg!($b)) {
                    (Value::Int(a), Value::Int(b)) => match a.$fast(*b) {
                        Some(result) => Value::Int(result),
                        None => attempt!($slow(&Value::Int(*a), &Value::Int(*b))),
                    },
                    (a, b) => attempt!($slow(a, b)),
                };
                reg!($dst) = result;
            }};
        }
        macro_rules! compare {
            ($a:expr, $b:expr, $op:tt) => {
                match (&reg!($a), &reg!($b)) {
                    (Value::Int(a), Value::Int(b)) => a $op b,
                    (a, b) => a $op b,
                }
            };
        }
        loop {
            let ins = code[at.pc];
            at.pc += 1;
            match ins {
                Instruction::Const { dst, constant } => {
                    reg!(dst) = program.constants[constant as usize].clone()
                }
                Instruction::Copy { dst, src } => reg!(dst) = reg!(src).clone(),
                Instruction::Take { dst, src } => reg!(dst) = std::mem::take(&mut reg!(src)),
                Instruction::External { dst, id } => {
                    let value =
                        attempt!(externals.read(ExternalId(id), program, self).map_err(Stop::Failure));
                    reg!(dst) = value;
                }
                Instruction::Closure { dst, count, function } => {
                    let from = at.base + usize::from(dst);
                    let captures = &mut self.stack[from..from + usize::from(count)];
                    let closure = attempt!(Closure::value(u32::from(function), captures));
                    clear(captures);
                    self.stack[from] = closure;
                }
                Instruction::Call { at: window, function } => {
                    let start = at.base + usize::from(window);
                    attempt!(self.step());
                    attempt!(self.push(at, start, ReturnTo::Code));
                    at = self.window(program, function, start);
                }
                Instruction::TailCall { at: window, function } => {
                    attempt!(self.step());
                    let start = at.base + usize::from(window);
                    self.slide(start, at, usize::from(program.functions[function as usize].params));
                    at = self.window(program, function, at.base);
                }
                Instruction::Apply { at: window, count } => {
                    let start = at.base + usize::from(window);
                    attempt!(self.step());
                    attempt!(self.push(at, start, ReturnTo::Code));
                    let function = std::mem::take(&mut self.stack[start]);
                    at = self.enter(program, &function, start + 1, usize::from(count));
                }
                Instruction::TailApply { at: window, count } => {
                    attempt!(self.step());
                    let start = at.base + usize::from(window);
                    let function = std::mem::take(&mut self.stack[start]);
                    self.slide(start + 1, at, usize::from(count));
                    at = self.enter(program, &function, at.base, usize::from(count));
                }
                Instruction::Native { at: window, count, native } => {
                    let start = at.base + usize::from(window);
                    let window = (start, usize::from(count));
                    if let Some(inner) = attempt!(self.native(program, native, window, externals)) {
                        at = attempt!(self.start(program, inner, at, start));
                    }
                }
                Instruction::Return { src } => {
                    let value = std::mem::take(&mut reg!(src));
                    clear(&mut self.stack[at.base..at.base + at.size]);
                    let Some(frame) = self.frames.pop() else { return Ok(value) };
                    match frame.to {
                        ReturnTo::Code => {
                            self.stack[frame.result as usize] = value;
                            at = frame.cursor();
                        }
                        ReturnTo::End => return Ok(value),
                        ReturnTo::Loop => at = attempt!(self.resume(program, value)),
                    }
                }
                Instruction::Construct { at: window, count, shape } => {
                    let from = at.base + usize::from(window);
                    let fields = &mut self.stack[from..from + usize::from(count)];
                    let data = attempt!(Data::take(u32::from(shape), fields));
                    self.stack[from] = Value::Data(data);
                }
                Instruction::List { at: window, count } => {
                    let from = at.base + usize::from(window);
                    let items = self.stack[from..from + usize::from(count)].iter_mut().map(std::mem::take);
                    let list = attempt!(List::new(items.collect()));
                    self.stack[from] = Value::List(list);
                }
                Instruction::Extend { at: window, count } => {
                    let from = at.base + usize::from(window);
                    let (first, more) = self.stack[from..].split_at_mut(1);
                    if let Value::List(list) = std::mem::take(&mut first[0]) {
                        let more = &mut more[..usize::from(count)];
                        first[0] = Value::List(attempt!(List::extended(list, more)));
                        clear(more);
                    }
                }
                Instruction::Field { dst, src, index } => {
                    let value = match &reg!(src) {
                        Value::Data(data) => data.fields()[usize::from(index)].clone(),
                        _ => Value::Nil,
                    };
                    reg!(dst) = value;
                }
                Instruction::SetField { dst, src, index } => {
                    let value = reg!(src).clone();
                    if let Value::Data(data) = &mut reg!(dst) {
                        attempt!(data.set(usize::from(index), value));
                    }
                }
                Instruction::Some { dst } => {
                    if matches!(reg!(dst), Value::Nil | Value::Some(_)) {
                        let value = std::mem::take(&mut reg!(dst));
                        reg!(dst) = value.some();
                    }
                }
                Instruction::Add { dst, a, b } => {
                    let result = match (&reg!(a), &reg!(b)) {
                        (Value::Int(a), Value::Int(b)) => match a.checked_add(*b) {
                            Some(sum) => Value::Int(sum),
                            None => attempt!(arithmetic::add(&Value::Int(*a), &Value::Int(*b))),
                        },
                        (Value::Str(a), Value::Str(b)) => {
                            let joined = a.joined(b);
                            attempt!(self.charge(joined.as_bytes().len() as u64 / 64));
                            Value::Str(joined)
                        }
                        (a, b) => attempt!(arithmetic::add(a, b)),
                    };
                    reg!(dst) = result;
                }
                Instruction::AddInt { dst, a, number } => {
                    let number = i64::from(number);
                    let result = match &reg!(a) {
                        Value::Int(a) => match a.checked_add(number) {
                            Some(sum) => Value::Int(sum),
                            None => attempt!(arithmetic::add(&Value::Int(*a), &Value::Int(number))),
                        },
                        other => attempt!(arithmetic::add(other, &Value::Int(number))),
                    };
                    reg!(dst) = result;
                }
                Instruction::Sub { dst, a, b } => arithmetic!(dst, a, b, checked_sub, arithmetic::sub),
                Instruction::Mul { dst, a, b } => arithmetic!(dst, a, b, checked_mul, arithmetic::mul),
                Instruction::Div { dst, a, b } => arithmetic!(dst, a, b, checked_div, arithmetic::div),
                Instruction::Mod { dst, a, b } => arithmetic!(dst, a, b, checked_rem, arithmetic::rem),
                Instruction::Eq { dst, a, b } => reg!(dst) = Value::Bool(compare!(a, b, ==)),
                Instruction::Ne { dst, a, b } => reg!(dst) = Value::Bool(compare!(a, b, !=)),
                Instruction::Lt { dst, a, b } => reg!(dst) = Value::Bool(compare!(a, b, <)),
                Instruction::Le { dst, a, b } => reg!(dst) = Value::Bool(compare!(a, b, <=)),
                Instruction::Max { dst, a, b } => {
                    let src = if compare!(a, b, <) { b } else { a };
                    reg!(dst) = reg!(src).clone();
                }
                Instruction::Min { dst, a, b } => {
                    let src = if compare!(b, a, <) { b } else { a };
                    reg!(dst) = reg!(src).clone();
                }
                Instruction::Not { dst, src } => reg!(dst) = Value::Bool(!is_true(&reg!(src))),
                Instruction::IsNil { dst, src } => reg!(dst) = Value::Bool(matches!(reg!(src), Value::Nil)),
                Instruction::ToInt { dst, src } => {
                    let text = reg!(src).as_str().unwrap_or_default();
                    let number = attempt!(
                        arithmetic::parse(text).ok_or_else(|| FailureKind::NotANumber(text.to_owned()))
                    );
                    reg!(dst) = number;
                }
                Instruction::Len { dst, src } => {
                    let len = len(&reg!(src));
                    reg!(dst) = Value::Int(i64::try_from(len).unwrap_or(i64::MAX));
                }
                Instruction::Jump { to } => at.pc = to as usize,
                Instruction::JumpUnless { src, to } => {
                    if !is_true(&reg!(src)) {
                        at.pc = to as usize;
                    }
                }
                Instruction::JumpIf { src, to } => {
                    if is_true(&reg!(src)) {
                        at.pc = to as usize;
                    }
                }
                Instruction::TestLt { a, b } => at.pc += usize::from(compare!(a, b, <)),
                Instruction::TestLe { a, b } => at.pc += usize::from(compare!(a, b, <=)),
                Instruction::TestEq { a, b } => at.pc += usize::from(compare!(a, b, ==)),
                Instruction::TestNe { a, b } => at.pc += usize::from(compare!(a, b, !=)),
                Instruction::TestBelow { src, number } => {
                    at.pc += usize::from(match &reg!(src) {
                        Value::Int(integer) => *integer < i64::from(number),
                        other => *other < Value::Int(i64::from(number)),
                    });
                }
                Instruction::TestInt { src, number } => {
                    at.pc += usize::from(
                        matches!(&reg!(src), Value::Int(integer) if *integer == i64::from(number)),
                    );
                }
                Instruction::TestConst { src, constant } => {
                    at.pc += usize::from(reg!(src) == program.constants[constant as usize]);
                }
                Instruction::TestShape { src, shape } => {
                    at.pc += usize::from(matches!(&reg!(src), Value::Data(data) if data.shape() == shape));
                }
                Instruction::TestSome { src } => at.pc += usize::from(!matches!(reg!(src), Value::Nil)),
                Instruction::TestLen { src, len, more } => {
                    let found = reg!(src).as_list().map_or(0, <[Value]>::len);
                    let wanted = usize::from(len);
                    at.pc += usize::from(found == wanted || more && found > wanted);
                }
                Instruction::Unwrap { dst, src } => {
                    let value = match &reg!(src) {
                        Value::Some(inner) => (**inner).clone(),
                        other => other.clone(),
                    };
                    reg!(dst) = value;
                }
                Instruction::Item { dst, src, index } => {
                    let item = reg!(src).as_list().and_then(|list| list.get(usize::from(index)));
                    let item = item.cloned().unwrap_or_default();
                    reg!(dst) = item;
                }
                Instruction::Rest { dst, src, from } => {
                    let rest = match &reg!(src) {
                        Value::List(list) => Value::List(List::window(list, usize::from(from), list.len())),
                        _ => Value::Nil,
                    };
                    reg!(dst) = rest;
                }
                Instruction::NoArm => {
                    self.pc = at.pc;
                    return Err(Stop::Kind(FailureKind::NoArm));
                }
            }
        }
    }
}
