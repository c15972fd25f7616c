//! A grammar as EBNF text, in ANTLR's notation as far as that goes. Front ends add what makes a file of it.

use crate::charset::CharSet;
use crate::code::{Code, CodeKind};
use crate::ids::{AltId, BlockId, ModeId};
use crate::lexer::Command;
use crate::model::{Associativity, ElementKind, Grammar, Quantifier, RuleKind};
use crate::tokens::TokenType;
use std::fmt::{self, Display, Formatter, Write};

impl Display for Grammar {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for id in self.rules() {
            let rule = self.rule(id);
            if rule.kind == RuleKind::Fragment {
                f.write_str("fragment ")?;
            }
            writeln!(f, "{} : {} ;", rule.name, self.show_block(rule.body()))?;
        }
        Ok(())
    }
}

impl Grammar {
    /// A block as EBNF text, with parentheses and quantifier where it needs them.
    pub fn show_block(&self, block: BlockId) -> impl Display + '_ {
        self.show_block_with(block, TokenNames::Literals)
    }

    /// The same, with a choice of how to show tokens.
    pub fn show_block_with(&self, block: BlockId, names: TokenNames) -> impl Display + '_ {
        let root = match self.block_number(block) {
            None => Root::Body(block),
            Some(_) => Root::Block(block),
        };
        EbnfText { grammar: self, root, names }
    }

    /// An alternative as EBNF text.
    pub fn show_alternative(&self, alt: AltId) -> impl Display + '_ {
        EbnfText { grammar: self, root: Root::Alternative(alt), names: TokenNames::Literals }
    }

    fn show_token(&self, token: TokenType, names: TokenNames) -> String {
        match (names, &self.tokens().get(token).name) {
            (TokenNames::Symbols, Some(name)) => name.clone(),
            _ => self.tokens().display(token),
        }
    }
}

/// How tokens are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenNames {
    /// By their literal where they have one.
    Literals,
    /// By their name where they have one.
    Symbols,
}

struct EbnfText<'a> {
    grammar: &'a Grammar,
    root: Root,
    names: TokenNames,
}

/// What is written.
#[derive(Debug, Clone, Copy)]
enum Root {
    /// The alternatives of a rule, without parentheses.
    Body(BlockId),
    /// A group with its quantifier.
    Block(BlockId),
    Alternative(AltId),
}

/// What is still to be written, the next on top: groups may nest as deep as their author likes.
enum Todo {
    Block(BlockId),
    Alternative(AltId),
    Element(crate::ids::ElementId),
    Text(&'static str),
    Quantifier(Quantifier),
    Label(AltId),
}

impl Display for EbnfText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut todo = Vec::new();
        match self.root {
            Root::Body(block) => self.push_alternatives(block, &mut todo),
            Root::Block(block) => todo.push(Todo::Block(block)),
            Root::Alternative(alt) => todo.push(Todo::Alternative(alt)),
        }
        while let Some(next) = todo.pop() {
            self.write(next, &mut todo, f)?;
        }
        Ok(())
    }
}

impl EbnfText<'_> {
    fn write(&self, next: Todo, todo: &mut Vec<Todo>, f: &mut Formatter<'_>) -> fmt::Result {
        match next {
            Todo::Text(text) => f.write_str(text),
            Todo::Quantifier(quantifier) => write_quantifier(quantifier, f),
            Todo::Label(alt) => {
                let alternative = self.grammar.alternative(alt);
                for (at, command) in alternative.commands.iter().enumerate() {
                    f.write_str(if at == 0 { " -> " } else { ", " })?;
                    self.write_command(*command, f)?;
                }
                alternative.label.as_ref().map_or(Ok(()), |label| write!(f, " # {label}"))
            }
            Todo::Alternative(alt) => {
                if self.grammar.alternative(alt).associativity == Associativity::Right {
                    f.write_str("<assoc=right> ")?;
                }
                todo.push(Todo::Label(alt));
                for (at, element) in self.grammar.element_ids(alt).enumerate().rev() {
                    todo.push(Todo::Element(element));
                    if at > 0 {
                        todo.push(Todo::Text(" "));
                    }
                }
                Ok(())
            }
            Todo::Block(block) => {
                todo.push(Todo::Quantifier(self.grammar.block(block).quantifier));
                if self.is_bare(block) {
                    self.push_alternatives(block, todo);
                } else {
                    todo.push(Todo::Text(")"));
                    self.push_alternatives(block, todo);
                    todo.push(Todo::Text("("));
                }
                Ok(())
            }
            Todo::Element(element) => {
                let element = self.grammar.element(element);
                if let Some(label) = &element.label {
                    write!(f, "{}{}", label.name, if label.list { "+=" } else { "=" })?;
                }
                self.write_element(element.kind, todo, f)
            }
        }
    }

    fn push_alternatives(&self, block: BlockId, todo: &mut Vec<Todo>) {
        for (at, alt) in self.grammar.alternatives(block).enumerate().rev() {
            todo.push(Todo::Alternative(alt));
            if at > 0 {
                todo.push(Todo::Text(" | "));
            }
        }
    }

    /// A quantified single element needs no parentheses, unless it is itself a group.
    fn is_bare(&self, block: BlockId) -> bool {
        let mut alternatives = self.grammar.alternatives(block);
        let (Some(only), None) = (alternatives.next(), alternatives.next()) else { return false };
        let plain = self.grammar.alternative(only).label.is_none();
        match self.grammar.elements(only) {
            [element] => plain && !matches!(element.kind, ElementKind::Block(_) | ElementKind::Code(_)),
            _ => false,
        }
    }

    fn write_element(&self, kind: ElementKind, todo: &mut Vec<Todo>, f: &mut Formatter<'_>) -> fmt::Result {
        let grammar = self.grammar;
        match kind {
            ElementKind::Token(token) => f.write_str(&grammar.show_token(token, self.names)),
            ElementKind::NotTokens(set) => {
                let names: Vec<_> =
                    grammar.token_set(set).iter().map(|t| grammar.show_token(*t, self.names)).collect();
                write!(f, "~({})", names.join(" | "))
            }
            ElementKind::AnyToken => f.write_char('.'),
            ElementKind::Rule(rule) => f.write_str(&grammar.rule(rule).name),
            ElementKind::Block(block) => {
                todo.push(Todo::Block(block));
                Ok(())
            }
            ElementKind::Chars(set) if *grammar.chars(set) == CharSet::all() => f.write_char('.'),
            ElementKind::Chars(set) => write_chars(grammar.chars(set).ranges(), f),
            ElementKind::Text(text) => {
                f.write_char('\'')?;
                grammar.text(text).chars().try_for_each(|c| write_char(c.into(), "'\\", f))?;
                f.write_char('\'')
            }
            ElementKind::Code(code) => {
                let Code { text, kind } = grammar.code(code);
                write!(f, "{{{text}}}{}", if *kind == CodeKind::Action { "" } else { "?" })
            }
        }
    }

    fn write_command(&self, command: Command, f: &mut Formatter<'_>) -> fmt::Result {
        let lexer = self.grammar.lexer();
        let mode = |mode: ModeId| &lexer.modes[mode.index()].name;
        match command {
            Command::Skip => f.write_str("skip"),
            Command::More => f.write_str("more"),
            Command::PopMode => f.write_str("popMode"),
            Command::Type(token) => {
                write!(f, "type({})", self.grammar.show_token(token, TokenNames::Symbols))
            }
            Command::Channel(channel) => write!(f, "channel({})", lexer.channels[channel as usize]),
            Command::Mode(to) => write!(f, "mode({})", mode(to)),
            Command::PushMode(to) => write!(f, "pushMode({})", mode(to)),
        }
    }
}

fn write_quantifier(quantifier: Quantifier, f: &mut Formatter<'_>) -> fmt::Result {
    match (quantifier.min, quantifier.max) {
        (1, Some(1)) => return Ok(()),
        (0, Some(1)) => f.write_char('?')?,
        (0, None) => f.write_char('*')?,
        (1, None) => f.write_char('+')?,
        (min, None) => write!(f, "{{{min},}}")?,
        (min, Some(max)) => write!(f, "{{{min},{max}}}")?,
    }
    if quantifier.greedy { Ok(()) } else { f.write_char('?') }
}

fn write_chars(ranges: &[(u32, u32)], f: &mut Formatter<'_>) -> fmt::Result {
    f.write_char('[')?;
    for (low, high) in ranges {
        write_set_char(*low, f)?;
        if low != high {
            f.write_char('-')?;
            write_set_char(*high, f)?;
        }
    }
    f.write_char(']')
}

/// One end of a range. Everything but printable ASCII is escaped: such ends are often invisible or unassigned.
fn write_set_char(code_point: u32, f: &mut Formatter<'_>) -> fmt::Result {
    match code_point {
        0x7f.. => write!(f, "\\u{{{code_point:X}}}"),
        _ => write_char(code_point, "]-\\", f),
    }
}

fn write_char(code_point: u32, escaped: &str, f: &mut Formatter<'_>) -> fmt::Result {
    match char::from_u32(code_point) {
        Some('\n') => f.write_str("\\n"),
        Some('\r') => f.write_str("\\r"),
        Some('\t') => f.write_str("\\t"),
        Some(c) if escaped.contains(c) => write!(f, "\\{c}"),
        Some(c) if !c.is_control() && c != '\u{feff}' => f.write_char(c),
        _ => write!(f, "\\u{{{code_point:X}}}"),
    }
}
