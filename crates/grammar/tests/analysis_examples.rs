//! The analyses on grammars that a person can check by eye.

use polysmith_grammar::analysis::*;
use polysmith_grammar::*;

/// `list : '[' (value (',' value)*)? ']' ; value : ID | list | '-' value ; lost : value lost ;`
fn lists() -> (Grammar, [RuleId; 3]) {
    let mut b = Builder::new("Lists");
    let [open, close, comma, minus] = ["[", "]", ",", "-"].map(|t| b.literal(format!("'{t}'"), t));
    let id = b.token("ID");
    let [list, value, lost] = ["list", "value", "lost"].map(|name| b.rule(name));
    let more = b.block(Quantifier::STAR, [Alt::of([comma.into(), value.into()])]);
    let some = b.block(Quantifier::OPTIONAL, [Alt::of([value.into(), more.into()])]);
    b.body(list, [Alt::of([open.into(), some.into(), close.into()])]);
    b.body(value, [Alt::of([id.into()]), Alt::of([list.into()]), Alt::of([minus.into(), value.into()])]);
    b.body(lost, [Alt::of([value.into(), lost.into()])]);
    (b.finish(), [list, value, lost])
}

fn shown(grammar: &Grammar, bits: Bits<'_>) -> String {
    bits.iter().map(|t| grammar.tokens().display(TokenType::new(t))).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_small_grammar() {
    let (g, [list, value, lost]) = lists();
    let uses = Uses::of(&g);
    let (nullable, productive) = (Nullable::of(&g, &uses), Productive::of(&g, &uses));
    assert!(productive.rule(value) && !productive.rule(lost));

    let heights = Minima::heights(&g, &uses);
    assert_eq!([list, value, lost].map(|r| heights.rule(r)), [Some(1), Some(1), None]);
    let some = g.block_numbered(list, 0).unwrap();
    assert_eq!((heights.block(&g, some), heights.iteration(some)), (Some(0), Some(1)));
    assert_eq!(depth_of_all_alternatives(&g, &uses, &heights, list), Some(3));

    let sizes = Minima::sizes(&g, &uses);
    assert_eq!([list, value].map(|r| sizes.rule(r)), [Some(2), Some(1)]);

    let first = First::of(&g, &nullable, &productive);
    assert_eq!(shown(&g, first.rule(value)), "'[' '-' ID");
    let follow = Follow::of(&g, &nullable, &productive, &first, Some(list));
    assert_eq!(shown(&g, follow.rule(value)), "']' ','");
    assert_eq!(shown(&g, follow.rule(list)), "EOF ']' ','");

    let subsume = Subsume::of(&g, &nullable);
    assert!(subsume.accepts(Symbol::Rule(value), Symbol::Rule(list)));
    assert!(!subsume.accepts(Symbol::Rule(list), Symbol::Rule(value)));
    assert!(subsume.block_accepts(some, Symbol::Rule(list)), "one value is enough of a list");
    assert!(subsume.accepts(Symbol::Rule(value), Symbol::Token(g.tokens().named("ID").unwrap())));
}

fn separated(g: &Grammar) -> Vec<(ListForm, usize, usize)> {
    SeparatedLists::of(g, &Shapes::of(g))
        .all()
        .iter()
        .map(|l| {
            let length = |r: &std::ops::Range<ElementId>| r.end.index() - r.start.index();
            (l.form, length(&l.outside), length(&l.separator))
        })
        .collect()
}

#[test]
fn separated_lists() {
    let (g, _) = lists();
    assert_eq!(separated(&g), [(ListForm::ItemFirst, 1, 1)]);

    let make = |plan: &dyn Fn(&mut Builder, TokenType, TokenType) -> Vec<Part>| {
        let mut b = Builder::new("L");
        let (x, s) = (b.token("X"), b.token("S"));
        let rule = b.rule("l");
        let parts = plan(&mut b, x, s);
        b.body(rule, [Alt::of(parts)]);
        separated(&b.finish())
    };
    // (x s)* x
    let last =
        make(&|b, x, s| vec![b.block(Quantifier::STAR, [Alt::of([x.into(), s.into()])]).into(), x.into()]);
    assert_eq!(last, [(ListForm::ItemLast, 1, 1)]);
    // x s x (s x)*: the item is x, not `s x` without a separator.
    let thrice = make(&|b, x, s| {
        let more = b.block(Quantifier::STAR, [Alt::of([s.into(), x.into()])]);
        vec![x.into(), s.into(), x.into(), more.into()]
    });
    assert_eq!(thrice, [(ListForm::ItemFirst, 1, 1)]);
    // (x | s) (s (x | s))*: items that are groups.
    let groups = make(&|b, x, s| {
        let group = |b: &mut Builder| b.block(Quantifier::ONE, [Alt::of([x.into()]), Alt::of([s.into()])]);
        let inner = group(b);
        let more = b.block(Quantifier::STAR, [Alt::of([s.into(), inner.into()])]);
        vec![group(b).into(), more.into()]
    });
    assert_eq!(groups, [(ListForm::ItemFirst, 1, 1)]);
    // x (s s)*, x (s x)?: no lists.
    let none = make(&|b, x, s| {
        let pairs = b.block(Quantifier::STAR, [Alt::of([s.into(), s.into()])]);
        let maybe = b.block(Quantifier::OPTIONAL, [Alt::of([s.into(), x.into()])]);
        vec![x.into(), pairs.into(), x.into(), maybe.into()]
    });
    assert_eq!(none, []);
}

/// `ID : [a-z] Rest* ; fragment Rest : [a-z] | '_' Rest ; WORDS : 'if' | ID ; NEVER : 'x' NEVER ;`
#[test]
fn token_rules_have_the_same_answers_in_characters() {
    let mut b = Builder::new("Lexer");
    let letters = b.chars(CharSet::from_ranges([('a'.into(), 'z'.into())]));
    let types = ["ID", "WORDS", "NEVER"].map(|name| b.token(name));
    let mode = b.mode("DEFAULT_MODE");
    let [id, words, never] =
        [("ID", 0), ("WORDS", 1), ("NEVER", 2)].map(|(name, at)| b.token_rule(name, Some(types[at]), mode));
    let rest = b.fragment("Rest");
    let lost = b.fragment("Lost");
    let star = b.block(Quantifier::STAR, [Alt::of([rest.into()])]);
    b.body(id, [Alt::of([letters.into(), star.into()])]);
    let bar = b.text("_");
    b.body(rest, [Alt::of([letters.into()]), Alt::of([bar.into(), rest.into()])]);
    let keyword = b.text("if");
    b.body(words, [Alt::of([keyword.into()]), Alt::of([id.into()])]);
    let x = b.text("x");
    b.body(never, [Alt::of([x.into(), never.into()])]);
    b.body(lost, [Alt::of([bar.into()])]);
    let g = b.finish();

    let uses = Uses::of(&g);
    let (nullable, productive) = (Nullable::of(&g, &uses), Productive::of(&g, &uses));
    let sizes = Minima::sizes(&g, &uses);
    assert_eq!([id, words, never, rest].map(|r| sizes.rule(r)), [Some(1), Some(1), None, Some(1)]);
    assert_eq!(sizes.alternative(g.alternatives(g.rule(words).body()).next().unwrap()), Some(2));
    assert_eq!(Minima::heights(&g, &uses).rule(words), Some(1));
    let chars = FirstChars::of(&g, &nullable, &productive);
    assert_eq!(chars.rule(rest).ranges(), [('_'.into(), '_'.into()), ('a'.into(), 'z'.into())]);
    assert_eq!(chars.rule(words).ranges(), [('a'.into(), 'z'.into())]);
    assert!(chars.rule(never).is_empty() && !productive.rule(never));
    let reach = Reach::in_use(&g, None);
    assert!(reach.contains(rest) && !reach.contains(lost));
}

/// 5,000 rules that call each other, 15,000 groups: every analysis. Timed by hand, not asserted.
#[test]
fn five_thousand_rules() {
    let n = 5_000;
    let mut b = Builder::new("Large");
    let tokens: Vec<TokenType> = (0..1_000).map(|t| b.token(format!("T{t}"))).collect();
    let rules: Vec<RuleId> = (0..n).map(|r| b.rule(format!("r{r}"))).collect();
    for r in 0..n {
        let far = rules[(r * 7 + 3) % n];
        let near = rules[(r + 1) % n];
        let [t, s] = [r % 1_000, (r * 13) % 1_000].map(|t| tokens[t]);
        let list = b.block(Quantifier::STAR, [Alt::of([s.into(), near.into()])]);
        let maybe = b.block(Quantifier::OPTIONAL, [Alt::of([far.into()]), Alt::of([t.into()])]);
        b.body(
            rules[r],
            [
                Alt::of([near.into(), list.into()]),
                Alt::of([maybe.into(), t.into(), far.into(), s.into()]),
                Alt::of([t.into()]),
            ],
        );
    }
    let g = b.finish();
    let start = g.start().unwrap();
    let began = std::time::Instant::now();
    let uses = Uses::of(&g);
    let (nullable, productive) = (Nullable::of(&g, &uses), Productive::of(&g, &uses));
    let (heights, sizes) = (Minima::heights(&g, &uses), Minima::sizes(&g, &uses));
    let first = First::of(&g, &nullable, &productive);
    let follow = Follow::of(&g, &nullable, &productive, &first, Some(start));
    let subsume = Subsume::of(&g, &nullable);
    let components = Components::of_calls(&g, &uses);
    let reach = Reach::from_rules(&g, [start]);
    let lists = SeparatedLists::of(&g, &Shapes::of(&g));
    let depth = depth_of_all_alternatives(&g, &uses, &heights, start);
    println!("5,000 rules: all analyses in {:?}", began.elapsed());

    assert_eq!((heights.rule(start), sizes.rule(start)), (Some(1), Some(1)));
    assert_eq!((first.rule(start).count(), follow.rule(start).count()), (1_000, 1_001));
    assert!(subsume.accepts(Symbol::Rule(rules[0]), Symbol::Rule(rules[n - 1])));
    assert_eq!((components.len(), lists.all().len()), (1, n));
    assert!(reach.contains(rules[n - 1]) && depth.is_some());
}

/// `s : e | ID | c | '(' e ')' | d ; e : ID | e '+' e ; c : ID '+' ID | f ; f : ID ; d : '(' ID ; ` : an `ID`, and what
/// is an `ID` or a sum, is read by the first alternative.
#[test]
fn what_an_earlier_alternative_derives_is_shadowed() {
    use polysmith_grammar::analysis::Shadow;
    use polysmith_grammar::coverage::Times;
    let mut b = Builder::new("T");
    let (id, open, close, plus) =
        (b.token("ID"), b.literal("'('", "("), b.literal("')'", ")"), b.literal("'+'", "+"));
    let [s, e, c, f, d] = ["s", "e", "c", "f", "d"].map(|name| b.rule(name));
    b.body(
        s,
        [
            Alt::of([e.into()]),
            Alt::of([id.into()]),
            Alt::of([c.into()]),
            Alt::of([open.into(), e.into(), close.into()]),
            Alt::of([d.into()]),
        ],
    );
    b.body(e, [Alt::of([id.into()]), Alt::of([id.into(), plus.into(), e.into()])]);
    b.body(c, [Alt::of([id.into(), plus.into(), id.into()]), Alt::of([f.into()])]);
    b.body(f, [Alt::of([id.into()])]);
    let maybe = b.block(Quantifier::OPTIONAL, [Alt::of([id.into()]), Alt::of([])]);
    b.body(d, [Alt::of([open.into(), maybe.into()])]);
    let grammar = b.finish();
    let uses = Uses::of(&grammar);
    let mut shadow = Shadow::new(&grammar, &uses, s, &|_| false);
    let parser_alternatives: Vec<AltId> = (0..grammar.n_alternatives()).map(AltId::new).collect();
    assert!(shadow.show(&parser_alternatives));
    let dead = |rule: polysmith_grammar::RuleId| -> Vec<bool> {
        grammar.alternatives(grammar.rule(rule).body()).map(|alt| shadow.is_dead(alt)).collect()
    };
    assert_eq!(dead(s), [false, true, true, false, false]);
    assert_eq!(
        (dead(e), dead(c), dead(f), dead(d)),
        (vec![false; 2], vec![true; 2], vec![true], vec![false])
    );
    let group = grammar.block_numbered(d, 0).unwrap();
    let never = Times::ALL.map(|times| shadow.never_counts(group, times));
    assert_eq!(never, [true, false, false], "an empty iteration comes before none");
}
