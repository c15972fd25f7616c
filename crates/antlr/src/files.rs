//! Prints a [`Grammar`] as the `.g4` files that read to the same grammar, lexer included.
//!
//! A grammar with implicit literals is printed as a combined grammar, any other one as a parser and a lexer grammar,
//! since only these can have modes and channels. Comments, options and header code are not part of a `Grammar` and are
//! not printed. ([`crate::print()`] prints the rules alone.)

mod elements;

use elements::Elements;
use polysmith_grammar::{Command, ElementKind, Grammar, ModeId, RuleId, RuleKind, TokenType};
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

/// The files of a printed grammar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printed {
    /// Names and texts. The first file is the one to read.
    pub files: Vec<(String, String)>,
}

/// Prints a grammar.
///
/// ```
/// let text = "grammar T;\na : b* 'x' EOF ;\nb : B ;\nB : [a-z]+ -> channel(HIDDEN) ;\n";
/// let read = polysmith_antlr::read_str("T", text);
/// let printed = polysmith_antlr::print_files(&read.grammar);
/// assert_eq!(printed.files[0].1, "grammar T;\n\na : b* 'x' EOF ;\n\nb : B ;\n\nB : [a-z]+ -> channel(HIDDEN) ;\n");
/// ```
pub fn print_files(grammar: &Grammar) -> Printed {
    let printer = Printer::new(grammar);
    let name = grammar.name();
    let has_parser = grammar.parser_rules().next().is_some();
    let has_lexer = grammar.rules().any(|rule| grammar.rule(rule).kind != RuleKind::Parser);
    let file = |name: &str, text: String| (format!("{name}.g4"), text);
    let files = if !has_parser {
        vec![file(name, printer.lexer(name))]
    } else if grammar.rules().any(|rule| printer.is_implicit(rule)) {
        vec![file(name, printer.combined())]
    } else if has_lexer {
        let lexer = format!("{name}Lexer");
        vec![file(name, printer.parser(&lexer)), file(&lexer, printer.lexer(&lexer))]
    } else {
        let vocabulary = format!("{name}Tokens");
        vec![file(name, printer.parser(&vocabulary)), (format!("{vocabulary}.tokens"), printer.vocabulary())]
    };
    Printed { files }
}

struct Printer<'a> {
    grammar: &'a Grammar,
    /// Whether literals that refer to tokens ignore case. Either all do or none; rules that are not aliases are
    /// printed with their sets and their own option.
    folds_case: bool,
    /// Rules whose literal also occurs in another rule. Such a literal refers to neither token, but gives the first
    /// rule its name, whatever its commands are.
    shared: HashMap<RuleId, String>,
}

impl<'a> Printer<'a> {
    fn new(grammar: &'a Grammar) -> Self {
        let mut printer = Self { grammar, folds_case: false, shared: HashMap::new() };
        printer.folds_case = printer.decide_case();
        let tokens = grammar.tokens();
        let bound: HashSet<&String> =
            tokens.types().filter_map(|token| tokens.get(token).literal.as_ref()).collect();
        let mut groups: HashMap<String, Vec<RuleId>> = HashMap::new();
        let unbound = grammar.rules().filter(|rule| printer.alias(*rule).is_none());
        for rule in
            unbound.filter(|rule| printer.ignores_case(*rule).is_none_or(|it| it == printer.folds_case))
        {
            let Some(text) = printer.alias_text(rule) else { continue };
            // If case is ignored, the same literal in lower and in upper case may refer to different tokens.
            let small = elements::shown_literal(&text);
            let capital = elements::shown_literal(&text.to_ascii_uppercase());
            let mut spellings = [small, capital].into_iter().take(1 + usize::from(printer.folds_case));
            let Some(literal) = spellings.find(|literal| !bound.contains(literal)) else { continue };
            if groups.contains_key(&literal) || tokens.named(&grammar.rule(rule).name).is_some() {
                groups.entry(literal).or_default().push(rule);
            }
        }
        let shared = groups.into_iter().filter(|(_, rules)| rules.len() > 1);
        printer.shared = shared
            .flat_map(|(literal, rules)| rules.into_iter().map(move |rule| (rule, literal.clone())))
            .collect();
        printer
    }

    /// The case sensitivity of the rules that must be printed as literals: aliases; if there are none, rules that have
    /// a token only by a shared literal, because their commands change the type of their tokens.
    fn decide_case(&self) -> bool {
        let named = |rule: &RuleId| self.grammar.tokens().named(&self.grammar.rule(*rule).name).is_some();
        let mut aliases = self.grammar.rules().filter(|rule| self.alias(*rule).is_some());
        let mut renamed = self.grammar.rules().filter(|rule| self.renames(*rule) && named(rule));
        let by_alias = aliases.find_map(|rule| self.ignores_case(rule));
        by_alias.or_else(|| renamed.find_map(|rule| self.ignores_case(rule))).unwrap_or(false)
    }

    /// Whether a rule of the form of an alias ignores case; `None` if it has no letters.
    fn ignores_case(&self, rule: RuleId) -> Option<bool> {
        let text = self.alias_text(rule)?;
        let only = self.grammar.alternatives(self.grammar.rule(rule).body()).next()?;
        match self.grammar.elements(only).first()?.kind {
            ElementKind::Text(_) => text.chars().any(elements::has_cases).then_some(false),
            _ => Some(true),
        }
    }

    fn renames(&self, rule: RuleId) -> bool {
        self.grammar.alternatives(self.grammar.rule(rule).body()).any(|alternative| {
            let commands = &self.grammar.alternative(alternative).commands;
            commands.iter().any(|command| matches!(command, Command::Type(_) | Command::More))
        })
    }

    fn combined(&self) -> String {
        let mut text = format!("grammar {};\n", self.grammar.name());
        self.case(&mut text);
        self.tokens(&mut text, |token| !self.is_made(token));
        self.parser_rules(&mut text);
        self.lexer_rules(&mut text);
        text
    }

    fn parser(&self, vocabulary: &str) -> String {
        let mut text =
            format!("parser grammar {};\n\noptions {{ tokenVocab = {vocabulary}; }}\n", self.grammar.name());
        let last_rule = self.last_token_of_rules();
        self.tokens(&mut text, |token| !self.is_made(token) && last_rule.is_some_and(|last| token > last));
        self.parser_rules(&mut text);
        text
    }

    fn lexer(&self, name: &str) -> String {
        let mut text = format!("lexer grammar {name};\n");
        self.case(&mut text);
        // A lexer numbers the names in `tokens { … }` first, including those of rules; types that the parser adds come
        // after all rules.
        let has_parser = self.grammar.parser_rules().next().is_some();
        let last_rule = self.last_token_of_rules().filter(|_| has_parser);
        let is_declared =
            |token: &TokenType| !self.is_made(*token) && last_rule.is_none_or(|last| *token < last);
        let last_declared = self.grammar.tokens().types().rfind(is_declared);
        self.tokens(&mut text, |token| last_declared.is_some_and(|last| token <= last));
        let declared = self.grammar.lexer().channels.iter().skip(2);
        let channels: Vec<&str> =
            declared.map(String::as_str).filter(|name| name.parse::<u32>().is_err()).collect();
        if !channels.is_empty() {
            let _ = write!(text, "\nchannels {{ {} }}\n", channels.join(", "));
        }
        self.lexer_rules(&mut text);
        text
    }

    /// Prints the grammar's option if its literals ignore case.
    fn case(&self, text: &mut String) {
        if self.folds_case {
            text.push_str("\noptions { caseInsensitive = true; }\n");
        }
    }

    /// The text of a `.tokens` file, for a parser grammar that has no lexer.
    fn vocabulary(&self) -> String {
        let mut text = String::new();
        let tokens = self.grammar.tokens();
        for token in tokens.types() {
            let entry = tokens.get(token);
            for key in [&entry.name, &entry.literal].into_iter().flatten() {
                let _ = writeln!(text, "{key}={}", token.antlr());
            }
        }
        text
    }

    /// Prints `tokens { … }` with the wanted names.
    fn tokens(&self, text: &mut String, is_wanted: impl Fn(TokenType) -> bool) {
        let tokens = self.grammar.tokens();
        let wanted = tokens.types().filter(|token| is_wanted(*token));
        let names: Vec<&str> = wanted.filter_map(|token| tokens.get(token).name.as_deref()).collect();
        if !names.is_empty() {
            let _ = write!(text, "\ntokens {{ {} }}\n", names.join(", "));
        }
    }

    fn is_made(&self, token: TokenType) -> bool {
        let name = self.grammar.tokens().get(token).name.as_deref();
        let rule = name.and_then(|name| self.grammar.rule_named(name));
        rule.is_some_and(|rule| {
            matches!(self.grammar.rule(rule).kind, RuleKind::Token { token: Some(_), .. })
        })
    }

    fn last_token_of_rules(&self) -> Option<TokenType> {
        self.grammar.tokens().types().rfind(|token| self.is_made(*token))
    }

    /// Whether a rule was created for a literal of the parser.
    fn is_implicit(&self, rule: RuleId) -> bool {
        let name = &self.grammar.rule(rule).name;
        let is_numbered = name.strip_prefix("T__").is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
        is_numbered && self.grammar.rule_span(rule).is_none()
    }

    fn parser_rules(&self, text: &mut String) {
        for rule in self.grammar.parser_rules() {
            let _ = write!(text, "\n{} : {} ;\n", self.grammar.rule(rule).name, self.body(rule));
        }
    }

    fn lexer_rules(&self, text: &mut String) {
        let mut current = ModeId::new(0);
        for rule in self.grammar.rules() {
            let entry = self.grammar.rule(rule);
            if entry.kind == RuleKind::Parser || self.is_implicit(rule) {
                continue;
            }
            if let RuleKind::Token { mode, .. } = entry.kind
                && mode != current
            {
                let _ = write!(text, "\nmode {};\n", self.grammar.lexer().modes[mode.index()].name);
                current = mode;
            }
            let fragment = if entry.kind == RuleKind::Fragment { "fragment " } else { "" };
            // A rule with its own option does not become an alias, and its sets are not changed.
            let is_literal = self.literal(rule).is_some();
            let sensitive = !is_literal && (self.folds_case || self.alias_text(rule).is_some());
            let options = if sensitive { " options { caseInsensitive = false; }" } else { "" };
            let _ = write!(text, "\n{fragment}{}{options} : {} ;\n", entry.name, self.body(rule));
        }
    }

    /// The body of a rule with its commands. A literal that refers to a token is printed as written.
    fn body(&self, rule: RuleId) -> String {
        let elements = Elements { grammar: self.grammar };
        let body = self.grammar.rule(rule).body();
        let alternatives = self.grammar.alternatives(body).map(|alternative| {
            let mut text = match self.literal(rule) {
                Some(literal) => literal + &elements.after_literal(alternative),
                None => elements.alternative(alternative),
            };
            let commands = &self.grammar.alternative(alternative).commands;
            if !commands.is_empty() {
                let commands: Vec<String> = commands.iter().map(|command| self.command(*command)).collect();
                let _ = write!(text, " -> {}", commands.join(", "));
            }
            text
        });
        alternatives.collect::<Vec<_>>().join(" | ")
    }

    /// The literal that refers to a rule's token.
    fn alias(&self, rule: RuleId) -> Option<String> {
        let entry = self.grammar.rule(rule);
        if !matches!(entry.kind, RuleKind::Token { .. }) {
            return None;
        }
        self.grammar.tokens().get(self.grammar.tokens().named(&entry.name)?).literal.clone()
    }

    /// The literal to print for a rule, if any.
    fn literal(&self, rule: RuleId) -> Option<String> {
        self.alias(rule).or_else(|| self.shared.get(&rule).cloned())
    }

    /// The text of a rule of the form of an alias.
    fn alias_text(&self, rule: RuleId) -> Option<String> {
        if !matches!(self.grammar.rule(rule).kind, RuleKind::Token { .. }) {
            return None;
        }
        let mut alternatives = self.grammar.alternatives(self.grammar.rule(rule).body());
        let (Some(only), None) = (alternatives.next(), alternatives.next()) else { return None };
        let commands = &self.grammar.alternative(only).commands;
        let n_arguments = commands.iter().filter(|command| has_argument(**command)).count();
        Elements { grammar: self.grammar }
            .alias_text(only)
            .filter(|(_, has_code)| match commands.len() {
                0 => true,
                1 => !has_code,
                2 => !has_code && n_arguments < 2,
                _ => false,
            })
            .map(|(text, _)| text)
    }

    fn command(&self, command: Command) -> String {
        let mode = |mode: ModeId| &self.grammar.lexer().modes[mode.index()].name;
        match command {
            Command::Skip => "skip".into(),
            Command::More => "more".into(),
            Command::PopMode => "popMode".into(),
            Command::Mode(target) => format!("mode({})", mode(target)),
            Command::PushMode(target) => format!("pushMode({})", mode(target)),
            Command::Channel(number) => {
                let name = self.grammar.lexer().channels.get(number as usize);
                format!("channel({})", name.cloned().unwrap_or_else(|| number.to_string()))
            }
            Command::Type(token) => {
                let name = self.grammar.tokens().get(token).name.clone();
                format!("type({})", name.unwrap_or_else(|| token.antlr().to_string()))
            }
        }
    }
}

fn has_argument(command: Command) -> bool {
    !matches!(command, Command::Skip | Command::More | Command::PopMode)
}
