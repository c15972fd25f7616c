//! The bytecode interpreter: one loop over instructions, register windows on one stack, no recursion.
//!
//! A [`Machine`] belongs to one thread and runs many evaluations; its stacks keep their memory. Every call costs a
//! step, so [`Limits::steps`] stops a program that does not terminate. Tail calls need no stack. Unused registers own
//! no heap memory, so no value is kept alive by accident.

mod calls;
mod run;

use crate::check::EntryId;
use crate::code::Program;
use crate::failure::{Failure, FailureKind, MAX_TRACE};
use crate::native::Loop;
use crate::syntax::ExternalId;
use crate::value::Value;
use polysmith_source::Span;
use std::sync::Arc;

/// How deep evaluations may nest: reading an external value may start an evaluation.
const MAX_NESTED: usize = 64;

/// The limits of one evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of steps. A call is a step, and so are sixteen items that a built-in function processes.
    pub steps: u64,
    /// The maximum depth of nested calls.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 20_000_000, depth: 100_000 }
    }
}

/// Supplies the values of external leaves.
pub trait Externals {
    /// Returns the value of a leaf. It may run another evaluation on the same machine.
    fn read(
        &mut self,
        id: ExternalId,
        program: &Program,
        machine: &mut Machine,
    ) -> Result<Value, Box<Failure>>;

    /// The result of a native function of a module with [`crate::Origin::Host`]. The arguments may be moved out.
    ///
    /// # Errors
    /// The surface language cannot compute it.
    fn call(&mut self, function: u32, args: &mut [Value]) -> Result<Value, FailureKind> {
        let _ = args;
        Err(FailureKind::External(format!("nothing supplies the function with the number {function}")))
    }
}

/// The externals of expressions without external leaves.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoExternals;

impl Externals for NoExternals {
    fn read(&mut self, _: ExternalId, _: &Program, _: &mut Machine) -> Result<Value, Box<Failure>> {
        Ok(Value::Nil)
    }
}

impl<F: FnMut(ExternalId) -> Value> Externals for F {
    fn read(&mut self, id: ExternalId, _: &Program, _: &mut Machine) -> Result<Value, Box<Failure>> {
        Ok(self(id))
    }
}

/// The state of the interpreter in one thread. It is reused by all evaluations.
#[derive(Debug)]
pub struct Machine {
    stack: Vec<Value>,
    frames: Vec<Frame>,
    loops: Vec<RunningLoop>,
    limits: Limits,
    steps: u64,
    nested: usize,
    /// When an evaluation fails: the address after the failed instruction.
    pc: usize,
}

/// Where execution continues when a call returns.
#[derive(Debug, Clone, Copy)]
struct Frame {
    pc: u32,
    base: u32,
    /// The stack index that the result is stored at.
    result: u32,
    size: u16,
    to: ReturnTo,
}

/// A position of the interpreter: the next instruction, the first register and the number of registers.
#[derive(Debug, Clone, Copy)]
struct Cursor {
    pc: usize,
    base: usize,
    size: usize,
}

impl Frame {
    fn cursor(self) -> Cursor {
        Cursor { pc: self.pc as usize, base: self.base as usize, size: usize::from(self.size) }
    }
}

fn small(number: usize) -> u32 {
    u32::try_from(number).expect("the depth limit ends before the numbers do")
}

/// Drops what registers own on the heap. Inline values may stay, since registers are written before they are read.
#[inline]
fn clear(registers: &mut [Value]) {
    for register in registers {
        if !register.is_plain() {
            *register = Value::Nil;
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReturnTo {
    /// ReturnTo the code of the caller.
    Code,
    /// ReturnTo the innermost running loop.
    Loop,
    /// ReturnTo the caller of the interpreter: the evaluation is complete.
    End,
}

/// A running loop of a built-in function, and where execution continues when it ends.
#[derive(Debug)]
struct RunningLoop {
    inner: Loop,
    caller: Cursor,
    /// The stack index of the result; registers from there on are free for the calls of the loop.
    start: usize,
    /// For a loop that only fills a cache: the remaining steps at its start. They are restored at its end, because the
    /// cost must not depend on what was cached.
    steps: Option<u64>,
}

/// TypeReason the interpreter stopped without a value.
enum Stop {
    Kind(FailureKind),
    Failure(Box<Failure>),
}

impl From<FailureKind> for Stop {
    fn from(kind: FailureKind) -> Stop {
        Stop::Kind(kind)
    }
}

impl From<crate::value::TooDeep> for Stop {
    fn from(_: crate::value::TooDeep) -> Stop {
        Stop::Kind(FailureKind::ValueDepth)
    }
}

impl Default for Machine {
    fn default() -> Machine {
        Machine::new(Limits::default())
    }
}

impl Machine {
    /// Creates a machine that applies `limits` to each evaluation.
    pub fn new(limits: Limits) -> Machine {
        let (stack, frames, loops) = (Vec::new(), Vec::new(), Vec::new());
        Machine { stack, frames, loops, limits, steps: 0, nested: 0, pc: 0 }
    }

    /// The number of steps of the last evaluation.
    pub fn steps_taken(&self) -> u64 {
        self.limits.steps - self.steps
    }
}

impl Program {
    /// Evaluates an expression that was checked.
    pub fn eval<E: Externals + ?Sized>(
        &self,
        entry: EntryId,
        machine: &mut Machine,
        externals: &mut E,
    ) -> Result<Value, Box<Failure>> {
        machine.evaluate(self, self.entries[entry.0 as usize], &mut [], externals)
    }

    /// Calls a declared function. Moves the arguments out of `args`; their number and types must be right.
    pub fn call<E: Externals + ?Sized>(
        &self,
        function: u32,
        args: &mut [Value],
        machine: &mut Machine,
        externals: &mut E,
    ) -> Result<Value, Box<Failure>> {
        machine.evaluate(self, function, args, externals)
    }

    /// The name of the function that contains an instruction.
    fn name_at(&self, pc: usize) -> Option<Arc<str>> {
        let started = self.functions.iter().filter(|function| function.entry as usize <= pc);
        started.max_by_key(|function| function.entry).and_then(|function| function.name.clone())
    }
}

impl Machine {
    fn evaluate<E: Externals + ?Sized>(
        &mut self,
        program: &Program,
        function: u32,
        args: &mut [Value],
        externals: &mut E,
    ) -> Result<Value, Box<Failure>> {
        let outermost = self.nested == 0;
        if outermost {
            self.steps = self.limits.steps;
        }
        // The outermost evaluation starts with the registers of the previous one, none of which owns heap memory.
        let base = if outermost { 0 } else { self.stack.len() };
        let (frames, loops) = (self.frames.len(), self.loops.len());
        let compiled = &program.functions[function as usize];
        let end = base + usize::from(compiled.size).max(args.len());
        if self.stack.len() < end {
            self.stack.resize(end, Value::Nil);
        }
        for (slot, arg) in self.stack[base..].iter_mut().zip(args) {
            *slot = std::mem::take(arg);
        }
        self.frames.push(Frame { pc: 0, base: 0, result: 0, size: 0, to: ReturnTo::End });
        self.nested += 1;
        let at = Cursor { pc: compiled.entry as usize, base, size: usize::from(compiled.size) };
        let result = if self.nested > MAX_NESTED {
            Err(Stop::Kind(FailureKind::Depth(MAX_NESTED)))
        } else {
            self.run(program, at, externals)
        };
        self.nested -= 1;
        let result = result.map_err(|stop| match stop {
            Stop::Failure(failure) => failure,
            Stop::Kind(kind) => self.failure(program, kind, self.pc.saturating_sub(1), frames),
        });
        if !outermost || result.is_err() {
            self.stack.truncate(base);
            self.frames.truncate(frames);
            self.loops.truncate(loops);
        }
        result
    }

    fn failure(&self, program: &Program, kind: FailureKind, pc: usize, frames: usize) -> Box<Failure> {
        let span: Span = program.spans[pc.min(program.spans.len() - 1)];
        let mut trace = vec![(program.name_at(pc), span)];
        for frame in
            self.frames[frames..].iter().rev().filter(|frame| frame.to == ReturnTo::Code).take(MAX_TRACE - 1)
        {
            let at = (frame.pc as usize).saturating_sub(1);
            trace.push((program.name_at(at), program.spans[at]));
        }
        Box::new(Failure { kind, span, trace })
    }
}
