//! Training: fills the decision statistics by drafts that are thrown away.

use crate::compiled::Compiled;
use crate::decisions::choice::ChoiceRows;
use crate::decisions::statistics::DecisionStatistics;
use crate::draft::{
    DeadEnd, DraftMode, DraftRequest, DraftStreams, DraftWorker, Guide, Observation, RandomGuide, SizeLimits,
};
use crate::tuning::{
    MAX_HARD_TRAINING_DRAFTS, MAX_TRAINING_STATES, TRAINING_CHEAP_STATES, TRAINING_DRAFTS,
    TRAINING_IDLE_DRAFTS, TRAINING_STEPS, TRAINING_TARGET, TRAINING_TOKENS,
};
use polysmith_parse::Parser;
use polysmith_random::Stream;

/// Makes drafts and counts which choices the parser makes too. Returns the statistics, and the parser that was asked: it
/// knows most decisions then.
pub(crate) fn train(compiled: &Compiled, size_limits: SizeLimits) -> (DecisionStatistics, Parser) {
    let n_tokens = compiled.grammar.tokens().len();
    let rows = ChoiceRows::new(&compiled.grammar);
    let mut statistics = DecisionStatistics::new(rows, n_tokens, &compiled.tables);
    if !compiled.starts_with_parser_rule() {
        return (statistics, compiled.parser.clone());
    }
    let mut drafts = DraftWorker::new(compiled, compiled.parser.clone());
    drafts.drafter.limits.max_steps = TRAINING_STEPS;
    let (mut idle, mut tokens, mut hard) = (0, 0, 0);
    for number in 0..TRAINING_DRAFTS.cheap {
        let request = request(compiled, size_limits, number);
        let drafted = drafts.draft(compiled, &statistics, request);
        tokens += drafts.drafter.tokens();
        hard += u32::from(drafted == Err(DeadEnd::StepLimit));
        idle = if learn(&mut statistics, compiled, drafts.drafter.observations()) { 0 } else { idle + 1 };
        let states = drafts.parser.prediction_cost().states;
        let is_cheap = states <= TRAINING_CHEAP_STATES;
        let is_enough = number >= TRAINING_DRAFTS.get(is_cheap)
            || tokens > TRAINING_TOKENS.get(is_cheap)
            || states > MAX_TRAINING_STATES;
        if idle >= TRAINING_IDLE_DRAFTS || is_enough || hard > MAX_HARD_TRAINING_DRAFTS {
            break;
        }
    }
    statistics.conclude(&compiled.tables);
    (statistics, drafts.parser)
}

/// The training draft of this number. Its seed is fixed, so training depends on grammar and options alone.
fn request(compiled: &Compiled, size_limits: SizeLimits, number: u64) -> DraftRequest<'static> {
    let mut structure = Stream::keyed(&[0x006C_6561_726E, number]);
    let (text, layout) = (structure.fork(), structure.fork());
    let target = 1 + structure.below(u64::from(TRAINING_TARGET)) as u32;
    let least = compiled.least_tokens(size_limits.depth);
    let max_tokens = size_limits.max_tokens.min(4 * TRAINING_TARGET).max(least);
    DraftRequest {
        streams: DraftStreams { structure, text, layout },
        guide: Guide::Random(RandomGuide::default()),
        mode: DraftMode::Observed,
        size_limits: SizeLimits { target, max_tokens, ..size_limits },
    }
}

/// Counts what a draft observed. Returns whether the parser disagreed with it anywhere.
fn learn(statistics: &mut DecisionStatistics, compiled: &Compiled, observations: &[Observation]) -> bool {
    let (mut is_new, mut is_captured) = (false, false);
    for observation in observations {
        match *observation {
            Observation::Won { choice, token } => statistics.won(choice, token),
            Observation::Lost { choice, token } => {
                statistics.lost(choice, token, &compiled.one_token);
                is_new = true;
            }
            Observation::Operand { body, operator, was_left } => {
                let rule = compiled.grammar.block(body).rule;
                let number = compiled.tables.recursive[rule.index()];
                is_captured |= number.is_some_and(|number| statistics.operand(operator, number, was_left));
            }
            Observation::CannotFollow { token, next } => {
                statistics.cannot_follow(token, next);
                is_new = true;
            }
        }
    }
    if is_captured {
        statistics.close_captured(&compiled.one_token, &compiled.tables);
    }
    is_new
}
