//! Tokens to syntax trees, by recursive descent. Binary operators are left-associative, by precedence.

use super::lex::Token;
use super::syntax::{Expr, Field, Function, Program, Record, Signature, Stmt, Type};

/// Operators with their precedences.
const OPERATORS: [(&str, u8); 13] = [
    ("||", 1),
    ("&&", 2),
    ("==", 3),
    ("!=", 3),
    ("<", 4),
    ("<=", 4),
    (">", 4),
    (">=", 4),
    ("+", 5),
    ("-", 5),
    ("*", 6),
    ("/", 6),
    ("%", 6),
];
const KEYWORDS: [&str; 17] = [
    "record", "func", "var", "main", "if", "else", "while", "max", "for", "in", "break", "continue",
    "return", "print", "true", "false", "int",
];

pub(crate) fn program(tokens: &[Token]) -> Result<Program, String> {
    let mut parser = Parser { tokens, at: 0 };
    let program = parser.program()?;
    match parser.peek() {
        None => Ok(program),
        Some(token) => Err(format!("{token:?} after the end of the program")),
    }
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
}

type Parsed<T> = Result<T, String>;

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn is(&self, word: &str) -> bool {
        self.is_at(0, word)
    }

    fn is_at(&self, ahead: usize, word: &str) -> bool {
        match self.tokens.get(self.at + ahead) {
            Some(Token::Name(name)) => name == word,
            Some(Token::Mark(mark)) => *mark == word,
            _ => false,
        }
    }

    fn accept(&mut self, word: &str) -> bool {
        let found = self.is(word);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, word: &str) -> Parsed<()> {
        if self.accept(word) { Ok(()) } else { self.wrong(&format!("`{word}`")) }
    }

    fn wrong<T>(&self, expected: &str) -> Parsed<T> {
        Err(format!("syntax: expected {expected}, found {:?} at token {}", self.peek(), self.at))
    }

    fn name(&mut self) -> Parsed<String> {
        match self.peek() {
            Some(Token::Name(name)) if !KEYWORDS.contains(&name.as_str()) => {
                let name = name.clone();
                self.at += 1;
                Ok(name)
            }
            _ => self.wrong("a name"),
        }
    }

    fn number(&mut self) -> Parsed<i64> {
        match self.peek() {
            Some(Token::Number(number)) => {
                let number = *number;
                self.at += 1;
                Ok(number)
            }
            _ => self.wrong("a number"),
        }
    }

    fn program(&mut self) -> Parsed<Program> {
        let mut program = Program::default();
        while self.accept("record") {
            let name = self.name()?;
            self.expect("{")?;
            program.records.push(Record { name, fields: self.fields("}")? });
        }
        while self.is("func") {
            let signature = self.signature()?;
            if self.accept(";") {
                program.prototypes.push(signature);
            } else {
                program.functions.push(Function { signature, body: self.block()? });
            }
        }
        while self.is("var") {
            program.globals.push(self.statement()?);
        }
        while self.is("func") {
            let signature = self.signature()?;
            program.functions.push(Function { signature, body: self.block()? });
        }
        self.expect("main")?;
        program.main = self.block()?;
        Ok(program)
    }

    /// `name : type, …` up to the closing mark.
    fn fields(&mut self, end: &str) -> Parsed<Vec<Field>> {
        let mut fields = vec![self.field()?];
        while self.accept(",") {
            fields.push(self.field()?);
        }
        self.expect(end)?;
        Ok(fields)
    }

    fn field(&mut self) -> Parsed<Field> {
        let name = self.name()?;
        self.expect(":")?;
        Ok(Field { name, type_: self.type_()? })
    }

    fn type_(&mut self) -> Parsed<Type> {
        let mut found = if self.accept("int") {
            Type::Int
        } else {
            match self.name()?.as_str() {
                "bool" => Type::Bool,
                "string" => Type::Text,
                name => Type::Record(name.to_owned()),
            }
        };
        while self.accept("[") {
            self.expect("]")?;
            found = Type::Array(Box::new(found));
        }
        Ok(found)
    }

    fn signature(&mut self) -> Parsed<Signature> {
        self.expect("func")?;
        let name = self.name()?;
        self.expect("(")?;
        let params = self.fields(")")?;
        self.expect(":")?;
        Ok(Signature { name, params, result: self.type_()? })
    }

    fn block(&mut self) -> Parsed<Vec<Stmt>> {
        self.expect("{")?;
        let mut statements = Vec::new();
        while !self.accept("}") {
            statements.push(self.statement()?);
        }
        Ok(statements)
    }

    fn statement(&mut self) -> Parsed<Stmt> {
        if self.accept("if") {
            let cond = self.condition()?;
            let yes = self.block()?;
            let no = if self.accept("else") { self.block()? } else { Vec::new() };
            return Ok(Stmt::If { cond, yes, no });
        }
        if self.accept("while") {
            let cond = self.condition()?;
            self.expect("max")?;
            return Ok(Stmt::While { cond, max: self.number()?, body: self.block()? });
        }
        if self.accept("for") {
            let name = self.name()?;
            self.expect("in")?;
            if self.number()? != 0 {
                return self.wrong("a range from 0");
            }
            self.expect("..")?;
            return Ok(Stmt::For { name, turns: self.number()?, body: self.block()? });
        }
        let statement = self.simple()?;
        self.expect(";")?;
        Ok(statement)
    }

    fn simple(&mut self) -> Parsed<Stmt> {
        if self.accept("var") {
            let field = self.field()?;
            self.expect("=")?;
            return Ok(Stmt::Define { field, init: self.expr()? });
        }
        if self.accept("print") {
            return Ok(Stmt::Print(self.expr()?));
        }
        if self.accept("break") {
            return Ok(Stmt::Break);
        }
        if self.accept("continue") {
            return Ok(Stmt::Continue);
        }
        if self.accept("return") {
            return Ok(Stmt::Return(self.expr()?));
        }
        let place = self.primary()?;
        if matches!(place, Expr::Call(..)) {
            return Ok(Stmt::Call(place));
        }
        self.expect("=")?;
        Ok(Stmt::Assign { place, value: self.expr()? })
    }

    fn condition(&mut self) -> Parsed<Expr> {
        self.expect("(")?;
        let cond = self.expr()?;
        self.expect(")")?;
        Ok(cond)
    }

    fn expr(&mut self) -> Parsed<Expr> {
        self.binary(1)
    }

    fn binary(&mut self, least: u8) -> Parsed<Expr> {
        let mut left = self.unary()?;
        loop {
            let operator = OPERATORS.iter().find(|(mark, level)| *level >= least && self.is(mark));
            let Some((mark, level)) = operator else { return Ok(left) };
            self.at += 1;
            let right = self.binary(level + 1)?;
            left = Expr::Binary(mark, Box::new(left), Box::new(right));
        }
    }

    fn unary(&mut self) -> Parsed<Expr> {
        if self.accept("!") {
            return Ok(Expr::Not(Box::new(self.unary()?)));
        }
        self.primary()
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let mut expr = self.atom()?;
        loop {
            if self.accept("[") {
                let index = self.expr()?;
                self.expect("]")?;
                expr = Expr::Element(Box::new(expr), Box::new(index));
            } else if self.accept(".") {
                expr = Expr::Field(Box::new(expr), self.name()?);
            } else {
                return Ok(expr);
            }
        }
    }

    fn atom(&mut self) -> Parsed<Expr> {
        match self.peek() {
            Some(Token::Number(_)) => return Ok(Expr::Int(self.number()?)),
            Some(Token::Text(text)) => {
                let text = text.clone();
                self.at += 1;
                return Ok(Expr::Text(text));
            }
            _ => {}
        }
        if self.accept("true") {
            return Ok(Expr::Bool(true));
        }
        if self.accept("false") {
            return Ok(Expr::Bool(false));
        }
        if self.accept("(") {
            let expr = self.expr()?;
            self.expect(")")?;
            return Ok(expr);
        }
        if self.accept("[") {
            return Ok(Expr::Array(self.list("]")?));
        }
        let name = self.name()?;
        if self.accept("(") {
            return Ok(Expr::Call(name, self.list(")")?));
        }
        // `R0 { p0 = …`: no block can follow a name.
        if self.is("{") && self.is_at(2, "=") {
            return self.record(name);
        }
        Ok(Expr::Variable(name))
    }

    fn record(&mut self, name: String) -> Parsed<Expr> {
        let mut fields = Vec::new();
        self.expect("{")?;
        loop {
            let field = self.name()?;
            self.expect("=")?;
            fields.push((field, self.expr()?));
            if !self.accept(",") {
                self.expect("}")?;
                return Ok(Expr::Record(name, fields));
            }
        }
    }

    fn list(&mut self, end: &str) -> Parsed<Vec<Expr>> {
        let mut items = vec![self.expr()?];
        while self.accept(",") {
            items.push(self.expr()?);
        }
        self.expect(end)?;
        Ok(items)
    }
}
