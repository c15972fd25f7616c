//! Runs a program of `mini`, counting steps.
//!
//! The static checks are not trusted: a value of the wrong type, or an undefined name, ends the run with a message.

use super::syntax::{Expr, Function, Program, Stmt};
use std::fmt::Write;

/// The maximum length of a string in characters.
const LONGEST: usize = 1000;
/// More calls inside each other than any fuel allows.
const NESTED: usize = 50;

pub(crate) fn output(program: &Program, steps: u64) -> Result<String, String> {
    let mut machine = Machine { program, globals: Vec::new(), steps, depth: 0, output: String::new() };
    let mut globals = Vec::new();
    machine.block_in(&program.globals, &mut globals)?;
    machine.globals = globals;
    let mut locals = Vec::new();
    machine.block_in(&program.main, &mut locals)?;
    Ok(machine.output)
}

#[derive(Debug, Clone, PartialEq)]
enum Value {
    Int(i64),
    Bool(bool),
    Text(String),
    Array(Vec<Value>),
    Record(Vec<(String, Value)>),
}

/// How a statement ends.
enum Flow {
    Next,
    Break,
    Continue,
    Return(Value),
}

type Locals = Vec<(String, Value)>;
type Ran<T> = Result<T, String>;

struct Machine<'a> {
    program: &'a Program,
    globals: Locals,
    steps: u64,
    depth: usize,
    output: String,
}

impl Machine<'_> {
    fn step(&mut self) -> Ran<()> {
        self.steps = self.steps.checked_sub(1).ok_or("the program does not end")?;
        Ok(())
    }

    /// Runs a block. Its declarations are removed after it.
    fn block(&mut self, statements: &[Stmt], locals: &mut Locals) -> Ran<Flow> {
        let outer = locals.len();
        let flow = self.block_in(statements, locals);
        locals.truncate(outer);
        flow
    }

    fn block_in(&mut self, statements: &[Stmt], locals: &mut Locals) -> Ran<Flow> {
        for statement in statements {
            match self.statement(statement, locals)? {
                Flow::Next => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, statement: &Stmt, locals: &mut Locals) -> Ran<Flow> {
        self.step()?;
        match statement {
            Stmt::Define { field, init } => {
                let value = self.value(init, locals)?;
                locals.push((field.name.clone(), value));
            }
            Stmt::Assign { place, value } => {
                let value = self.value(value, locals)?;
                self.assign(place, value, locals)?;
            }
            Stmt::Print(expr) => {
                let value = self.value(expr, locals)?;
                writeln!(self.output, "{value:?}").expect("a string takes it");
            }
            Stmt::Call(expr) => {
                self.value(expr, locals)?;
            }
            Stmt::If { cond, yes, no } => {
                let chosen = if self.truth(cond, locals)? { yes } else { no };
                return self.block(chosen, locals);
            }
            Stmt::While { cond, max, body } => {
                for _ in 0..*max {
                    if !self.truth(cond, locals)? {
                        break;
                    }
                    match self.block(body, locals)? {
                        Flow::Break => break,
                        Flow::Return(value) => return Ok(Flow::Return(value)),
                        Flow::Next | Flow::Continue => {}
                    }
                }
            }
            Stmt::For { name, turns, body } => {
                for turn in 0..*turns {
                    locals.push((name.clone(), Value::Int(turn)));
                    let flow = self.block(body, locals);
                    locals.pop();
                    match flow? {
                        Flow::Break => break,
                        Flow::Return(value) => return Ok(Flow::Return(value)),
                        Flow::Next | Flow::Continue => {}
                    }
                }
            }
            Stmt::Break => return Ok(Flow::Break),
            Stmt::Continue => return Ok(Flow::Continue),
            Stmt::Return(expr) => return Ok(Flow::Return(self.value(expr, locals)?)),
        }
        Ok(Flow::Next)
    }

    fn assign(&mut self, place: &Expr, value: Value, locals: &mut Locals) -> Ran<()> {
        match place {
            Expr::Variable(name) => *self.variable(name, locals)? = value,
            Expr::Element(array, index) => {
                let index = self.number(index, locals)?;
                match self.root(array, locals)? {
                    Value::Array(items) => {
                        let at = position(index, items.len())?;
                        items[at] = value;
                    }
                    other => return Err(format!("an element of {other:?}")),
                }
            }
            Expr::Field(record, name) => match self.root(record, locals)? {
                Value::Record(fields) => match fields.iter_mut().find(|(field, _)| field == name) {
                    Some((_, old)) => *old = value,
                    None => return Err(format!("no field `{name}`")),
                },
                other => return Err(format!("a field of {other:?}")),
            },
            other => return Err(format!("{other:?} is no place")),
        }
        Ok(())
    }

    fn root<'v>(&'v mut self, place: &Expr, locals: &'v mut Locals) -> Ran<&'v mut Value> {
        match place {
            Expr::Variable(name) => self.variable(name, locals),
            other => Err(format!("{other:?} is no variable")),
        }
    }

    fn variable<'v>(&'v mut self, name: &str, locals: &'v mut Locals) -> Ran<&'v mut Value> {
        let found =
            locals.iter_mut().rev().chain(self.globals.iter_mut().rev()).find(|(known, _)| known == name);
        found.map(|(_, value)| value).ok_or_else(|| format!("`{name}` is not defined"))
    }

    fn truth(&mut self, expr: &Expr, locals: &mut Locals) -> Ran<bool> {
        match self.value(expr, locals)? {
            Value::Bool(truth) => Ok(truth),
            other => Err(format!("{other:?} is no Boolean")),
        }
    }

    fn number(&mut self, expr: &Expr, locals: &mut Locals) -> Ran<i64> {
        match self.value(expr, locals)? {
            Value::Int(number) => Ok(number),
            other => Err(format!("{other:?} is no number")),
        }
    }

    fn value(&mut self, expr: &Expr, locals: &mut Locals) -> Ran<Value> {
        self.step()?;
        Ok(match expr {
            Expr::Int(number) => Value::Int(*number),
            Expr::Bool(truth) => Value::Bool(*truth),
            Expr::Text(text) => Value::Text(text.clone()),
            Expr::Array(items) => {
                Value::Array(items.iter().map(|item| self.value(item, locals)).collect::<Ran<_>>()?)
            }
            Expr::Record(_, fields) => {
                let mut value =
                    |(name, field): &(String, Expr)| Ok((name.clone(), self.value(field, locals)?));
                Value::Record(fields.iter().map(&mut value).collect::<Ran<_>>()?)
            }
            Expr::Variable(name) => self.variable(name, locals)?.clone(),
            Expr::Element(array, index) => {
                let index = self.number(index, locals)?;
                match self.value(array, locals)? {
                    Value::Array(mut items) => {
                        let at = position(index, items.len())?;
                        items.swap_remove(at)
                    }
                    other => return Err(format!("an element of {other:?}")),
                }
            }
            Expr::Field(record, name) => match self.value(record, locals)? {
                Value::Record(fields) => {
                    let found = fields.into_iter().find(|(field, _)| field == name);
                    found.ok_or_else(|| format!("no field `{name}`"))?.1
                }
                other => return Err(format!("a field of {other:?}")),
            },
            Expr::Call(name, args) => {
                let args = args.iter().map(|arg| self.value(arg, locals)).collect::<Ran<Vec<Value>>>()?;
                self.call(name, args)?
            }
            Expr::Not(inner) => Value::Bool(!self.truth(inner, locals)?),
            Expr::Binary("&&", left, right) => {
                Value::Bool(self.truth(left, locals)? && self.truth(right, locals)?)
            }
            Expr::Binary("||", left, right) => {
                Value::Bool(self.truth(left, locals)? || self.truth(right, locals)?)
            }
            Expr::Binary(operator, left, right) => {
                let left = self.value(left, locals)?;
                binary(operator, left, self.value(right, locals)?)?
            }
        })
    }

    fn call(&mut self, name: &str, args: Vec<Value>) -> Ran<Value> {
        let functions = &self.program.functions;
        let found = functions.iter().find(|function| function.signature.name == name);
        let Function { signature, body } = found.ok_or_else(|| format!("`{name}` is not defined"))?;
        let mut locals: Locals = signature.params.iter().map(|param| param.name.clone()).zip(args).collect();
        self.depth += 1;
        if self.depth > NESTED {
            return Err("the program does not end: it calls without end".to_owned());
        }
        let flow = self.block(body, &mut locals)?;
        self.depth -= 1;
        match flow {
            Flow::Return(value) => Ok(value),
            _ => Err(format!("`{name}` ended without a value")),
        }
    }
}

fn position(index: i64, length: usize) -> Ran<usize> {
    let length = i64::try_from(length).map_err(|_| "an array is too long")?;
    let at = index.checked_rem_euclid(length).ok_or("an array is empty")?;
    usize::try_from(at).map_err(|_| "no position".to_owned())
}

fn binary(operator: &str, left: Value, right: Value) -> Ran<Value> {
    Ok(match (operator, left, right) {
        ("==", left, right) => Value::Bool(left == right),
        ("!=", left, right) => Value::Bool(left != right),
        ("+", Value::Text(left), Value::Text(right)) => {
            Value::Text(left.chars().chain(right.chars()).take(LONGEST).collect())
        }
        (_, Value::Int(left), Value::Int(right)) => match operator {
            "<" => Value::Bool(left < right),
            "<=" => Value::Bool(left <= right),
            ">" => Value::Bool(left > right),
            ">=" => Value::Bool(left >= right),
            "+" => Value::Int(left.wrapping_add(right)),
            "-" => Value::Int(left.wrapping_sub(right)),
            "*" => Value::Int(left.wrapping_mul(right)),
            "/" => Value::Int(if right == 0 { 0 } else { left.wrapping_div(right) }),
            "%" => Value::Int(if right == 0 { 0 } else { left.wrapping_rem(right) }),
            _ => return Err(format!("`{operator}` of numbers")),
        },
        (_, left, right) => return Err(format!("`{operator}` of {left:?} and {right:?}")),
    })
}
