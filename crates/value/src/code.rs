//! The flat form that functions are compiled to.
//!
//! A register machine: each call has a window of registers on one stack, parameters first, then captured values, then
//! variables and temporaries. Arguments are computed into consecutive registers, and the callee's window starts right
//! there, so calls copy nothing. A *test* instruction skips the next one (a jump to the next arm) if it succeeds. All
//! instructions are 8 bytes, in one array for the whole program.

use crate::native::Native;
use crate::value::{Shapes, Value};
use polysmith_source::Span;
use std::sync::Arc;

pub(crate) type Reg = u16;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Ins {
    Const {
        dst: Reg,
        constant: u32,
    },
    Copy {
        dst: Reg,
        src: Reg,
    },
    /// The last use of a variable moves it, so that collections are changed in place when nobody else holds them.
    Take {
        dst: Reg,
        src: Reg,
    },
    External {
        dst: Reg,
        id: u32,
    },
    /// A function that captures the registers `dst..`.
    Closure {
        dst: Reg,
        count: u16,
        function: u16,
    },
    /// Arguments at `at..`; the result goes to `at`.
    Call {
        at: Reg,
        function: u32,
    },
    TailCall {
        at: Reg,
        function: u32,
    },
    /// The function at `at`, arguments behind it; the result goes to `at`.
    Apply {
        at: Reg,
        count: u16,
    },
    TailApply {
        at: Reg,
        count: u16,
    },
    /// Arguments at `at..`; the result goes to `at`.
    Native {
        at: Reg,
        count: u16,
        native: Native,
    },
    Return {
        src: Reg,
    },
    Construct {
        at: Reg,
        count: u16,
        shape: u16,
    },
    List {
        at: Reg,
        count: u16,
    },
    /// Puts the registers `at + 1..` behind the list at `at`.
    Extend {
        at: Reg,
        count: u16,
    },
    Field {
        dst: Reg,
        src: Reg,
        index: u16,
    },
    /// Changes one field of the record in `dst`.
    SetField {
        dst: Reg,
        src: Reg,
        index: u16,
    },
    Some {
        dst: Reg,
    },
    Add {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    AddInt {
        dst: Reg,
        a: Reg,
        number: i16,
    },
    Sub {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Mul {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Div {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Mod {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Eq {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Ne {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Lt {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Le {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Max {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Min {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Not {
        dst: Reg,
        src: Reg,
    },
    IsNil {
        dst: Reg,
        src: Reg,
    },
    ToInt {
        dst: Reg,
        src: Reg,
    },
    Len {
        dst: Reg,
        src: Reg,
    },
    Jump {
        to: u32,
    },
    JumpUnless {
        src: Reg,
        to: u32,
    },
    JumpIf {
        src: Reg,
        to: u32,
    },
    /// Tests skip the next instruction if they succeed.
    TestLt {
        a: Reg,
        b: Reg,
    },
    TestLe {
        a: Reg,
        b: Reg,
    },
    TestEq {
        a: Reg,
        b: Reg,
    },
    TestNe {
        a: Reg,
        b: Reg,
    },
    /// Less than a small number.
    TestBelow {
        src: Reg,
        number: i16,
    },
    /// Equal to a small number.
    TestInt {
        src: Reg,
        number: i16,
    },
    TestConst {
        src: Reg,
        constant: u32,
    },
    TestShape {
        src: Reg,
        shape: u32,
    },
    TestSome {
        src: Reg,
    },
    TestLen {
        src: Reg,
        len: u16,
        more: bool,
    },
    Unwrap {
        dst: Reg,
        src: Reg,
    },
    Item {
        dst: Reg,
        src: Reg,
        index: u16,
    },
    Rest {
        dst: Reg,
        src: Reg,
        from: u16,
    },
    NoArm,
}

const _: () = assert!(size_of::<Ins>() == 8);

/// A compiled function.
#[derive(Debug, Clone)]
pub(crate) struct Function {
    pub(crate) name: Option<Arc<str>>,
    pub(crate) entry: u32,
    pub(crate) params: u16,
    /// Registers of a call.
    pub(crate) size: u16,
}

/// Everything that was checked, compiled: shared by all threads.
#[derive(Debug, Default)]
pub struct Program {
    pub(crate) code: Vec<Ins>,
    pub(crate) spans: Vec<Span>,
    pub(crate) constants: Vec<Value>,
    /// Declared functions by their number, then anonymous ones, then expressions.
    pub(crate) functions: Vec<Function>,
    /// The function of each expression that was checked by itself.
    pub(crate) entries: Vec<u32>,
    pub(crate) shapes: Shapes,
    pub(crate) sources: Sources,
}

/// The resolved trees that the code was compiled from, for the naive evaluator of the tests.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    pub(crate) functions: Vec<crate::core::Body>,
    pub(crate) entries: Vec<crate::core::Body>,
    pub(crate) natives: Vec<Option<Native>>,
    pub(crate) names: Vec<(Arc<str>, Arc<str>)>,
}

impl Program {
    /// Names of constructors and fields, to show values.
    pub fn shapes(&self) -> &Shapes {
        &self.shapes
    }

    /// The number of a declared function, for [`Program::call`].
    pub fn function(&self, module: &str, name: &str) -> Option<u32> {
        let at = self.sources.names.iter().position(|(m, n)| **m == *module && **n == *name)?;
        u32::try_from(at).ok()
    }

    /// How many instructions the program has.
    pub fn size(&self) -> usize {
        self.code.len()
    }

    /// The resolved body of a declared function; without a root if it is built in.
    pub fn function_body(&self, function: u32) -> &crate::core::Body {
        &self.sources.functions[function as usize]
    }

    /// The resolved body of an expression.
    pub fn entry_body(&self, entry: crate::EntryId) -> &crate::core::Body {
        &self.sources.entries[entry.0 as usize]
    }
}
