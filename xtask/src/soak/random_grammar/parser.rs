//! The parser rules of a random grammar.

use super::{Item, Rule, Token};
use polysmith_random::Stream;
use std::fmt::Write;

/// Draws rules `s`, `r1`, `r2`…. A rule calls later ones first, so that recursion is never hidden on the left.
pub(super) fn draw(stream: &mut Stream, n_tokens: usize) -> Vec<Rule> {
    let n_rules = 1 + stream.index(4);
    let operators_at = stream.chance(2, 5).then(|| 1 + stream.index(n_rules));
    let total = n_rules.max(operators_at.map_or(0, |at| at + 1));
    let mut rules: Vec<Rule> = (0..total)
        .map(|at| {
            let mut drawer = Drawer { stream, n_tokens, n_rules: total, rule: at };
            match operators_at == Some(at) {
                true => drawer.operators(),
                false => drawer.plain(),
            }
        })
        .collect();
    if stream.chance(1, 8) {
        rules[0].alternatives.push(Vec::new());
    }
    rules
}

struct Drawer<'a> {
    stream: &'a mut Stream,
    n_tokens: usize,
    n_rules: usize,
    rule: usize,
}

impl Drawer<'_> {
    fn name(&self) -> String {
        if self.rule == 0 { "s".into() } else { format!("r{}", self.rule) }
    }

    fn plain(&mut self) -> Rule {
        let alternatives = self.alternatives(2);
        Rule { name: self.name(), alternatives, left_recursive: false }
    }

    /// Primaries, then operators of all kinds; some rules have the operators first, which ANTLR allows too.
    fn operators(&mut self) -> Rule {
        let own = Item::Rule(self.rule);
        let mut operators = Vec::new();
        for _ in 0..1 + self.stream.index(3) {
            let operator = self.token();
            operators.push(match self.stream.below(8) {
                0..=2 => vec![own.clone(), operator, own.clone()],
                3 => vec![Item::RightAssociative, own.clone(), operator, own.clone()],
                4 => vec![operator, own.clone()],
                5 => vec![own.clone(), operator],
                6 => vec![own.clone(), operator, own.clone(), self.token(), own.clone()],
                _ => vec![own.clone(), Item::Group(vec![vec![operator, own.clone()]], "+")],
            });
        }
        let mut primaries = vec![vec![self.token()]];
        if self.stream.chance(1, 2) {
            primaries.push(vec![self.token(), own.clone(), self.token()]);
        }
        if self.stream.chance(1, 4) && self.rule + 1 < self.n_rules {
            primaries.push(vec![Item::Rule(self.rule + 1)]);
        }
        let mut alternatives = operators;
        alternatives.append(&mut primaries);
        if self.stream.chance(1, 2) {
            self.stream.shuffle(&mut alternatives);
        }
        // Without an operator that begins with the rule it is an ordinary rule, which is fine as well.
        let begins = |alt: &Vec<Item>| alt.iter().find(|i| !matches!(i, Item::RightAssociative)).cloned();
        let left_recursive =
            alternatives.iter().any(|alt| matches!(begins(alt), Some(Item::Rule(at)) if at == self.rule));
        Rule { name: self.name(), alternatives, left_recursive }
    }

    fn alternatives(&mut self, depth: u32) -> Vec<Vec<Item>> {
        (0..1 + self.stream.index(3)).map(|_| self.sequence(depth)).collect()
    }

    fn sequence(&mut self, depth: u32) -> Vec<Item> {
        let n = match self.stream.below(12) {
            0 => 0,
            1..=5 => 1,
            6..=9 => 2,
            _ => 3,
        };
        let mut safe = false; // a token came before: any rule may follow
        let mut items = Vec::new();
        for _ in 0..n {
            let item = self.item(depth, safe);
            safe |= matches!(item, Item::Token(_) | Item::Not(_) | Item::Any);
            items.push(item);
        }
        items
    }

    fn item(&mut self, depth: u32, safe: bool) -> Item {
        match self.stream.below(20) {
            0..=8 => self.token(),
            9..=12 => {
                let first = if safe { 0 } else { self.rule + 1 };
                match first < self.n_rules {
                    true => Item::Rule(first + self.stream.index(self.n_rules - first)),
                    false => self.token(),
                }
            }
            13 => {
                Item::Not((0..1 + self.stream.index(2)).map(|_| self.stream.index(self.n_tokens)).collect())
            }
            14 if self.stream.chance(1, 2) => Item::Any,
            _ if depth == 0 => self.token(),
            _ => {
                let suffix =
                    *self.stream.pick(&["", "?", "*", "+", "?", "*", "+", "??", "*?", "+?"]).expect("ten");
                let alternatives =
                    (0..1 + self.stream.index(2)).map(|_| self.group_sequence(depth - 1, safe));
                Item::Group(alternatives.collect(), suffix)
            }
        }
    }

    /// What stands in a group begins with a token mostly, so that loops rarely loop over nothing.
    fn group_sequence(&mut self, depth: u32, safe: bool) -> Vec<Item> {
        if self.stream.chance(4, 5) {
            let mut items = vec![self.token()];
            if self.stream.chance(1, 2) {
                items.push(self.item(depth, true));
            }
            items
        } else {
            vec![self.item(depth, safe)]
        }
    }

    fn token(&mut self) -> Item {
        Item::Token(self.stream.index(self.n_tokens))
    }
}

/// The rules as `.g4` text. The start rule asks for the end of the input in most grammars.
pub(super) fn print(rules: &[Rule], tokens: &[Token]) -> String {
    let mut out = String::new();
    // The number of alternatives decides, so that the text follows from the rules alone.
    let with_eof = rules.iter().map(|rule| rule.alternatives.len()).sum::<usize>() % 5 != 0;
    let first = &rules[0].name;
    let _ = writeln!(out, "{first} : top{} ;", if with_eof { " EOF" } else { "" });
    for (at, rule) in rules.iter().enumerate() {
        let name = if at == 0 { "top" } else { &rule.name };
        let _ = writeln!(out, "{name} : {} ;", print_alternatives(&rule.alternatives, rules, tokens));
    }
    out
}

fn print_alternatives(alternatives: &[Vec<Item>], rules: &[Rule], tokens: &[Token]) -> String {
    let texts = alternatives.iter().map(|items| {
        let parts: Vec<String> = items.iter().map(|item| print_item(item, rules, tokens)).collect();
        parts.join(" ")
    });
    texts.collect::<Vec<_>>().join(" | ")
}

fn print_item(item: &Item, rules: &[Rule], tokens: &[Token]) -> String {
    match item {
        Item::Token(token) => tokens[*token].spelled.clone(),
        Item::Rule(0) => "top".into(),
        Item::Rule(rule) => rules[*rule].name.clone(),
        Item::Group(alternatives, suffix) => {
            format!("({}){suffix}", print_alternatives(alternatives, rules, tokens))
        }
        Item::Not(set) => {
            let names: Vec<_> = set.iter().map(|token| tokens[*token].spelled.as_str()).collect();
            format!("~({})", names.join(" | "))
        }
        Item::Any => ".".into(),
        Item::RightAssociative => "<assoc=right>".into(),
    }
}
