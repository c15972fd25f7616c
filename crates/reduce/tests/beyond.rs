//! Beyond the grammar: the second way down, from an earlier text.

use polysmith_parse::TextRecognizer;
use polysmith_reduce::tree::Language;
use polysmith_reduce::{Beyond, Memory, Reducer, Reduction, Text, ask};

/// A remark is between exclamation marks and is hidden.
const GRAMMAR: &str = "grammar T; s : (ID ';')* EOF ; ID : [a-z]+ ; REMARK : '!' ~[!]* '!' -> skip ; \
     WS : [ \\n]+ -> skip ;";

const INPUT: &str = "!a b c! x; x; x; x; x; x; y;";

/// Six statements, or a mark that opens no remark: within the language only the first can be kept.
fn wanted(text: &str) -> bool {
    text.matches("x;").count() == 6 || text.matches('!').count() == 1
}

fn reduce(beyond: Beyond, questions: Option<usize>) -> (Reduction, Memory) {
    let grammar = polysmith_antlr::read_str("T", GRAMMAR).grammar;
    let start = grammar.start().expect("a start rule");
    let mut language = Language::new(TextRecognizer::new(grammar, start).expect("a grammar to parse with"));
    let reducer = Reducer::default().beyond_language(beyond).max_questions(questions);
    let mut memory = Memory::default();
    let mut question = ask(|candidate| wanted(&String::from_utf8_lossy(&candidate.bytes())));
    let text = Text::new(&[INPUT]).expect("short enough");
    let reduction = reducer.run_by(Some(&mut language), text, &mut question, &mut memory);
    let reduction = reduction.expect("the input is interesting");
    (reduction, memory)
}

#[test]
fn another_way_down_is_taken_if_it_leads_lower() {
    let (within, _) = reduce(Beyond::Never, None);
    assert_eq!(within.text.bytes(), b"x;x;x;x;x;x;");
    let (beyond, memory) = reduce(Beyond::Last, None);
    assert_eq!(beyond.text.bytes(), b"!");
    // What counts as a step is lower than all before it, on the second way too.
    assert!(memory.steps.windows(2).all(|steps| steps[1].size < steps[0].size));
    assert_eq!(memory.steps.last().map(|step| step.size), Some(beyond.text.size()));
    assert!(memory.steps.iter().any(|step| step.edit.starts_with("in an earlier text: ")));
}

/// Wherever it ends, the best text is the result.
#[test]
fn a_limit_on_the_second_way_leaves_the_best_text() {
    let (_, memory) = reduce(Beyond::Last, None);
    let all = reduce(Beyond::Last, None).0.questions;
    for most in (1..=all).step_by(7) {
        let (reduction, steps) = reduce(Beyond::Last, Some(most));
        assert!(reduction.questions <= most);
        assert_eq!(steps.steps, memory.steps[..steps.steps.len()]);
        let best = steps.steps.last().map_or(reduction.before, |step| step.size);
        assert_eq!(reduction.text.size(), best, "after {most} questions");
    }
}
