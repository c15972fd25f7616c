//! The parser as a recognizer: what it says about pieces of a text agrees with reading the whole.

use polysmith_grammar::TokenType;
use polysmith_parse::TextRecognizer;
use polysmith_tree::{Recognizer, TokenText};

fn recognizer(grammar: &str) -> TextRecognizer {
    let read = polysmith_antlr::read_str("T", grammar);
    assert!(!read.diagnostics.has_errors(), "{:?}", read.diagnostics);
    let start = read.grammar.start().expect("a start rule");
    TextRecognizer::new(read.grammar, start).expect("a grammar to parse with")
}

const LIST: &str =
    r"grammar T; s : ID (',' ID)* EOF ; ID : [a-z]+ ; WS : [ \n]+ -> skip ; LINE : '#' ~[\n]* -> skip ;";

fn token(recognizer: &TextRecognizer, name: &str) -> TokenType {
    let tokens = recognizer.grammar().tokens();
    let named = |kind: &TokenType| tokens.get(*kind).name.as_deref() == Some(name);
    tokens.types().find(named).expect("a token of this name")
}

#[test]
fn a_text_is_a_tree_or_an_error_with_its_place() {
    let mut list = recognizer(LIST);
    let reading = list.read(b"a, b").expect("a tree");
    assert_eq!(
        (reading.tree.to_bytes(), reading.errors.len(), reading.token_count),
        (b"a, b".to_vec(), 0, 3)
    );
    let wrong = list.read(b"a,,b").expect("a tree with an error");
    assert_eq!(wrong.errors.iter().map(|error| error.offset).collect::<Vec<_>>(), [Some(2)]);
    assert_eq!(list.count_errors(b"a,,b"), Some(1));
    assert_eq!(list.read(b"a,\xff").map_err(|error| error.offset).err(), Some(Some(2)));
    assert_eq!(list.count_errors(b"a,\xff"), None);
}

#[test]
fn tokens_that_come_together_stay_two() {
    let mut list = recognizer(LIST);
    let id = token(&list, "ID");
    let word = TokenText { kind: id, text: b"ab" };
    assert_eq!(list.between(word, b"c"), Some(&b" "[..]));
    assert_eq!(list.between(word, b","), Some(&b""[..]));
    assert_eq!(list.reads_after(b"# no", word), Some(false));
    assert_eq!(list.reads_after(b"# no\n", word), Some(true));
    assert_eq!(list.reads_after(b" ", word), Some(true));
    let mut without_blanks = recognizer("grammar T; s : ID+ ; ID : [a-z]+ ;");
    let word = TokenText { kind: token(&without_blanks, "ID"), text: b"ab" };
    assert_eq!(without_blanks.between(word, b"c"), None);
}

#[test]
fn pieces_are_tokens_of_known_types() {
    let mut list = recognizer(LIST);
    let id = token(&list, "ID");
    let tokens = list.tokens(b"x , y").expect("tokens");
    let texts: Vec<&[u8]> = tokens.iter().map(|token| token.text).collect();
    assert_eq!(texts, [&b"x"[..], b",", b"y"]);
    let comma = tokens[1].kind;
    assert!(list.tokens(b"x?").is_none(), "the lexer cannot read the question mark");
    assert_eq!(list.short_text(id), Some(b"a".to_vec()));
    let start = list.start();
    assert_eq!(list.accepts(start, &[id, comma, id]), Some(true));
    assert_eq!(list.accepts(start, &[id, comma]), Some(false));
}
