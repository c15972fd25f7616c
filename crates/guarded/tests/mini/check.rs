//! The errors that a compiler of `mini` must report: names, types, returns, jumps outside of loops.

use super::syntax::{Expr, Field, Program, Signature, Stmt, Type};

pub(crate) fn problems(program: &Program) -> Vec<String> {
    let mut checker =
        Checker { program, scopes: vec![Vec::new()], result: None, loops: 0, problems: Vec::new() };
    checker.declarations();
    for statement in &program.globals {
        checker.statement(statement);
    }
    for function in &program.functions {
        checker.result = Some(function.signature.result.clone());
        let params = function.signature.params.iter().map(|param| (param.clone(), true));
        checker.block_with(params.collect(), &function.body);
        if !returns(&function.body) {
            checker.problem(format!("`{}` may end without a value", function.signature.name));
        }
    }
    checker.result = None;
    checker.block_with(Vec::new(), &program.main);
    checker.problems
}

/// Whether every path through some statements ends in `return`.
fn returns(statements: &[Stmt]) -> bool {
    match statements.last() {
        Some(Stmt::Return(_)) => true,
        Some(Stmt::If { yes, no, .. }) => returns(yes) && returns(no),
        _ => false,
    }
}

/// A variable, and whether it can be assigned.
type Symbol = (Field, bool);

struct Checker<'a> {
    program: &'a Program,
    scopes: Vec<Vec<Symbol>>,
    result: Option<Type>,
    loops: usize,
    problems: Vec<String>,
}

impl Checker<'_> {
    fn problem(&mut self, text: String) {
        self.problems.push(text);
    }

    fn declarations(&mut self) {
        let program = self.program;
        for (at, record) in program.records.iter().enumerate() {
            if program.records[..at].iter().any(|other| other.name == record.name) {
                self.problem(format!("record `{}` is declared twice", record.name));
            }
            self.fields(&record.fields);
        }
        for (at, signature) in program.prototypes.iter().enumerate() {
            if program.prototypes[..at].iter().any(|other| other.name == signature.name) {
                self.problem(format!("function `{}` is announced twice", signature.name));
            }
            self.fields(&signature.params);
            self.exists(&signature.result);
            let bodies = program.functions.iter().filter(|function| function.signature == *signature).count();
            if bodies != 1 {
                self.problem(format!("function `{}` has {bodies} bodies", signature.name));
            }
        }
        for function in &program.functions {
            if !program.prototypes.contains(&function.signature) {
                self.problem(format!("function `{}` was not announced like this", function.signature.name));
            }
        }
    }

    fn fields(&mut self, fields: &[Field]) {
        for (at, field) in fields.iter().enumerate() {
            if fields[..at].iter().any(|other| other.name == field.name) {
                self.problem(format!("`{}` is declared twice in one list", field.name));
            }
            self.exists(&field.type_);
        }
    }

    fn exists(&mut self, type_: &Type) {
        match type_ {
            Type::Record(name) if !self.program.records.iter().any(|record| record.name == *name) => {
                self.problem(format!("there is no record `{name}`"));
            }
            Type::Array(item) => self.exists(item),
            _ => {}
        }
    }

    fn block_with(&mut self, symbols: Vec<Symbol>, statements: &[Stmt]) {
        self.scopes.push(symbols);
        for statement in statements {
            self.statement(statement);
        }
        self.scopes.pop();
    }

    fn declare(&mut self, field: &Field) {
        let scope = self.scopes.last_mut().expect("there is always a scope");
        if scope.iter().any(|(other, _)| other.name == field.name) {
            self.problems.push(format!("`{}` is declared twice in one scope", field.name));
        }
        scope.push((field.clone(), true));
    }

    fn find(&self, name: &str) -> Option<&Symbol> {
        self.scopes.iter().rev().find_map(|scope| scope.iter().find(|(field, _)| field.name == name))
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Define { field, init } => {
                self.exists(&field.type_);
                self.want(init, &field.type_);
                self.declare(field);
            }
            Stmt::Assign { place, value } => {
                if let Some(type_) = self.place(place) {
                    self.want(value, &type_);
                }
            }
            Stmt::Print(expr) | Stmt::Call(expr) => {
                self.type_of(expr);
            }
            Stmt::If { cond, yes, no } => {
                self.want(cond, &Type::Bool);
                self.block_with(Vec::new(), yes);
                self.block_with(Vec::new(), no);
            }
            Stmt::While { cond, body, .. } => {
                self.want(cond, &Type::Bool);
                self.in_loop(Vec::new(), body);
            }
            Stmt::For { name, body, .. } => {
                self.in_loop(vec![(Field { name: name.clone(), type_: Type::Int }, false)], body);
            }
            Stmt::Break | Stmt::Continue if self.loops > 0 => {}
            Stmt::Break | Stmt::Continue => self.problem(format!("{statement:?} outside of a loop")),
            Stmt::Return(expr) => match self.result.clone() {
                Some(result) => self.want(expr, &result),
                None => self.problem("`return` outside of a function".to_owned()),
            },
        }
    }

    fn in_loop(&mut self, symbols: Vec<Symbol>, body: &[Stmt]) {
        self.loops += 1;
        self.block_with(symbols, body);
        self.loops -= 1;
    }

    /// The type of what is assigned to.
    fn place(&mut self, place: &Expr) -> Option<Type> {
        let root = match place {
            Expr::Element(array, _) => array,
            Expr::Field(record, _) => record,
            other => other,
        };
        match root {
            Expr::Variable(name) if self.find(name).is_some_and(|(_, assignable)| !assignable) => {
                self.problem(format!("`{name}` cannot be assigned"));
            }
            Expr::Variable(_) => {}
            _ => self.problem(format!("{place:?} is no place")),
        }
        self.type_of(place)
    }

    fn want(&mut self, expr: &Expr, wanted: &Type) {
        match self.type_of(expr) {
            Some(found) if found != *wanted => {
                self.problem(format!("a {found} where a {wanted} is wanted: {expr:?}"))
            }
            _ => {}
        }
    }

    /// The type of an expression; `None` if there is none, which was reported.
    fn type_of(&mut self, expr: &Expr) -> Option<Type> {
        match expr {
            Expr::Int(_) => Some(Type::Int),
            Expr::Bool(_) => Some(Type::Bool),
            Expr::Text(_) => Some(Type::Text),
            Expr::Array(items) => {
                let first = self.type_of(&items[0])?;
                items[1..].iter().for_each(|item| self.want(item, &first));
                Some(Type::Array(Box::new(first)))
            }
            Expr::Record(name, fields) => {
                self.record(name, fields);
                Some(Type::Record(name.clone()))
            }
            Expr::Variable(name) => {
                let found = self.find(name).map(|(field, _)| field.type_.clone());
                if found.is_none() {
                    self.problem(format!("`{name}` is not defined"));
                }
                found
            }
            Expr::Element(array, index) => {
                self.want(index, &Type::Int);
                match self.type_of(array)? {
                    Type::Array(item) => Some(*item),
                    other => {
                        self.problem(format!("an element of a {other}"));
                        None
                    }
                }
            }
            Expr::Field(record, name) => self.field(record, name),
            Expr::Call(name, args) => self.call(name, args),
            Expr::Not(inner) => {
                self.want(inner, &Type::Bool);
                Some(Type::Bool)
            }
            Expr::Binary(operator, left, right) => self.binary(operator, left, right),
        }
    }

    fn record(&mut self, name: &str, fields: &[(String, Expr)]) {
        let Some(record) = self.program.records.iter().find(|record| record.name == *name) else {
            return self.problem(format!("there is no record `{name}`"));
        };
        if !record.fields.iter().map(|field| &field.name).eq(fields.iter().map(|(name, _)| name)) {
            self.problem(format!("a `{name}` has other fields"));
        }
        for (field, (_, value)) in record.fields.iter().zip(fields) {
            self.want(value, &field.type_);
        }
    }

    fn field(&mut self, record: &Expr, name: &str) -> Option<Type> {
        let type_ = self.type_of(record)?;
        let fields = match &type_ {
            Type::Record(of) => self.program.records.iter().find(|record| record.name == *of),
            _ => None,
        };
        let found = fields.and_then(|record| record.fields.iter().find(|field| field.name == name));
        if found.is_none() {
            self.problem(format!("a {type_} has no field `{name}`"));
        }
        found.map(|field| field.type_.clone())
    }

    fn call(&mut self, name: &str, args: &[Expr]) -> Option<Type> {
        let Some(Signature { params, result, .. }) =
            self.program.prototypes.iter().find(|signature| signature.name == name)
        else {
            self.problem(format!("function `{name}` is not defined"));
            return None;
        };
        if params.len() != args.len() {
            self.problem(format!("`{name}` takes {} arguments, not {}", params.len(), args.len()));
        }
        for (param, arg) in params.iter().zip(args) {
            self.want(arg, &param.type_);
        }
        Some(result.clone())
    }

    fn binary(&mut self, operator: &str, left: &Expr, right: &Expr) -> Option<Type> {
        let operand = match operator {
            "||" | "&&" => Type::Bool,
            "==" | "!=" => self.type_of(left)?,
            "+" if self.type_of(left)? == Type::Text => Type::Text,
            _ => Type::Int,
        };
        if !matches!(operator, "==" | "!=") {
            self.want(left, &operand);
        }
        self.want(right, &operand);
        Some(match operator {
            "+" => operand,
            "-" | "*" | "/" | "%" => Type::Int,
            _ => Type::Bool,
        })
    }
}
