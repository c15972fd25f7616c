//! Parses types, patterns, and the declarations of types and functions.

use super::lex::TokenKind;
use super::parser::{Parser, is_symbol};
use super::strings::Escapes;
use polysmith_value::syntax::{
    ConstructorDecl, FieldDecl, FieldPattern, FnBody, FnDecl, Name, Param, PatternId, PatternKind, TypeBody,
    TypeDecl, TypeId, TypeKind,
};
use std::sync::Arc;

impl Parser<'_> {
    /// Parses `type Name(A) = …;` from its keyword.
    pub(crate) fn type_declaration(&mut self) -> Option<TypeDecl> {
        let doc = self.comment_before(self.next.start);
        self.bump();
        let name = self.name("the name of the type")?;
        let params = if self.at("(") {
            self.list("(", ")", |parser| parser.name("a type parameter"))?
        } else {
            Vec::new()
        };
        self.expect("=", "and what the type is")?;
        let body = self.type_body()?;
        self.expect(";", "after the type")?;
        Some(TypeDecl { name, params, body, doc })
    }

    /// Parses `fn name(a : A) : R = e;` or `native fn name(a : A) : R;` from its first keyword.
    pub(crate) fn function(&mut self) -> Option<FnDecl> {
        let doc = self.comment_before(self.next.start);
        let native = self.eat_word("native");
        self.bump();
        let name = self.name("the name of the function")?;
        let params = if self.at("(") { self.list("(", ")", Self::parameter)? } else { Vec::new() };
        let result = if self.eat(":") { Some(self.type_expression()?) } else { None };
        let body = if native {
            FnBody::Native
        } else {
            self.expect("=", "and what the function computes")?;
            FnBody::Expr(self.expression()?)
        };
        self.expect(";", "after the function")?;
        Some(FnDecl { name, params, result, body, doc })
    }

    fn parameter(&mut self) -> Option<Param> {
        let name = self.name("a parameter")?;
        let annotation = if self.eat(":") { Some(self.type_expression()?) } else { None };
        Some(Param { name, annotation })
    }

    fn type_body(&mut self) -> Option<TypeBody> {
        if self.at("{") {
            let field = |parser: &mut Self| {
                let name = parser.name("a field")?;
                parser.expect(":", "and the type of the field")?;
                Some(FieldDecl { name, ty: parser.type_expression()? })
            };
            return Some(TypeBody::Record(self.list("{", "}", field)?));
        }
        // `A | B(T)` and the type `A` start alike; a `|`, here or later, distinguishes them.
        let leading_bar = self.eat("|");
        if !leading_bar && !self.bar_follows() {
            return Some(TypeBody::Alias(self.type_expression()?));
        }
        let mut constructors = vec![self.constructor()?];
        while self.eat("|") {
            constructors.push(self.constructor()?);
        }
        Some(TypeBody::Variant(constructors))
    }

    fn constructor(&mut self) -> Option<ConstructorDecl> {
        let name = self.name("a constructor")?;
        let fields = if self.at("(") { self.list("(", ")", Self::type_expression)? } else { Vec::new() };
        Some(ConstructorDecl { name, fields })
    }

    /// Whether a `|` occurs before the end of the declaration, outside of brackets.
    fn bar_follows(&self) -> bool {
        let mut lexer = self.lexer;
        let mut token = self.next;
        let mut open = 0_u32;
        loop {
            match token.kind {
                TokenKind::Symbol("|") if open == 0 => return true,
                TokenKind::Symbol("(" | "[" | "{") => open += 1,
                TokenKind::Symbol(")" | "]" | "}") if open > 0 => open -= 1,
                TokenKind::Symbol(")" | "]" | "}" | ";" | "=") | TokenKind::End | TokenKind::Quote => {
                    return false;
                }
                _ => {}
            }
            token = lexer.token();
        }
    }

    /// Parses `T`, `T?`, `A -> B`, `(A, B) -> C`.
    pub(crate) fn type_expression(&mut self) -> Option<TypeId> {
        self.deeper(|parser| {
            let start = parser.next.start;
            let (mut params, grouped) = if parser.at("(") {
                (parser.list("(", ")", Self::type_expression)?, true)
            } else {
                (vec![parser.named_type()?], false)
            };
            if parser.at("->") {
                parser.bump();
                let result = parser.type_expression()?;
                let span = parser.span_from(start);
                return Some(parser.arena.ty(TypeKind::Function { params, result }, span));
            }
            let mut ty = match params.len() {
                1 => params.remove(0),
                0 if grouped => {
                    parser.unexpected("`->` after `()`");
                    return None;
                }
                _ => {
                    let span = parser.span_from(start);
                    parser.arena.ty(TypeKind::Tuple(params), span)
                }
            };
            while parser.at("?") {
                parser.bump();
                let span = parser.span_from(start);
                ty = parser.arena.ty(TypeKind::Option(ty), span);
            }
            if parser.at("->") {
                parser.bump();
                let result = parser.type_expression()?;
                let span = parser.span_from(start);
                ty = parser.arena.ty(TypeKind::Function { params: vec![ty], result }, span);
            }
            Some(ty)
        })
    }

    fn named_type(&mut self) -> Option<TypeId> {
        let start = self.next.start;
        let mut name = self.name("a type")?;
        let mut module = None;
        if self.at(":") {
            self.bump();
            module = Some(std::mem::replace(&mut name, self.name("a type of the module")?));
        }
        let args = if self.at("(") { self.list("(", ")", Self::type_expression)? } else { Vec::new() };
        let mut span = self.span_from(start);
        let mut ty = self.arena.ty(TypeKind::Name { module, name, args }, span);
        while self.at("?") {
            self.bump();
            span = self.span_from(start);
            ty = self.arena.ty(TypeKind::Option(ty), span);
        }
        Some(ty)
    }

    /// Parses a pattern, including alternatives with `|`.
    pub(crate) fn pattern(&mut self) -> Option<PatternId> {
        self.deeper(|parser| {
            let start = parser.next.start;
            let first = parser.single_pattern()?;
            if !parser.at("|") {
                return Some(first);
            }
            let mut patterns = vec![first];
            while parser.eat("|") {
                patterns.push(parser.single_pattern()?);
            }
            let span = parser.span_from(start);
            Some(parser.arena.pattern(PatternKind::Or(patterns), span))
        })
    }

    fn single_pattern(&mut self) -> Option<PatternId> {
        let start = self.next.start;
        let kind = match self.next.kind {
            TokenKind::Quote => PatternKind::Str(self.string(Escapes::Replaced).text.into()),
            TokenKind::Char => PatternKind::Str(self.character()),
            TokenKind::Int => {
                let token = self.bump();
                PatternKind::Int(self.lexer.text(token).into())
            }
            TokenKind::Symbol("-") => {
                self.bump();
                if self.next.kind != TokenKind::Int {
                    self.unexpected("a number after `-`");
                    return None;
                }
                let token = self.bump();
                PatternKind::Int(format!("-{}", self.lexer.text(token)).into())
            }
            TokenKind::Symbol("(") => {
                let mut items = self.list("(", ")", Self::pattern)?;
                if items.len() == 1 {
                    return items.pop();
                }
                if items.is_empty() {
                    self.unexpected("a pattern instead of `()`");
                    return None;
                }
                PatternKind::Tuple(items)
            }
            TokenKind::Symbol("{") => PatternKind::Record(self.list("{", "}", Self::field_pattern)?),
            TokenKind::Symbol("[") => self.list_pattern()?,
            TokenKind::Name => self.named_pattern()?,
            _ => {
                self.unexpected("a pattern");
                return None;
            }
        };
        let span = self.span_from(start);
        Some(self.arena.pattern(kind, span))
    }

    fn named_pattern(&mut self) -> Option<PatternKind> {
        match self.lexer.text(self.next) {
            "_" => {
                self.bump();
                return Some(PatternKind::Any);
            }
            word @ ("true" | "false") => {
                self.bump();
                return Some(PatternKind::Bool(word == "true"));
            }
            "nil" => {
                self.bump();
                return Some(PatternKind::Nil);
            }
            _ => {}
        }
        let mut name = self.name("a pattern")?;
        let mut module = None;
        if self.at(":") {
            self.bump();
            module = Some(std::mem::replace(&mut name, self.name("a constructor of the module")?));
        }
        if self.at("(") {
            let args = self.list("(", ")", Self::pattern)?;
            return Some(PatternKind::Constructor { module, name, args });
        }
        Some(match module {
            Some(_) => PatternKind::Constructor { module, name, args: Vec::new() },
            None => PatternKind::Name(name),
        })
    }

    fn field_pattern(&mut self) -> Option<FieldPattern> {
        let name = self.name("a field")?;
        let pattern = if self.eat("=") { Some(self.pattern()?) } else { None };
        Some(FieldPattern { name, pattern })
    }

    fn list_pattern(&mut self) -> Option<PatternKind> {
        self.bump();
        let mut items = Vec::new();
        let mut rest = None;
        while !self.at("]") && !self.at_end() {
            if self.at("..") {
                let start = self.bump().start;
                let named = self.next.kind == TokenKind::Name;
                rest = Some(if named {
                    self.single_pattern()?
                } else {
                    let span = self.span_from(start);
                    self.arena.pattern(PatternKind::Any, span)
                });
                break;
            }
            items.push(self.pattern()?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect("]", "at the end of the list pattern")?;
        Some(PatternKind::List { items, rest })
    }

    /// Parses items between brackets, separated by commas. A trailing comma is allowed.
    pub(crate) fn list<T>(
        &mut self,
        open: &'static str,
        close: &'static str,
        mut item: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        self.expect(open, "here")?;
        let mut items = Vec::new();
        while !self.at(close) && !self.at_end() {
            items.push(item(self)?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(close, "at the end, or `,` before the next")?;
        Some(items)
    }

    pub(crate) fn character(&mut self) -> Arc<str> {
        let token = self.bump();
        self.lexer.text(token).trim_matches('\'').into()
    }

    /// The comment lines directly above an offset.
    fn comment_before(&self, at: usize) -> Option<Arc<str>> {
        let mut lines = Vec::new();
        let mut above = self.lexer.before(at).lines().rev();
        above.next().filter(|line| line.trim().is_empty())?;
        for line in above {
            let Some(comment) = line.trim().strip_prefix('#') else { break };
            lines.push(comment.strip_prefix(' ').unwrap_or(comment));
        }
        lines.reverse();
        (!lines.is_empty()).then(|| lines.join("\n").into())
    }

    /// Whether a name is followed by `:` and another name without spaces between: `Module:name`.
    pub(crate) fn at_qualified(&self) -> bool {
        let (colon, name) = (self.look(1), self.look(2));
        is_symbol(colon, ":") && !colon.spaced && name.kind == TokenKind::Name && !name.spaced
    }

    pub(crate) fn qualified(&mut self) -> Option<(Name, Name)> {
        let module = self.name("a module")?;
        self.expect(":", "and what of the module")?;
        // Keywords may be names in a module: `(Int:true)` would be odd, but is not ambiguous.
        let name = if self.next.kind == TokenKind::Name { self.word() } else { self.name("a function")? };
        Some((module, name))
    }
}
