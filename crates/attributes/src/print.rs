//! Prints a program by the templates of its productions.
//!
//! The result is a [`Tree`] whose rules are the classes: fixed texts and leaves are tokens; layout, automatic
//! parentheses and the output of print commands are text between them. Indentation is two spaces per level and is
//! written when something follows on the line, so no line ends in spaces. A stack of frames replaces recursion.

use crate::derivation::{Derivation, Leaf};
use crate::evaluate::{Evaluation, run};
use crate::layout;
use crate::spec::{Occurrence, Print, Production, Source, Spec};
use polysmith_grammar::TokenType;
use polysmith_tree::{Gap, Kind, Tree, TreeBuilder};
use polysmith_value::{Failure, Machine, Node, Value};

const STEP: usize = 2;

/// The result of printing.
#[derive(Debug)]
pub struct Printed {
    /// The program; its text is [`Tree::to_bytes`].
    pub tree: Tree,
    /// Print commands that failed or read an attribute that has no value.
    pub failures: Vec<PrintFailure>,
}

/// A print command that could not be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintFailure {
    /// The node that it prints.
    pub node: usize,
    /// The run-time failure; `None` if the command reads an attribute that has no value.
    pub failure: Option<Box<Failure>>,
}

impl std::fmt::Display for PrintFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.failure {
            Some(failure) => failure.fmt(f),
            None => f.write_str("a print command reads a value that could not be computed"),
        }
    }
}

/// Prints a program. Print commands read the attribute values of `evaluation`.
pub fn print(
    spec: &Spec,
    derivation: &Derivation,
    evaluation: &Evaluation,
    machine: &mut Machine,
) -> Printed {
    let mut printer = Printer {
        spec,
        derivation,
        evaluation,
        machine,
        out: Writer::default(),
        failures: Vec::new(),
        keys: std::cell::OnceCell::new(),
    };
    printer.walk();
    Printed { tree: printer.out.tree.finish(), failures: printer.failures }
}

/// What a generator node prints for a value, without indentation.
pub(crate) fn print_value(
    spec: &Spec,
    production: &Production,
    value: &Value,
    lookup: &mut dyn FnMut(Source) -> Option<Value>,
    machine: &mut Machine,
) -> String {
    let mut text = String::new();
    for instruction in &production.template {
        match instruction {
            Print::Text(fixed, _) => text.push_str(fixed),
            Print::Line | Print::Indent | Print::Unindent => text.push('\n'),
            Print::OwnText => spec.program.shapes().print(value, &mut text),
            Print::Command(call) => {
                let args: Option<Vec<Value>> = call.sources.iter().map(|source| lookup(*source)).collect();
                if let Some(Ok(value)) = args.map(|args| run(&spec.program, call.code, &args, machine)) {
                    spec.program.shapes().print(&value, &mut text);
                }
            }
            Print::Child { .. } | Print::Again(_) => {}
        }
    }
    text
}

/// How the text is written to the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// As tokens.
    Normal,
    /// Not at all, but the nodes stay in the tree.
    Hidden,
    /// As text between tokens: a repetition of something that is printed elsewhere.
    Again,
}

struct Frame {
    node: usize,
    /// The index of the next instruction.
    at: usize,
    mode: Mode,
    /// Whether to write `)` after the current child.
    closing: bool,
}

struct Printer<'a> {
    spec: &'a Spec,
    derivation: &'a Derivation,
    evaluation: &'a Evaluation,
    machine: &'a mut Machine,
    out: Writer,
    failures: Vec<PrintFailure>,
    keys: std::cell::OnceCell<Vec<u64>>,
}

impl Printer<'_> {
    fn walk(&mut self) {
        let mut stack = Vec::new();
        self.enter(0, Mode::Normal, &mut stack);
        while let Some(frame) = stack.last_mut() {
            if std::mem::take(&mut frame.closing) && frame.mode != Mode::Hidden {
                self.out.between(")");
            }
            let production = self.spec.production(self.derivation.nodes[frame.node].production);
            let Some(instruction) = production.template.get(frame.at) else {
                if frame.mode != Mode::Again {
                    self.out.tree.close();
                }
                stack.pop();
                continue;
            };
            frame.at += 1;
            let (node, mode) = (frame.node, frame.mode);
            match instruction {
                Print::Text(text, token) => self.out.token(*token, text, mode),
                // Leaves were printed when they were entered.
                Print::OwnText => {}
                Print::Line if mode != Mode::Hidden => self.out.line(),
                Print::Indent if mode != Mode::Hidden => self.out.indent(),
                Print::Unindent if mode != Mode::Hidden => self.out.unindent(),
                Print::Line | Print::Indent | Print::Unindent => {}
                Print::Child { child, parentheses } => {
                    let inner = self.child(node, *child);
                    if *parentheses && mode != Mode::Hidden && self.needs_parentheses(production, inner) {
                        self.out.between("(");
                        frame.closing = true;
                    }
                    self.enter(inner, mode, &mut stack);
                }
                Print::Command(call) if mode != Mode::Hidden => {
                    if let Some(text) = self.command(node, call) {
                        self.out.computed(&text);
                    }
                }
                Print::Command(_) => {}
                Print::Again(Occurrence::Child(child)) if mode != Mode::Hidden => {
                    let inner = self.child(node, *child);
                    self.enter(inner, Mode::Again, &mut stack);
                }
                Print::Again(_) => {}
            }
        }
    }

    fn enter(&mut self, node: usize, mode: Mode, stack: &mut Vec<Frame>) {
        let id = self.derivation.nodes[node].production;
        let production = self.spec.production(id);
        let mode = if production.hidden && mode == Mode::Normal { Mode::Hidden } else { mode };
        // A hidden production stays hidden when it is repeated.
        if production.hidden && mode == Mode::Again {
            return;
        }
        if mode != Mode::Again {
            self.out.tree.open_rule(production.rule.0, production.rule.1);
            if node == 0 && self.spec.draws() {
                self.out.note(&self.derivation.key.to_string());
            }
        }
        if let Some(token) = production.token {
            self.leaf(node, token, mode);
            if mode != Mode::Again {
                self.out.tree.close();
            }
            return;
        }
        stack.push(Frame { node, at: 0, mode, closing: false });
    }

    fn child(&self, node: usize, child: u32) -> usize {
        self.derivation
            .children(node)
            .nth(child as usize)
            .expect("a derivation has the children of its productions")
    }

    /// Prints a literal or a generated value as one token.
    fn leaf(&mut self, node: usize, token: TokenType, mode: Mode) {
        let production = self.spec.production(self.derivation.nodes[node].production);
        let class = self.spec.class(production.class);
        match &self.derivation.nodes[node].leaf {
            Leaf::Text(value) => self.out.leaf(token, value.as_str().unwrap_or_default(), mode),
            Leaf::Value(value) => {
                let evaluation = self.evaluation;
                let mut lookup = |source: Source| match source {
                    Source::Slot(slot) => evaluation.value(node, slot.attribute).cloned(),
                    Source::Node(_) => None,
                };
                let text = print_value(self.spec, production, value, &mut lookup, self.machine);
                self.out.leaf(token, &text, mode);
            }
            Leaf::Printed(text) => self.out.leaf(token, text, mode),
            // Only without guards: the list had no value to choose.
            Leaf::None => self.out.token(token, &format!("<{}>", class.name), mode),
        }
    }

    fn command(&mut self, node: usize, call: &crate::spec::Call) -> Option<String> {
        let value = |source: &Source| match source {
            Source::Slot(slot) => {
                let owner = match slot.node {
                    Occurrence::This => node,
                    Occurrence::Child(child) => self.child(node, child),
                };
                self.evaluation.value(owner, slot.attribute).cloned()
            }
            Source::Node(_) => {
                let keys = self.keys.get_or_init(|| self.derivation.random_keys());
                Some(Value::Node(Node::new(0, keys[node])))
            }
        };
        let args: Option<Vec<Value>> = call.sources.iter().map(value).collect();
        let Some(args) = args else {
            self.failures.push(PrintFailure { node, failure: None });
            return None;
        };
        match run(&self.spec.program, call.code, &args, self.machine) {
            Ok(value) => {
                let mut text = String::new();
                self.spec.program.shapes().print(&value, &mut text);
                Some(text)
            }
            Err(failure) => {
                self.failures.push(PrintFailure { node, failure: Some(failure) });
                None
            }
        }
    }

    /// Parentheses are needed unless both precedences are known and the child binds tighter.
    fn needs_parentheses(&self, parent: &Production, child: usize) -> bool {
        let child = self.spec.production(self.derivation.nodes[child].production);
        match (parent.precedence, child.precedence) {
            (Some(parent), Some(child)) => child <= parent,
            _ => true,
        }
    }
}

/// Writes tokens and layout. Indentation is pending until the next text.
#[derive(Debug, Default)]
struct Writer {
    tree: TreeBuilder,
    level: usize,
    owed: bool,
}

impl Writer {
    fn token(&mut self, token: TokenType, text: &str, mode: Mode) {
        match mode {
            Mode::Hidden => self.tree.leaf(Kind::Missing(token), b""),
            Mode::Again => self.between(text),
            Mode::Normal => {
                self.pay(text);
                self.tree.token(token, text.as_bytes());
            }
        }
    }

    /// Writes the token of a leaf. A hidden one is kept as a note.
    fn leaf(&mut self, token: TokenType, text: &str, mode: Mode) {
        self.token(token, text, mode);
        if mode == Mode::Hidden {
            self.note(text);
        }
    }

    fn note(&mut self, text: &str) {
        self.tree.leaf(Kind::Gap(Gap::Note), text.as_bytes());
    }

    fn between(&mut self, text: &str) {
        self.pay(text);
        if !text.is_empty() {
            self.tree.leaf(Kind::Gap(Gap::Skipped), text.as_bytes());
        }
    }

    /// Writes a computed text and interprets its line breaks and layout characters.
    fn computed(&mut self, text: &str) {
        for piece in text.split_inclusive(['\n', layout::INDENT, layout::UNINDENT]) {
            self.between(piece.trim_end_matches(['\n', layout::INDENT, layout::UNINDENT]));
            match piece.chars().last() {
                Some('\n') => self.line(),
                Some(layout::INDENT) => self.indent(),
                Some(layout::UNINDENT) => self.unindent(),
                _ => {}
            }
        }
    }

    fn pay(&mut self, text: &str) {
        if self.owed && !text.is_empty() {
            self.owed = false;
            if self.level > 0 {
                let blanks = " ".repeat(self.level * STEP);
                self.tree.leaf(Kind::Gap(Gap::Skipped), blanks.as_bytes());
            }
        }
    }

    fn line(&mut self) {
        self.tree.leaf(Kind::Gap(Gap::Skipped), b"\n");
        self.owed = true;
    }

    fn indent(&mut self) {
        self.level += 1;
        self.line();
    }

    fn unindent(&mut self) {
        self.level = self.level.saturating_sub(1);
        self.line();
    }
}
