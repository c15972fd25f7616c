//! One grammar with one text: how fast, and at what price.

use crate::allocations::{self, Allocated};
use polysmith_antlr::{ExtraChecks, ReadOptions};
use polysmith_grammar::RuleId;
use polysmith_parse::{Limits, ParseOptions, Parsed, Parser, Profile};
use polysmith_source::Disk;
use rustix::time::{ClockId, clock_gettime};
use std::path::Path;
use std::time::Instant;

/// A text is parsed so often before it counts.
const WARM_UP: usize = 5;
/// Then at least so often, and for so many seconds.
const MEASURED: usize = 5;
const SECONDS: f64 = 1.5;

/// A parser with a start rule.
pub(crate) struct Subject {
    parser: Parser,
    start: RuleId,
}

/// What was measured.
pub(crate) struct Figures {
    bytes: usize,
    /// Of all channels, without the end of the input.
    tokens: usize,
    nodes: usize,
    lexing: f64,
    total: f64,
    /// The time in all where every result needs fresh memory.
    fresh: f64,
    asked: u64,
    lookahead: u64,
    by_table: u64,
    full_context: u64,
    allocated: Allocated,
}

impl Subject {
    pub(crate) fn load(main: &Path, lexer: &str, start: &str) -> Subject {
        let lexer = Some(lexer).filter(|lexer| *lexer != "-").map(Into::into);
        let options = ReadOptions { lexer, extra_checks: ExtraChecks::Errors, ..ReadOptions::default() };
        let read = polysmith_antlr::read(&Disk, main, &options);
        let parser = Parser::new(read.grammar).expect("the grammar compiles");
        let start = parser.grammar().rule_named(start).expect("the start rule exists");
        Subject { parser, start }
    }

    fn parse(&mut self, text: &str) -> Parsed {
        self.parser.parse(self.start, text, &Limits::default()).expect("it stays within all limits")
    }

    /// Parses and gives the memory of the result back; seconds for lexing, and in all.
    fn parse_again(&mut self, text: &str) -> (f64, f64) {
        let limits = Limits::default();
        let start = processor_time();
        let lexed = self.parser.lex(text, &limits).expect("it stays within all limits");
        let lexing = processor_time() - start;
        let parsed = self.parser.parse_with(
            self.start,
            text,
            &limits,
            ParseOptions { tokens: Some(lexed), ..ParseOptions::default() },
        );
        self.parser.reuse(parsed.expect("it stays within all limits"));
        (lexing, processor_time() - start)
    }

    /// Measures with a warm parser.
    pub(crate) fn measure(&mut self, text: &str) -> Figures {
        let mut profile = Profile::default();
        let limits = Limits::default();
        let parsed = self.parser.parse_with(
            self.start,
            text,
            &limits,
            ParseOptions { profile: Some(&mut profile), ..ParseOptions::default() },
        );
        let parsed = parsed.expect("it stays within all limits");
        assert!(parsed.accepted(), "the input is accepted: {:?}", parsed.errors.first());
        let sum = |of: fn(&polysmith_parse::DecisionProfile) -> u64| profile.decisions().iter().map(of).sum();
        for _ in 0..WARM_UP {
            self.parse(text);
        }
        let (_, allocated) = allocations::count(|| self.parse(text));
        let fresh = median(|| timed(|| drop(self.parse(text))));
        let total = median(|| self.parse_again(text).1);
        Figures {
            bytes: text.len(),
            tokens: parsed.lexed.tokens.len() - 1,
            nodes: parsed.tree.len(),
            lexing: median(|| self.parse_again(text).0),
            total,
            fresh,
            asked: sum(|decision| decision.asked),
            lookahead: sum(|decision| decision.lookahead),
            by_table: sum(|decision| decision.by_table),
            full_context: sum(|decision| decision.full_context),
            allocated,
        }
    }
}

/// Seconds from the grammar's file to the first tree.
pub(crate) fn cold(main: &Path, lexer: &str, start: &str, text: &str) -> f64 {
    timed(|| drop(Subject::load(main, lexer, start).parse(text)))
}

impl Figures {
    /// The titles of [`Figures::row`].
    pub(crate) const HEAD: &'static str = "language      bytes    MB/s   fresh  lexing  tokens  nodes/token  decisions/token  lookahead/token  table  automaton  callers  bytes/token  allocations/token";

    /// For people.
    pub(crate) fn row(&self, name: &str) -> String {
        let per_token = |count: f64| count / self.tokens as f64;
        let percent = |count: u64| 100.0 * count as f64 / self.asked.max(1) as f64;
        format!(
            "{name:<10}{:>9}{:>8.1}{:>8.1}{:>7.0}%{:>8}{:>13.1}{:>17.2}{:>17.2}{:>6.1}%{:>10.1}%{:>8.1}%{:>13.0}{:>19.5}",
            self.bytes,
            self.bytes as f64 / self.total / 1e6,
            self.bytes as f64 / self.fresh / 1e6,
            100.0 * self.lexing / self.total,
            self.tokens,
            per_token(self.nodes as f64),
            per_token(self.asked as f64),
            per_token(self.lookahead as f64),
            percent(self.by_table),
            percent(self.asked - self.by_table - self.full_context),
            percent(self.full_context),
            per_token(self.allocated.peak as f64),
            per_token(self.allocated.calls as f64),
        )
    }

    /// For a program: `bytes`, seconds in all, then [`Figures::row`] without a name.
    pub(crate) fn line(&self) -> String {
        format!("{} {:.6} {}", self.bytes, self.total, self.row(""))
    }
}

/// The median of the seconds that a piece of work says it took.
fn median(mut work: impl FnMut() -> f64) -> f64 {
    let mut times = Vec::new();
    let start = Instant::now();
    while times.len() < MEASURED || start.elapsed().as_secs_f64() < SECONDS {
        times.push(work());
    }
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Seconds of processor time.
fn timed(work: impl FnOnce()) -> f64 {
    let start = processor_time();
    work();
    processor_time() - start
}

/// Seconds that this thread has run.
fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
