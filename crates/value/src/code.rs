//! The bytecode that functions are compiled to.
//!
//! A register machine: each call has a window of registers on one stack, parameters first, then captured values, then
//! variables and temporaries. Arguments are computed into consecutive registers, and the window of the callee starts
//! at the first of them, so calls copy nothing. A *test* instruction skips the next instruction (a jump to the next
//! arm) if it succeeds. Every instruction has 8 bytes; one array holds the code of the whole program.

use crate::native::Native;
use crate::value::{Shapes, Value};
use polysmith_source::Span;
use std::sync::Arc;

pub(crate) type Register = u16;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Instruction {
    Const {
        dst: Register,
        constant: u32,
    },
    Copy {
        dst: Register,
        src: Register,
    },
    /// Moves a value. Used at the last use of a variable, so that unshared collections are changed in place.
    Take {
        dst: Register,
        src: Register,
    },
    External {
        dst: Register,
        id: u32,
    },
    /// Creates a closure that captures the registers `dst..` and stores it in `dst`.
    Closure {
        dst: Register,
        count: u16,
        function: u16,
    },
    /// Calls a declared function. The arguments are in `at..`; the result is stored in `at`.
    Call {
        at: Register,
        function: u32,
    },
    TailCall {
        at: Register,
        function: u32,
    },
    /// Calls the function value in `at`. The arguments are in `at + 1..`; the result is stored in `at`.
    Apply {
        at: Register,
        count: u16,
    },
    TailApply {
        at: Register,
        count: u16,
    },
    /// Calls a built-in function. The arguments are in `at..`; the result is stored in `at`.
    Native {
        at: Register,
        count: u16,
        native: Native,
    },
    Return {
        src: Register,
    },
    Construct {
        at: Register,
        count: u16,
        shape: u16,
    },
    List {
        at: Register,
        count: u16,
    },
    /// Appends the registers `at + 1..` to the list in `at`.
    Extend {
        at: Register,
        count: u16,
    },
    Field {
        dst: Register,
        src: Register,
        index: u16,
    },
    /// Changes one field of the record in `dst`.
    SetField {
        dst: Register,
        src: Register,
        index: u16,
    },
    Some {
        dst: Register,
    },
    Add {
        dst: Register,
        a: Register,
        b: Register,
    },
    AddInt {
        dst: Register,
        a: Register,
        number: i16,
    },
    Sub {
        dst: Register,
        a: Register,
        b: Register,
    },
    Mul {
        dst: Register,
        a: Register,
        b: Register,
    },
    Div {
        dst: Register,
        a: Register,
        b: Register,
    },
    Mod {
        dst: Register,
        a: Register,
        b: Register,
    },
    Eq {
        dst: Register,
        a: Register,
        b: Register,
    },
    Ne {
        dst: Register,
        a: Register,
        b: Register,
    },
    Lt {
        dst: Register,
        a: Register,
        b: Register,
    },
    Le {
        dst: Register,
        a: Register,
        b: Register,
    },
    Max {
        dst: Register,
        a: Register,
        b: Register,
    },
    Min {
        dst: Register,
        a: Register,
        b: Register,
    },
    Not {
        dst: Register,
        src: Register,
    },
    IsNil {
        dst: Register,
        src: Register,
    },
    ToInt {
        dst: Register,
        src: Register,
    },
    Len {
        dst: Register,
        src: Register,
    },
    Jump {
        to: u32,
    },
    JumpUnless {
        src: Register,
        to: u32,
    },
    JumpIf {
        src: Register,
        to: u32,
    },
    /// Like all tests: skips the next instruction if it succeeds.
    TestLt {
        a: Register,
        b: Register,
    },
    TestLe {
        a: Register,
        b: Register,
    },
    TestEq {
        a: Register,
        b: Register,
    },
    TestNe {
        a: Register,
        b: Register,
    },
    /// Tests for less than a small constant.
    TestBelow {
        src: Register,
        number: i16,
    },
    /// Tests for equality with a small constant.
    TestInt {
        src: Register,
        number: i16,
    },
    TestConst {
        src: Register,
        constant: u32,
    },
    TestShape {
        src: Register,
        shape: u32,
    },
    TestSome {
        src: Register,
    },
    TestLen {
        src: Register,
        len: u16,
        more: bool,
    },
    Unwrap {
        dst: Register,
        src: Register,
    },
    Item {
        dst: Register,
        src: Register,
        index: u16,
    },
    Rest {
        dst: Register,
        src: Register,
        from: u16,
    },
    NoArm,
}

const _: () = assert!(size_of::<Instruction>() == 8);

/// A compiled function.
#[derive(Debug, Clone)]
pub(crate) struct Function {
    pub(crate) name: Option<Arc<str>>,
    pub(crate) entry: u32,
    pub(crate) params: u16,
    /// The number of registers that a call needs.
    pub(crate) size: u16,
}

/// The compiled form of everything that was checked. Threads share it.
#[derive(Debug, Default)]
pub struct Program {
    pub(crate) code: Vec<Instruction>,
    pub(crate) spans: Vec<Span>,
    pub(crate) constants: Vec<Value>,
    /// Declared functions in order of declaration, then anonymous functions and expressions.
    pub(crate) functions: Vec<Function>,
    /// The function of each expression that was checked on its own.
    pub(crate) entries: Vec<u32>,
    pub(crate) shapes: Shapes,
    pub(crate) sources: Sources,
}

/// The resolved trees that the code was compiled from. The naive evaluator of the tests reads them.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    pub(crate) functions: Vec<crate::core::Body>,
    pub(crate) entries: Vec<crate::core::Body>,
    pub(crate) natives: Vec<Option<Native>>,
    pub(crate) names: Vec<(Arc<str>, Arc<str>)>,
}

impl Program {
    /// The names of constructors and fields, needed to format values.
    pub fn shapes(&self) -> &Shapes {
        &self.shapes
    }

    /// The number of a declared function, for [`Program::call`].
    pub fn function(&self, module: &str, name: &str) -> Option<u32> {
        let at = self.sources.names.iter().position(|(m, n)| **m == *module && **n == *name)?;
        u32::try_from(at).ok()
    }

    /// The resolved body of a declared function. A built-in function has no root.
    pub fn function_body(&self, function: u32) -> &crate::core::Body {
        &self.sources.functions[function as usize]
    }

    /// The resolved body of an expression.
    pub fn entry_body(&self, entry: crate::EntryId) -> &crate::core::Body {
        &self.sources.entries[entry.0 as usize]
    }
}
