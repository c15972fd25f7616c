//! Trees over several buffers, and trees that are not printed in preorder.

use polysmith_grammar::{Alt, Builder, Grammar, RuleId, TokenType};
use polysmith_tree::{
    BufferId, Buffers, Edits, Kind, NodeId, OrderError, Preorder, Replacement, Tree, TreeBuilder, TreeEdit,
    save,
};

/// `file : entry* table ; entry : BYTES ; table : LENGTH ;` is not needed as a grammar of texts: only names and numbers.
fn grammar() -> (Grammar, [RuleId; 3], [TokenType; 2]) {
    let mut b = Builder::new("Archive");
    let tokens = [b.token("BYTES"), b.token("LENGTH")];
    let rules = [b.rule("file"), b.rule("entry"), b.rule("table")];
    for rule in rules {
        b.body(rule, [Alt::of([])]);
    }
    (b.finish(), rules, tokens)
}

/// A file whose table of lengths is printed first and parsed last: `2,3:` before `ab` and `cde`.
///
/// Nodes: 0 file, 1 entry, 2 `ab`, 3 entry, 4 `cde`, 5 table, 6 `2,3:`.
fn archive() -> Tree {
    let (_, [file, entry, table], [bytes, length]) = grammar();
    let mut nodes = Preorder::new();
    let root = nodes.open(Kind::Rule { rule: file, alt: 1 });
    for (start, len) in [(4, 2), (6, 3)] {
        let node = nodes.open(Kind::Rule { rule: entry, alt: 1 });
        nodes.leaf(Kind::Token(bytes), start, len);
        nodes.close(node);
    }
    let node = nodes.open(Kind::Rule { rule: table, alt: 1 });
    nodes.leaf(Kind::Token(length), 0, 4);
    nodes.close(node);
    nodes.close(root);
    nodes.finish(b"2,3:abcde").in_buffer_order()
}

/// An entry with this text.
fn entry(text: &[u8]) -> Tree {
    let (_, [_, entry, _], [bytes, _]) = grammar();
    let mut builder = TreeBuilder::new();
    builder.open_rule(entry, 1);
    builder.token(bytes, text);
    builder.close();
    builder.finish()
}

/// A file with one leaf of the input and one of a decompressed stream, which is not printed.
fn compressed() -> Tree {
    let (_, [file, entry, _], [bytes, _]) = grammar();
    let mut buffers = Buffers::new(b"ZZ".to_vec());
    let stream = buffers.add(b"hello");
    let mut nodes = Preorder::new();
    let root = nodes.open(Kind::Rule { rule: file, alt: 1 });
    nodes.leaf(Kind::Token(bytes), 0, 2);
    let node = nodes.open(Kind::Rule { rule: entry, alt: 1 });
    nodes.leaf(Kind::Token(bytes), buffers.address(stream, 1), 3);
    nodes.close(node);
    nodes.close(root);
    nodes.finish_over(buffers)
}

#[test]
fn a_leaf_names_its_buffer_and_span() {
    let tree = compressed();
    assert_eq!(tree.buffers().count(), 2);
    let spans: Vec<_> = [1, 3].map(|leaf| tree.leaf_span(NodeId::new(leaf))).into();
    assert_eq!((spans[0].buffer, spans[0].range.clone()), (BufferId::MAIN, 0..2));
    assert_eq!((spans[1].buffer, spans[1].range.clone()), (BufferId::new(1), 1..4));
    assert_eq!(tree.buffers().get(BufferId::new(1)), b"hello");
    assert_eq!(tree.to_bytes(), b"ZZell");
    // Read out of order, only the main buffer is the file.
    assert_eq!(tree.in_buffer_order().to_bytes(), b"ZZ");
}

#[test]
fn a_table_parsed_last_is_printed_first() {
    let tree = archive();
    assert_eq!(tree.to_bytes(), b"2,3:abcde");
    let texts: Vec<&[u8]> = tree.subtree(NodeId::ROOT).map(|id| tree.leaf_text(id)).collect();
    assert_eq!(texts.concat(), b"abcde2,3:", "preorder is the order of the rules");
    let mut text = Vec::new();
    tree.write_text(NodeId::new(3), &mut text);
    assert_eq!(text, b"cde");
}

#[test]
fn edits_keep_the_print_order() {
    let tree = archive();
    let (long, one) = (entry(b"xyz!"), entry(b"1"));
    let cases: [(Vec<TreeEdit<'_>>, &[u8]); 4] = [
        (vec![tree.replace(NodeId::new(1), Replacement::Nothing)], b"2,3:cde"),
        (vec![tree.replace(NodeId::new(5), Replacement::Tree(&one))], b"1abcde"),
        (vec![tree.replace(NodeId::new(1), Replacement::Subtree(NodeId::new(3)))], b"2,3:cdecde"),
        (
            vec![
                tree.replace(NodeId::new(3), Replacement::Tree(&long)),
                tree.replace(NodeId::new(6), Replacement::Nothing),
            ],
            b"abxyz!",
        ),
    ];
    for (edits, wanted) in cases {
        let edits = Edits::new(edits).expect("they do not overlap");
        let mut text = Vec::new();
        tree.write_edited(&edits, &mut text);
        assert_eq!(text, wanted);
        let edited = tree.edited(&edits);
        assert_eq!(edited.to_bytes(), wanted);
        assert_eq!(edited.compacted().to_bytes(), wanted);
    }
    assert_eq!(tree.extract(NodeId::new(3)).to_bytes(), b"cde");
}

#[test]
fn edits_keep_buffers_apart() {
    let tree = compressed();
    let new = entry(b"new");
    let edited = tree
        .edited(&Edits::new(vec![tree.replace(NodeId::new(2), Replacement::Tree(&new))]).expect("one edit"));
    assert_eq!(edited.to_bytes(), b"ZZnew");
    assert_eq!(edited.leaf_span(NodeId::new(1)).buffer, BufferId::MAIN);
    assert_ne!(edited.leaf_span(NodeId::new(3)).buffer, BufferId::MAIN);
}

#[test]
fn both_forms_of_saved_trees_keep_buffers_and_order() {
    let (grammar, ..) = grammar();
    let header = save::Header::of(&grammar);
    for tree in [archive(), compressed(), compressed().in_buffer_order()] {
        let tree = tree.compacted();
        let json = save::to_json(&tree, &grammar, &header);
        assert!(json.starts_with("{\"polysmith_tree\":2,"));
        let pst = save::to_pst(&tree, &header);
        assert_eq!(&pst[..4], b"PST\x02");
        for saved in [json.as_bytes(), &pst] {
            let (_, read) = save::load(saved, &grammar).expect("it was just saved");
            assert_eq!(read, tree);
            assert_eq!(read.to_bytes(), tree.to_bytes());
        }
        for end in 0..pst.len() {
            assert!(save::load(&pst[..end], &grammar).is_err(), "cut at {end}");
        }
        for at in 0..pst.len() {
            for bit in [1, 16, 128] {
                let mut flipped = pst.clone();
                flipped[at] ^= bit;
                let _ = save::load(&flipped, &grammar); // an answer, no panic
            }
        }
    }
}

#[test]
fn the_common_case_keeps_format_1() {
    let (grammar, ..) = grammar();
    let header = save::Header::of(&grammar);
    let tree = entry(b"plain");
    assert!(save::to_json(&tree, &grammar, &header).starts_with("{\"polysmith_tree\":1,"));
    assert_eq!(&save::to_pst(&tree, &header)[..4], b"PST\x01");
}

#[test]
fn a_bad_print_order_is_refused() {
    let tree = archive();
    assert_eq!(tree.clone().with_print_order(vec![0..3, 2..7]), Err(OrderError::Overlap(2)));
    assert_eq!(tree.clone().with_print_order(vec![0..4, 4..8]), Err(OrderError::OutOfRange(1)));
    let in_preorder = tree.with_print_order(vec![0..4, 4..7]);
    assert_eq!(in_preorder.map(|tree| tree.print_order().is_none()), Ok(true));
}
