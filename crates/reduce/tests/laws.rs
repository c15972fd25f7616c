//! What holds of every reduction, checked against naive twins.
#![expect(clippy::unwrap_used, reason = "helpers of a test")]

use polysmith_reduce::{
    Answer, Candidate, Journal, Key, Memory, Question, Reducer, Reduction, Step, Stop, Text, Ticket, ask,
    count_tokens, tokens,
};

type Holds = fn(&[u8]) -> bool;

fn has(text: &[u8], word: &str) -> bool {
    text.windows(word.len()).any(|window| window == word.as_bytes())
}

fn is_balanced(text: &[u8]) -> bool {
    let mut open = Vec::new();
    for byte in text {
        match byte {
            b'(' | b'[' | b'{' => open.push(*byte),
            b')' | b']' | b'}'
                if !matches!(
                    (open.pop(), byte),
                    (Some(b'('), b')') | (Some(b'['), b']') | (Some(b'{'), b'}')
                ) =>
            {
                return false;
            }
            _ => {}
        }
    }
    open.is_empty()
}

/// Inputs with questions of different kinds: monotone, structured, dependent, about layout, about bytes.
fn cases() -> Vec<(&'static str, Vec<u8>, Holds)> {
    let c = b"#include <stdio.h>\n/* a comment */\nstatic int unused(int a, int b) { return a + b; }\n\nint main(void) {\n    \
        int x = 10, y = 20; // sum\n    if (x < y) { printf(\"%d\\n\", x); crash(x, y); }\n    return 0;\n}\n";
    let json = b"{\n \"a\": [1, 2, {\"k\": \"deep\", \"n\": null}, 4],\n \"b\": {\"c\": true},\n \"d\": [[[[5]]]]\n}\n";
    let python =
        b"def f(x):\n    if x:\n        print('a')\n        boom()\n    else:\n        print('b')\n\nf(1)\n";
    let xml = b"<a><!-- no --><b k=\"1\"><c>text</c><d/></b><b k=\"2\"><c>more</c></b></a>";
    vec![
        ("word", c.to_vec(), |text| has(text, "crash")),
        ("balanced", c.to_vec(), |text| is_balanced(text) && has(text, "crash(") && has(text, "main")),
        ("json", json.to_vec(), |text| is_balanced(text) && has(text, "\"deep\"") && has(text, "5")),
        ("pairs", c.to_vec(), |text| has(text, "int") == has(text, "return") && has(text, "0")),
        ("layout", python.to_vec(), |text| {
            text.split(|b| *b == b'\n').any(|line| line.starts_with(b"  ") && has(line, "boom()"))
        }),
        ("markup", xml.to_vec(), |text| has(text, "<c>") && has(text, "</c>") && has(text, "more")),
        ("parity", (0..=255).collect(), |text| {
            text.len() % 2 == 0 && text.contains(&200) && text.contains(&7)
        }),
        ("size", b"one two three four five six seven".to_vec(), |text| count_tokens(text) >= 3),
    ]
}

fn reduce(text: &[u8], holds: Holds) -> (Reduction, Vec<Step>) {
    let mut journal = Memory::default();
    let mut question = ask(|candidate: &Candidate| holds(&candidate.bytes()));
    let reduction = Reducer::default().run(Text::new(&[text]).unwrap(), &mut question, &mut journal).unwrap();
    (reduction, journal.steps)
}

/// Every text that lacks one line, token or byte and is lower in the order.
fn smaller_by_one(text: &[u8]) -> Vec<Vec<u8>> {
    let without = |start: usize, end: usize| [&text[..start], &text[end..]].concat();
    let mut line_start = 0;
    let lines = text.split_inclusive(|byte| *byte == b'\n').map(|line| {
        line_start += line.len();
        (line_start - line.len(), line_start)
    });
    let mut cuts: Vec<(usize, usize)> = lines.collect();
    cuts.extend(tokens(text).map(|token| (token.start, token.end)));
    cuts.extend((0..text.len()).map(|at| (at, at + 1)));
    let is_lower = |less: &Vec<u8>| count_tokens(less) <= count_tokens(text);
    cuts.into_iter().map(|(start, end)| without(start, end)).filter(is_lower).collect()
}

#[test]
fn nothing_single_is_left_to_delete() {
    for (name, text, holds) in cases() {
        let (reduction, _) = reduce(&text, holds);
        let result = reduction.text.bytes();
        assert!(holds(result) && reduction.confirmed, "{name}");
        for less in smaller_by_one(result) {
            let (shown, less_shown) = (String::from_utf8_lossy(result), String::from_utf8_lossy(&less));
            assert!(!holds(&less), "{name}: {shown:?} could become {less_shown:?}");
        }
    }
}

#[test]
fn reducing_again_changes_nothing() {
    for (name, text, holds) in cases() {
        let (first, _) = reduce(&text, holds);
        let (second, steps) = reduce(first.text.bytes(), holds);
        assert_eq!(first.text.bytes(), second.text.bytes(), "{name}");
        assert!(steps.is_empty(), "{name}");
    }
}

#[test]
fn every_step_goes_down() {
    for (name, text, holds) in cases() {
        let (reduction, steps) = reduce(&text, holds);
        let sizes: Vec<_> =
            std::iter::once(reduction.before).chain(steps.iter().map(|step| step.size)).collect();
        assert!(sizes.is_sorted_by(|a, b| a >= b), "{name}: {sizes:?}");
        assert_eq!(sizes.last(), Some(&reduction.text.size()), "{name}");
    }
}

/// Answers several questions at a time, the newest first, and times one in seven out when it is not alone.
struct Backwards {
    holds: Holds,
    open: Vec<(Ticket, Answer)>,
    width: usize,
    asked: usize,
}

impl Question for Backwards {
    fn width(&self) -> usize {
        self.width
    }
    fn submit(&mut self, ticket: Ticket, candidate: &Candidate) -> Result<(), Stop> {
        self.asked += 1;
        let slow = self.asked.is_multiple_of(7) && !self.open.is_empty();
        let answer = if (self.holds)(&candidate.bytes()) { Answer::Yes } else { Answer::No };
        self.open.push((ticket, if slow { Answer::TimedOut } else { answer }));
        assert!(self.open.len() <= self.width);
        Ok(())
    }
    fn wait(&mut self) -> Result<(Ticket, Answer), Stop> {
        Ok(self.open.pop().unwrap())
    }
    fn cancel(&mut self, ticket: Ticket) {
        self.open.retain(|(open, _)| *open != ticket);
    }
}

#[test]
fn jobs_do_not_change_the_steps() {
    for (name, text, holds) in cases() {
        let (_, expected) = reduce(&text, holds);
        for width in [2, 3, 8] {
            let mut journal = Memory::default();
            let mut question = Backwards { holds, open: Vec::new(), width, asked: 0 };
            let text = Text::new(&[&text]).unwrap();
            Reducer::default().run(text, &mut question, &mut journal).unwrap();
            assert_eq!(journal.steps, expected, "{name} with {width} jobs");
        }
    }
}

/// Stops after some answers, as `kill -9` would.
#[derive(Default)]
struct Mortal {
    memory: Memory,
    left: usize,
}

impl Journal for Mortal {
    fn known(&self, key: Key) -> Option<Answer> {
        self.memory.known(key)
    }
    fn answered(&mut self, key: Key, answer: Answer) -> Result<(), Stop> {
        self.left = self.left.checked_sub(1).ok_or(Stop::Interrupted)?;
        self.memory.answered(key, answer)
    }
    fn accepted(&mut self, step: &Step, text: &Text) -> Result<(), Stop> {
        self.memory.accepted(step, text)
    }
}

#[test]
fn a_resumed_reduction_asks_only_what_was_not_answered() {
    for (name, text, holds) in cases() {
        let (whole, steps) = reduce(&text, holds);
        let mut asked = 0;
        let mut journal = Mortal::default();
        let mut lives = 0;
        let result = loop {
            lives += 1;
            journal.left = 37;
            journal.memory.steps.clear();
            let mut question = ask(|candidate: &Candidate| {
                asked += 1;
                holds(&candidate.bytes())
            });
            match Reducer::default().run(Text::new(&[&text]).unwrap(), &mut question, &mut journal) {
                Ok(reduction) if reduction.stopped.is_none() && reduction.confirmed => break reduction,
                _ => {}
            }
        };
        assert_eq!(result.text.bytes(), whole.text.bytes(), "{name}");
        assert_eq!(journal.memory.steps, steps, "{name}");
        assert!(
            asked <= whole.tally.runs + lives,
            "{name}: {asked} of {} in {lives} lives",
            whole.tally.runs
        );
    }
}

#[test]
fn random_answers_end_and_are_noticed() {
    let mut state = 1u64;
    let mut question = ask(|_: &Candidate| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        state >> 62 == 0
    });
    let text = Text::new(&["a b c d e f g h\n".repeat(20)]).unwrap();
    let mut outcomes = (0..40)
        .filter_map(|_| Reducer::default().run(text.clone(), &mut question, &mut Memory::default()).ok());
    assert!(outcomes.any(|reduction| reduction.tally.flaky > 0 || !reduction.confirmed));
}

#[test]
fn a_text_that_says_yes_only_now_and_then_is_left_again() {
    let mut calls = 0;
    let mut question = ask(|candidate: &Candidate| {
        calls += 1;
        let bytes = candidate.bytes();
        has(&bytes, "needle") && (has(&bytes, "steady") || calls % 3 == 0)
    });
    let text = Text::new(&["one two three\nsteady as it goes\nfour five\nthe needle\n"]).unwrap();
    let reduction = Reducer::default().run(text, &mut question, &mut Memory::default()).unwrap();
    assert!(reduction.tally.flaky > 0 && reduction.confirmed);
    assert!(has(reduction.text.bytes(), "steady") && has(reduction.text.bytes(), "needle"));
    assert!(reduction.text.size().tokens <= 4);
}

/// One step makes the test unsure, and it is one of many of the same pass: those before it are not lost.
#[test]
fn only_the_steps_from_the_unsure_one_on_are_taken_back() {
    let half = |name: &str| (0..32).map(|n| format!("{name}{}\n", n % 2)).collect::<String>();
    let text = Text::new(&[format!("{}steady\n{}", half("first"), half("second"))]).unwrap();
    let mut unsure = 0;
    let mut question = ask(|candidate: &Candidate| {
        let text = String::from_utf8_lossy(&candidate.bytes()).into_owned();
        // Every second line must stay, so that the others go one by one, from the end.
        let stays = ["first1", "second1"].iter().all(|line| text.matches(line).count() == 16);
        unsure += usize::from(!text.contains("steady"));
        stays && (text.contains("steady") || unsure % 2 == 0)
    });
    let lines = polysmith_reduce::passes::pass("lines").unwrap();
    let reducer = Reducer::default().with_passes(vec![lines]).fixpoint(false);
    let reduction = reducer.run(text, &mut question, &mut Memory::default()).unwrap();
    assert!(reduction.tally.flaky > 0 && reduction.confirmed);
    let result = String::from_utf8_lossy(reduction.text.bytes()).into_owned();
    assert!(result.contains("steady") && !result.contains("second0"), "{result}");
}

#[test]
fn an_empty_text_that_is_interesting_is_reported() {
    let (reduction, _) = reduce(b"anything", |_| true);
    assert!(reduction.empty_is_interesting && reduction.text.bytes().is_empty());
}

#[test]
fn whole_files_go_and_the_rest_is_reduced_together() {
    let files = ["int used = 1;\nint other;\n", "nothing here\n", "use(used);\nuse(other);\n"];
    let mut question = ask(|candidate: &Candidate| {
        let all: Vec<u8> =
            candidate.files().flat_map(|file| candidate.pieces(file).collect::<Vec<_>>().concat()).collect();
        has(&all, "int used") && has(&all, "use(used)")
    });
    let text = Text::new(&files).unwrap();
    let reduction = Reducer::default().run(text, &mut question, &mut Memory::default()).unwrap();
    let parts = reduction.text.parts();
    assert_eq!([parts[0].present, parts[1].present, parts[2].present], [true, false, true]);
    assert_eq!(reduction.text.slice(&parts[0].range), b"int used");
    assert_eq!(reduction.text.slice(&parts[2].range), b"use(used)");
}

#[test]
fn a_refused_original_is_an_error() {
    let result =
        Reducer::default().run(Text::new(&["x"]).unwrap(), &mut ask(|_| false), &mut Memory::default());
    assert!(result.is_err());
}
