//! Parses files, classes, attributes, productions and annotations.
//!
//! The published language fixes an order (uses, classes; attributes, productions; locals, rules); here, declarations
//! may be in any order, which includes that of old files. Later keywords (`type`, `fn`, `import`, `require`…) are
//! recognized only where a declaration can start, so they stay usable as names.

use super::lex::TokenKind;
use super::parser::{Parser, is_symbol, nesting};
use super::strings::Escapes;
use crate::codes;
use crate::externals::Externals;
use crate::syntax::{
    Annotation, Argument, ArgumentValue, Attribute, Class, ClassMode, Dialect, Direction, Form, Item, Module,
    Production, Statement,
};
use polysmith_source::{Diagnostics, SourceId};
use polysmith_value::syntax::Arena;

/// Shared by all files of a specification: the expressions, and the meanings of their external leaves.
#[derive(Debug, Default)]
pub(crate) struct Store {
    pub(crate) arena: Arena,
    pub(crate) externals: Externals,
}

/// Parses one file. Reports and skips what it cannot parse.
pub(crate) fn file(
    source: SourceId,
    text: &str,
    dialect: Dialect,
    store: &mut Store,
    found: &mut Diagnostics,
) -> Vec<Item> {
    let mut parser = Parser::new(source, text, dialect, found);
    parser.arena = std::mem::take(&mut store.arena);
    parser.externals = std::mem::take(&mut store.externals);
    let cut_before = parser.arena.too_deep();
    let items = parser.items(false);
    *store = Store { arena: parser.arena, externals: parser.externals };
    if let Some(span) = store.arena.too_deep().filter(|_| cut_before.is_none()) {
        nesting(found, span);
    }
    items
}

impl Parser<'_> {
    /// Parses items to the end of the file, or to the `}` of a module.
    fn items(&mut self, in_module: bool) -> Vec<Item> {
        let mut items = Vec::new();
        while !(self.at_end() || in_module && self.at("}")) {
            let before = self.next.start;
            match self.item() {
                Some(item) => items.push(item),
                None => self.find_next_item(before),
            }
        }
        items
    }

    fn item(&mut self) -> Option<Item> {
        let annotations = self.annotations();
        let follows_name = self.look(1).kind == TokenKind::Name;
        if self.at_word("class") {
            return self.class(ClassMode::New, annotations).map(Item::Class);
        }
        for (word, mode) in [("extend", ClassMode::Extend), ("override", ClassMode::Override)] {
            if self.at_word(word) && self.is_word(self.look(1), "class") {
                self.bump();
                return self.class(mode, annotations).map(Item::Class);
            }
        }
        if let Some(annotation) = annotations.first() {
            self.unexpected("a class after the annotation")?.also(annotation.span, "the annotation");
            return None;
        }
        if self.eat_word("use") {
            let name = self.name("the name of a module")?;
            self.expect(";", "after the module")?;
            return Some(Item::Use(name));
        }
        if self.at_word("import") && self.look(1).kind == TokenKind::Quote {
            self.bump();
            let path = self.string(Escapes::Replaced);
            self.expect(";", "after the imported file")?;
            return Some(Item::Import(path));
        }
        if self.at_word("without") && follows_name {
            self.bump();
            let class = self.name("a class")?;
            let production = if self.eat(".") { Some(self.name("a production")?) } else { None };
            self.expect(";", "after what is left out")?;
            return Some(Item::Without { class, production });
        }
        if self.at_word("module") && follows_name {
            self.bump();
            let name = self.name("the name of the module")?;
            self.expect("{", "before the functions of the module")?;
            let items = self.deeper(|parser| Some(parser.items(true)))?;
            self.expect("}", "at the end of the module")?;
            return Some(Item::Module(Module { name, items }));
        }
        if self.at_word("type") && follows_name {
            return self.type_declaration().map(Item::Type);
        }
        if (self.at_word("fn") || self.at_word("native")) && follows_name {
            return self.function().map(Item::Function);
        }
        self.unexpected("`class`, `use`, `type`, `fn`, `module` or `import`");
        None
    }

    /// Skips to the next possible start of an item. `before` is the start of the failed one.
    fn find_next_item(&mut self, before: usize) {
        loop {
            self.skip_to(&[";", "@"]);
            let stuck = self.next.start == before;
            if self.eat(";") {
                return;
            }
            if self.at_end() || ((self.at_word("class") || self.at("@")) && !stuck) {
                return;
            }
            // A closing bracket or a word that is not expected here.
            self.bump();
            if stuck {
                return;
            }
        }
    }

    fn class(&mut self, mode: ClassMode, annotations: Vec<Annotation>) -> Option<Class> {
        let start = self.bump().start;
        let name = self.name("the name of the class")?;
        let mut class = Class {
            mode,
            annotations,
            name,
            literal: None,
            dialect: self.dialect,
            attributes: Vec::new(),
            productions: Vec::new(),
            body: Vec::new(),
            span: self.span_from(start),
        };
        if self.at("(") && self.look(1).kind == TokenKind::Quote {
            self.bump();
            class.literal = Some(self.string(Escapes::Kept));
            self.expect(")", "after the regular expression")?;
            if self.at(";") {
                self.bump();
                return Some(class);
            }
            if !self.at("{") {
                self.unexpected("`;` or `{` after the literal class");
                return Some(class);
            }
        }
        self.expect("{", "before the attributes and productions of the class")?;
        while !self.at("}") && !self.at_end() && !self.at_next_class() {
            let before = self.next.start;
            if self.member(&mut class).is_none() {
                self.find_next_member(before);
            }
        }
        self.expect("}", "at the end of the class");
        class.span = self.span_from(start);
        Some(class)
    }

    /// Whether another class starts here, which means that this one was never closed.
    fn at_next_class(&self) -> bool {
        self.at_word("class") && self.look(1).kind == TokenKind::Name
    }

    fn find_next_member(&mut self, before: usize) {
        self.skip_to(&[";", "@", "}"]);
        if self.eat(";") || self.next.start != before {
            return;
        }
        if !self.at("}") && !self.at_next_class() {
            self.bump();
        }
    }

    fn member(&mut self, class: &mut Class) -> Option<()> {
        let annotations = self.annotations();
        let direction = [Direction::Inherited, Direction::Synthesized, Direction::Guard]
            .into_iter()
            .find(|direction| self.at_word(direction.word()));
        if let Some(direction) = direction {
            if let Some(annotation) = annotations.first() {
                self.error(codes::ANNOTATION_PLACE, annotation.span, "an attribute has no annotations")
                    .help("annotations precede a class or a production");
            }
            class.attributes.push(self.attribute(direction)?);
            return Some(());
        }
        if class.literal.is_some() {
            class.body.push(self.statement("an attribute, `loc`, a rule or `require`")?);
            return Some(());
        }
        class.productions.push(self.production(annotations)?);
        Some(())
    }

    fn attribute(&mut self, direction: Direction) -> Option<Attribute> {
        self.bump();
        let name = self.name("the name of the attribute")?;
        let mut ty = None;
        if self.at(":") {
            let start = self.bump().start;
            ty = Some(self.type_expression()?);
            if direction == Direction::Guard {
                let span = self.span_from(start);
                self.error(codes::ATTRIBUTE_TYPE, span, format!("the guard `{}` has a type", name.text))
                    .help("a guard is always a condition: leave the type out");
                ty = None;
            }
        } else if direction != Direction::Guard {
            let message = format!("the attribute `{}` has no type", name.text);
            let help = format!("write `{} {} : Type;`", direction.word(), name.text);
            self.error(codes::ATTRIBUTE_TYPE, name.span, message).help(help);
        }
        self.expect(";", "after the attribute")?;
        Some(Attribute { direction, name, ty })
    }

    fn production(&mut self, annotations: Vec<Annotation>) -> Option<Production> {
        let name = self.name("an attribute or a production")?;
        let form = if self.at("(") && self.look(1).kind == TokenKind::Quote {
            self.bump();
            let template = self.template();
            self.expect(")", "after the template")?;
            Form::Tree(template)
        } else if self.at("(") {
            let call = self.primary()?;
            self.expect(":", "and the type of the generated values")?;
            let ty = self.type_expression()?;
            let template = (self.next.kind == TokenKind::Quote).then(|| self.template());
            Form::Generator { call, ty, template }
        } else {
            self.unexpected("`(` and a template, or a call that lists values, after the production's name");
            return None;
        };
        let body = self.body()?;
        Some(Production { annotations, name, form, body })
    }

    fn body(&mut self) -> Option<Vec<Statement>> {
        self.expect("{", "before the rules of the production")?;
        let mut body = Vec::new();
        while !self.at("}") && !self.at_end() && !self.at_next_class() {
            let before = self.next.start;
            match self.statement("`loc`, a rule such as `child.attribute = value;`, or `require`") {
                Some(statement) => body.push(statement),
                None => self.find_next_member(before),
            }
        }
        self.expect("}", "at the end of the rules")?;
        Some(body)
    }

    fn statement(&mut self, expected: &str) -> Option<Statement> {
        if self.eat_word("loc") {
            let name = self.name("the name of the local value")?;
            self.expect("=", "and the value")?;
            let value = self.expression()?;
            self.end_of_statement()?;
            return Some(Statement::Local { name, value });
        }
        // `require.x = …` is a rule for a child named `require`.
        let next = self.look(1);
        if self.at_word("require") && (next.spaced || !is_symbol(next, ".")) {
            self.bump();
            let value = self.expression()?;
            self.end_of_statement()?;
            return Some(Statement::Require { value });
        }
        let node = self.name(expected)?;
        self.expect(".", "and the attribute that gets the value")?;
        let attribute = self.name("the name of an attribute")?;
        self.expect("=", "and the value")?;
        let value = self.expression()?;
        self.end_of_statement()?;
        Some(Statement::Rule { node, attribute, value })
    }

    fn end_of_statement(&mut self) -> Option<()> {
        if self.eat(";") {
            return Some(());
        }
        // The statement is complete: keep it, so that no rule seems to be missing.
        self.unexpected("`;` at the end of the line");
        if !self.at("}") && !self.at_word("loc") {
            self.skip_to(&[";", "}"]);
            self.eat(";");
        }
        Some(())
    }

    fn annotations(&mut self) -> Vec<Annotation> {
        let mut annotations = Vec::new();
        while self.at("@") {
            let start = self.bump().start;
            let Some(name) = self.name("the name of an annotation") else { continue };
            let arguments = if self.eat("(") { self.arguments() } else { Vec::new() };
            annotations.push(Annotation { name, arguments, span: self.span_from(start) });
        }
        annotations
    }

    fn arguments(&mut self) -> Vec<Argument> {
        let mut arguments = Vec::new();
        while !self.at(")") && !self.at_end() {
            match self.argument() {
                Some(argument) => arguments.push(argument),
                None => self.skip_to(&[",", ")"]),
            }
            if !self.eat(",") {
                break;
            }
        }
        if self.expect(")", "after the arguments").is_none() {
            self.skip_to(&[")", ";"]);
            self.eat(")");
        }
        arguments
    }

    fn argument(&mut self) -> Option<Argument> {
        let start = self.next.start;
        let value = match self.next.kind {
            TokenKind::Quote => ArgumentValue::Text(self.string(Escapes::Replaced).text),
            TokenKind::Name => ArgumentValue::Name(self.word().text.to_string()),
            _ => {
                let sign = if self.eat("-") { -1 } else { 1 };
                if self.next.kind != TokenKind::Int {
                    self.unexpected("a number, a string or a name");
                    return None;
                }
                let digits = self.bump();
                match self.lexer.text(digits).parse::<i64>() {
                    Ok(number) => ArgumentValue::Int(sign * number),
                    Err(_) => {
                        let span = self.span(digits);
                        self.error(codes::ANNOTATION_ARGUMENT, span, "this number is too large");
                        return None;
                    }
                }
            }
        };
        Some(Argument { value, span: self.span_from(start) })
    }
}
