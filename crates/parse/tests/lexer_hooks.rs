//! Hooks of a lexer, written in Rust: predicates in a match, actions after it, events, and how they fail.

use polysmith_grammar::{CodeId, Grammar, ModeId, TokenType};
use polysmith_parse::hooks::{
    HookError, Hooks, InsertedToken, LexerEffect, LexerOutcome, MatchView, ParserView, StreamView,
};
use polysmith_parse::{Limits, ParseError, Parser};
use polysmith_value::Value;
use std::sync::Arc;

/// The state is a number: the depth of braces.
#[derive(Debug)]
struct Base {
    grammar: Arc<Grammar>,
    events: bool,
    lines: bool,
}

impl Base {
    fn call(&self, code: CodeId) -> &str {
        self.grammar.code(code).text.trim().trim_end_matches(';')
    }

    fn token_type(&self, name: &str) -> TokenType {
        self.grammar.tokens().named(name).expect("the grammar has the token")
    }

    fn insert(&self, name: &str, characters: usize) -> InsertedToken {
        InsertedToken { kind: self.token_type(name), channel: 0, characters }
    }
}

fn depth(state: &Value) -> i64 {
    state.as_int().unwrap_or_default()
}

impl Hooks for Base {
    fn covers(&self, _: CodeId) -> bool {
        true
    }

    fn start(&self) -> Result<Value, HookError> {
        Ok(Value::Int(0))
    }

    fn predicate(&self, _: CodeId, _: &Value, _: &ParserView<'_>) -> Result<bool, HookError> {
        Ok(true)
    }

    fn action(&self, _: CodeId, state: Value, _: &ParserView<'_>) -> Result<Value, HookError> {
        Ok(state)
    }

    fn lexer_predicate(&self, code: CodeId, state: &Value, view: &MatchView<'_>) -> Result<bool, HookError> {
        match self.call(code) {
            "operand()" => Ok(view.previous(1).is_none_or(|token| token.kind != self.token_type("ID"))),
            "inside()" => Ok(depth(state) > 0),
            "short()" => Ok(view.matched().len() <= 2),
            "first()" => Ok(view.offset() == 0 && view.la(-1).is_none()),
            other => Err(HookError { message: format!("there is no function `{other}`") }),
        }
    }

    fn lexer_action(
        &self,
        code: CodeId,
        state: Value,
        view: &MatchView<'_>,
    ) -> Result<LexerOutcome, HookError> {
        let number = depth(&state);
        let (state, effects) = match self.call(code) {
            "open()" => (Value::Int(number + 1), Vec::new()),
            "close()" => (Value::Int(number - 1), Vec::new()),
            "comment()" => match view.ahead().find("*/") {
                Some(at) => (state, vec![LexerEffect::Consume(at + 2)]),
                None => (state, vec![LexerEffect::Error("the comment has no end".into())]),
            },
            "back()" => (state, vec![LexerEffect::GiveBack(2), LexerEffect::Type(self.token_type("INT"))]),
            "pop()" => (state, vec![LexerEffect::PopMode]),
            "nowhere()" => (state, vec![LexerEffect::PushMode(ModeId::new(9))]),
            other => return Err(HookError { message: format!("there is no function `{other}`") }),
        };
        Ok(LexerOutcome { state, effects })
    }

    fn has_token_hook(&self) -> bool {
        self.events
    }

    fn token(&self, state: Value, view: &MatchView<'_>) -> Result<LexerOutcome, HookError> {
        let token = view.token().ok_or_else(|| HookError { message: "no token".into() })?;
        let effects = match token.text {
            "hide" => vec![LexerEffect::Channel(1)],
            "drop" => vec![LexerEffect::Skip],
            "split" => vec![LexerEffect::After(self.insert("INT", 2))],
            _ => Vec::new(),
        };
        Ok(LexerOutcome { state, effects })
    }

    fn has_stream_hook(&self) -> bool {
        self.lines
    }

    fn stream(&self, state: Value, view: &StreamView<'_>) -> Result<LexerOutcome, HookError> {
        let token = view.raw(0).ok_or_else(|| HookError { message: "no token".into() })?;
        let before = view.previous(1).map(|token| token.kind);
        let end = token.kind == TokenType::EOF || view.raw(-1).is_some_and(|token| token.text.contains('\n'));
        let wanted = end && before == Some(self.token_type("ID"));
        let effects = if wanted { vec![LexerEffect::Before(self.insert("SEMI", 0))] } else { Vec::new() };
        Ok(LexerOutcome { state, effects })
    }
}

const COMMON: &str = "ID : [a-z]+; INT : [0-9]+; SEMI : ';'; WS : [ \\n]+ -> channel(HIDDEN);";

fn parser(rules: &str, events: bool, lines: bool) -> Parser {
    let text = format!("grammar G; s : .*? EOF; {rules} {COMMON}");
    let grammar = Arc::new(polysmith_antlr::read_str("G", &text).grammar);
    let hooks = Arc::new(Base { grammar: Arc::clone(&grammar), events, lines });
    Parser::with_hooks(grammar, hooks).expect("the grammar compiles")
}

/// The tokens of the default channel with their types, then errors.
fn lex(parser: &mut Parser, text: &str) -> String {
    let grammar = Arc::clone(parser.grammar());
    let start = grammar.start().expect("there is a parser rule");
    let parsed = parser.parse(start, text, &Limits::default()).expect("no hook fails");
    assert_eq!(parsed.tree.to_bytes(), text.as_bytes(), "the tree prints back");
    let visible = parsed.lexed.tokens.iter().enumerate().filter(|(_, token)| token.channel == 0);
    let mut shown: Vec<String> = visible
        .map(|(at, token)| {
            let shown =
                parsed.lexed.inserted_text(at).unwrap_or(&text[token.start as usize..token.end as usize]);
            format!("{}:{shown}", polysmith_parse::type_name(&grammar, token.kind))
        })
        .collect();
    shown.extend(parsed.errors.iter().map(|error| format!("{}: {}", error.start, error.message)));
    shown.join(" ")
}

#[test]
fn a_predicate_in_a_match_sees_the_tokens_before() {
    let rules = "REGEX : '/' {operand()}? [a-z]+ '/'; DIV : '/';";
    let mut parser = parser(rules, false, false);
    for _ in 0..2 {
        assert_eq!(lex(&mut parser, "/a/ b /c/"), "REGEX:/a/ ID:b DIV:/ ID:c DIV:/ EOF:");
    }
}

#[test]
fn a_predicate_is_asked_after_each_character_of_its_path() {
    let mut parser = parser("UP : ([A-Z] {short()}?)+;", false, false);
    assert_eq!(lex(&mut parser, "ABCD"), "UP:AB UP:CD EOF:");
}

#[test]
fn a_predicate_at_the_start_of_a_rule_is_asked_at_each_token() {
    let mut parser = parser("BANG : {first()}? '#' ~[\\n]*; HASH : '#';", false, false);
    assert_eq!(lex(&mut parser, "#a\n#b"), "BANG:#a HASH:# ID:b EOF:");
}

#[test]
fn actions_change_the_state_that_predicates_see() {
    let rules = "OPEN : '{' {open()}; CLOSE : '}' {inside()}? {close()}; LOST : '}';";
    let mut parser = parser(rules, false, false);
    let expected = "OPEN:{ OPEN:{ CLOSE:} CLOSE:} LOST:} EOF:";
    for _ in 0..2 {
        assert_eq!(lex(&mut parser, "{{}}}"), expected);
    }
}

#[test]
fn an_action_takes_characters_and_gives_them_back() {
    let rules = "COMMENT : '/*' {comment()} -> channel(HIDDEN); RANGE : [0-9]+ '..' {back()}; DOTS : '..';";
    let mut parser = parser(rules, false, false);
    assert_eq!(lex(&mut parser, "a/* b */c 1..2"), "ID:a ID:c INT:1 DOTS:.. INT:2 EOF:");
    assert_eq!(lex(&mut parser, "a/* b"), "ID:a ID:b EOF: 1: the comment has no end");
}

#[test]
fn a_token_event_hides_drops_and_splits() {
    let mut parser = parser("", true, false);
    assert_eq!(lex(&mut parser, "a hide b drop split"), "ID:a ID:b ID:spl INT:it EOF:");
}

#[test]
fn the_pass_over_all_tokens_inserts_tokens_without_text() {
    let mut parser = parser("", false, true);
    assert_eq!(lex(&mut parser, "a\n\nb 1\nc"), "ID:a SEMI:<SEMI> ID:b INT:1 ID:c SEMI:<SEMI> EOF:");
}

#[test]
fn an_inserted_token_is_shown_by_its_name() {
    let mut parser = parser("", false, true);
    let grammar = Arc::clone(parser.grammar());
    let start = grammar.start().expect("there is a parser rule");
    let parsed = parser.parse(start, "a\nb", &Limits::default()).expect("no hook fails");
    assert_eq!(polysmith_tree::show::sexpr(&parsed.tree, &grammar), "(s a <SEMI> b <SEMI> <EOF>)");
}

#[test]
fn a_hook_that_fails_ends_the_parse_at_its_token() {
    for (rules, code, message) in [
        ("UP : 'X' {pop()};", "pop()", "it pops a mode, but no mode was pushed"),
        ("UP : 'X' {nowhere()};", "nowhere()", "there is no mode 9"),
        ("UP : 'X' {lost()};", "lost()", "there is no function `lost()`"),
        ("UP : {lost()}? 'X';", "lost()", "there is no function `lost()`"),
    ] {
        let mut parser = parser(rules, false, false);
        let failed = parser.lex("X", &Limits::default()).expect_err("the hook fails");
        let expected = ParseError::Hook { code: code.into(), message: message.into(), line: 1, column: 1 };
        assert_eq!(failed, expected);
    }
}
