//! Decisions that were answered before, and whose answer depends on nothing but the token ahead.
//!
//! A row per place in the program, made when the place is first reached; an entry is where the parser goes on.

/// Where to go on, and what sync does on the way.
const REMEMBERS: u32 = 1 << 31;

/// One answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FastAnswer(u32);

impl FastAnswer {
    pub(crate) fn new(pc: u32, remembers: bool) -> FastAnswer {
        // 0 means that nothing is known, so places count from 1 here.
        FastAnswer((pc + 1) | if remembers { REMEMBERS } else { 0 })
    }

    #[inline]
    pub(crate) fn pc(self) -> u32 {
        (self.0 & !REMEMBERS) - 1
    }

    /// The token ahead does not belong to the rule, which can end here: sync remembers the place.
    #[inline]
    pub(crate) fn remembers(self) -> bool {
        self.0 & REMEMBERS != 0
    }
}

/// Rows of answers in one array.
#[derive(Debug, Clone)]
pub(crate) struct FastRows {
    /// By site: where its row begins; `u32::MAX` if it has none.
    rows: Vec<u32>,
    answers: Vec<u32>,
    width: usize,
}

impl FastRows {
    pub(crate) fn new(sites: usize, width: usize) -> FastRows {
        FastRows { rows: vec![u32::MAX; sites], answers: Vec::new(), width }
    }

    #[inline]
    pub(crate) fn get(&self, site: u32, token: u32) -> Option<FastAnswer> {
        let row = self.rows[site as usize];
        if row == u32::MAX {
            return None;
        }
        let answer = self.answers[row as usize + token as usize];
        (answer != 0).then_some(FastAnswer(answer))
    }

    pub(crate) fn set(&mut self, site: u32, token: u32, answer: FastAnswer) {
        if self.rows[site as usize] == u32::MAX {
            let Ok(start) = u32::try_from(self.answers.len()) else { return };
            self.rows[site as usize] = start;
            self.answers.resize(self.answers.len() + self.width, 0);
        }
        self.answers[self.rows[site as usize] as usize + token as usize] = answer.0;
    }

    pub(crate) fn forget(&mut self) {
        self.rows.fill(u32::MAX);
        self.answers.clear();
    }

    pub(crate) fn memory(&self) -> usize {
        self.rows.len() * 4 + self.answers.len() * 4
    }
}
