//! A small language with all that rules about names can say, and its rules.

use polysmith_bindings::{DefinitionRule, Names, NeedRule, Path, Rules, ScopeRule, UseRule, Visibility};
use polysmith_grammar::Grammar;
use polysmith_parse::{Limits, Parser};
use polysmith_tree::Tree;
use std::sync::Arc;

pub(crate) const GRAMMAR: &str = r"
grammar Small;
program   : statement* EOF ;
statement
    : 'var' ID ('=' value)? ';'                         # Var
    | 'let' ID ('=' value)? ';'                         # Let
    | 'local' ID '=' value ';'                          # Local
    | 'const'? 'def' '*'? declarator ';'                # Def
    | ID ':' statement                                  # Labeled
    | 'goto' ID ';'                                     # Goto
    | 'break' ';'                                       # Break
    | 'await' value ';'                                 # Await
    | 'loop' block                                      # Loop
    | block                                             # BlockStatement
    | function                                          # FunctionStatement
    | 'typeof' value ';'                                # TypeOf
    | value ';'                                         # Evaluate
    ;
declarator : ID | '(' declarator ')' ;
function  : 'async'? 'fun' ID '(' parameter? ')' block ;
parameter : ID ;
block     : '{' statement* '}' ;
value     : ID | '(' value ')' ;
ID        : [a-z]+ ;
WS        : [ \n]+ -> skip ;
";

/// The grammar.
pub(crate) fn grammar() -> Arc<Grammar> {
    let read = polysmith_antlr::read_str("Small", GRAMMAR);
    assert!(!read.diagnostics.has_errors(), "{:?}", read.diagnostics);
    Arc::new(read.grammar)
}

/// The rules of the language.
pub(crate) fn rules(grammar: &Grammar) -> Rules {
    let path = |text: &str| Path::read(text, grammar).expect(text);
    let scope = |at, kind: &str| ScopeRule { at: path(at), kind: kind.to_owned() };
    let define = |at, kind| DefinitionRule::new(path(at), kind);
    let hoisted = |at, kind| DefinitionRule { visibility: Visibility::Scope, ..define(at, kind) };
    let mut rules = Rules {
        scopes: vec![scope("function", "function"), scope("block", "block"), scope("Labeled", "label")],
        ignored: vec![path("TypeOf.value.value.ID")],
        definitions: vec![
            DefinitionRule { scopes: vec!["function".to_owned()], ..hoisted("Var.ID", "variable") },
            DefinitionRule {
                unique_among: vec!["constant".to_owned(), "variable".to_owned()],
                ..define("Let.ID", "constant")
            },
            DefinitionRule { visibility: Visibility::AfterNode, ..define("Local.ID", "constant") },
            DefinitionRule {
                conditions: vec![path("Def.'const'")],
                ..define("Def.declarator+.ID", "constant")
            },
            define("Def.declarator+.ID", "variable"),
            hoisted("Labeled.ID", "label"),
            hoisted("parameter.ID", "variable"),
            DefinitionRule { scopes: vec!["block".to_owned()], ..hoisted("function.ID", "variable") },
        ],
        uses: vec![
            UseRule { is_optional: true, ..UseRule::new(path("TypeOf..ID"), ["variable", "constant"]) },
            UseRule::new(path("value.ID"), ["variable", "constant"]),
            UseRule { until: Some("function".to_owned()), ..UseRule::new(path("Goto.ID"), ["label"]) },
        ],
        needs: vec![
            need(path("Break"), vec![path("Loop")], vec![path("function")], "a loop"),
            need(path("Await"), vec![path("function.'async'")], vec![path("function")], "an async function"),
        ],
        ..Rules::default()
    };
    rules.builtins.add_text("print # and\nlib*\n");
    rules.environment.add("screen");
    rules
}

fn need(at: Path, inside: Vec<Path>, until: Vec<Path>, message: &str) -> NeedRule {
    NeedRule { at, inside, until, message: message.to_owned() }
}

/// The compiled rules, and a parser.
pub(crate) fn language() -> (Names, Parser) {
    let grammar = grammar();
    let names = Names::new(&grammar, rules(&grammar)).expect("the rules can be compiled");
    (names, Parser::new(grammar).expect("the grammar can be used"))
}

/// The tree of a text without errors.
pub(crate) fn parse(parser: &mut Parser, text: &str) -> Tree {
    let start = parser.grammar().start().expect("it has rules");
    let parsed = parser.parse(start, text, &Limits::default()).expect("it is small");
    assert!(parsed.accepted(), "{text}: {:?}", parsed.errors);
    parsed.tree
}
