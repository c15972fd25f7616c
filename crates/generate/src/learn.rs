//! Learns the parser's habits from drafts.

use crate::draft::{Bounds, Drafter, Source, Stuck};
use crate::engine::Generator;
use crate::habits::Habits;
use crate::replay::{Replay, Verdict};
use crate::write::Writer;
use polysmith_engine::Test;
use polysmith_random::Stream;
use polysmith_tree::TreeBuilder;
use std::sync::Arc;

/// Drafts to learn from.
const LESSONS: u64 = 600;
/// Lessons without anything new after which there is nothing to learn.
const BORING: u64 = 120;
/// Tokens of a lesson.
const TOKENS: u32 = 60;
/// Tokens of all lessons: large grammars with long texts learn from fewer.
const ALL_TOKENS: u32 = 16_000;
/// Steps of the parser for one lesson.
const STEPS: u64 = 1_000_000;
/// Lessons that may take more before learning ends.
const MOST_HARD: u32 = 8;

/// Replays drafts and counts which options the parser takes.
pub(crate) fn learn(generator: &Generator) -> Habits {
    let mut habits = generator.habits.clone();
    let mut drafter = Drafter::new(generator.grammar.tokens().len());
    let mut writer = Writer::new(Arc::clone(&generator.wording), generator.scan.clone());
    let mut replay = Replay::new(generator.parser.clone()).at_most(STEPS);
    let mut builder = TreeBuilder::new();
    let mut test = Test::default();
    let (mut boring, mut tokens, mut hard) = (0, 0, 0);
    for lesson in 0..LESSONS {
        let mut stream = Stream::keyed(&[0x006C_6561_726E, lesson]);
        (writer.text_stream, writer.layout_stream) = (stream.fork(), stream.fork());
        let target = 1 + stream.below(u64::from(TOKENS)) as u32;
        let most = generator
            .bounds
            .most
            .min(4 * TOKENS)
            .max(generator.tables.rules[generator.start.index()].at(generator.bounds.depth));
        drafter.forget();
        let drafted = drafter.draft(
            &mut Source {
                tables: &generator.tables,
                sure: &generator.sure,
                habits: &habits,
                stream: &mut stream,
                writer: &mut writer,
                builder: &mut builder,
                model: None,
                listener: None,
                cooldown: None,
                goal: None,
                bounds: Bounds { target, most, ..generator.bounds },
            },
            generator.start,
        );
        tokens += drafter.tokens();
        let lesson_learned = match drafted {
            Err(stuck) => {
                builder.truncate(0);
                stuck_lesson(&mut habits, &drafter, stuck)
            }
            Ok(()) => {
                test.take(&mut builder);
                let verdict =
                    if drafter.unsure { replay.compare(generator.start, &test.tree) } else { Verdict::Same };
                hard += u32::from(verdict == Verdict::TooHard);
                replayed_lesson(&mut habits, &drafter, verdict)
            }
        };
        boring = if lesson_learned { 0 } else { boring + 1 };
        if boring >= BORING || tokens > ALL_TOKENS || hard > MOST_HARD {
            break;
        }
    }
    habits
}

/// Two tokens that could not stand side by side.
fn stuck_lesson(habits: &mut Habits, drafter: &Drafter, stuck: Stuck) -> bool {
    if let (Stuck::Token(token), Some(last)) = (stuck, drafter.last) {
        let pair = habits.behind(last) as u32;
        habits.lost(pair, token);
        return true;
    }
    false
}

fn replayed_lesson(habits: &mut Habits, drafter: &Drafter, verdict: Verdict) -> bool {
    let differs = match verdict {
        Verdict::Same => usize::MAX,
        Verdict::Differs(at) => at,
        Verdict::Rejected | Verdict::TooHard => return false,
    };
    for doubt in &drafter.doubts {
        match (doubt.node as usize).cmp(&differs) {
            std::cmp::Ordering::Less => habits.won(doubt.option, doubt.token),
            std::cmp::Ordering::Equal => habits.lost(doubt.option, doubt.token),
            std::cmp::Ordering::Greater => {}
        }
    }
    differs != usize::MAX
}
