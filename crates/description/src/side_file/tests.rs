//! What side files mean, and what is said about wrong ones.

use super::*;
use expect_test::{Expect, expect};
use polysmith_grammar::rewrite::Part;
use polysmith_source::{Memory, SourceMap, render};

const GRAMMAR: &str = "grammar T; tokens { INDENT } s : e EOF ; e : 'if' ID INDENT ; ID : [a-z]+ ;";

fn read_for(kind: DescriptionKind, text: &str) -> (SideFile, Grammar, String) {
    let grammar = polysmith_antlr::read_str("T", GRAMMAR).grammar;
    let mut sources = SourceMap::default();
    let source = sources.add("T.toml", text);
    let mut found = Diagnostics::default();
    let files = Memory::default().with("builtins.txt", "print");
    let beside = Beside { files: &files, description: Path::new("T.g4") };
    let target = Target { kind, grammar: Some(&grammar), beside: Some(beside) };
    let file = read(text, source, target, &mut found);
    found.sort();
    let shown = found.iter().map(|diagnostic| {
        let at = render::json(&sources, diagnostic);
        let help = diagnostic.help.as_deref().map(|help| format!(" ({help})")).unwrap_or_default();
        format!("{}:{} {} {}{help}\n", at["line"], at["column"], diagnostic.code, diagnostic.message)
    });
    let shown = shown.collect();
    (file, grammar, shown)
}

#[track_caller]
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&read_for(DescriptionKind::Grammar, text).2);
}

#[test]
fn everything_that_a_side_file_can_say() {
    let (file, grammar, shown) = read_for(
        DescriptionKind::Grammar,
        r#"
        [language]
        start = "e"
        extensions = ["t", "tt"]
        description = "a test"
        [tokens]
        INDENT = "    "
        ID = ["x", "y"]
        "'if'" = "if"
        [rewrites]
        "( $x:e )" = "$x"
        "#,
    );
    assert_eq!(shown, "");
    assert_eq!(file.start, grammar.rule_named("e"));
    assert_eq!((file.extensions.len(), file.description.as_str()), (2, "a test"));
    let tokens: Vec<(String, usize)> =
        file.tokens.iter().map(|(token, texts)| (grammar.tokens().display(*token), texts.len())).collect();
    assert_eq!(tokens, [("'if'".to_owned(), 1), ("ID".to_owned(), 2), ("INDENT".to_owned(), 1)]);
    let hole = |rule| Part::Hole { name: "x".to_owned(), rule };
    let text = |text: &str| Part::Text(text.to_owned());
    assert_eq!(file.rewrites[0].pattern, [text("("), hole(grammar.rule_named("e")), text(")")]);
    assert_eq!(file.rewrites[0].template, [hole(None)]);
}

#[test]
fn all_mistakes_at_once() {
    check(
        "[language]\nstrat = \"s\"\nextensions = \"t\"\nstart = \"ss\"\n[token]\n[tokens]\nIDD = [1]\n[rewrites]\nx = 3\n",
        expect![[r#"
            2:0 PS-T002 the key `strat` means nothing here (did you mean `start`?)
            3:13 PS-T003 a list of strings is expected here, not a value of type string
            4:8 PS-T004 the grammar has no rule `ss` (did you mean `s`?)
            5:1 PS-T002 the key `token` means nothing here (did you mean `tokens`?)
            7:0 PS-T004 the grammar has no token `IDD` (did you mean `ID`?)
            7:7 PS-T003 a string is expected here, not a value of type integer
            9:4 PS-T003 a string is expected here, not a value of type integer
        "#]],
    );
}

#[test]
fn a_table_that_the_kind_cannot_use_is_an_error() {
    let text = "[language]\nstart = \"s\"\nextensions = [\".t\"]\n[tokens]\nID = \"x\"\n[rewrites]\n";
    let (file, _, shown) = read_for(DescriptionKind::Specification, text);
    assert_eq!(file.extensions, ["t"]);
    assert!(file.tokens.is_empty());
    expect![[r#"
        2:0 PS-T006 a LALA specification cannot use `start` (it starts with its first class)
        4:1 PS-T006 a LALA specification cannot use the table `[tokens]` (delete the table: it is for ANTLR v4 grammars)
        6:1 PS-T006 a LALA specification cannot use the table `[rewrites]` (delete the table: it is for ANTLR v4 grammars)
    "#]]
    .assert_eq(&shown);
}

#[test]
fn about_reads_no_names() {
    let about = about(
        "[language]\nstart = \"nowhere\"\nextensions = [\"a\"]\ndescription = \"d\"\n[tokens]\nX = 1\n",
    );
    assert_eq!((about.description.as_str(), about.extensions.len()), ("d", 1));
}

#[test]
fn rewrites_name_rules_and_holes_that_are_there() {
    check(
        "[rewrites]\n\"a $x:ee\" = \"b\"\n\"a $x:e\" = \"$y\"\n\"\" = \"b\"\n\"$$x $x:ID\" = \"\"\n",
        expect![[r#"
            2:0 PS-T005 the grammar has no parser rule `ee` (did you mean `e`?)
            3:0 PS-T005 the pattern has no hole `$y`
            4:0 PS-T005 the pattern is empty
            5:0 PS-T005 the grammar has no parser rule `ID`
        "#]],
    );
}

#[test]
fn broken_toml_is_reported_with_its_place() {
    check(
        "[language]\nstart = s\n",
        expect![[r#"
        2:8 PS-T001 this is not TOML: string values must be quoted, expected literal string
    "#]],
    );
    check(
        "language = \"x\"\n[[[\n",
        expect![[r#"
        1:0 PS-T002 the key `language` means nothing here (write it as a table, `[language]`)
        2:2 PS-T001 this is not TOML: unquoted keys cannot be empty, expected letters, numbers, `-`, `_`
    "#]],
    );
    check(
        "\u{0}\u{1}",
        expect![[r#"
        1:0 PS-T001 this is not TOML: invalid unquoted key, expected letters, numbers, `-`, `_`
        1:2 PS-T001 this is not TOML: key with no value, expected `=`
    "#]],
    );
}

#[test]
fn names_that_a_side_file_can_say() {
    let (file, _, shown) = read_for(
        DescriptionKind::Grammar,
        r#"
        [names]
        identifier = "ID"
        builtins = "builtins.txt"
        scopes = [{ at = ["s", "e"], kind = "block" }]
        ignore = ["e.INDENT"]
        define = [{ at = "e.ID", kind = "variable", in = "block", visible = "scope", if = "e.'if'", unique = "variable" }]
        use = [{ at = "s..ID", kind = ["variable"], until = "block", optional = true, open = true }]
        need = [{ at = "e", inside = ["s"], until = "e.ID", message = "an s" }]
        "#,
    );
    assert_eq!(shown, "");
    let names = file.names.expect("the rules are right");
    let rules = names.rules();
    assert_eq!(
        (rules.scopes.len(), rules.definitions.len(), rules.uses.len(), rules.needs.len()),
        (2, 1, 1, 1)
    );
    assert!(rules.uses[0].is_open && rules.builtins.contains(b"print") && rules.uses[0].is_optional);
}

#[test]
fn mistakes_in_names_have_their_places() {
    check(
        "[names]\nidentifier = \"IDD\"\n\nbuiltins = \"none.txt\"\nscopes = [{ at = \"e.s\", king = \"x\" }, 3]\n\
         ignore = [\"\", \"e.\", \".e\", \"e ID\", \"'if'.ID\"]\n\
         define = [{ at = \"e.ID\", kind = \"variable\", in = \"blok\", visible = \"never\", unique = \"variables\" }]\n\
         use = [{ at = \"s..ID\", kind = \"varable\", until = \"block\", open = 1 }]\nneed = {}\n",
        expect![[r#"
            2:13 PS-T007 the grammar has no rule, label or token `IDD` (did you mean `ID`?)
            4:11 PS-T009 the file `none.txt` cannot be read: entity not found
            5:17 PS-T007 `s` is never a child of `e`
            5:24 PS-T002 the key `king` means nothing here (did you mean `kind`?)
            5:38 PS-T003 a table is expected here, not a value of type integer
            6:10 PS-T007 this is no path: steps are separated by `.` or `..`, and each is a name
            6:14 PS-T007 this is no path: steps are separated by `.` or `..`, and each is a name
            6:20 PS-T007 this is no path: steps are separated by `.` or `..`, and each is a name
            6:26 PS-T007 the grammar has no rule, label or token `e ID`
            6:34 PS-T007 `ID` is never a child of `'if'`
            7:49 PS-T004 nothing in `scopes` has the kind `blok`
            7:67 PS-T008 `never` is no answer here: write `after`, `after-node` or `scope`
            7:85 PS-T004 nothing in `define` has the kind `variables` (did you mean `variable`?)
            8:30 PS-T004 nothing in `define` has the kind `varable` (did you mean `variable`?)
            8:49 PS-T004 nothing in `scopes` has the kind `block`
            8:65 PS-T003 `true` or `false` is expected here, not a value of type integer
            9:7 PS-T003 a list of tables is expected here, not a value of type table
        "#]],
    );
}

#[test]
fn paths_of_conditions_have_a_fixed_length() {
    check(
        "[names]\ndefine = [{ at = \"e.ID\", kind = \"variable\", if = \"s..'if'\" }]\n",
        expect![[r#"
        2:0 PS-T008 a condition, and the path of a name that is visible after a node, can have no `+` and no `..`
    "#]],
    );
}
