//! The gate for the model: three languages by constructors alone, a tree of each printed and edited, and what
//! the analyses say about them. If any of this is awkward, the model is wrong.

use expect_test::{Expect, expect};
use polysmith_grammar::analysis::{Minima, Nullable, Productive, Reach, Subsume, Symbol, Uses};
use polysmith_grammar::{
    Alt, Builder, Grammar, LeftRecursion, Operator, OperatorClass, Quantifier, RuleId, TokenType,
};
use polysmith_tree::{Edits, Kind, NodeId, Replacement, Tree, TreeBuilder, show};

/// Rules and tokens by name, as a test wants to write them.
fn rule(g: &Grammar, name: &str) -> RuleId {
    g.rule_named(name).expect("the rule is there")
}

fn token(g: &Grammar, name: &str) -> TokenType {
    g.tokens().named(name).or_else(|| g.tokens().literal(&format!("'{name}'"))).expect("the token is there")
}

/// The first node of a rule with this text.
fn find(g: &Grammar, tree: &Tree, name: &str, text: &str) -> NodeId {
    let id = rule(g, name);
    let is = |n: &NodeId| {
        let mut out = Vec::new();
        tree.write_text(*n, &mut out);
        matches!(tree.kind(*n), Kind::Rule { rule, .. } if rule == id) && out == text.as_bytes()
    };
    tree.subtree(NodeId::ROOT).find(is).expect("the node is there")
}

/// Replaces a node and checks that printing the edit and building the edited tree agree.
fn replaced(tree: &Tree, at: NodeId, by: NodeId) -> Tree {
    let edits = Edits::new(vec![tree.replace(at, Replacement::Subtree(by))]).expect("one edit");
    let mut text = Vec::new();
    tree.write_edited(&edits, &mut text);
    let edited = tree.edited(&edits);
    assert_eq!(edited.to_bytes(), text);
    edited
}

fn check(actual: &str, expected: Expect) {
    expected.assert_eq(actual);
}

fn accepts(g: &Grammar, expected: &str, found: &str) -> bool {
    let subsume = Subsume::of(g, &Nullable::of(g, &Uses::of(g)));
    let symbol = |name| g.rule_named(name).map_or_else(|| Symbol::Token(token(g, name)), Symbol::Rule);
    subsume.accepts(symbol(expected), symbol(found))
}

fn heights(g: &Grammar) -> String {
    let minima = Minima::heights(g, &Uses::of(g));
    g.rules().map(|r| format!("{}={} ", g.rule(r).name, minima.rule(r).expect("it ends"))).collect()
}

/// The language of Figure 3 of the *Smith paper: assignments of expressions to variables.
fn assignments() -> Grammar {
    let mut b = Builder::new("Assignments");
    let [newline, becomes, semicolon, blank] =
        [("'\\n'", "\n"), ("' := '", " := "), ("';'", ";"), ("' '", " ")].map(|(s, t)| b.literal(s, t));
    let [identifier, number, op] = ["Identifier", "Number", "Op"].map(|name| b.token(name));
    let [program, list, stmt, expr, use_variable] =
        ["Program", "StmtList", "Stmt", "Expr", "UseVariable"].map(|name| b.rule(name));
    b.body(program, [Alt::of([list.into(), newline.into()]).label("prog")]);
    b.body(
        list,
        [
            Alt::of([stmt.into()]).label("one"),
            Alt::of([stmt.into(), newline.into(), list.into()]).label("mult"),
        ],
    );
    b.body(
        stmt,
        [Alt::of([identifier.into(), becomes.into(), expr.into(), semicolon.into()]).label("assign")],
    );
    b.body(
        expr,
        [
            Alt::of([number.into()]).label("num"),
            Alt::of([use_variable.into()]).label("use_var"),
            Alt::of([expr.into(), blank.into(), op.into(), blank.into(), expr.into()]).label("binop"),
        ],
    );
    b.body(use_variable, [Alt::of([identifier.into()]).label("var")]);
    b.finish()
}

/// A tree as a test writes it.
enum Plan {
    Rule(&'static str, u32, Vec<Plan>),
    List(&'static str, usize, Vec<Plan>),
    Item(u32, Vec<Plan>),
    Token(&'static str, &'static [u8]),
}
use Plan::{Item, List, Rule, Token};

fn build(g: &Grammar, plan: &Plan) -> Tree {
    fn add(g: &Grammar, plan: &Plan, t: &mut TreeBuilder) {
        let children = match plan {
            Token(name, text) => return t.token(token(g, name), text), // alone, a tree of one leaf
            Rule(name, alt, children) => {
                t.open_rule(rule(g, name), *alt);
                children
            }
            List(name, number, children) => {
                t.open_list(g.block_numbered(rule(g, name), *number).expect("the group is there"));
                children
            }
            Item(alt, children) => {
                t.open_item(*alt);
                children
            }
        };
        children.iter().for_each(|child| add(g, child, t));
        t.close();
    }
    let mut t = TreeBuilder::new();
    add(g, plan, &mut t);
    t.finish()
}

#[test]
fn figure_three() {
    let g = assignments();
    let assign = |name, expr| {
        let [becomes, end] = [Token(" := ", b" := "), Token(";", b";")];
        Rule("Stmt", 1, vec![Token("Identifier", name), becomes, expr, end])
    };
    let num = |text| Rule("Expr", 1, vec![Token("Number", text)]);
    let a = Rule("Expr", 2, vec![Rule("UseVariable", 1, vec![Token("Identifier", b"a")])]);
    let (blank, plus) = (|| Token(" ", b" "), Token("Op", b"+"));
    let sum = Rule("Expr", 3, vec![a, blank(), plus, blank(), num(b"2")]);
    let newline = || Token("\\n", b"\n");
    let last = Rule("StmtList", 1, vec![assign(b"b", sum)]);
    let list = Rule("StmtList", 2, vec![assign(b"a", num(b"1")), newline(), last]);
    let tree = build(&g, &Rule("Program", 1, vec![list, newline()]));

    assert_eq!(tree.to_bytes(), b"a := 1;\nb := a + 2;\n");
    let edited = replaced(&tree, find(&g, &tree, "Expr", "a + 2"), find(&g, &tree, "Expr", "2"));
    assert_eq!(edited.to_bytes(), b"a := 1;\nb := 2;\n");
    // The list is a comb: its tail may stand for all of it.
    let tail = find(&g, &tree, "StmtList", "b := a + 2;");
    let shorter = replaced(&tree, find(&g, &tree, "StmtList", "a := 1;\nb := a + 2;"), tail);
    assert_eq!(shorter.to_bytes(), b"b := a + 2;\n");
    check(
        &show::sexpr(&shorter, &g),
        expect![[r#"(Program (StmtList (Stmt b  :=  (Expr (Expr (UseVariable a))   +   (Expr 2)) ;)) \n)"#]],
    );

    assert_eq!(heights(&g), "Program=4 StmtList=3 Stmt=2 Expr=1 UseVariable=1 ");
    assert!(accepts(&g, "StmtList", "Stmt") && accepts(&g, "Expr", "Identifier"));
    assert!(!accepts(&g, "Program", "StmtList"), "the line end is missing");
    let reach = Reach::from_rules(&g, [rule(&g, "Expr")]);
    assert!(reach.contains(rule(&g, "UseVariable")) && !reach.contains(rule(&g, "Stmt")));
}

/// `file : record* ; record : LENGTH TAG BYTE* ;` That LENGTH counts the bytes is the business of an engine.
fn records() -> Grammar {
    let mut b = Builder::new("Records");
    let [length, tag, byte] = ["LENGTH", "TAG", "BYTE"].map(|name| b.token(name));
    let [file, record] = ["file", "record"].map(|name| b.rule(name));
    let records = b.block(Quantifier::STAR, [Alt::of([record.into()])]);
    b.body(file, [Alt::of([records.into()])]);
    let payload = b.block(Quantifier::STAR, [Alt::of([byte.into()])]);
    b.body(record, [Alt::of([length.into(), tag.into(), payload.into()])]);
    b.finish()
}

#[test]
fn a_length_prefixed_record() {
    let g = records();
    let record = |length, bytes: [&'static [u8]; 2]| {
        let payload = bytes.into_iter().map(|byte| Item(1, vec![Token("BYTE", byte)])).collect();
        let parts = vec![Token("LENGTH", length), Token("TAG", b"\xff"), List("record", 0, payload)];
        Item(1, vec![Rule("record", 1, parts)])
    };
    let both = vec![record(b"\x00\x02", [b"\x80", b"\x00"]), record(b"\x00\x02", [b"a", b"b"])];
    let tree = build(&g, &Rule("file", 1, vec![List("file", 0, both)]));
    assert_eq!(tree.to_bytes(), b"\x00\x02\xff\x80\x00\x00\x02\xffab");

    // A deletion and the repair of the length that it needs are one candidate.
    let length =
        tree.subtree(NodeId::ROOT).find(|n| tree.kind(*n) == Kind::Token(token(&g, "LENGTH"))).unwrap();
    let byte = tree.subtree(NodeId::ROOT).find(|n| tree.leaf_text(*n) == b"\x80").unwrap();
    let one = build(&g, &Token("LENGTH", b"\x00\x01"));
    let item = tree.parents()[byte.index()];
    let edits = vec![tree.replace(length, Replacement::Tree(&one)), tree.delete(item)];
    let edits = Edits::new(edits).expect("they do not overlap");
    let mut text = Vec::new();
    tree.write_edited(&edits, &mut text);
    assert_eq!(text, b"\x00\x01\xff\x00\x00\x02\xffab");

    let uses = Uses::of(&g);
    assert_eq!(heights(&g), "file=1 record=1 ");
    assert_eq!(Minima::sizes(&g, &uses).rule(rule(&g, "record")), Some(2));
    assert!(accepts(&g, "file", "record") && Nullable::of(&g, &uses).rule(rule(&g, "file")));
    assert!(Productive::of(&g, &uses).rule(rule(&g, "record")));
}

/// `e : e '*' e | e '+' e | '-' e | ID ;`
fn expressions() -> Grammar {
    let mut b = Builder::new("Expressions");
    let [times, plus, minus] = ["*", "+", "-"].map(|t| b.literal(format!("'{t}'"), t));
    let id = b.token("ID");
    let e = b.rule("e");
    b.body(
        e,
        [
            Alt::of([e.into(), times.into(), e.into()]),
            Alt::of([e.into(), plus.into(), e.into()]),
            Alt::of([minus.into(), e.into()]),
            Alt::of([id.into()]),
        ],
    );
    let operator = |class, precedence, operand| Operator { class, precedence, operand };
    b.recursion(
        e,
        LeftRecursion {
            operators: vec![
                operator(OperatorClass::Binary, 4, 5),
                operator(OperatorClass::Binary, 3, 4),
                operator(OperatorClass::Prefix, 2, 2),
                operator(OperatorClass::Primary, 1, 0),
            ],
        },
    );
    b.finish()
}

#[test]
fn an_expression_grammar_with_precedence() {
    let g = expressions();
    let id = |text| Rule("e", 4, vec![Token("ID", text)]);
    let binary = |alt, op: &'static str, l, r| Rule("e", alt, vec![l, Token(op, op.as_bytes()), r]);
    let tree = build(&g, &binary(2, "+", id(b"a"), binary(1, "*", id(b"b"), id(b"c"))));
    assert_eq!(tree.to_bytes(), b"a+b*c");
    check(&show::sexpr(&tree, &g), expect!["(e (e a) + (e (e b) * (e c)))"]);
    let edited = replaced(&tree, find(&g, &tree, "e", "b*c"), find(&g, &tree, "e", "c"));
    check(&show::sexpr(&edited, &g), expect!["(e (e a) + (e c))"]);

    let table = g.rule(rule(&g, "e")).recursion.as_ref().unwrap();
    assert!(table.operators[0].precedence > table.operators[1].precedence, "the first binds tightest");
    assert_eq!(heights(&g), "e=1 ");
    assert!(accepts(&g, "e", "ID") && !accepts(&g, "e", "+"));
}
