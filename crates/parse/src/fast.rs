//! Decisions that were answered before: what is known once the token ahead is.
//!
//! A row per place in the program (for the operators of a left-recursive rule, per place and precedence), made when
//! the place is first reached. Most entries say where the parser goes on; where more tokens are needed, the entry is
//! the state of prediction after the token ahead.

/// What an answer says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KnownAnswer {
    /// The parser goes on here.
    GoTo(u32),
    /// Prediction goes on here.
    PredictFrom(u32),
}

/// The rule can end here and the token ahead is not its own: sync remembers the place.
const REMEMBERS: u32 = 1 << 31;
/// The value is a state of prediction.
const SEEN: u32 = 1 << 30;
const VALUE: u32 = SEEN - 1;

/// One answer. 0 is none, so values count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FastAnswer(u32);

impl FastAnswer {
    pub(crate) fn new(known: KnownAnswer, remembers: bool) -> FastAnswer {
        let value = match known {
            KnownAnswer::GoTo(pc) => pc + 1,
            KnownAnswer::PredictFrom(state) => (state + 1) | SEEN,
        };
        FastAnswer(value | if remembers { REMEMBERS } else { 0 })
    }

    #[inline]
    pub(crate) fn known(self) -> KnownAnswer {
        let value = (self.0 & VALUE) - 1;
        if self.0 & SEEN == 0 { KnownAnswer::GoTo(value) } else { KnownAnswer::PredictFrom(value) }
    }

    #[inline]
    pub(crate) fn remembers(self) -> bool {
        self.0 & REMEMBERS != 0
    }
}

/// Where rules end that began with calls ([`crate::program::Descent`]), one level after the other: by call, the group that
/// stays empty after it, and by call and token ahead the number of levels that end.
#[derive(Debug, Clone)]
pub(crate) struct Ascents {
    pub(crate) blocks: Vec<u32>,
    /// One more than that; 0 if it is not known.
    levels: FastRows,
}

impl Ascents {
    pub(crate) fn new(calls: usize, width: usize) -> Ascents {
        Ascents { blocks: vec![u32::MAX; calls], levels: FastRows::new(calls, width) }
    }

    #[inline]
    pub(crate) fn get(&self, call: u32, token: u32) -> Option<usize> {
        self.levels.get(call, token).map(|answer| answer.0 as usize - 1)
    }

    pub(crate) fn set(&mut self, call: u32, token: u32, levels: usize) {
        self.levels.set(call, token, FastAnswer(levels as u32 + 1));
    }

    pub(crate) fn forget(&mut self) {
        self.levels.forget();
    }

    pub(crate) fn memory(&self) -> usize {
        self.levels.memory() + self.blocks.len() * 4
    }
}

/// Rows of answers in one array.
#[derive(Debug, Clone)]
pub(crate) struct FastRows {
    /// By row: where it begins. Row 0 of `answers` stays empty, for all that were not made yet.
    starts: Vec<u32>,
    answers: Vec<u32>,
    width: usize,
}

impl FastRows {
    pub(crate) fn new(rows: usize, width: usize) -> FastRows {
        FastRows { starts: vec![0; rows], answers: vec![0; width], width }
    }

    #[inline]
    pub(crate) fn get(&self, row: u32, token: u32) -> Option<FastAnswer> {
        let answer = self.answers[self.starts[row as usize] as usize + token as usize];
        (answer != 0).then_some(FastAnswer(answer))
    }

    pub(crate) fn set(&mut self, row: u32, token: u32, answer: FastAnswer) {
        if self.starts[row as usize] == 0 {
            let Ok(start) = u32::try_from(self.answers.len()) else { return };
            self.starts[row as usize] = start;
            self.answers.resize(self.answers.len() + self.width, 0);
        }
        self.answers[self.starts[row as usize] as usize + token as usize] = answer.0;
    }

    pub(crate) fn forget(&mut self) {
        self.starts.fill(0);
        self.answers.truncate(self.width);
    }

    pub(crate) fn memory(&self) -> usize {
        self.starts.len() * 4 + self.answers.len() * 4
    }
}
