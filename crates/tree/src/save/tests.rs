//! Saved trees: both forms, damage, depth, another grammar.

use super::*;
use crate::{Gap, Kind, TreeBuilder};
use expect_test::expect;
use polysmith_grammar::{Alt, Builder, Quantifier};

/// `s : (A | ',')* ;` and a tree of it that has a leaf of every kind.
fn example() -> (Grammar, Tree) {
    let mut b = Builder::new("T");
    let (a, comma) = (b.token("A"), b.literal("','", ","));
    let s = b.rule("s");
    let items = b.block(Quantifier::STAR, [Alt::of([a.into()]), Alt::of([comma.into()])]);
    b.body(s, [Alt::of([items.into()])]);
    let grammar = b.finish();
    let mut tree = TreeBuilder::new();
    tree.open_rule(s, 1);
    tree.leaf(Kind::Gap(Gap::Skipped), b" ");
    tree.open_list(grammar.block_numbered(s, 0).unwrap());
    tree.open_item(1);
    tree.token(a, "x\"é\n".as_bytes());
    tree.close();
    tree.open_item(2);
    tree.leaf(Kind::Hidden(a), b"%");
    tree.token(comma, b",");
    tree.leaf(Kind::Error(a), b"y");
    tree.leaf(Kind::Missing(comma), b"");
    tree.leaf(Kind::Gap(Gap::Dropped), b"\xff");
    tree.close();
    tree.close();
    tree.leaf(Kind::Gap(Gap::Note), b"kept");
    tree.leaf(Kind::Gap(Gap::Rest), b"z");
    tree.close();
    (grammar, tree.finish())
}

fn header() -> Header {
    Header { language: "T".into(), hash: "abc".into() }
}

#[test]
fn the_json_form_is_as_documented() {
    let (grammar, tree) = example();
    expect![[r#"
        {"polysmith_tree":1,"language":"T","hash":"abc"}
        {"rule":"s","alt":1,"children":[{"text":" ","hidden":true},{"list":0,"alts":[1,2],"items":[[{"token":"A","text":"x\"é\n"}],[{"token":"A","text":"%","hidden":true},{"token":"','","text":","},{"token":"A","text":"y","error":true},{"token":"','","text":"","missing":true},{"bytes":"ff","hidden":true,"gap":"dropped"}]]},{"text":"kept","hidden":true,"gap":"note"},{"text":"z","hidden":true,"gap":"rest"}]}
    "#]]
    .assert_eq(&to_json(&tree, &grammar, &header()));
}

#[test]
fn a_note_is_saved_and_not_printed() {
    let (grammar, tree) = example();
    assert_eq!(tree.to_bytes(), b" x\"\xC3\xA9\n%,y\xFFz");
    let (_, read) = load(&to_pst(&tree, &header()), &grammar).unwrap();
    assert_eq!(read.to_bytes(), tree.to_bytes());
}

#[test]
fn both_forms_read_back_to_the_same_tree() {
    let (grammar, tree) = example();
    assert_eq!(load(to_json(&tree, &grammar, &header()).as_bytes(), &grammar), Ok((header(), tree.clone())));
    assert_eq!(load(&to_pst(&tree, &header()), &grammar), Ok((header(), tree)));
}

#[test]
fn damage_is_an_error_at_every_byte() {
    let (grammar, tree) = example();
    for saved in [to_json(&tree, &grammar, &header()).into_bytes(), to_pst(&tree, &header())] {
        let whole = saved.len() - usize::from(saved.ends_with(b"\n"));
        for end in 0..whole {
            assert!(load(&saved[..end], &grammar).is_err(), "cut at {end}");
        }
        for at in 0..saved.len() {
            for bit in [1, 16, 128] {
                let mut flipped = saved.clone();
                flipped[at] ^= bit;
                let _ = load(&flipped, &grammar); // an answer, no panic
            }
        }
    }
}

#[test]
fn deep_trees_are_saved_and_read_without_recursion() {
    let mut b = Builder::new("T");
    let s = b.rule("s");
    b.body(s, [Alt::of([s.into()])]);
    let grammar = b.finish();
    let mut tree = TreeBuilder::new();
    (0..100_000).for_each(|_| tree.open_rule(s, 1));
    (0..100_000).for_each(|_| tree.close());
    let tree = tree.finish();
    assert_eq!(load(to_json(&tree, &grammar, &header()).as_bytes(), &grammar).unwrap().1, tree);
    assert_eq!(load(&to_pst(&tree, &header()), &grammar).unwrap().1, tree);
    assert_eq!(crate::show::sexpr(&tree, &grammar).len(), 3 * 99_999 + 1 + 99_999);
}

#[test]
fn another_grammar_is_named() {
    let (grammar, tree) = example();
    let saved = to_json(&tree, &grammar, &header());
    let mut b = Builder::new("Other");
    let s = b.rule("s");
    b.body(s, [Alt::of([])]);
    let error = load(saved.as_bytes(), &b.finish()).unwrap_err().to_string();
    expect!["the saved tree does not fit grammar `Other`: rule `s` has no group 0; was it saved with another version of the description?"].assert_eq(&error);
}
