//! Learns the parser's statistics from drafts.

use crate::decisions::statistics::DecisionStatistics;
use crate::draft::{DeadEnd, DraftContext, Drafter, Observation, SizeLimits};
use crate::generator::Generator;
use crate::lexical::writer::Writer;
use polysmith_parse::Parser;
use polysmith_random::Stream;
use polysmith_tree::TreeBuilder;
use std::sync::Arc;

/// Drafts to learn from, where that is cheap and where it is dear ([`FEW_STATES`]).
const LESSONS: [u64; 2] = [2_400, 600];
/// Lessons without anything new after which there is nothing to learn.
const BORING: u64 = 120;
/// Tokens of a lesson.
const TOKENS: u32 = 60;
/// Tokens of all lessons, the same way: large grammars with long texts learn from fewer.
const ALL_TOKENS: [u32; 2] = [64_000, 16_000];
/// Learning is cheap while the parser has not learned more states than this.
const FEW_STATES: usize = 1_500;
/// Steps of the parser for one lesson. What it has learned makes steps fewer, so there is such a limit only here,
/// where it starts from nothing and is always asked the same.
const STEPS: u64 = 400_000;
/// Lessons that may take more before learning ends.
const MOST_HARD: u32 = 12;
/// States that the parser may learn from all lessons: for a few grammars nearly every token of a random text is a new
/// case, and learning would go on for half a minute without making later texts cheaper.
const MOST_STATES: usize = 6_000;

/// Draws drafts and counts which options the parser takes. The parser that was asked knows most decisions then.
pub(crate) fn learn(generator: &Generator) -> (DecisionStatistics, Parser) {
    let mut statistics = generator.statistics.clone();
    let mut parser = generator.parser.clone();
    let mut drafter = Drafter::new(generator.grammar.tokens().len());
    drafter.learning = true;
    drafter.limits.max_steps = STEPS;
    let mut writer = Writer::new(Arc::clone(&generator.lexical), generator.automata.clone());
    let mut builder = TreeBuilder::new();
    let (mut boring, mut tokens, mut hard) = (0, 0, 0);
    for lesson in 0..LESSONS[0] {
        let mut stream = Stream::keyed(&[0x006C_6561_726E, lesson]);
        (writer.text_stream, writer.layout_stream) = (stream.fork(), stream.fork());
        let target = 1 + stream.below(u64::from(TOKENS)) as u32;
        let most = generator
            .size_limits
            .most
            .min(4 * TOKENS)
            .max(generator.tables.rule_curves[generator.start.index()].at(generator.size_limits.depth));
        let size_limits = SizeLimits { target, most, ..generator.size_limits };
        let mut context = DraftContext {
            statistics: &statistics,
            ..DraftContext::new(generator, &mut parser, &mut stream, &mut writer, &mut builder, size_limits)
        };
        let drafted = drafter.draft(&mut context, generator.start);
        builder.truncate(0);
        tokens += drafter.tokens();
        hard += u32::from(drafted == Err(DeadEnd::StepLimit));
        boring += 1;
        let mut captured = false;
        for observation in &drafter.observations {
            match *observation {
                Observation::Won { choice, token } => statistics.won(choice, token),
                Observation::Lost { choice, token } => {
                    statistics.lost(choice, token, &generator.one_token);
                    boring = 0;
                }
                Observation::Operand { body, operator, was_left } => {
                    let rule = generator.grammar.block(body).rule;
                    let number = generator.tables.recursive[rule.index()];
                    captured |= number.is_some_and(|number| statistics.operand(operator, number, was_left));
                }
                Observation::CannotFollow { token, next } => {
                    statistics.cannot_follow(token, next);
                    boring = 0;
                }
            }
        }
        if captured {
            statistics.close_captured(&generator.one_token, &generator.tables);
        }
        let states = parser.prediction_cost().states;
        let dear = usize::from(states > FEW_STATES);
        let is_much = lesson >= LESSONS[dear] || tokens > ALL_TOKENS[dear] || states > MOST_STATES;
        if boring >= BORING || is_much || hard > MOST_HARD {
            break;
        }
    }
    (statistics, parser)
}
