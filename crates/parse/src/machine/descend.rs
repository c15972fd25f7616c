//! Down and up through rules that begin with a call each, as levels of operators do.
//!
//! Down, all calls are made at once: nothing is decided between them. Up, each level asks whether one of its operators
//! comes. If none does, and the token is not the rule's own, the rule ends with an empty group; the number of levels that end in
//! this way depends only on the token ahead, so it is kept, and they end at once. The tree, the errors and the counts are
//! those of single steps.

use super::{Machine, RuleFrame, list};
use crate::error::ParseError;
use crate::fast::KnownAnswer;
use crate::network::StateId;
use crate::program::{DescentCall, NO_CALL, Op, Pc};
use polysmith_grammar::RuleId;
use polysmith_tree::Kind;

impl Machine<'_> {
    /// Calls a rule and makes the calls with which it begins; where it goes on.
    #[inline(always)]
    pub(super) fn descend(
        &mut self,
        rule: u32,
        precedence: u32,
        back: Pc,
        follow: StateId,
    ) -> Result<Pc, ParseError> {
        self.enter(rule, precedence, back, follow)?;
        let program = &self.compiled.program;
        let descent = program.descents[rule as usize];
        let calls = &program.calls[descent.first as usize..descent.end as usize];
        let steps = self.steps + calls.len() as u64;
        if self.frames.len() + calls.len() > self.limits.max_depth || steps > self.limits.max_steps {
            // One of them reaches a limit, and says so when they are made one by one.
            return Ok(program.entries[rule as usize]);
        }
        self.steps = steps;
        self.frame_mut().inner = descent.first;
        let kind = |call: &DescentCall| Kind::Rule { rule: RuleId::new(call.rule as usize), alt: call.alt };
        let nodes = self.leaves.nodes.open_each(calls.iter().map(kind));
        let n_groups = self.groups.len() as u32;
        self.frames.extend(calls.iter().zip(descent.first + 1..).zip(nodes).map(|((call, next), node)| {
            let DescentCall { precedence, follow, back, .. } = *call;
            let inner = if next < descent.end { next } else { NO_CALL };
            RuleFrame { inner, back, follow, precedence, node, n_groups }
        }));
        Ok(descent.to)
    }

    /// Ends all levels of a descent that end before the token ahead, if the parser is after the call of the innermost
    /// one; where the last of them was called.
    #[inline(always)]
    pub(super) fn ascend(&mut self, place: Pc, site: u32) -> Option<Pc> {
        let inner = self.frame().inner;
        if inner == NO_CALL
            || self.compiled.program.calls[inner as usize].back != place
            || self.recovery.recovering
            || self.watched
        {
            return None;
        }
        let levels = match self.learned.ascents.get(inner, self.token()) {
            Some(levels) => levels,
            None => self.learn_ascent(inner),
        };
        let kept = self.frames.len().saturating_sub(levels);
        if levels == 0 || kept == 0 {
            return None;
        }
        let state = self.compiled.program.sites[site as usize].state;
        self.recovery.remember(state, self.frames.len());
        let ended = &self.frames[kept..];
        self.recovery.left_all(kept, ended.iter().map(|frame| frame.follow));
        let blocks = &self.learned.ascents.blocks[inner as usize + 1 - levels..=inner as usize];
        let groups = blocks.iter().rev().map(|block| list(*block));
        self.leaves.nodes.close_each(groups, ended.iter().rev().map(|frame| frame.node));
        let back = ended[0].back;
        self.frames.truncate(kept);
        Some(back)
    }

    /// The number of levels that end before the token ahead, as far as the answers of all their decisions are known.
    #[cold]
    fn learn_ascent(&mut self, inner: u32) -> usize {
        let program = &self.compiled.program;
        let token = self.token();
        let (mut levels, mut call) = (0, inner);
        loop {
            let DescentCall { back, level, .. } = program.calls[call as usize];
            let Op::Decide { row, .. } = program.ops[back as usize] else { break };
            let Some(answer) = self.learned.fast.get(row, token) else { return levels };
            // Recovery remembers where the first level ended, so all of them must be such that it would.
            let (KnownAnswer::GoTo(to), true) = (answer.known(), answer.remembers()) else { break };
            let Op::EmptyAndReturn { block } = program.ops[to as usize] else { break };
            self.learned.ascents.blocks[call as usize] = block;
            levels += 1;
            if level == 0 {
                break;
            }
            call -= 1;
        }
        self.learned.ascents.set(inner, token, levels);
        levels
    }
}
