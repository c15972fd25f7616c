//! The tokens of a random grammar.

use super::Token;
use polysmith_random::Stream;

/// Token rules, and what the parser can use of them.
pub(super) struct Lexer {
    /// The text of the rules.
    pub(super) rules: String,
    /// What stands before them in a lexer grammar of its own; `None` for a combined grammar.
    pub(super) separate: Option<&'static str>,
    /// The tokens.
    pub(super) tokens: Vec<Token>,
    /// What may stand between two words of an input.
    pub(super) glue: Vec<&'static str>,
}

pub(super) fn draw(stream: &mut Stream) -> Lexer {
    match stream.below(10) {
        0..=4 => plain(stream),
        5..=6 => overlapping(stream),
        _ => with_modes(stream),
    }
}

fn token(spelled: &str, texts: &[&str]) -> Token {
    Token { spelled: spelled.into(), texts: texts.iter().map(|text| (*text).into()).collect() }
}

/// Literals, identifiers, numbers, blanks and perhaps a comment.
fn plain(stream: &mut Stream) -> Lexer {
    let literals = ["'a'", "'b'", "'if'", "'+'", "'*'", "'('", "')'", "','", "'-'", "';'"];
    let n_literals = 2 + stream.index(5);
    let mut order: Vec<&str> = literals.to_vec();
    stream.shuffle(&mut order);
    let mut tokens: Vec<Token> =
        order[..n_literals].iter().map(|spelled| token(spelled, &[spelled.trim_matches('\'')])).collect();
    tokens.push(token("ID", &["x", "y", "iff", "ab"]));
    tokens.push(token("NUM", &["1", "23"]));
    let command = *stream.pick(&["skip", "channel(HIDDEN)"]).expect("two");
    let mut rules = format!("ID : [a-z]+ ;\nNUM : [0-9]+ ;\nWS : [ \\n]+ -> {command} ;\n");
    let mut glue = vec![" ", " ", "\n", "  "];
    if stream.chance(1, 3) {
        rules.push_str("COMMENT : '/*' .*? '*/' -> channel(HIDDEN) ;\n");
        glue.push(" /* c */ ");
    }
    if stream.chance(1, 3) {
        rules.push_str("STRING : '\"' ('\\\\\"' | .)*? '\"' ;\n");
        tokens.push(token("STRING", &["\"s\"", "\"a\\\"b\""]));
    }
    Lexer { rules, separate: None, tokens, glue }
}

/// Token rules over three letters that compete for the same texts.
fn overlapping(stream: &mut Stream) -> Lexer {
    let n = 2 + stream.index(4);
    let mut rules = String::new();
    let mut tokens = Vec::new();
    for at in 0..n {
        rules.push_str(&format!("T{at} : {} ;\n", expression(stream, 2)));
        let texts: Vec<String> = (0..4).map(|_| letters(stream)).collect();
        tokens.push(Token { spelled: format!("T{at}"), texts });
    }
    rules.push_str("WS : ' ' -> skip ;\n");
    if stream.chance(1, 2) {
        rules.push_str("X : . ;\n");
    }
    Lexer { rules, separate: None, tokens, glue: vec!["", "", " "] }
}

fn letters(stream: &mut Stream) -> String {
    (0..1 + stream.index(4)).map(|_| ['a', 'b', 'c'][stream.index(3)]).collect()
}

/// A token expression that always reads something first, so that no token is empty.
fn expression(stream: &mut Stream, depth: u32) -> String {
    let atom = |stream: &mut Stream| {
        *stream.pick(&["'a'", "'b'", "'c'", "'ab'", "'abc'", "[ab]", "~[ab ]", "[b-c]", "."]).expect("nine")
    };
    let mut parts = vec![atom(stream).to_owned()];
    for _ in 0..stream.index(3) {
        let body = match depth > 0 && stream.chance(1, 3) {
            true => format!("({} | {})", expression(stream, depth - 1), expression(stream, depth - 1)),
            false => atom(stream).to_owned(),
        };
        let suffix = *stream.pick(&["", "", "?", "*", "+", "??", "*?", "+?"]).expect("eight");
        parts.push(format!("{body}{suffix}"));
    }
    parts.join(" ")
}

/// A lexer grammar of its own: tags with a mode for what is inside them, strings collected by `more`.
fn with_modes(stream: &mut Stream) -> Lexer {
    let mut rules = String::from(
        "OPEN : '<' -> pushMode(IN) ;\nTEXT : [a-z]+ ;\nNUM : [0-9]+ ;\nPLUS : '+' ;\nWS : [ \\n]+ -> skip ;\n",
    );
    let mut tokens = vec![token("OPEN", &["<"]), token("TEXT", &["x", "ab"]), token("NUM", &["1", "42"])];
    tokens.push(token("PLUS", &["+"]));
    if stream.chance(1, 2) {
        rules.push_str("QUOTE : '\"' -> more, pushMode(STR) ;\n");
        tokens.push(token("STRING", &["\"s\"", "\"\""]));
    }
    rules.push_str("mode IN;\nCLOSE : '>' -> popMode ;\nNAME : [a-z]+ ;\nEQ : '=' ;\n");
    rules.push_str("VALUE : '\\'' .*? '\\'' ;\nBLANK : ' '+ -> channel(HIDDEN) ;\n");
    tokens.extend([token("CLOSE", &[">"]), token("NAME", &["n", "mm"]), token("EQ", &["="])]);
    tokens.push(token("VALUE", &["'v'", "''"]));
    if tokens.iter().any(|token| token.spelled == "STRING") {
        rules.push_str("mode STR;\nSTRING : '\"' -> popMode ;\nPART : ~'\"' -> more ;\n");
    }
    Lexer { rules, separate: Some(""), tokens, glue: vec![" ", "", " "] }
}
