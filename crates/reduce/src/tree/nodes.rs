//! A tree as the normal form sees it: lists, regular nodes, tokens.
//!
//! - A group that occurs exactly once is not seen; a quantified one is a list of its items.
//! - `x (s x)*` is one list of `x` with separators.
//! - A chain of nodes of one rule along its first or last child is one list: of operands with operators between them,
//!   or of what each step adds.
//! - A chain of nodes with one child each is one node: it expects what its place at the top does and is what the
//!   bottom of it is.
//! - A node that may be empty is a list of at most one.
//! - A node with a parse error directly in it is a list of whatever is in it.
//!
//! Nodes are in preorder and are linked by numbers; each covers a range of tokens. Built once per parse, with an
//! explicit stack, linear.

use polysmith_grammar::analysis::{ListForm, Symbol};
use polysmith_grammar::normal::{Expected, GroupView};
use polysmith_grammar::{AltId, BlockId, RuleId};
use polysmith_tree::{Kind as TreeKind, NodeId, Tree};
use std::ops::Range;

use super::language::Syntax;

mod combs;

/// No node.
pub(crate) const NONE: u32 = u32::MAX;

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NodeKind {
    Token,
    Regular,
    /// Items, of which at least `min` stay; what lies between two is a separator.
    List {
        min: u32,
        element: Option<Expected>,
    },
    /// A region with errors: anything may go.
    Loose,
}

#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    /// What its place asks for; `None` where nothing else fits.
    pub(crate) expected: Option<Expected>,
    /// What it is.
    pub(crate) symbol: Option<Symbol>,
    /// The rule whose text it is, to parse it again.
    pub(crate) rule: Option<RuleId>,
    pub(crate) tokens: Range<u32>,
    pub(crate) parent: u32,
    pub(crate) first_child: u32,
    pub(crate) next: u32,
    /// How many levels above it.
    pub(crate) depth: u32,
}

/// All nodes; the root is 0.
#[derive(Debug, Clone, Default)]
pub(crate) struct Nodes {
    pub(crate) nodes: Vec<Node>,
    /// The innermost node of each token.
    leaves: Vec<u32>,
}

impl Nodes {
    pub(crate) fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let mut next = self.nodes[node as usize].first_child;
        std::iter::from_fn(move || {
            let child = next;
            if child == NONE {
                return None;
            }
            next = self.nodes[child as usize].next;
            Some(child)
        })
    }

    pub(crate) fn get(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    /// The innermost node that a token lies in.
    pub(crate) fn leaf(&self, token: u32) -> u32 {
        self.leaves[token as usize]
    }
}

/// The innermost node of each token, in one sweep over nodes in preorder.
fn leaves(nodes: &[Node], tokens: u32) -> Vec<u32> {
    let mut leaves = vec![0; tokens as usize];
    let mut open: Vec<u32> = Vec::new();
    let mut at = 0;
    let mut fill = |node: u32, to: u32| {
        while at < to {
            leaves[at as usize] = node;
            at += 1;
        }
    };
    for (number, node) in nodes.iter().enumerate() {
        while let Some(top) = open.pop_if(|top| nodes[*top as usize].tokens.end <= node.tokens.start) {
            fill(top, nodes[top as usize].tokens.end);
        }
        if let Some(top) = open.last() {
            fill(*top, node.tokens.start);
        }
        open.push(number as u32);
    }
    while let Some(top) = open.pop() {
        fill(top, nodes[top as usize].tokens.end);
    }
    leaves
}

/// What is still to be made: in reverse order on a stack, so nodes come out in preorder.
enum Todo {
    /// A node of the tree.
    Tree { at: NodeId, parent: u32, expected: Option<Expected> },
    /// Children side by side, as one node without a symbol if there are several.
    Several { kids: Vec<Kid>, parent: u32, expected: Option<Expected> },
    /// A list.
    List {
        min: u32,
        element: Option<Expected>,
        items: Vec<Vec<Kid>>,
        parent: u32,
        expected: Option<Expected>,
        symbol: Option<Symbol>,
        rule: Option<RuleId>,
        tokens: Range<u32>,
    },
}

/// A child to be: its node, and what its place asks for.
#[derive(Clone, Copy)]
struct Kid {
    at: NodeId,
    expected: Option<Expected>,
}

struct Builder<'a> {
    syntax: &'a Syntax,
    tree: &'a Tree,
    /// Visible tokens before each node, and in all at the end.
    before: Vec<u32>,
    out: Vec<Node>,
    last_child: Vec<u32>,
    todo: Vec<Todo>,
}

/// Looks at a tree. `None` if it has no tokens.
pub(crate) fn look(syntax: &Syntax, tree: &Tree) -> Option<Nodes> {
    let mut before = Vec::with_capacity(tree.len() + 1);
    let mut count = 0;
    for node in tree.subtree(NodeId::ROOT) {
        before.push(count);
        count += u32::from(tree.is_visible_token(node));
    }
    before.push(count);
    if count == 0 {
        return None;
    }
    let mut builder =
        Builder { syntax, tree, before, out: Vec::new(), last_child: Vec::new(), todo: Vec::new() };
    let expected = Some(Expected::Symbol(Symbol::Rule(syntax.start)));
    builder.todo.push(Todo::Tree { at: NodeId::ROOT, parent: NONE, expected });
    while let Some(todo) = builder.todo.pop() {
        builder.make(todo);
    }
    let leaves = leaves(&builder.out, count);
    Some(Nodes { nodes: builder.out, leaves })
}

impl Builder<'_> {
    fn tokens(&self, at: NodeId) -> Range<u32> {
        self.before[at.index()]..self.before[self.tree.after(at).index()]
    }

    fn is_empty(&self, at: NodeId) -> bool {
        self.tokens(at).is_empty()
    }

    /// The children that have tokens, with groups that occur exactly once opened up.
    fn kids(&self, at: NodeId) -> Vec<Kid> {
        let mut kids = Vec::new();
        let mut open: Vec<Kid> = self.children(at);
        while let Some(kid) = open.pop() {
            let TreeKind::List { block } = self.tree.kind(kid.at) else {
                kids.push(kid);
                continue;
            };
            if self.syntax.view.group(&self.syntax.grammar, block) != GroupView::Plain {
                kids.push(kid);
                continue;
            }
            for item in self.tree.children(kid.at) {
                let mut inner = self.children(item);
                if let [only] = inner.as_mut_slice()
                    && matches!(self.tree.kind(only.at), TreeKind::Rule { .. } | TreeKind::Token(_))
                {
                    only.expected = Some(Expected::Block(block));
                }
                open.extend(inner);
            }
        }
        kids
    }

    /// The direct children that have tokens, the last first.
    fn children(&self, at: NodeId) -> Vec<Kid> {
        let mut kids: Vec<Kid> = self
            .tree
            .children(at)
            .filter(|child| !self.is_empty(*child))
            .map(|child| Kid { at: child, expected: self.own_expected(child) })
            .collect();
        kids.reverse();
        kids
    }

    fn own_expected(&self, at: NodeId) -> Option<Expected> {
        match self.tree.kind(at) {
            TreeKind::Rule { rule, .. } => Some(Expected::Symbol(Symbol::Rule(rule))),
            TreeKind::Token(token) => Some(Expected::Symbol(Symbol::Token(token))),
            _ => None,
        }
    }

    fn add(&mut self, parent: u32, node: Node) -> u32 {
        let id = self.out.len() as u32;
        if parent != NONE {
            match self.last_child[parent as usize] {
                NONE => self.out[parent as usize].first_child = id,
                last => self.out[last as usize].next = id,
            }
            self.last_child[parent as usize] = id;
        }
        let depth = if parent == NONE { 0 } else { self.out[parent as usize].depth + 1 };
        self.out.push(Node { parent, depth, ..node });
        self.last_child.push(NONE);
        id
    }

    fn node(kind: NodeKind, expected: Option<Expected>, tokens: Range<u32>) -> Node {
        Node {
            kind,
            expected,
            symbol: None,
            rule: None,
            tokens,
            parent: NONE,
            first_child: NONE,
            next: NONE,
            depth: 0,
        }
    }

    fn make(&mut self, todo: Todo) {
        match todo {
            Todo::Tree { at, parent, expected } => self.make_tree(at, parent, expected),
            Todo::Several { kids, parent, expected } => match kids.as_slice() {
                [] => {}
                [only] => {
                    let expected = expected.or(only.expected);
                    self.todo.push(Todo::Tree { at: only.at, parent, expected });
                }
                [first, .., last] => {
                    let tokens = self.tokens(first.at).start..self.tokens(last.at).end;
                    let id = self.add(parent, Self::node(NodeKind::Regular, expected, tokens));
                    self.make_kids(kids, id);
                }
            },
            Todo::List { min, element, items, parent, expected, symbol, rule, tokens } => {
                let node = Self::node(NodeKind::List { min, element }, expected, tokens);
                let id = self.add(parent, Node { symbol, rule, ..node });
                for kids in items.into_iter().rev() {
                    self.todo.push(Todo::Several { kids, parent: id, expected: element });
                }
            }
        }
    }

    fn make_tree(&mut self, at: NodeId, parent: u32, expected: Option<Expected>) {
        match self.tree.kind(at) {
            TreeKind::Rule { .. } => self.make_rule(at, parent, expected),
            TreeKind::List { block } => self.make_group(at, block, parent),
            TreeKind::Item { .. } => {
                let kids = self.kids(at);
                self.todo.push(Todo::Several { kids, parent, expected });
            }
            kind => {
                let symbol = match kind {
                    TreeKind::Token(token) => Some(Symbol::Token(token)),
                    _ => None,
                };
                let tokens = self.tokens(at);
                self.add(parent, Node { symbol, ..Self::node(NodeKind::Token, expected, tokens) });
            }
        }
    }

    fn make_rule(&mut self, top: NodeId, parent: u32, expected: Option<Expected>) {
        let tokens = self.tokens(top);
        let TreeKind::Rule { rule: top_rule, .. } = self.tree.kind(top) else { return };
        // A rule that may be empty is a list of at most one, unless it already is an item that may go. An item of a
        // separated list goes with a separator; leaving its place empty is something else.
        let is_item =
            parent != NONE && matches!(self.out[parent as usize].kind, NodeKind::List { min: 0, .. });
        if !is_item && parent != NONE && self.syntax.view.rule_may_be_empty(top_rule) {
            let own = Some(Expected::Symbol(Symbol::Rule(top_rule)));
            let node = Self::node(NodeKind::List { min: 0, element: own }, None, tokens);
            let list = self.add(parent, node);
            return self.todo.push(Todo::Tree { at: top, parent: list, expected: own });
        }
        let mut at = top;
        loop {
            if self.has_error(at) {
                let id = self.add(
                    parent,
                    Node { rule: Some(top_rule), ..Self::node(NodeKind::Loose, expected, tokens) },
                );
                let kids = self.kids(at);
                return self.make_kids(kids, id);
            }
            let kids = self.kids(at);
            let TreeKind::Rule { rule, alt } = self.tree.kind(at) else { return };
            match kids.as_slice() {
                [only] if matches!(self.tree.kind(only.at), TreeKind::Rule { .. }) => at = only.at,
                [only] if self.tree.is_visible_token(only.at) => {
                    let symbol = self.own_symbol(only.at);
                    let node = Self::node(NodeKind::Token, expected, tokens);
                    self.add(parent, Node { symbol, rule: Some(top_rule), ..node });
                    return;
                }
                _ => {
                    let place = RulePosition { parent, expected, tokens, rule, top_rule };
                    if !self.make_comb(at, &kids, alt, &place) {
                        let id = self.add_regular(&place);
                        self.make_kids(kids, id);
                    }
                    return;
                }
            }
        }
    }

    fn add_regular(&mut self, place: &RulePosition) -> u32 {
        let node = Self::node(NodeKind::Regular, place.expected, place.tokens.clone());
        let symbol = Some(Symbol::Rule(place.rule));
        self.add(place.parent, Node { symbol, rule: Some(place.top_rule), ..node })
    }

    fn own_symbol(&self, at: NodeId) -> Option<Symbol> {
        match self.tree.kind(at) {
            TreeKind::Token(token) => Some(Symbol::Token(token)),
            TreeKind::Rule { rule, .. } => Some(Symbol::Rule(rule)),
            _ => None,
        }
    }

    fn has_error(&self, at: NodeId) -> bool {
        self.tree
            .children(at)
            .any(|child| matches!(self.tree.kind(child), TreeKind::Error(_) | TreeKind::Missing(_)))
    }

    fn alternative(&self, rule: RuleId, alt: u32) -> Option<AltId> {
        let body = self.syntax.grammar.rule(rule).body();
        self.syntax.grammar.alternatives(body).nth((alt as usize).checked_sub(1)?)
    }

    /// Children of one node, in order; separated lists are put together.
    fn make_kids(&mut self, kids: Vec<Kid>, parent: u32) {
        let mut made: Vec<Todo> = Vec::new();
        let mut at = 0;
        while at < kids.len() {
            let kid = kids[at];
            let joined = self.is_list_with(&kids, at).then(|| self.separated(&kids, at + 1)).flatten();
            match joined {
                Some(items) => {
                    let first = items.first().and_then(|kids| kids.first()).map_or(kid.at, |kid| kid.at);
                    let last = items.last().and_then(|kids| kids.last()).map_or(kid.at, |kid| kid.at);
                    let element = items.first().and_then(|kids| kids.first()).and_then(|kid| kid.expected);
                    let tokens = self.tokens(first).start..self.tokens(last).end;
                    made.push(Todo::List {
                        min: 1,
                        element,
                        items,
                        parent,
                        expected: None,
                        symbol: None,
                        rule: None,
                        tokens,
                    });
                    at += 2;
                }
                None => {
                    made.push(Todo::Tree { at: kid.at, parent, expected: kid.expected });
                    at += 1;
                }
            }
        }
        self.todo.extend(made.into_iter().rev());
    }

    /// Whether the kid is the item before the group of a separated list.
    fn is_list_with(&self, kids: &[Kid], at: usize) -> bool {
        matches!(
            kids.get(at + 1).map(|next| self.tree.kind(next.at)),
            Some(TreeKind::List { block }) if self.form(block) == Some(ListForm::ItemFirst)
        )
    }

    fn form(&self, block: BlockId) -> Option<ListForm> {
        let list = self.syntax.view.separated(block)?;
        (list.outside.end.index() - list.outside.start.index() == 1).then_some(list.form)
    }

    /// The items of a separated list whose group is the kid at this place; the item outside is the kid beside it.
    fn separated(&self, kids: &[Kid], at: usize) -> Option<Vec<Vec<Kid>>> {
        let TreeKind::List { block } = self.tree.kind(kids[at].at) else { return None };
        // In the other form the item after it is left as a kid of its own: the group alone is a list.
        self.form(block).filter(|form| *form == ListForm::ItemFirst)?;
        let outside = *kids.get(at.checked_sub(1)?)?;
        let mut items = vec![vec![outside]];
        for item in self.tree.children(kids[at].at).filter(|item| !self.is_empty(*item)) {
            let inner = self.kids(item);
            let kid = *inner.last().filter(|_| inner.len() > 1)?;
            items.push(vec![kid]);
        }
        Some(items)
    }

    fn make_group(&mut self, at: NodeId, block: BlockId, parent: u32) {
        let min = match self.syntax.view.group(&self.syntax.grammar, block) {
            GroupView::List { min } => min,
            GroupView::Optional | GroupView::Plain => 0,
        };
        let element = Some(Expected::Block(block));
        let items: Vec<Vec<Kid>> =
            self.tree.children(at).filter(|item| !self.is_empty(*item)).map(|item| self.kids(item)).collect();
        let tokens = self.tokens(at);
        self.todo.push(Todo::List {
            min,
            element,
            items,
            parent,
            expected: None,
            symbol: None,
            rule: None,
            tokens,
        });
    }
}

/// Where a rule's node goes.
struct RulePosition {
    parent: u32,
    expected: Option<Expected>,
    tokens: Range<u32>,
    /// The rule at the bottom of the chain, and at its top.
    rule: RuleId,
    top_rule: RuleId,
}
