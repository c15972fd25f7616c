//! Calls of functions, closures and built-in functions and loops, and small helpers of the interpreter.

use super::{Cursor, Externals, Frame, Machine, ReturnTo, RunningLoop, Stop, clear, small};
use crate::code::Program;
use crate::failure::FailureKind;
use crate::native::{Args, Loop, Native, Next, Run};
use crate::value::Value;

impl Machine {
    /// Counts a call as a step.
    #[inline]
    pub(super) fn step(&mut self) -> Result<(), Stop> {
        match self.steps.checked_sub(1) {
            Some(left) => {
                self.steps = left;
                Ok(())
            }
            None => Err(Stop::Kind(FailureKind::Steps(self.limits.steps))),
        }
    }

    /// Adds the extra cost of a built-in function.
    pub(super) fn charge(&mut self, cost: u64) -> Result<(), Stop> {
        match self.steps.checked_sub(cost) {
            Some(left) => {
                self.steps = left;
                Ok(())
            }
            None => Err(Stop::Kind(FailureKind::Steps(self.limits.steps))),
        }
    }

    #[inline]
    pub(super) fn push(&mut self, caller: Cursor, result: usize, to: ReturnTo) -> Result<(), Stop> {
        if self.frames.len() >= self.limits.depth {
            return Err(Stop::Kind(FailureKind::Depth(self.limits.depth)));
        }
        let Cursor { pc, base, size } = caller;
        let size = u16::try_from(size).unwrap_or(u16::MAX);
        self.frames.push(Frame { pc: small(pc), base: small(base), result: small(result), size, to });
        Ok(())
    }

    /// The window of a declared function whose arguments are in their registers.
    #[inline]
    pub(super) fn window(&mut self, program: &Program, function: u32, base: usize) -> Cursor {
        let callee = &program.functions[function as usize];
        let size = usize::from(callee.size);
        if self.stack.len() < base + size {
            self.stack.resize(base + size, Value::Nil);
        }
        Cursor { pc: callee.entry as usize, base, size }
    }

    /// The window of a function value whose arguments are in their registers.
    pub(super) fn enter(&mut self, program: &Program, function: &Value, base: usize, args: usize) -> Cursor {
        match function {
            Value::Closure(closure) => {
                let cursor = self.window(program, closure.function, base);
                for (slot, value) in self.stack[base + args..].iter_mut().zip(&closure.captures) {
                    slot.clone_from(value);
                }
                cursor
            }
            Value::Function(function) => self.window(program, *function, base),
            other => unreachable!("checked programs call functions only, not {other:?}"),
        }
    }

    /// Moves arguments to the start of the window and clears the registers after them.
    pub(super) fn slide(&mut self, from: usize, window: Cursor, count: usize) {
        for offset in 0..count {
            self.stack[window.base + offset] = std::mem::take(&mut self.stack[from + offset]);
        }
        let end = (window.base + window.size).max(from + count);
        clear(&mut self.stack[window.base + count..end]);
    }

    /// Calls a built-in function. Returns a loop, which the caller must run.
    pub(super) fn native<E: Externals + ?Sized>(
        &mut self,
        program: &Program,
        native: Native,
        (start, count): (usize, usize),
        externals: &mut E,
    ) -> Result<Option<Loop>, Stop> {
        self.step()?;
        let mut args =
            Args { values: &mut self.stack[start..start + count], shapes: &program.shapes, cost: 0 };
        let result = match native.definition().run {
            Run::Plain(run) | Run::Draw(run) => run(&mut args).map(Ok),
            Run::Loop(run) => run(&mut args).map(Err),
            Run::Host => externals.call(native.host_number(), args.values).map(Ok),
        };
        let cost = args.cost;
        clear(&mut self.stack[start..start + count]);
        self.charge(cost)?;
        match result? {
            Ok(value) => {
                self.stack[start] = value;
                Ok(None)
            }
            Err(inner) => Ok(Some(inner)),
        }
    }

    /// Starts a loop whose result is stored at `start`. The stack is free from there on.
    pub(super) fn start(
        &mut self,
        program: &Program,
        mut inner: Loop,
        caller: Cursor,
        start: usize,
    ) -> Result<Cursor, Stop> {
        let steps = inner.is_memory().then_some(self.steps);
        let next = inner.start()?;
        self.loops.push(RunningLoop { inner, caller, start, steps });
        self.advance(program, next)
    }

    /// Passes the result of a call to the innermost loop.
    pub(super) fn resume(&mut self, program: &Program, value: Value) -> Result<Cursor, Stop> {
        let running = self.loops.last_mut().expect("a loop is under way");
        let next = running.inner.resume(value)?;
        self.advance(program, next)
    }

    fn advance(&mut self, program: &Program, next: Next) -> Result<Cursor, Stop> {
        let running = self.loops.last().expect("a loop is under way");
        let (caller, start) = (running.caller, running.start);
        match next {
            Next::Done(value) => {
                let ended = self.loops.pop().expect("a loop is under way");
                self.steps = ended.steps.unwrap_or(self.steps);
                self.stack[start] = value;
                Ok(caller)
            }
            Next::Call(so_far, item) => {
                self.step()?;
                self.push(caller, start, ReturnTo::Loop)?;
                if self.stack.len() < start + 2 {
                    self.stack.resize(start + 2, Value::Nil);
                }
                let count = 1 + usize::from(so_far.is_some());
                if let Some(so_far) = so_far {
                    self.stack[start] = so_far;
                }
                self.stack[start + count - 1] = item;
                // Move the function out and back: cloning would update the reference count for each item.
                let running = self.loops.len() - 1;
                let function = std::mem::take(&mut self.loops[running].inner.function);
                let cursor = self.enter(program, &function, start, count);
                self.loops[running].inner.function = function;
                Ok(cursor)
            }
        }
    }
}

#[inline]
pub(super) fn is_true(value: &Value) -> bool {
    matches!(value, Value::Bool(true))
}

pub(super) fn len(value: &Value) -> usize {
    match value {
        Value::Str(text) => text.as_str().chars().count(),
        Value::List(list) => list.len(),
        Value::Set(set) => set.items().len(),
        Value::Map(map) => map.entries().len(),
        _ => 0,
    }
}
