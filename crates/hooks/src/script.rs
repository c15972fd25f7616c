//! A script, checked against a grammar: one compiled expression for each predicate and action that it covers.

use crate::calls::{self, Argument, Call};
use crate::host::{FUNCTIONS, Host, HostFunction, Names, View};
use polysmith_grammar::{Code, CodeId, CodeKind, Grammar, Meaning};
use polysmith_parse::hooks::{HookError, Hooks, LexerOutcome, MatchView, ParserView, StreamView};
use polysmith_source::{Diagnostics, SourceId, SourceMap, Span};
use polysmith_value::syntax::{ExprId, ExprKind, ExternalId, Module, Name, Op};
use polysmith_value::{
    Checker, EntryId, External, Failure, Limits, Machine, ModuleId, Origin, Program, Ty, TypeReason, Value,
};
use std::cell::RefCell;

/// The modules that scripts see besides LALA's own.
const LIBRARY: &[(&str, &str)] = &[
    ("Lexer", include_str!("library/Lexer.lala")),
    ("Stream", include_str!("library/Stream.lala")),
    ("Parser", include_str!("library/Parser.lala")),
];

/// Steps of one call: enough to look at each token of a long file, few enough that a call that never ends is stopped
/// within a second.
const MAX_STEPS: u64 = 2_000_000;
/// Calls inside calls.
const MAX_DEPTH: usize = 20_000;

thread_local! {
    static MACHINE: RefCell<Machine> = RefCell::new(Machine::new(Limits { steps: MAX_STEPS, depth: MAX_DEPTH }));
}

/// Hooks that a script describes.
#[derive(Debug)]
pub struct Script {
    name: String,
    source: SourceId,
    sources: SourceMap,
    program: Program,
    names: Names,
    functions: Vec<HostFunction>,
    start: Option<EntryId>,
    token: Option<EntryId>,
    stream: Option<EntryId>,
    /// By code number.
    entries: Vec<Option<EntryId>>,
    /// By code number: what changes after a predicate was passed.
    after: Vec<Option<EntryId>>,
}

/// What a script covers of a grammar's code.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Predicates and actions that a function covers, as written.
    pub covered: Vec<String>,
    /// Those that no function covers.
    pub missing: Vec<String>,
}

impl Script {
    /// Reads and checks a script, given by its name and text, for a grammar. `None` if there are errors.
    pub fn read(
        grammar: &Grammar,
        (name, text): (&str, &str),
        sources: &mut SourceMap,
        found: &mut Diagnostics,
    ) -> Option<Script> {
        let source = sources.add(name, text);
        let mut own = Diagnostics::default();
        let script = Reader::new(grammar, (name, text), source, sources, &mut own);
        let script = script.finish(sources, &mut own);
        let failed = own.has_errors();
        found.append(own);
        script.filter(|_| !failed)
    }

    /// The name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it covers of the code of its grammar.
    pub fn coverage(&self, grammar: &Grammar) -> Coverage {
        let mut coverage = Coverage::default();
        for code in (0..grammar.n_codes()).map(CodeId::new) {
            let text = grammar.code(code);
            let list = match self.covers(code) {
                true => &mut coverage.covered,
                false if needs_target(text) => &mut coverage.missing,
                false => continue,
            };
            let shown = text.text.trim().to_owned();
            if !list.contains(&shown) {
                list.push(shown);
            }
        }
        coverage
    }

    fn run(&self, entry: EntryId, state: Value, view: View<'_>) -> Result<LexerOutcome, HookError> {
        let mut host =
            Host { names: &self.names, functions: &self.functions, view, state, effects: Vec::new() };
        let result = MACHINE.with_borrow_mut(|machine| self.program.eval(entry, machine, &mut host));
        let state = result.map_err(|failure| self.failed(&failure))?;
        Ok(LexerOutcome { state, effects: host.effects })
    }

    fn ask(&self, entry: EntryId, state: &Value, view: View<'_>) -> Result<bool, HookError> {
        let outcome = self.run(entry, state.clone(), view)?;
        if !outcome.effects.is_empty() {
            let message = format!("{}: a predicate cannot change tokens", self.name);
            return Err(HookError { message });
        }
        Ok(outcome.state.as_bool().unwrap_or(false))
    }

    /// The message of a failure, with the line of the script.
    fn failed(&self, failure: &Failure) -> HookError {
        let places = std::iter::once(failure.span).chain(failure.trace.iter().map(|(_, span)| *span));
        let line =
            places.filter(|span| span.source == self.source).map(|span| self.sources.line_col(span).line);
        let failure = failure.to_string().replace("`Script:", "`");
        let message = match line.into_iter().next() {
            Some(line) => format!("{}, line {line}: {failure}", self.name),
            None => format!("{}: {failure}", self.name),
        };
        HookError { message }
    }

    fn entry(&self, code: CodeId) -> Result<EntryId, HookError> {
        let entry = self.entries.get(code.index()).copied().flatten();
        entry.ok_or_else(|| HookError { message: format!("{} does not cover this code", self.name) })
    }
}

/// Whether code would have to run.
fn needs_target(code: &Code) -> bool {
    match &code.kind {
        CodeKind::Action => !code.text.trim().is_empty(),
        CodeKind::Predicate { meaning, .. } => *meaning == Meaning::Unknown,
    }
}

impl Hooks for Script {
    fn covers(&self, code: CodeId) -> bool {
        self.entries.get(code.index()).is_some_and(Option::is_some)
    }

    fn start(&self) -> Result<Value, HookError> {
        match self.start {
            Some(entry) => Ok(self.run(entry, Value::Nil, View::Nowhere)?.state),
            None => Ok(Value::Int(0)),
        }
    }

    fn predicate(&self, code: CodeId, state: &Value, view: &ParserView<'_>) -> Result<bool, HookError> {
        self.ask(self.entry(code)?, state, View::Parser(view))
    }

    fn passed(&self, code: CodeId, state: &Value, view: &ParserView<'_>) -> Result<Option<Value>, HookError> {
        let Some(entry) = self.after.get(code.index()).copied().flatten() else { return Ok(None) };
        Ok(Some(self.run(entry, state.clone(), View::Parser(view))?.state))
    }

    fn action(&self, code: CodeId, state: Value, view: &ParserView<'_>) -> Result<Value, HookError> {
        Ok(self.run(self.entry(code)?, state, View::Parser(view))?.state)
    }

    fn lexer_predicate(&self, code: CodeId, state: &Value, view: &MatchView<'_>) -> Result<bool, HookError> {
        self.ask(self.entry(code)?, state, View::Match(view))
    }

    fn lexer_action(
        &self,
        code: CodeId,
        state: Value,
        view: &MatchView<'_>,
    ) -> Result<LexerOutcome, HookError> {
        self.run(self.entry(code)?, state, View::Match(view))
    }

    fn has_token_hook(&self) -> bool {
        self.token.is_some()
    }

    fn token(&self, state: Value, view: &MatchView<'_>) -> Result<LexerOutcome, HookError> {
        match self.token {
            Some(entry) => self.run(entry, state, View::Match(view)),
            None => Ok(LexerOutcome { state, effects: Vec::new() }),
        }
    }

    fn has_stream_hook(&self) -> bool {
        self.stream.is_some()
    }

    fn stream(&self, state: Value, view: &StreamView<'_>) -> Result<LexerOutcome, HookError> {
        match self.stream {
            Some(entry) => self.run(entry, state, View::Stream(view)),
            None => Ok(LexerOutcome { state, effects: Vec::new() }),
        }
    }
}

/// The state is the only leaf that a script's expressions read.
const STATE: ExternalId = ExternalId(0);

/// Expressions to be checked, in the arena of the script's module.
struct Reader<'g> {
    grammar: &'g Grammar,
    name: String,
    source: SourceId,
    checker: Checker,
    module: ModuleId,
    start: Option<ExprId>,
    token: Option<ExprId>,
    stream: Option<ExprId>,
    codes: Vec<Option<ExprId>>,
    after: Vec<Option<ExprId>>,
    functions: Vec<HostFunction>,
}

impl<'g> Reader<'g> {
    fn new(
        grammar: &'g Grammar,
        (name, text): (&str, &str),
        source: SourceId,
        sources: &mut SourceMap,
        found: &mut Diagnostics,
    ) -> Reader<'g> {
        let mut script = polysmith_lala::modules::module("Script", source, text, found);
        let mut checker = Checker::new();
        let mut functions = Vec::new();
        for (name, text) in LIBRARY {
            let source = sources.add(format!("<built-in {name}>"), *text);
            let module = polysmith_lala::modules::module(name, source, text, found);
            let declared = module.functions.iter().map(|function| function.name.text.clone());
            functions.extend(declared.filter_map(|function| host_function(name, &function)));
            checker.add(module, Origin::Host);
        }
        for (module, origin) in polysmith_lala::modules::library(&script.uses, sources, found) {
            checker.add(module, origin);
        }
        let span = Span::new(source, 0, 0);
        let declared = |script: &Module, name: &str| script.functions.iter().any(|f| *f.name.text == *name);
        let start = declared(&script, "start").then(|| {
            let name = script.arena.expr(ExprKind::Name(Name::new("start", span)), span);
            script.arena.expr(ExprKind::Paren(name), span)
        });
        let event = |script: &mut Module, name: &str| {
            let is_declared = script.functions.iter().find(|f| *f.name.text == *name);
            let span = is_declared.map(|function| function.name.span)?;
            Some(call(script, name, &[], span))
        };
        let (token, stream) = (event(&mut script, "token"), event(&mut script, "stream"));
        let after = (0..grammar.n_codes()).map(|at| {
            let Call::Function { name, arguments } = calls::read(&grammar.code(CodeId::new(at)).text)? else {
                return None;
            };
            let name = format!("after_{name}");
            declared(&script, &name).then(|| call(&mut script, &name, &arguments, span))
        });
        let after = after.collect();
        let codes = (0..grammar.n_codes()).map(|at| {
            let code = calls::read(&grammar.code(CodeId::new(at)).text)?;
            let known = calls::functions(&code).into_iter().all(|name| declared(&script, name));
            known.then(|| expression(&mut script, &code, span))
        });
        let codes = codes.collect();
        let module = checker.add(script, Origin::User);
        Reader {
            grammar,
            name: name.to_owned(),
            source,
            checker,
            module,
            start,
            token,
            stream,
            codes,
            after,
            functions,
        }
    }

    fn finish(mut self, sources: &SourceMap, found: &mut Diagnostics) -> Option<Script> {
        self.checker.declare(found);
        if found.has_errors() {
            return None;
        }
        let int = self.checker.int();
        let (start, state) = match self.start {
            Some(expr) => {
                let leaf = &mut |_| External { ty: int, declared: None };
                let entry = self.checker.expr(self.module, expr, None, leaf, found);
                (Some(entry.id), entry.ty)
            }
            None => (None, int),
        };
        let because = "as the next state";
        let token = self.token.map(|expr| self.check(expr, state, (state, because), found));
        let stream = self.stream.map(|expr| self.check(expr, state, (state, because), found));
        let after = std::mem::take(&mut self.after).into_iter();
        let after =
            after.map(|expr| Some(self.check(expr?, state, (state, "as the next state"), found))).collect();
        let mut entries = Vec::new();
        for at in 0..self.codes.len() {
            let expected = match self.grammar.code(CodeId::new(at)).kind {
                CodeKind::Action => (state, "as the next state after an action"),
                CodeKind::Predicate { .. } => (self.checker.bool(), "for a predicate"),
            };
            let entry = self.codes[at].map(|expr| self.check(expr, state, expected, found));
            entries.push(entry);
        }
        let program = self.checker.finish(found)?;
        Some(Script {
            name: self.name,
            source: self.source,
            sources: sources.clone(),
            program,
            names: Names::of(self.grammar),
            functions: self.functions,
            start,
            token,
            stream,
            entries,
            after,
        })
    }

    fn check(
        &mut self,
        expr: ExprId,
        state: Ty,
        (expected, because): (Ty, &str),
        found: &mut Diagnostics,
    ) -> EntryId {
        let leaf = &mut |_| External { ty: state, declared: None };
        self.checker.expr(self.module, expr, Some((expected, TypeReason::because(because))), leaf, found).id
    }
}

fn host_function(module: &str, name: &str) -> Option<HostFunction> {
    let found = FUNCTIONS.iter().find(|(in_module, function, _)| (*in_module, *function) == (module, name));
    found.map(|(_, _, function)| *function)
}

/// `(name state argument…)`
fn call(script: &mut Module, name: &str, arguments: &[Argument], span: Span) -> ExprId {
    let mut args = vec![script.arena.expr(ExprKind::External(STATE), span)];
    for argument in arguments {
        let kind = match argument {
            Argument::Text(text) => ExprKind::Str(text.as_str().into()),
            Argument::Number(digits) => ExprKind::Int(digits.as_str().into()),
            Argument::Truth(truth) => ExprKind::Bool(*truth),
        };
        args.push(script.arena.expr(kind, span));
    }
    let callee = script.arena.expr(ExprKind::Name(Name::new(name, span)), span);
    script.arena.expr(ExprKind::Call { callee, args }, span)
}

/// The expression of a piece of code. Its place is the function that it calls.
fn expression(script: &mut Module, code: &Call, span: Span) -> ExprId {
    match code {
        Call::Function { name, arguments } => {
            let function = script.functions.iter().find(|function| *function.name.text == **name);
            let span = function.map_or(span, |function| function.name.span);
            call(script, name, arguments, span)
        }
        Call::Not(inner) => {
            let args = vec![expression(script, inner, span)];
            script.arena.expr(ExprKind::Op { op: Op::Not, args }, span)
        }
        Call::All(parts) | Call::Any(parts) => {
            let op = if matches!(code, Call::All(_)) { Op::And } else { Op::Or };
            let args = parts.iter().map(|part| expression(script, part, span)).collect();
            script.arena.expr(ExprKind::Op { op, args }, span)
        }
    }
}
