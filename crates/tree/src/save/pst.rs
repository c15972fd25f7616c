//! The compact form, `.pst`: a mark, the header, the nodes in preorder as variable-length numbers, the texts.
//!
//! A node is its tag and symbol, then its alternative and size (inner) or the length of its text (leaf). The
//! texts follow each other in the order of the leaves. In format 2 the buffer of each leaf follows, then the number of
//! runs of the print order and each run's first node and length; one run over the whole tree is preorder.

use super::layout::Layout;
use super::{Header, LoadError, unfit};
use crate::build::TreeBuilder;
use crate::node::{Gap, Kind, NodeId};
use crate::tree::Tree;
use polysmith_grammar::{BlockId, Grammar, RuleId, TokenType};

const MARK: &[u8] = b"PST";
const VERSION: u8 = 1;
const VERSION_WITH_LAYOUT: u8 = 2;

pub(super) fn is_pst(bytes: &[u8]) -> bool {
    bytes.starts_with(MARK)
}

/// The compact form of a tree.
pub fn to_pst(tree: &Tree, header: &Header) -> Vec<u8> {
    let mut out = Vec::with_capacity(tree.len() * 4);
    let layout = Layout::of(tree);
    out.extend_from_slice(MARK);
    out.push(if layout.is_some() { VERSION_WITH_LAYOUT } else { VERSION });
    for text in [&header.language, &header.hash] {
        put(text.len(), &mut out);
        out.extend_from_slice(text.as_bytes());
    }
    put(tree.len(), &mut out);
    for id in tree.subtree(NodeId::ROOT) {
        let (tag, symbol, alt) = parts(tree.kind(id));
        put(symbol << 4 | tag, &mut out);
        if tag < FIRST_LEAF {
            put(alt, &mut out);
            put(tree.size(id), &mut out);
        } else {
            put(tree.leaf_text(id).len(), &mut out);
        }
    }
    tree.subtree(NodeId::ROOT).for_each(|id| out.extend_from_slice(tree.leaf_text(id)));
    if let Some(layout) = layout {
        layout.buffers.iter().for_each(|buffer| put(*buffer, &mut out));
        let preorder = 0..tree.len();
        let runs = layout.order.unwrap_or_else(|| vec![preorder]);
        put(runs.len(), &mut out);
        for run in runs {
            put(run.start, &mut out);
            put(run.len(), &mut out);
        }
    }
    out
}

pub(super) fn header(bytes: &[u8]) -> Result<Header, LoadError> {
    Reader::new(bytes)?.header()
}

pub(super) fn load(bytes: &[u8], grammar: &Grammar) -> Result<(Header, Tree), LoadError> {
    let mut reader = Reader::new(bytes)?;
    let header = reader.header()?;
    let n_nodes = reader.number()?;
    let nodes = reader.nodes(n_nodes, grammar)?;
    let mut builder = TreeBuilder::new();
    let mut open: Vec<usize> = Vec::new();
    for (at, (kind, size)) in nodes.into_iter().enumerate() {
        while open.last().is_some_and(|end| *end == at) {
            open.pop();
            builder.close();
        }
        if kind.is_leaf() {
            let text = reader.bytes(size)?;
            builder.leaf(kind, text);
        } else {
            let room = open.last().map_or(n_nodes, |end| *end);
            if size == 0 || size > room - at || (open.is_empty() && size != n_nodes) {
                return Err(reader.damaged("a node inside its parent"));
            }
            builder.open(kind);
            open.push(at + size);
        }
        if open.is_empty() {
            return Err(reader.damaged("a rule at the root"));
        }
    }
    open.iter().for_each(|_| builder.close());
    if builder.is_empty() {
        return Err(reader.damaged("the end of the tree"));
    }
    let mut tree = builder.finish();
    if reader.has_layout {
        let layout = reader.layout(&tree)?;
        tree = layout.apply(tree).map_err(|what| reader.damaged(&what))?;
    }
    if reader.at != bytes.len() {
        return Err(reader.damaged("the end of the tree"));
    }
    Ok((header, tree))
}

const FIRST_LEAF: usize = 3;
const GAPS: [Gap; 4] = [Gap::Skipped, Gap::Dropped, Gap::Rest, Gap::Note];

fn parts(kind: Kind) -> (usize, usize, usize) {
    match kind {
        Kind::Rule { rule, alt } => (0, rule.index(), alt as usize),
        Kind::List { block } => (1, block.index(), 0),
        Kind::Item { alt } => (2, 0, alt as usize),
        Kind::Token(token) => (3, token.index(), 0),
        Kind::Error(token) => (4, token.index(), 0),
        Kind::Missing(token) => (5, token.index(), 0),
        Kind::Hidden(token) => (6, token.index(), 0),
        Kind::Gap(gap) => (7, gap as usize, 0),
    }
}

fn put(mut number: usize, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    has_layout: bool,
}

impl<'a> Reader<'a> {
    fn new(bytes: &'a [u8]) -> Result<Reader<'a>, LoadError> {
        let reader = |has_layout| Reader { bytes, at: MARK.len() + 1, has_layout };
        match bytes.get(MARK.len()) {
            Some(&VERSION) => Ok(reader(false)),
            Some(&VERSION_WITH_LAYOUT) => Ok(reader(true)),
            Some(version) => Err(LoadError::Version(u64::from(*version))),
            None => Err(LoadError::NotATree),
        }
    }

    fn header(&mut self) -> Result<Header, LoadError> {
        Ok(Header { language: self.text()?, hash: self.text()? })
    }

    /// The table of nodes: kinds, checked against the grammar, with sizes (inner) or text lengths (leaves).
    fn nodes(&mut self, n: usize, grammar: &Grammar) -> Result<Vec<(Kind, usize)>, LoadError> {
        let mut nodes = Vec::new();
        for _ in 0..n {
            let head = self.number()?;
            let (tag, symbol) = (head & 15, head >> 4);
            let alt = if tag < FIRST_LEAF { self.number()? } else { 0 };
            let kind = self.kind(tag, symbol, alt, grammar)?;
            nodes.push((kind, self.number()?));
        }
        Ok(nodes)
    }

    /// What format 2 has after the texts.
    fn layout(&mut self, tree: &Tree) -> Result<Layout, LoadError> {
        let n_leaves = tree.subtree(NodeId::ROOT).filter(|id| tree.kind(*id).is_leaf()).count();
        let buffers = (0..n_leaves).map(|_| self.number()).collect::<Result<_, _>>()?;
        let n_runs = self.number()?;
        let mut runs = Vec::new();
        for _ in 0..n_runs {
            let start = self.number()?;
            let end = start.saturating_add(self.number()?);
            runs.push(start..end);
        }
        Ok(Layout { buffers, order: Some(runs) })
    }

    fn kind(&self, tag: usize, symbol: usize, alt: usize, grammar: &Grammar) -> Result<Kind, LoadError> {
        let fits = match tag {
            0 => symbol < grammar.rules().len(),
            1 => symbol < grammar.n_blocks(),
            3..=6 => symbol < grammar.tokens().len(),
            _ => symbol < GAPS.len(),
        };
        if !fits {
            return Err(unfit(grammar, format!("number {symbol} is out of range")));
        }
        let alt = u32::try_from(alt).map_err(|_| self.damaged("the number of an alternative"))?;
        Ok(match tag {
            0 => Kind::Rule { rule: RuleId::new(symbol), alt },
            1 => Kind::List { block: BlockId::new(symbol) },
            2 => Kind::Item { alt },
            3 => Kind::Token(TokenType::new(symbol)),
            4 => Kind::Error(TokenType::new(symbol)),
            5 => Kind::Missing(TokenType::new(symbol)),
            6 => Kind::Hidden(TokenType::new(symbol)),
            7 => Kind::Gap(GAPS[symbol]),
            _ => return Err(self.damaged("the kind of a node")),
        })
    }

    fn number(&mut self) -> Result<usize, LoadError> {
        let mut number = 0_u64;
        for shift in (0..35).step_by(7) {
            let byte = *self.bytes.get(self.at).ok_or_else(|| self.damaged("a number"))?;
            self.at += 1;
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return usize::try_from(number).map_err(|_| self.damaged("a smaller number"));
            }
        }
        Err(self.damaged("a smaller number"))
    }

    fn bytes(&mut self, len: usize) -> Result<&'a [u8], LoadError> {
        let end = self.at.checked_add(len).filter(|end| *end <= self.bytes.len());
        let end = end.ok_or_else(|| self.damaged("more text"))?;
        let text = &self.bytes[self.at..end];
        self.at = end;
        Ok(text)
    }

    fn text(&mut self) -> Result<String, LoadError> {
        let len = self.number()?;
        let bytes = self.bytes(len)?;
        String::from_utf8(bytes.to_vec()).map_err(|_| self.damaged("UTF-8"))
    }

    fn damaged(&self, what: &str) -> LoadError {
        LoadError::Damaged { offset: self.at, what: format!("expected {what}") }
    }
}
