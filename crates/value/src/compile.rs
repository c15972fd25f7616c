//! Compiles resolved bodies to bytecode.
//!
//! A variable gets a register when it is bound and keeps it to the end of its scope; temporaries are allocated above,
//! like a stack. An operand that is a variable is read from its register. Where a value must be in a certain register
//! (an argument, a field of a new record), the last use of a variable moves it there ([`liveness`]).

mod liveness;
mod matching;
mod operators;

use crate::code::{Function, Instruction, Program, Register};
use crate::core::{Body, Core, CoreId, LocalId};
use crate::value::Value;
use liveness::Liveness;
use polysmith_source::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A function needs more registers, or the program has more functions, than instructions can encode.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TooBig(pub(crate) Span);

/// Long list literals are built in chunks of this length, so that they need few registers.
const LIST_CHUNK: usize = 64;

pub(crate) struct Compiler<'p> {
    pub(crate) program: &'p mut Program,
    /// The shapes that a pattern must test for: those of constructors. Tuples and records have only one shape.
    pub(crate) tested: &'p FxHashSet<u32>,
}

/// Compiles one function.
struct FunctionCompiler<'a> {
    program: &'a mut Program,
    tested: &'a FxHashSet<u32>,
    body: &'a Body,
    live: Liveness,
    registers: FxHashMap<LocalId, Register>,
    top: u32,
    size: u32,
    lambdas: Vec<PendingFunction>,
    too_big: Option<Span>,
}

/// An anonymous function that is not compiled yet.
struct PendingFunction {
    function: u32,
    locals: Vec<LocalId>,
    params: usize,
    root: CoreId,
}

impl Compiler<'_> {
    /// Compiles a body as the function with the given reserved number.
    pub(crate) fn function(&mut self, number: u32, body: &Body) -> Result<(), TooBig> {
        let Some(root) = body.root else { return Ok(()) };
        let params: Vec<LocalId> = (0..body.params).map(LocalId).collect();
        let mut open = vec![PendingFunction { function: number, params: params.len(), locals: params, root }];
        while let Some(next) = open.pop() {
            open.extend(self.unit(body, &next)?);
        }
        Ok(())
    }

    fn unit(&mut self, body: &Body, function: &PendingFunction) -> Result<Vec<PendingFunction>, TooBig> {
        let entry = self.program.code.len();
        let mut unit = FunctionCompiler {
            program: self.program,
            tested: self.tested,
            live: Liveness::of(body, function.root),
            body,
            registers: FxHashMap::default(),
            top: 0,
            size: 0,
            lambdas: Vec::new(),
            too_big: None,
        };
        for local in &function.locals {
            let register = unit.alloc(body.span(function.root));
            unit.registers.insert(*local, register);
        }
        unit.tail(function.root);
        let (size, lambdas, too_big) = (unit.size, unit.lambdas, unit.too_big);
        if let Some(span) = too_big {
            return Err(TooBig(span));
        }
        let span = body.span(function.root);
        let small = |number: usize| u16::try_from(number).map_err(|_| TooBig(span));
        let compiled = &mut self.program.functions[function.function as usize];
        compiled.entry = u32::try_from(entry).map_err(|_| TooBig(span))?;
        compiled.params = small(function.params)?;
        compiled.size = small(size as usize + 1)?;
        Ok(lambdas)
    }
}

impl Program {
    pub(crate) fn reserve(&mut self, name: Option<Arc<str>>) -> u32 {
        self.functions.push(Function { name, entry: 0, params: 0, size: 1 });
        u32::try_from(self.functions.len() - 1).expect("fewer than 2^32 items fit in memory")
    }

    fn constant(&mut self, value: Value) -> u32 {
        // Small integers and short strings recur. Searching the latest constants finds most repetitions.
        let recent = self.constants.len().saturating_sub(32);
        if let Some(at) = self.constants[recent..].iter().position(|known| *known == value) {
            return u32::try_from(recent + at).expect("fewer than 2^32 items fit in memory");
        }
        self.constants.push(value);
        u32::try_from(self.constants.len() - 1).expect("fewer than 2^32 items fit in memory")
    }
}

impl FunctionCompiler<'_> {
    fn alloc(&mut self, span: Span) -> Register {
        self.alloc_many(1, span)
    }

    fn alloc_many(&mut self, count: usize, span: Span) -> Register {
        let first = self.top;
        self.top = self.top.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
        self.size = self.size.max(self.top);
        if self.top >= u32::from(u16::MAX) {
            self.too_big.get_or_insert(span);
        }
        Register::try_from(first).unwrap_or(0)
    }

    fn small(&mut self, number: usize, span: Span) -> u16 {
        u16::try_from(number).unwrap_or_else(|_| {
            self.too_big.get_or_insert(span);
            0
        })
    }

    fn emit(&mut self, ins: Instruction, span: Span) -> usize {
        self.program.code.push(ins);
        self.program.spans.push(span);
        self.program.code.len() - 1
    }

    /// Sets the target of a jump to the next instruction.
    fn patch_jump(&mut self, jump: usize) {
        let here = u32::try_from(self.program.code.len()).unwrap_or(u32::MAX);
        match &mut self.program.code[jump] {
            Instruction::Jump { to }
            | Instruction::JumpUnless { to, .. }
            | Instruction::JumpIf { to, .. } => *to = here,
            other => unreachable!("{other:?} is no jump"),
        }
    }

    fn patch_jumps(&mut self, jumps: Vec<usize>) {
        jumps.into_iter().for_each(|jump| self.patch_jump(jump));
    }

    /// Compiles the expression in tail position: its value is the result of the function.
    fn tail(&mut self, id: CoreId) {
        let span = self.body.span(id);
        let body = self.body;
        match body.core(id) {
            Core::If(condition, then, otherwise) => {
                let otherwise_at = self.unless(*condition);
                let top = self.top;
                self.tail(*then);
                self.top = top;
                self.patch_jumps(otherwise_at);
                self.tail(*otherwise);
                self.top = top;
            }
            Core::Let(local, value, inside) => {
                self.bind(*local, *value);
                self.tail(*inside);
            }
            Core::Match(subject, arms) => self.matching(*subject, arms, None, span),
            Core::Call(function, args) if self.program.sources.natives[*function as usize].is_none() => {
                let at = self.window(args, span);
                self.emit(Instruction::TailCall { at, function: *function }, span);
            }
            Core::Apply(callee, args) => {
                let (at, count) = self.apply_window(*callee, args, span);
                self.emit(Instruction::TailApply { at, count }, span);
            }
            _ => {
                let src = self.operand(id);
                self.emit(Instruction::Return { src }, span);
            }
        }
    }

    fn bind(&mut self, local: LocalId, value: CoreId) {
        let register = self.alloc(self.body.span(value));
        self.expr(value, register);
        self.registers.insert(local, register);
    }

    /// Returns a register that holds the value: that of the variable, or a new temporary.
    fn operand(&mut self, id: CoreId) -> Register {
        if let Core::Local(local) = self.body.core(id) {
            return self.registers[local];
        }
        let register = self.alloc(self.body.span(id));
        self.expr(id, register);
        register
    }

    /// Compiles values into consecutive new registers.
    fn window(&mut self, args: &[CoreId], span: Span) -> Register {
        // A call without arguments needs a register for its result.
        let at = self.alloc_many(args.len().max(1), span);
        self.fill(at, args);
        at
    }

    /// Like [`FunctionCompiler::window`], for a call whose result is stored in `dst`. If `dst` is the topmost
    /// register, the window starts there and the result needs no move.
    fn window_at(&mut self, args: &[CoreId], dst: Register, span: Span) -> Register {
        if u32::from(dst) + 1 != self.top {
            return self.window(args, span);
        }
        self.alloc_many(args.len().saturating_sub(1), span);
        self.fill(dst, args);
        dst
    }

    fn fill(&mut self, at: Register, args: &[CoreId]) {
        for (offset, arg) in args.iter().enumerate() {
            let offset = self.small(offset, self.body.span(*arg));
            let top = self.top;
            self.expr(*arg, at.saturating_add(offset));
            self.top = top;
        }
    }

    fn apply_window(&mut self, callee: CoreId, args: &[CoreId], span: Span) -> (Register, u16) {
        let at = self.alloc_many(args.len() + 1, span);
        let top = self.top;
        self.expr(callee, at);
        self.top = top;
        self.fill(at.saturating_add(1), args);
        (at, self.small(args.len(), span))
    }

    /// Compiles the expression so that its value is stored in `dst`, which must be unused.
    fn expr(&mut self, id: CoreId, dst: Register) {
        let top = self.top;
        self.expr_open(id, dst);
        self.top = top;
    }

    fn expr_open(&mut self, id: CoreId, dst: Register) {
        let span = self.body.span(id);
        let body = self.body;
        match body.core(id) {
            Core::Const(value) => {
                let constant = self.program.constant(value.clone());
                self.emit(Instruction::Const { dst, constant }, span);
            }
            Core::Function(function) => {
                let constant = self.program.constant(Value::Function(*function));
                self.emit(Instruction::Const { dst, constant }, span);
            }
            Core::Local(local) => {
                let src = self.registers[local];
                let take = self.live.is_last(id);
                self.emit(
                    if take { Instruction::Take { dst, src } } else { Instruction::Copy { dst, src } },
                    span,
                );
            }
            Core::External(external) => drop(self.emit(Instruction::External { dst, id: external.0 }, span)),
            Core::Call(function, args) => self.call(*function, args, dst, span),
            Core::Apply(callee, args) => {
                let (at, count) = self.apply_window(*callee, args, span);
                self.emit(Instruction::Apply { at, count }, span);
                self.take(dst, at, span);
            }
            Core::Construct(shape, fields) => {
                let at = self.window_at(fields, dst, span);
                let (count, shape) = (self.small(fields.len(), span), self.small(*shape as usize, span));
                self.emit(Instruction::Construct { at, count, shape }, span);
                self.take(dst, at, span);
            }
            Core::List(items) => self.list(items, dst, span),
            Core::Field(base, index) => {
                let src = self.operand(*base);
                let index = self.small(*index as usize, span);
                self.emit(Instruction::Field { dst, src, index }, span);
            }
            Core::Update(base, changes) => {
                self.expr(*base, dst);
                for (index, value) in changes {
                    let src = self.operand(*value);
                    let index = self.small(*index as usize, span);
                    self.emit(Instruction::SetField { dst, src, index }, span);
                }
            }
            Core::Op(op, args) => self.op(*op, args, dst, span),
            Core::If(condition, then, otherwise) => {
                let otherwise_at = self.unless(*condition);
                self.expr(*then, dst);
                let end = self.emit(Instruction::Jump { to: 0 }, span);
                self.patch_jumps(otherwise_at);
                self.expr(*otherwise, dst);
                self.patch_jump(end);
            }
            Core::Let(local, value, inside) => {
                self.bind(*local, *value);
                self.expr(*inside, dst);
            }
            Core::Lambda(params, root) => self.lambda(id, params, *root, dst, span),
            Core::Match(subject, arms) => self.matching(*subject, arms, Some(dst), span),
            Core::Some(inner) => {
                self.expr(*inner, dst);
                self.emit(Instruction::Some { dst }, span);
            }
        }
    }

    fn take(&mut self, dst: Register, src: Register, span: Span) {
        if dst != src {
            self.emit(Instruction::Take { dst, src }, span);
        }
    }

    fn call(&mut self, function: u32, args: &[CoreId], dst: Register, span: Span) {
        let at = self.window_at(args, dst, span);
        match self.program.sources.natives[function as usize] {
            Some(native) => {
                let count = self.small(args.len(), span);
                self.emit(Instruction::Native { at, count, native }, span);
            }
            None => drop(self.emit(Instruction::Call { at, function }, span)),
        }
        self.take(dst, at, span);
    }

    fn list(&mut self, items: &[CoreId], dst: Register, span: Span) {
        let (first, rest) = items.split_at(items.len().min(LIST_CHUNK));
        let at = self.window(first, span);
        let count = self.small(first.len(), span);
        self.emit(Instruction::List { at, count }, span);
        for piece in rest.chunks(LIST_CHUNK) {
            let top = self.top;
            // The list stays in the first register of the window; the chunk follows it.
            let more = self.window(piece, span);
            let count = self.small(piece.len(), span);
            let joined = self.alloc_many(piece.len() + 1, span);
            self.take(joined, at, span);
            for offset in 0..count {
                self.take(joined + 1 + offset, more + offset, span);
            }
            self.emit(Instruction::Extend { at: joined, count }, span);
            self.take(at, joined, span);
            self.top = top;
        }
        self.take(dst, at, span);
    }

    fn lambda(&mut self, id: CoreId, params: &[LocalId], root: CoreId, dst: Register, span: Span) {
        let captures = self.live.captures(id).to_vec();
        let function = self.program.reserve(None);
        let locals = params.iter().copied().chain(captures.iter().map(|(local, _)| *local)).collect();
        self.lambdas.push(PendingFunction { function, params: params.len(), locals, root });
        if captures.is_empty() {
            let constant = self.program.constant(Value::Function(function));
            self.emit(Instruction::Const { dst, constant }, span);
            return;
        }
        let at = self.alloc_many(captures.len(), span);
        for (offset, (local, last)) in captures.iter().enumerate() {
            let dst = at.saturating_add(self.small(offset, span));
            let src = self.registers[local];
            self.emit(
                if *last { Instruction::Take { dst, src } } else { Instruction::Copy { dst, src } },
                span,
            );
        }
        let (count, function) = (self.small(captures.len(), span), self.small(function as usize, span));
        self.emit(Instruction::Closure { dst: at, count, function }, span);
        self.take(dst, at, span);
    }
}
