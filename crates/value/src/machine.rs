//! Runs code: one loop over instructions, windows of registers on one stack, no recursion.
//!
//! A [`Machine`] belongs to a thread and is used for many evaluations; its stacks keep their memory. Every call costs a
//! step, so a program that does not end is stopped by [`Limits::steps`]; calls that are the last thing a function does
//! need no stack. Registers that no call uses own nothing on the heap, so nothing is kept alive by accident.

mod calls;
mod run;

use crate::check::EntryId;
use crate::code::Program;
use crate::failure::{Failure, MAX_TRACE, Reason};
use crate::native::Loop;
use crate::syntax::ExternalId;
use crate::value::Value;
use polysmith_source::Span;
use std::sync::Arc;

/// How deep evaluations may stand in each other: an external value may need an evaluation of its own.
const MAX_NESTED: usize = 64;

/// What an evaluation may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Calls, and items that built-in functions handle (sixteen to a step).
    pub steps: u64,
    /// Calls that stand in each other.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 20_000_000, depth: 100_000 }
    }
}

/// What the surface language knows: the values of external leaves.
pub trait Externals {
    /// The value of a leaf. It may take an evaluation of its own, on the same machine.
    fn read(
        &mut self,
        id: ExternalId,
        program: &Program,
        machine: &mut Machine,
    ) -> Result<Value, Box<Failure>>;
}

/// For expressions without external leaves.
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

/// The stacks of a thread.
#[derive(Debug)]
pub struct Machine {
    stack: Vec<Value>,
    frames: Vec<Frame>,
    loops: Vec<Running>,
    limits: Limits,
    steps: u64,
    nested: usize,
    /// Behind the instruction that failed.
    pc: usize,
}

/// What goes on when a call returns.
#[derive(Debug, Clone, Copy)]
struct Frame {
    pc: u32,
    base: u32,
    /// Where on the stack the result goes.
    result: u32,
    size: u16,
    to: To,
}

/// Where the machine is: the next instruction, the first register and the number of registers.
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

/// Lets go of what registers own; what stands in the value itself may stay, since registers are written before they
/// are read.
#[inline]
fn clear(registers: &mut [Value]) {
    for register in registers {
        if !register.is_plain() {
            *register = Value::Nil;
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum To {
    /// The caller's code.
    Code,
    /// The innermost loop.
    Loop,
    /// The end of the evaluation.
    End,
}

/// A loop of a built-in function, and where to go when it ends.
#[derive(Debug)]
struct Running {
    inner: Loop,
    caller: Cursor,
    /// Where the result goes, and the first register that is free for the calls of the loop.
    start: usize,
    /// Steps that were left at the start of a loop that only fills a memory: its cost must not depend on what was
    /// remembered.
    steps: Option<u64>,
}

/// Why a run stopped without a value.
enum Stop {
    Reason(Reason),
    Failure(Box<Failure>),
}

impl From<Reason> for Stop {
    fn from(reason: Reason) -> Stop {
        Stop::Reason(reason)
    }
}

impl From<crate::value::TooDeep> for Stop {
    fn from(_: crate::value::TooDeep) -> Stop {
        Stop::Reason(Reason::ValueDepth)
    }
}

impl Default for Machine {
    fn default() -> Machine {
        Machine::new(Limits::default())
    }
}

impl Machine {
    /// A machine with limits for each evaluation.
    pub fn new(limits: Limits) -> Machine {
        let (stack, frames, loops) = (Vec::new(), Vec::new(), Vec::new());
        Machine { stack, frames, loops, limits, steps: 0, nested: 0, pc: 0 }
    }

    /// Steps that the last evaluation took.
    pub fn steps_taken(&self) -> u64 {
        self.limits.steps - self.steps
    }
}

impl Program {
    /// The value of an expression that was checked.
    pub fn eval<E: Externals + ?Sized>(
        &self,
        entry: EntryId,
        machine: &mut Machine,
        externals: &mut E,
    ) -> Result<Value, Box<Failure>> {
        machine.evaluate(self, self.entries[entry.0 as usize], &mut [], externals)
    }

    /// Calls a declared function. The arguments are moved out of `args`; their number and types must fit.
    pub fn call<E: Externals + ?Sized>(
        &self,
        function: u32,
        args: &mut [Value],
        machine: &mut Machine,
        externals: &mut E,
    ) -> Result<Value, Box<Failure>> {
        machine.evaluate(self, function, args, externals)
    }

    /// The function whose code stands at a place.
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
        // The outermost evaluation finds the registers of the one before it, none of which owns anything.
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
        self.frames.push(Frame { pc: 0, base: 0, result: 0, size: 0, to: To::End });
        self.nested += 1;
        let at = Cursor { pc: compiled.entry as usize, base, size: usize::from(compiled.size) };
        let result = if self.nested > MAX_NESTED {
            Err(Stop::Reason(Reason::Depth(MAX_NESTED)))
        } else {
            self.run(program, at, externals)
        };
        self.nested -= 1;
        let result = result.map_err(|stop| match stop {
            Stop::Failure(failure) => failure,
            Stop::Reason(reason) => self.failure(program, reason, self.pc.saturating_sub(1), frames),
        });
        if !outermost || result.is_err() {
            self.stack.truncate(base);
            self.frames.truncate(frames);
            self.loops.truncate(loops);
        }
        result
    }

    fn failure(&self, program: &Program, reason: Reason, pc: usize, frames: usize) -> Box<Failure> {
        let span: Span = program.spans[pc.min(program.spans.len() - 1)];
        let mut trace = vec![(program.name_at(pc), span)];
        for frame in
            self.frames[frames..].iter().rev().filter(|frame| frame.to == To::Code).take(MAX_TRACE - 1)
        {
            let at = (frame.pc as usize).saturating_sub(1);
            trace.push((program.name_at(at), program.spans[at]));
        }
        Box::new(Failure { reason, span, trace })
    }
}
