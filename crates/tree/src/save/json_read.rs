//! The JSON form, read without recursion: a pull reader over the text and a stack of open nodes.

use super::layout::Layout;
use super::{Header, LoadError, unfit};
use crate::build::TreeBuilder;
use crate::node::{Gap, Kind};
use crate::tree::Tree;
use polysmith_grammar::{BlockId, Grammar, RuleId, TokenType};

/// Reads the header line.
pub(super) fn header(bytes: &[u8]) -> Result<Header, LoadError> {
    first_line(bytes).map(|line| line.header)
}

/// The header line: what it says, and where it ends.
struct FirstLine {
    header: Header,
    layout: Option<Layout>,
    end: usize,
}

fn first_line(bytes: &[u8]) -> Result<FirstLine, LoadError> {
    let line_end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let line: serde_json::Value =
        serde_json::from_slice(&bytes[..line_end]).map_err(|_| LoadError::NotATree)?;
    let text = |key: &str| line.get(key).and_then(|value| value.as_str()).unwrap_or("").to_owned();
    let layout = match line.get("polysmith_tree").and_then(|version| version.as_u64()) {
        None => return Err(LoadError::NotATree),
        Some(1) => None,
        Some(2) => {
            let damaged = || LoadError::Damaged { offset: 0, what: "expected `buffers` and `order`".into() };
            Some(layout(&line).ok_or_else(damaged)?)
        }
        Some(version) => return Err(LoadError::Version(version)),
    };
    let header = Header { language: text("language"), hash: text("hash") };
    Ok(FirstLine { header, layout, end: line_end })
}

fn layout(line: &serde_json::Value) -> Option<Layout> {
    let numbers = |value: &serde_json::Value| -> Option<Vec<usize>> {
        let number = |value: &serde_json::Value| value.as_u64().and_then(|number| number.try_into().ok());
        value.as_array()?.iter().map(number).collect()
    };
    let run = |value: &serde_json::Value| match numbers(value)?[..] {
        [start, end] => Some(start..end),
        _ => None,
    };
    let order = match line.get("order") {
        None => None,
        Some(order) => Some(order.as_array()?.iter().map(run).collect::<Option<Vec<_>>>()?),
    };
    Some(Layout { buffers: numbers(line.get("buffers")?)?, order })
}

pub(super) fn load(bytes: &[u8], grammar: &Grammar) -> Result<(Header, Tree), LoadError> {
    let FirstLine { header, layout, end } = first_line(bytes)?;
    let mut reader = Reader { bytes, at: end, grammar, builder: TreeBuilder::new(), open: Vec::new() };
    reader.node()?;
    while !reader.open.is_empty() {
        reader.step()?;
    }
    reader.blank();
    if reader.at < bytes.len() {
        return Err(reader.damaged("nothing more"));
    }
    let mut tree = reader.builder.finish();
    if let Some(layout) = layout {
        let offset = reader.at;
        let damaged = |what| LoadError::Damaged { offset, what: format!("expected {what}") };
        tree = layout.apply(tree).map_err(damaged)?;
    }
    Ok((header, tree))
}

/// An inner node whose children are being read.
enum Open {
    Rule(RuleId),
    /// The alternatives that the items name, and how many items were read.
    List {
        block: BlockId,
        alts: Vec<u32>,
        items: usize,
    },
    Item,
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    grammar: &'a Grammar,
    builder: TreeBuilder,
    open: Vec<Open>,
}

impl Reader<'_> {
    /// One child of the innermost open node, or its end.
    fn step(&mut self) -> Result<(), LoadError> {
        self.blank();
        if self.take(b']') {
            if !matches!(self.open.pop(), Some(Open::Item)) {
                self.expect(b'}')?;
            }
            self.builder.close();
            self.blank();
            self.take(b',');
            return Ok(());
        }
        match self.open.last_mut() {
            Some(Open::List { block, alts, items }) => {
                let alt = alts.get(*items).copied().unwrap_or(1);
                *items += 1;
                if alt == 0 || alt as usize > self.grammar.alternatives(*block).len() {
                    return Err(unfit(self.grammar, format!("a group has no alternative {alt}")));
                }
                self.expect(b'[')?;
                self.builder.open_item(alt);
                self.open.push(Open::Item);
                Ok(())
            }
            _ => self.node(),
        }
    }

    /// A node up to its children, or a whole leaf. Keys stand in any order but `children` and `items`, which
    /// come last.
    fn node(&mut self) -> Result<(), LoadError> {
        self.expect(b'{')?;
        let mut seen = Seen::default();
        loop {
            self.blank();
            if self.take(b'}') {
                self.leaf(seen)?;
                self.blank();
                self.take(b',');
                return Ok(());
            }
            let key = self.string()?;
            self.expect(b':')?;
            match key.as_str() {
                "children" => return self.open_rule(seen),
                "items" => return self.open_list(seen),
                "rule" => seen.rule = Some(self.string()?),
                "token" => seen.token = Some(self.string()?),
                "gap" => seen.gap = Some(self.string()?),
                "text" => seen.text = self.string()?.into_bytes(),
                "bytes" => seen.text = self.hex()?,
                "alt" => seen.alt = self.number()?,
                "list" => seen.list = Some(self.number()?),
                "alts" => seen.alts = self.numbers()?,
                "hidden" => seen.hidden = self.truth()?,
                "error" => seen.error = self.truth()?,
                "missing" => seen.missing = self.truth()?,
                _ => return Err(self.damaged("a key of a saved tree")),
            }
            self.blank();
            self.take(b',');
        }
    }

    fn open_rule(&mut self, seen: Seen) -> Result<(), LoadError> {
        let name = seen.rule.ok_or_else(|| self.damaged("`rule` before `children`"))?;
        let rule =
            self.grammar.rule_named(&name).ok_or_else(|| unfit(self.grammar, format!("no rule `{name}`")))?;
        if seen.alt as usize > self.grammar.alternatives(self.grammar.rule(rule).body()).len() {
            return Err(unfit(self.grammar, format!("rule `{name}` has no alternative {}", seen.alt)));
        }
        self.expect(b'[')?;
        self.builder.open_rule(rule, seen.alt);
        self.open.push(Open::Rule(rule));
        Ok(())
    }

    fn open_list(&mut self, seen: Seen) -> Result<(), LoadError> {
        let number = seen.list.ok_or_else(|| self.damaged("`list` before `items`"))?;
        let rule = self.open.iter().rev().find_map(|open| match open {
            Open::Rule(rule) => Some(*rule),
            _ => None,
        });
        let rule = rule.ok_or_else(|| self.damaged("a rule around the list"))?;
        let block = self.grammar.block_numbered(rule, number as usize).ok_or_else(|| {
            unfit(self.grammar, format!("rule `{}` has no group {number}", self.grammar.rule(rule).name))
        })?;
        self.expect(b'[')?;
        self.builder.open_list(block);
        self.open.push(Open::List { block, alts: seen.alts, items: 0 });
        Ok(())
    }

    fn leaf(&mut self, seen: Seen) -> Result<(), LoadError> {
        if self.builder.is_empty() {
            return Err(self.damaged("a rule at the root"));
        }
        let kind = match seen.token {
            None => Kind::Gap(match seen.gap.as_deref() {
                Some("dropped") => Gap::Dropped,
                Some("rest") => Gap::Rest,
                Some("note") => Gap::Note,
                _ => Gap::Skipped,
            }),
            Some(name) => {
                let token = self.token(&name)?;
                match (seen.hidden, seen.error, seen.missing) {
                    (true, ..) => Kind::Hidden(token),
                    (_, true, _) => Kind::Error(token),
                    (.., true) => Kind::Missing(token),
                    _ => Kind::Token(token),
                }
            }
        };
        self.builder.leaf(kind, &seen.text);
        Ok(())
    }

    fn token(&self, name: &str) -> Result<TokenType, LoadError> {
        let tokens = self.grammar.tokens();
        let numbered = || name.parse().ok().filter(|n: &usize| *n < tokens.len()).map(TokenType::new);
        let found = tokens.literal(name).or_else(|| tokens.named(name)).or_else(numbered);
        found.ok_or_else(|| unfit(self.grammar, format!("no token `{name}`")))
    }

    fn blank(&mut self) {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        let there = self.bytes.get(self.at) == Some(&byte);
        self.at += usize::from(there);
        there
    }

    fn expect(&mut self, byte: u8) -> Result<(), LoadError> {
        self.blank();
        if self.take(byte) { Ok(()) } else { Err(self.damaged(&format!("`{}`", char::from(byte)))) }
    }

    fn string(&mut self) -> Result<String, LoadError> {
        self.expect(b'"')?;
        let start = self.at - 1;
        loop {
            match self.bytes.get(self.at) {
                Some(b'"') => break,
                Some(b'\\') => self.at += 2,
                Some(_) => self.at += 1,
                None => return Err(self.damaged("the end of a string")),
            }
        }
        self.at += 1;
        let text = self.bytes.get(start..self.at).unwrap_or_default();
        serde_json::from_slice(text).map_err(|_| self.damaged("a string"))
    }

    fn hex(&mut self) -> Result<Vec<u8>, LoadError> {
        let text = self.string()?;
        let digits: Option<Vec<u32>> = text.chars().map(|c| c.to_digit(16)).collect();
        let digits =
            digits.filter(|digits| digits.len() % 2 == 0).ok_or_else(|| self.damaged("bytes in hex"))?;
        Ok(digits.chunks_exact(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect())
    }

    fn number(&mut self) -> Result<u32, LoadError> {
        self.blank();
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        let digits = std::str::from_utf8(&self.bytes[start..self.at]).unwrap_or_default();
        digits.parse().map_err(|_| self.damaged("a number"))
    }

    fn numbers(&mut self) -> Result<Vec<u32>, LoadError> {
        self.expect(b'[')?;
        let mut numbers = Vec::new();
        self.blank();
        while !self.take(b']') {
            numbers.push(self.number()?);
            self.blank();
            self.take(b',');
            self.blank();
        }
        Ok(numbers)
    }

    fn truth(&mut self) -> Result<bool, LoadError> {
        self.blank();
        for (word, value) in [("true", true), ("false", false)] {
            if self.bytes[self.at..].starts_with(word.as_bytes()) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err(self.damaged("`true` or `false`"))
    }

    fn damaged(&self, what: &str) -> LoadError {
        LoadError::Damaged { offset: self.at, what: format!("expected {what}") }
    }
}

/// The keys of a node read so far.
#[derive(Default)]
struct Seen {
    rule: Option<String>,
    token: Option<String>,
    gap: Option<String>,
    text: Vec<u8>,
    alt: u32,
    list: Option<u32>,
    alts: Vec<u32>,
    hidden: bool,
    error: bool,
    missing: bool,
}
