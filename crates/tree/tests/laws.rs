//! Laws of trees over random ones: both builders agree, and an edit prints what it builds.

use polysmith_grammar::{RuleId, TokenType};
use polysmith_tree::{Edits, Kind, NodeId, Open, Preorder, Replacement, Tree, TreeBuilder, TreeEdit};
use proptest::prelude::*;

fn trees() -> impl Strategy<Value = Tree> {
    proptest::collection::vec((0..3_u8, any::<u8>()), 0..60).prop_map(|steps| {
        let mut builder = TreeBuilder::new();
        let mut depth = 1;
        builder.open_rule(RuleId::new(0), 1);
        for (step, byte) in steps {
            match step {
                0 => {
                    builder.open_rule(RuleId::new(usize::from(byte) % 2), byte.into());
                    depth += 1;
                }
                1 if depth > 1 => {
                    builder.close();
                    depth -= 1;
                }
                _ => builder.token(TokenType::new(byte.into()), &[byte]),
            }
        }
        (0..depth).for_each(|_| builder.close());
        builder.finish()
    })
}

/// Random edits: sorted, apart, never at the root.
fn edits<'a>(tree: &Tree, other: &'a Tree, picks: &[(usize, u8)]) -> Edits<Replacement<'a>> {
    let mut places: Vec<(usize, u8)> = picks.iter().map(|(at, how)| (at % tree.len(), *how)).collect();
    places.sort_unstable();
    let mut edits: Vec<TreeEdit<'a>> = Vec::new();
    for (at, how) in places {
        let node = NodeId::new(at);
        let free = edits.last().is_none_or(|last| last.range.end as usize <= at);
        if at > 0 && free {
            let new = match how % 3 {
                0 => Replacement::Nothing,
                1 => Replacement::Subtree(NodeId::new(usize::from(how) % tree.len())),
                _ => Replacement::Tree(other),
            };
            edits.push(tree.replace(node, new));
        }
    }
    Edits::new(edits).expect("they do not overlap")
}

/// Whether sizes nest: every node ends inside its parent.
fn is_sound(tree: &Tree) -> bool {
    let parents = tree.parents();
    tree.range(NodeId::ROOT).end == tree.len()
        && tree.subtree(NodeId::ROOT).all(|id| tree.range(id).end <= tree.range(parents[id.index()]).end)
}

/// The same tree, built as a parser would: a rule whose first child is a rule of the same number comes as its wrapper.
fn rebuilt(tree: &Tree) -> Tree {
    let mut reading = Preorder::new();
    let mut open: Vec<(Open, Vec<NodeId>)> = Vec::new();
    let mut at = 0;
    while at < tree.len() || !open.is_empty() {
        if let Some((place, wrappers)) = open.last_mut()
            && tree.after(*wrappers.last().expect("one is open")).index() == at
        {
            wrappers.pop();
            match wrappers.last().map(|wrapper| tree.kind(*wrapper)) {
                Some(Kind::Rule { alt, .. }) => *place = reading.wrap(*place, alt),
                _ => {
                    reading.close(*place);
                    open.pop();
                }
            }
            continue;
        }
        let node = NodeId::new(at);
        if tree.kind(node).is_leaf() {
            let range = tree.leaf_range(node);
            reading.leaf(tree.kind(node), range.start, range.len());
            at += 1;
            continue;
        }
        let mut chain = vec![node];
        while let Some(child) = inner_of_same_rule(tree, chain[chain.len() - 1]) {
            chain.push(child);
        }
        at += chain.len();
        open.push((reading.open(tree.kind(chain[chain.len() - 1])), chain));
    }
    reading.finish(&tree.to_bytes())
}

fn inner_of_same_rule(tree: &Tree, node: NodeId) -> Option<NodeId> {
    let child = tree.children(node).next()?;
    match (tree.kind(node), tree.kind(child)) {
        (Kind::Rule { rule, .. }, Kind::Rule { rule: same, .. }) if rule == same => Some(child),
        _ => None,
    }
}

proptest! {
    #[test]
    fn both_ways_of_building_agree(tree in trees()) {
        prop_assert_eq!(rebuilt(&tree), tree);
    }

    #[test]
    fn printing_and_building_agree(
        tree in trees(),
        other in trees(),
        picks in proptest::collection::vec((any::<usize>(), any::<u8>()), 0..6),
    ) {
        let edits = edits(&tree, &other, &picks);
        let mut printed = Vec::new();
        tree.write_edited(&edits, &mut printed);
        let built = tree.edited(&edits);
        prop_assert!(is_sound(&built));
        prop_assert_eq!(&built.to_bytes(), &printed);
        let compact = built.compacted();
        prop_assert_eq!(compact.to_bytes(), printed);
        prop_assert_eq!(compact.digest(NodeId::ROOT), built.digest(NodeId::ROOT));
        if edits.is_empty() {
            prop_assert_eq!(built, tree);
        }
    }

    #[test]
    fn truncating_a_builder_takes_back_exactly_what_came_after(tree in trees(), other in trees()) {
        let mut builder = TreeBuilder::new();
        builder.open_rule(RuleId::new(1), 1);
        builder.subtree(&tree, NodeId::ROOT);
        let len = builder.len();
        builder.open_item(1);
        builder.subtree(&other, NodeId::ROOT);
        builder.truncate(len);
        builder.close();
        let built = builder.finish();
        prop_assert_eq!(built.to_bytes(), tree.to_bytes());
        prop_assert_eq!(built.len(), tree.len() + 1);
    }
}

/// Accepts a few pieces of text and counts all.
struct ClosedAfter {
    accepted: usize,
    pieces: usize,
}

impl std::fmt::Write for ClosedAfter {
    fn write_str(&mut self, _: &str) -> std::fmt::Result {
        self.pieces += 1;
        if self.pieces > self.accepted { Err(std::fmt::Error) } else { Ok(()) }
    }
}

#[test]
fn every_form_of_a_tree_is_written_piece_by_piece_and_ends_when_its_reader_is_gone() {
    use polysmith_tree::{save, show};
    let mut b = polysmith_grammar::Builder::new("T");
    let (s, a) = (b.rule("s"), b.token("A"));
    b.body(s, [polysmith_grammar::Alt::of([])]);
    let grammar = b.finish();
    let mut tree = TreeBuilder::new();
    tree.open_rule(s, 1);
    (0..1_000).for_each(|_| tree.token(a, b"x"));
    tree.close();
    let (tree, header) = (tree.finish(), save::Header::of(&grammar));
    type Form<'a> = &'a dyn Fn(&mut dyn std::fmt::Write) -> std::fmt::Result;
    let forms: [Form<'_>; 4] = [
        &|out| show::write_outline(&tree, &grammar, out),
        &|out| show::write_sexpr(&tree, &grammar, &|_| String::new(), out),
        &|out| show::write_dot(&tree, &grammar, out),
        &|out| save::write_json(&tree, &grammar, &header, out),
    ];
    for form in forms {
        let mut out = ClosedAfter { accepted: 20, pieces: 0 };
        assert!(form(&mut out).is_err());
        assert_eq!(out.pieces, 21);
    }
}
