//! Parses expressions: LALA's `(f a b)`, and infix operators, `if`, `match`, `let` and field access.
//!
//! Parentheses are a call if they contain consecutive terms; otherwise they group. The arguments of a call are *terms*
//! (names, literals, field reads, brackets); an operator expression needs its own parentheses, so `(f a -1)` has two
//! arguments and `(f (a - 1))` has one. A dot after a space starts a term (`.local`); a dot without a space reads a
//! field.

use super::lex::{Token, TokenKind};
use super::parser::{Parser, RESERVED, is_symbol};
use super::strings::Escapes;
use crate::codes;
use crate::externals::External;
use polysmith_value::syntax::{Arm, ExprId, ExprKind, FieldValue, Name, Op, Param};

/// Infix operators by precedence, lowest first. `not` is between the second and the third level.
const LEVELS: [&[(&str, Op)]; 5] = [
    &[("or", Op::Or)],
    &[("and", Op::And)],
    &[("==", Op::Eq), ("!=", Op::Ne), ("<=", Op::Le), (">=", Op::Ge), ("<", Op::Lt), (">", Op::Gt)],
    &[("+", Op::Add), ("-", Op::Sub)],
    &[("*", Op::Mul), ("/", Op::Div), ("%", Op::Mod)],
];
const COMPARISON: usize = 2;

impl Parser<'_> {
    /// Parses an expression of any form.
    pub(crate) fn expression(&mut self) -> Option<ExprId> {
        self.deeper(|parser| {
            if parser.at_keyword("if") {
                return parser.conditional();
            }
            if parser.at_keyword("match") {
                return parser.choice();
            }
            if parser.at_keyword("let") {
                return parser.binding();
            }
            parser.binary(0)
        })
    }

    /// Whether a keyword that the published language does not have is used as one: it is followed by the start of a
    /// term, and not by a dot that reads an attribute of a child of that name.
    fn at_keyword(&self, word: &str) -> bool {
        self.at_word(word) && {
            let next = self.look(1);
            starts_term(next) || is_symbol(next, "-")
        }
    }

    fn conditional(&mut self) -> Option<ExprId> {
        let start = self.bump().start;
        let condition = self.expression()?;
        if !self.eat_word("then") {
            self.unexpected("`then` after the condition");
            return None;
        }
        let then = self.expression()?;
        if !self.eat_word("else") {
            if let Some(diagnostic) = self.unexpected("`else`") {
                diagnostic.help("every `if` has a value, so it needs both branches");
            }
            return None;
        }
        let otherwise = self.expression()?;
        Some(self.expr(ExprKind::If { condition, then, otherwise }, start))
    }

    fn choice(&mut self) -> Option<ExprId> {
        let start = self.bump().start;
        let subject = self.expression()?;
        self.expect("{", "before the arms of `match`")?;
        let mut arms = Vec::new();
        while !self.at("}") && !self.at_end() {
            let pattern = self.pattern()?;
            let condition = if self.eat_word("if") { Some(self.expression()?) } else { None };
            self.expect("->", "after the pattern")?;
            let body = self.expression()?;
            arms.push(Arm { pattern, condition, body });
            if !self.eat(";") {
                break;
            }
        }
        self.expect("}", "after the arms, or `;` before the next one")?;
        Some(self.expr(ExprKind::Match { subject, arms }, start))
    }

    fn binding(&mut self) -> Option<ExprId> {
        let start = self.bump().start;
        let pattern = self.pattern()?;
        let annotation = if self.eat(":") { Some(self.type_expression()?) } else { None };
        self.expect("=", "and the value")?;
        let value = self.expression()?;
        if !self.eat_word("in") {
            self.unexpected("`in` after the value of `let`");
            return None;
        }
        let body = self.expression()?;
        Some(self.expr(ExprKind::Let { pattern, annotation, value, body }, start))
    }

    /// Parses left-associative operators of one level. A chain of the same operator becomes one operation.
    fn binary(&mut self, level: usize) -> Option<ExprId> {
        if level == COMPARISON && self.at_keyword("not") {
            let start = self.bump().start;
            let operand = self.deeper(|parser| parser.binary(COMPARISON))?;
            return Some(self.expr(ExprKind::Op { op: Op::Not, args: vec![operand] }, start));
        }
        if level == LEVELS.len() {
            return self.unary();
        }
        let start = self.next.start;
        let mut left = self.binary(level + 1)?;
        let mut n_operators = 0;
        while let Some(op) = self.infix(level) {
            let operator = self.bump();
            if level == COMPARISON && n_operators == 1 {
                let span = self.span(operator);
                self.error(codes::SYNTAX, span, "comparisons cannot be chained")
                    .help("write `a < b and b < c`");
            }
            n_operators += 1;
            let mut args = vec![left, self.binary(level + 1)?];
            while level != COMPARISON && self.infix(level) == Some(op) {
                self.bump();
                args.push(self.binary(level + 1)?);
            }
            left = self.expr(ExprKind::Op { op, args }, start);
        }
        Some(left)
    }

    fn infix(&self, level: usize) -> Option<Op> {
        let text = match self.next.kind {
            TokenKind::Symbol(_) | TokenKind::Name => self.lexer.text(self.next),
            _ => return None,
        };
        LEVELS[level].iter().find(|(name, _)| *name == text).map(|(_, op)| *op)
    }

    fn unary(&mut self) -> Option<ExprId> {
        if !self.at("-") || self.at_negative() {
            return self.term();
        }
        let start = self.bump().start;
        let operand = self.deeper(Self::unary)?;
        Some(self.expr(ExprKind::Op { op: Op::Neg, args: vec![operand] }, start))
    }

    /// Whether a minus sign is followed by a number without a space between.
    fn at_negative(&self) -> bool {
        let digits = self.look(1);
        self.at("-") && digits.kind == TokenKind::Int && !digits.spaced
    }

    /// Parses a primary with its field reads and updates.
    pub(crate) fn term(&mut self) -> Option<ExprId> {
        let start = self.next.start;
        let mut base = self.primary()?;
        loop {
            if self.at(".") && !self.next.spaced {
                self.bump();
                let field = self.name("a field or attribute after `.`")?;
                base = self.expr(ExprKind::Field { base, field }, start);
            } else if self.at_word("with") && is_symbol(self.look(1), "{") {
                self.bump();
                let fields = self.list("{", "}", Self::field_value)?;
                base = self.expr(ExprKind::Update { base, fields }, start);
            } else {
                return Some(base);
            }
        }
    }

    fn field_value(&mut self) -> Option<FieldValue> {
        let name = self.name("a field")?;
        self.expect("=", "and the value of the field")?;
        Some(FieldValue { name, value: self.expression()? })
    }

    /// Parses a term without fields: a name, a literal, or something in brackets.
    pub(crate) fn primary(&mut self) -> Option<ExprId> {
        let start = self.next.start;
        let kind = match self.next.kind {
            TokenKind::Int => {
                let token = self.bump();
                ExprKind::Int(self.lexer.text(token).into())
            }
            TokenKind::Char => ExprKind::Str(self.character()),
            TokenKind::Quote => ExprKind::Str(self.string(Escapes::Replaced).text.into()),
            TokenKind::Name => return self.named(),
            TokenKind::Symbol("-") if self.at_negative() => {
                self.bump();
                let token = self.bump();
                ExprKind::Int(format!("-{}", self.lexer.text(token)).into())
            }
            TokenKind::Symbol("$") => {
                self.bump();
                return Some(self.external(External::Generated, start));
            }
            TokenKind::Symbol(".") => {
                self.bump();
                let name = self.name("the name of a local value after `.`")?;
                return Some(self.external(External::Local(name), start));
            }
            TokenKind::Symbol("[") => ExprKind::List(self.list("[", "]", Self::expression)?),
            TokenKind::Symbol("{") => ExprKind::Record(self.list("{", "}", Self::field_value)?),
            TokenKind::Symbol("(") => return self.deeper(Self::parenthesized),
            _ => {
                self.unexpected("an expression");
                return None;
            }
        };
        Some(self.expr(kind, start))
    }

    fn named(&mut self) -> Option<ExprId> {
        let start = self.next.start;
        let kind = match self.lexer.text(self.next) {
            word @ ("true" | "false") => {
                self.bump();
                ExprKind::Bool(word == "true")
            }
            "nil" => {
                self.bump();
                ExprKind::Nil
            }
            _ if self.at_qualified() => {
                let (module, name) = self.qualified()?;
                ExprKind::Qualified { module, name }
            }
            _ => ExprKind::Name(self.name("an expression")?),
        };
        if self.at("(") && !self.next.spaced {
            let callee = self.lexer.between(start, self.last_end);
            if let Some(diagnostic) = self.unexpected("an operator or the end of the expression") {
                diagnostic.help(format!("a call is written `({callee} argument argument)`"));
            }
            return None;
        }
        Some(self.expr(kind, start))
    }

    /// At `(`: a call, a function, a tuple, or an expression in parentheses.
    fn parenthesized(&mut self) -> Option<ExprId> {
        let start = self.bump().start;
        if self.at_lambda() {
            return self.lambda(start);
        }
        if self.at_word("if") && !is_symbol(self.look(1), ".") {
            return self.conditional_call(start);
        }
        if let Some(op) = self.prefix_operator() {
            self.bump();
            let args = self.terms()?;
            self.expect(")", "after the arguments")?;
            let op = op.with_operands(args.len());
            return Some(self.expr(ExprKind::Op { op, args }, start));
        }
        if let Some(callee) = self.callee() {
            let callee = callee?;
            let args = self.terms()?;
            self.expect(")", "after the arguments")?;
            let kind =
                if args.is_empty() { ExprKind::Paren(callee) } else { ExprKind::Call { callee, args } };
            return Some(self.expr(kind, start));
        }
        let inner = self.expression()?;
        if self.at(",") {
            let mut items = vec![inner];
            while self.eat(",") && !self.at(")") {
                items.push(self.expression()?);
            }
            self.expect(")", "at the end of the tuple")?;
            return Some(self.expr(ExprKind::Tuple(items), start));
        }
        let kind = if starts_term(self.next) && self.can_be_called(inner) {
            ExprKind::Call { callee: inner, args: self.terms()? }
        } else {
            ExprKind::Paren(inner)
        };
        self.expect(")", "or an operator")?;
        Some(self.expr(kind, start))
    }

    fn can_be_called(&self, callee: ExprId) -> bool {
        use ExprKind::{Call, External, Field, Name, Paren, Qualified};
        matches!(
            self.arena[callee].kind,
            Name(_) | Qualified { .. } | Call { .. } | Paren(_) | Field { .. } | External(_)
        )
    }

    /// Whether `name … ->` follows `(`.
    fn at_lambda(&self) -> bool {
        let mut lexer = self.lexer;
        let mut token = self.next;
        while token.kind == TokenKind::Name {
            token = lexer.token();
        }
        is_symbol(token, "->")
    }

    fn lambda(&mut self, start: usize) -> Option<ExprId> {
        let mut params = Vec::new();
        while !self.at("->") {
            params.push(Param { name: self.name("a parameter")?, annotation: None });
        }
        self.bump();
        let body = self.expression()?;
        self.expect(")", "after the function")?;
        Some(self.expr(ExprKind::Lambda { params, body }, start))
    }

    /// Parses `(if c a b)` or `(if c then a else b)` after the parenthesis.
    fn conditional_call(&mut self, start: usize) -> Option<ExprId> {
        let word = self.next;
        // Only the infix form has `then`; its condition may be any expression, so it is tried first.
        let mut depth = 0_u32;
        let mut ahead = self.lexer;
        let infix = loop {
            let token = ahead.token();
            match token.kind {
                TokenKind::Symbol("(" | "[" | "{") => depth += 1,
                TokenKind::Symbol(")" | "]" | "}") if depth == 0 => break false,
                TokenKind::Symbol(")" | "]" | "}") => depth -= 1,
                TokenKind::Name if depth == 0 && self.is_word(token, "then") => break true,
                TokenKind::End | TokenKind::Symbol(";") => break false,
                TokenKind::Quote => {
                    use super::lex::{Piece, StringMode};
                    while !matches!(ahead.piece(StringMode::Plain), Piece::Quote | Piece::End) {}
                }
                _ => {}
            }
        };
        if infix {
            let inner = self.conditional()?;
            self.expect(")", "after the expression")?;
            return Some(self.expr(ExprKind::Paren(inner), start));
        }
        self.bump();
        let args = self.terms()?;
        self.expect(")", "after the arguments")?;
        let n_args = args.len();
        let Ok([condition, then, otherwise]) = <[ExprId; 3]>::try_from(args) else {
            let span = self.span(word);
            self.error(codes::IF_ARITY, span, format!("`if` takes 3 arguments, not {n_args}"))
                .help("write `(if condition value other)` or `if condition then value else other`");
            return Some(self.expr(ExprKind::Error, start));
        };
        Some(self.expr(ExprKind::If { condition, then, otherwise }, start))
    }

    /// The operator at the head of a call: `(+ a b)`, `(and a b)`.
    fn prefix_operator(&self) -> Option<Op> {
        let next = self.look(1);
        let op = match self.next.kind {
            TokenKind::Symbol("-") if !next.spaced => return None,
            TokenKind::Symbol(_) | TokenKind::Name => Op::from_name(self.lexer.text(self.next))?,
            _ => return None,
        };
        let called = match self.next.kind {
            TokenKind::Symbol(_) => true,
            _ => self.argument_follows(next) || is_symbol(next, ")"),
        };
        called.then_some(op)
    }

    /// The callee if the head of a call is a name: `(f a …`, `(Module:f …`. The inner option is `None` after an error.
    fn callee(&mut self) -> Option<Option<ExprId>> {
        if self.next.kind != TokenKind::Name {
            return None;
        }
        let start = self.next.start;
        // In the head of a call, the published language allows spaces around the colon.
        if is_symbol(self.look(1), ":") {
            let qualified = self.qualified();
            return Some(
                qualified.map(|(module, name)| self.expr(ExprKind::Qualified { module, name }, start)),
            );
        }
        let next = self.look(1);
        let word = self.lexer.text(self.next);
        let head = !RESERVED.contains(&word) && !["not", "if", "match", "let"].contains(&word);
        if !head || !self.argument_follows(next) {
            return None;
        }
        let name: Name = self.word();
        Some(Some(self.expr(ExprKind::Name(name), start)))
    }

    /// Whether a token after the head of a call starts an argument, and is not an infix keyword.
    fn argument_follows(&self, token: Token) -> bool {
        let infix = token.kind == TokenKind::Name && ["and", "or", "with"].contains(&self.lexer.text(token));
        if is_symbol(token, "-") {
            let digits = self.look(2);
            return token.spaced && digits.kind == TokenKind::Int && !digits.spaced;
        }
        !infix && starts_term(token)
    }

    /// Parses the arguments of a call, up to `)`.
    fn terms(&mut self) -> Option<Vec<ExprId>> {
        let mut args = Vec::new();
        loop {
            let infix = (0..LEVELS.len()).any(|level| self.infix(level).is_some());
            if self.at_negative() || (starts_term(self.next) && !infix) {
                args.push(self.term()?);
            } else if self.at(",") {
                let span = self.span(self.next);
                self.error(codes::SYNTAX, span, "arguments are separated by blanks, not by commas")
                    .help("leave the comma out; a tuple needs parentheses of its own");
                self.bump();
            } else if infix {
                if let Some(diagnostic) = self.unexpected("an argument or `)`") {
                    diagnostic.help("an argument with operators needs parentheses: `(f (a + 1))`");
                }
                return None;
            } else {
                return Some(args);
            }
        }
    }
}

fn starts_term(token: Token) -> bool {
    match token.kind {
        TokenKind::Name | TokenKind::Int | TokenKind::Char | TokenKind::Quote => true,
        TokenKind::Symbol("(" | "[" | "{" | "$") => true,
        TokenKind::Symbol(".") => token.spaced,
        _ => false,
    }
}
