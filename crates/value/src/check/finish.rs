//! Compiles what was checked to a program.

use super::Checker;
use crate::code::{Program, Sources};
use crate::codes;
use crate::compile::{Compiler, TooBig};
use crate::core::{Body, Core, LocalId};
use crate::value::Value;
use polysmith_source::Diagnostics;
use rustc_hash::FxHashSet;

impl Checker {
    /// Compiles everything. Returns `None` after errors, because erroneous expressions have no code.
    pub fn finish(mut self, out: &mut Diagnostics) -> Option<Program> {
        if out.has_errors() {
            return None;
        }
        let mut program = Program { shapes: std::mem::take(&mut self.shapes), ..Program::default() };
        let mut bodies = Vec::new();
        for function in &mut self.functions {
            let module = self.modules[function.module.0].syntax.name.clone();
            program.reserve(Some(format!("{module}:{}", function.name).into()));
            program.sources.names.push((module, function.name.clone()));
            program.sources.natives.push(function.native);
            bodies.push(std::mem::take(&mut function.body));
        }
        self.add_stubs(&mut bodies);
        for _ in &self.entries {
            let number = program.reserve(None);
            program.entries.push(number);
        }
        let tested: FxHashSet<u32> = self.constructors.iter().map(|constructor| constructor.shape).collect();
        let numbered = (0..).zip(&bodies).chain(program.entries.clone().into_iter().zip(&self.entries));
        let mut compiler = Compiler { program: &mut program, tested: &tested };
        for (number, body) in numbered {
            if let Err(TooBig(span)) = compiler.function(number, body) {
                let message = "this needs more than 65,000 places for values";
                out.error(codes::TOO_DEEP, span, message).help("split it into several functions");
            }
        }
        let Sources { names, natives, .. } = std::mem::take(&mut program.sources);
        program.sources = Sources { functions: bodies, entries: self.entries, natives, names };
        Some(program)
    }

    /// Gives built-in functions a body that calls them, so that they can be function values.
    fn add_stubs(&mut self, bodies: &mut [Body]) {
        for (number, body) in bodies.iter_mut().enumerate() {
            let function = &self.functions[number];
            let Some(native) = function.native else { continue };
            let syntax = &self.modules[function.module.0].syntax;
            let span = function.span;
            body.params = u32::try_from(syntax.functions[function.index].params.len()).unwrap_or(u32::MAX);
            body.locals = body.params;
            let params = 0..body.params;
            let mut args: Vec<_> = params.map(|at| body.add(Core::Local(LocalId(at)), span)).collect();
            if native.draws() {
                args.push(body.add(Core::Const(Value::Int(i64::from(self.random_sites))), span));
                self.random_sites += 1;
            }
            let number = u32::try_from(number).expect("fewer than 2^32 items fit in memory");
            body.root = Some(body.add(Core::Call(number, args), span));
        }
    }
}
