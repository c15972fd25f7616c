//! Tuning constants: what each one trades, and what is known about its value.
//!
//! "The collection" is a large set of public ANTLR grammars that the round trip check of `xtask conformance` runs on. A
//! value without a figure was not measured separately. Changing a constant changes the bytes of seeds.

// Weights and sizes.

/// The largest power of two by which an alternative is preferred that can use up the budget. A larger one fills budgets
/// better, and makes alternatives that cannot grow too rare. Not measured separately.
pub(crate) const MAX_GROWTH: u32 = 24;
/// Nested rule calls allowed beyond what every alternative needs to occur. More gives deeper trees and longer chains of
/// calls around small texts. Not measured separately.
pub(crate) const SPARE_DEPTH: u32 = 12;

// Drafts of one test.

/// A draft is small if it has less than the target divided by this: nothing fitted after some token, and a list ended
/// there. Half of the drafts for golang and php were small (measured).
pub(crate) const SMALL_DRAFT_DIVISOR: u32 = 4;
/// Small drafts for one test before one is accepted. More gives larger tests and costs time. Not measured separately.
pub(crate) const MAX_SMALL_DRAFTS: u32 = 4;
/// Lookahead of all open predictions together, in tokens, before only the cheapest alternatives are taken. Texts that need
/// much more take any ALL(*) parser seconds (seen on elixir).
pub(crate) const MAX_OPEN_LOOKAHEAD: u32 = 200;
/// Backtracks of one draft before it is given up. More saves drafts, and wastes time on hopeless ones: awk used them all
/// before captured operators were learned. Not measured separately since.
pub(crate) const MAX_BACKTRACKS: u32 = 300;
/// A backtrack that prediction requests late costs one more for each multiple of this number of tokens that it had looked at.
pub(crate) const TOKENS_PER_LATE_BACKTRACK: u32 = 8;
/// Backtracks without progress before the walk returns one checkpoint further. A smaller number gives up good prefixes, a
/// larger one repeats bad ones. Not measured separately.
pub(crate) const STALLED_BACKTRACKS: u32 = 16;
/// Tokens of a set that are drawn to find one that is neither excluded nor forbidden. Not measured separately.
pub(crate) const MAX_TOKEN_DRAWS: u32 = 16;
/// How often a steered draft gets more steps of the parser, for fewer goals. Not measured separately.
pub(crate) const MAX_STEP_EXTENSIONS: u32 = 1;

// Decision statistics.

/// Losses before a choice counts as bad before a token. Fewer would close choices by accident.
pub(crate) const MIN_LOSSES: u32 = 2;
/// Losses, without ever winning, before a choice counts as bad wherever one token does not settle it. With this rule
/// cobol85, php, smalltalk, jsx and kotlin had 20 of 20 texts by the first draft (measured).
pub(crate) const MIN_LOSSES_WITHOUT_WIN: u32 = 4;
/// A choice that loses more than once in this number of wins is asked about after [`EARLY_QUESTION`] tokens.
pub(crate) const WINS_PER_LOSS_RARE: u32 = 8;
/// A choice that loses less than once in this number of wins is asked about when the text ends, all others after
/// [`LATE_QUESTION`] tokens. Before this, questions that stayed open took a third of the time on c and a fifth on java
/// (measured).
pub(crate) const WINS_PER_LOSS_NEGLIGIBLE: u32 = 64;
/// Tokens before full prediction is asked about a choice that often loses. Later questions lose more tokens.
pub(crate) const EARLY_QUESTION: u32 = 2;
/// Tokens before full prediction is asked about a choice that sometimes loses. Earlier questions cost more predictions.
pub(crate) const LATE_QUESTION: u32 = 16;

// Training.

/// A limit of training, where the parser is cheap to ask and where it is not.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TrainingLimit<T> {
    pub(crate) cheap: T,
    expensive: T,
}

impl<T: Copy> TrainingLimit<T> {
    pub(crate) fn get(&self, is_cheap: bool) -> T {
        if is_cheap { self.cheap } else { self.expensive }
    }
}

/// Training drafts: more make later drafts right at once, and compiling slower. Not measured separately.
pub(crate) const TRAINING_DRAFTS: TrainingLimit<u64> = TrainingLimit { cheap: 2_400, expensive: 600 };
/// Tokens of all training drafts: large grammars with long texts learn from fewer drafts. Not measured separately.
pub(crate) const TRAINING_TOKENS: TrainingLimit<u32> = TrainingLimit { cheap: 64_000, expensive: 16_000 };
/// Training is cheap while the parser has not learned more states than this.
pub(crate) const TRAINING_CHEAP_STATES: usize = 1_500;
/// Training drafts in a row without a loss after which there is nothing to learn. Not measured separately.
pub(crate) const TRAINING_IDLE_DRAFTS: u64 = 120;
/// The largest target of a training draft, in tokens. Not measured separately.
pub(crate) const TRAINING_TARGET: u32 = 60;
/// Steps of the parser for one training draft. What a parser has learned makes steps fewer. So there is such a limit only
/// where it starts from nothing and is always asked the same.
pub(crate) const TRAINING_STEPS: u64 = 400_000;
/// Training drafts that may reach that limit before training ends. Not measured separately.
pub(crate) const MAX_HARD_TRAINING_DRAFTS: u32 = 12;
/// States that the parser may learn in training. For a few grammars nearly every token of a random text is a new case:
/// elixir trained for 34 s without this limit, and later texts were not cheaper (measured).
pub(crate) const MAX_TRAINING_STATES: usize = 6_000;

// Texts of tokens.

/// Texts kept for each way to write a token; most tokens get one of them. More varies texts, and costs memory and compile
/// time. Not measured separately.
pub(crate) const POOL_SIZE: usize = 48;
/// Texts drawn to fill a pool. Not measured separately.
pub(crate) const POOL_DRAWS: usize = 160;
/// Separators kept for each mode. Not measured separately.
pub(crate) const MAX_SEPARATORS: usize = 10;
/// Texts drawn for one token before none counts as fitting between its neighbours. Not measured separately.
pub(crate) const MAX_TEXT_DRAWS: u32 = 12;
/// Hidden tokens in a row that lead to another mode. The search is exponential in it. Not measured separately.
pub(crate) const MAX_MODE_HOPS: usize = 3;
/// Token rules whose texts together make one token (`more`). The search is exponential in it. Not measured separately.
pub(crate) const MAX_PIECES: usize = 3;
/// Nested rule calls in one token text. Not measured separately.
pub(crate) const MAX_TEXT_DEPTH: u32 = 64;

// Cover: steered drafts.

/// How often a goal may be met by drafts that do not cover it before it is set aside. Not measured separately.
pub(crate) const MAX_VAIN_MEETINGS: u8 = 3;
/// Drafts that meet no goal, more or less in a row, before all that is left is set aside. Not measured separately.
pub(crate) const MAX_EMPTY_DRAFTS: u32 = 40;
/// Attempts for one path that was set aside. Not measured separately.
pub(crate) const PATH_ATTEMPTS: u32 = 3;
/// Attempts for all paths that were set aside. Not measured separately.
pub(crate) const ALL_PATH_ATTEMPTS: u32 = 6_000;
/// Steps of the parser for one steered draft; one that takes more gives up goals. The parser of a run starts from nothing
/// and is asked the same questions every time, so the limit changes nothing from run to run.
pub(crate) const STEERED_STEPS: u64 = 1_000_000;
/// A draft that exhausts the parser's step limit counts as this many attempts.
pub(crate) const HARD_DRAFT_COST: u32 = 5;
/// How often the drafts of a stage may reach the step limit before the stage ends. Not measured separately.
pub(crate) const MAX_HARD_DRAFTS: u32 = 40;
/// For this number of drafts of a stage, one more may reach the step limit.
pub(crate) const DRAFTS_PER_HARD_DRAFT: u32 = 16;
/// A draft that reaches the step limit makes the next ones smaller, down to this many tokens. Not measured separately.
pub(crate) const MIN_STEERED_TOKENS: u32 = 24;
/// How often one draft may lose the same goal by backtracking before it stops wanting it. Not measured separately.
pub(crate) const MAX_GOAL_LOSSES: u8 = 3;
/// Distances are searched again when more places have no goals left than the number of path slots divided by this. A larger number keeps
/// distances exact, and searches more often. Not measured separately.
pub(crate) const SLOTS_PER_STALE_PLACE: usize = 20_000;
/// Refusals of a wanted alternative after which a report blames the parser. Not measured separately.
pub(crate) const MIN_REPORTED_REFUSALS: u8 = 8;

// Cover: plans.

/// Plans for one goal, by round: all goals get a few before any gets many. Not measured separately.
pub(crate) const PLANS_BY_ROUND: [u16; 5] = [4, 12, 48, 160, 640];
/// Steps of the parser for the text of one plan. Not measured separately.
pub(crate) const PLAN_PARSE_STEPS: u64 = 300_000;
/// Making a plan counts as this many steps of the parser.
pub(crate) const PLAN_COST: u64 = 500;
/// Steps for all plans of one kind of goals: bounds the time of a run. Not measured separately.
pub(crate) const ALL_PLAN_STEPS: u64 = 100_000_000;
/// How often a plan may take a random caller instead of the cheapest. Not measured separately.
pub(crate) const MAX_DETOURS: u32 = 6;
/// Random decisions of a plan; after them the smallest subtrees are taken, so that every plan ends.
pub(crate) const MAX_RANDOM_DECISIONS: u32 = 400;
/// Tokens that the first plan for a goal may spend on other goals. Not measured separately.
pub(crate) const TOKENS_FOR_OTHER_GOALS: u32 = 32;
/// Decisions of a plan. A plan that needs more is given up.
pub(crate) const MAX_PLAN_DECISIONS: usize = 6_000;

// Uniform.

/// Trees that may be thrown away for one test. Not measured separately.
pub(crate) const MAX_REFUSED_TREES: u32 = 2_000;
