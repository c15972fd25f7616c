//! Reduction by tree of a binary format: length-prefixed records that are not UTF-8, read by a recognizer that is no
//! parser of text.

use std::sync::Arc;

use polysmith_grammar::{Alt, BlockId, Builder, Grammar, Quantifier, RuleId, TokenType};
use polysmith_reduce::tree::Language;
use polysmith_reduce::{Memory, Reducer, Text, ask, passes};
use polysmith_tree::{ReadError, Reading, Recognizer, Tree, TreeBuilder};

const MAGIC: u8 = 0xFF;
const OPEN: u8 = 0xFE;
const CLOSE: u8 = 0xFD;

/// `file : MAGIC entry* ; entry : group | record ; group : OPEN entry* CLOSE ; record : LENGTH BYTE* ;`, where a record has
/// as many bytes as its length says. No length is above 0xFC.
#[derive(Debug, Clone)]
struct Records {
    grammar: Arc<Grammar>,
    rules: [RuleId; 4],
    tokens: [TokenType; 5],
    lists: [BlockId; 3],
}

impl Records {
    fn new() -> Records {
        let mut b = Builder::new("Records");
        let names = ["MAGIC", "OPEN", "CLOSE", "LENGTH", "BYTE"];
        let tokens @ [magic, open, close, length, byte] = names.map(|name| b.token(name));
        let rules @ [file, entry, group, record] =
            ["file", "entry", "group", "record"].map(|name| b.rule(name));
        let list = b.block(Quantifier::STAR, [Alt::of([entry.into()])]);
        b.body(file, [Alt::of([magic.into(), list.into()])]);
        b.body(entry, [Alt::of([group.into()]), Alt::of([record.into()])]);
        let list = b.block(Quantifier::STAR, [Alt::of([entry.into()])]);
        b.body(group, [Alt::of([open.into(), list.into(), close.into()])]);
        let list = b.block(Quantifier::STAR, [Alt::of([byte.into()])]);
        b.body(record, [Alt::of([length.into(), list.into()])]);
        let grammar = b.finish();
        let lists =
            [file, group, record].map(|rule| grammar.block_numbered(rule, 0).expect("a rule with a list"));
        Records { grammar: Arc::new(grammar), rules, tokens, lists }
    }

    fn tree(&self, text: &[u8]) -> Result<Tree, usize> {
        let [file, entry, group, record] = self.rules;
        let [magic, open, close, length, byte] = self.tokens;
        let [entries, members, bytes] = self.lists;
        let mut tree = TreeBuilder::new();
        let mut depth = 0;
        tree.open_rule(file, 1);
        tree.token(magic, text.get(..1).filter(|first| *first == [MAGIC]).ok_or(0usize)?);
        tree.open_list(entries);
        let mut at = 1;
        while let Some(first) = text.get(at) {
            if *first == CLOSE && depth > 0 {
                tree.close();
                tree.token(close, &[CLOSE]);
                (0..3).for_each(|_| tree.close());
                depth -= 1;
                at += 1;
                continue;
            }
            tree.open_item(1);
            tree.open_rule(entry, if *first == OPEN { 1 } else { 2 });
            at += 1;
            if *first == OPEN {
                tree.open_rule(group, 1);
                tree.token(open, &[OPEN]);
                tree.open_list(members);
                depth += 1;
                continue;
            }
            let end = at + usize::from(*first);
            let body = text.get(at..end).filter(|_| *first < CLOSE).ok_or(at)?;
            tree.open_rule(record, 1);
            tree.token(length, &[*first]);
            tree.open_list(bytes);
            for one in body {
                tree.open_item(1);
                tree.token(byte, &[*one]);
                tree.close();
            }
            (0..4).for_each(|_| tree.close());
            at = end;
        }
        (0..2).for_each(|_| tree.close());
        if depth > 0 { Err(text.len()) } else { Ok(tree.finish()) }
    }
}

impl Recognizer for Records {
    fn grammar(&self) -> &Arc<Grammar> {
        &self.grammar
    }

    fn start(&self) -> RuleId {
        self.rules[0]
    }

    fn read(&mut self, text: &[u8]) -> Result<Reading, ReadError> {
        let tree = self
            .tree(text)
            .map_err(|at| ReadError { message: "not a record".to_owned(), offset: Some(at) })?;
        let token_count = tree.visible_tokens().count();
        Ok(Reading { tree, errors: Vec::new(), token_count, states: Vec::new() })
    }

    fn boxed_clone(&self) -> Box<dyn Recognizer> {
        Box::new(self.clone())
    }
}

#[test]
fn records_that_are_not_utf8_are_reduced_by_their_tree() {
    let wanted: &[u8] = &[3, 0xC3, 0x28, 0x20];
    let text =
        [&[MAGIC, 2, 0x80, 0x81, OPEN, OPEN, 1, 0x61], wanted, &[CLOSE, 2, 0x20, 0xFE, CLOSE, 0]].concat();
    let mut records = Records::new();
    assert_eq!(records.tree(&text).expect("a file of records").to_bytes(), text);
    assert_eq!(records.read(&[MAGIC, 2, 0]).map_err(|error| error.offset).err(), Some(Some(2)));

    let mut language = Language::new(records.clone());
    let text = Text::new(&[text]).expect("short enough");
    let mut question = ask(|candidate| {
        let bytes = candidate.bytes();
        // The empty text is asked about once, to find tests that say yes to everything.
        assert!(
            bytes.is_empty() || records.read(&bytes).is_ok(),
            "asked about {bytes:x?}, which is not in the format"
        );
        bytes.windows(wanted.len()).any(|window| window == wanted)
    });
    let perses = passes::pass("perses").expect("a pass");
    let reduction = Reducer::default()
        .with_passes(vec![perses])
        .run_by(Some(&mut language), text, &mut question, &mut Memory::default())
        .expect("the original is interesting");
    assert_eq!(reduction.text.bytes(), [&[MAGIC], wanted].concat());
    assert!(language.counts().filtered > 0, "a record that loses a byte is never asked about");
    assert_eq!(language.counts().outside, 0);
}
