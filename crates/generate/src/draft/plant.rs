//! Draws sprigs where there are none yet, and puts them into a draft.

use super::back::SPRIG;
use super::lock::{Calls, Link, Lock, Pending};
use super::sprigs::{Context, MOST_HEIGHT, Part, Slot, Sprig, Sprigs};
use super::{After, Bounds, Common, Drafter, NONE, Source, Stuck};
use polysmith_grammar::RuleId;
use polysmith_grammar::coverage::NOWHERE;

/// Drafts of a sprig before the calls that it was for are walked.
const ATTEMPTS: u64 = 3;
/// The most tokens of a sprig.
const MOST_TOKENS: u32 = 64;

impl Drafter {
    /// The sprig that is to stand at a call which needs `least` tokens; `None` if the call is walked.
    #[inline]
    pub(super) fn sprig(
        &mut self,
        source: &mut Source<'_>,
        rule: RuleId,
        common: &Common,
        least: u32,
    ) -> Option<Sprig> {
        if common.budget > self.largest_sprig || self.redo || self.ended {
            return None;
        }
        let context = Context {
            rule,
            precedence: common.precedence,
            operator: common.operator,
            mode: source.writer.mode(),
        };
        let sprigs = source.sprigs.as_deref_mut()?;
        let slot = sprigs.draw(context, common.budget, source.stream)?;
        if sprigs.is_unknown(slot) {
            grow(source, context, slot);
        }
        let sprig = source.sprigs.as_deref()?.get(slot)?;
        let free = source.bounds.most - self.used - (self.reserved - least);
        let fits = sprig.height <= common.height && sprig.tokens() <= free;
        let is_bad = self.forbids && self.forbidden.contains(0, sprig.first.index());
        if !fits || is_bad {
            return None;
        }
        // Nothing can come between if nothing is open and every token finds its place.
        if sprig.is_open() || self.is_open() || source.writer.is_tight() {
            self.mark_always(source);
            self.take(SPRIG);
        }
        Some(sprig)
    }

    /// Puts a sprig behind what is there, as the whole of a call.
    pub(super) fn plant(
        &mut self,
        source: &mut Source<'_>,
        sprig: Sprig,
        after: After,
        common: Common,
    ) -> Result<(), Stuck> {
        let Some(sprigs) = source.sprigs.take() else { return Ok(()) };
        let planted = self.copy(source, sprigs, sprig, common.callers);
        source.sprigs = Some(sprigs);
        planted?;
        self.after(source, after, common.invocation());
        Ok(())
    }

    fn copy(
        &mut self,
        source: &mut Source<'_>,
        sprigs: &Sprigs,
        sprig: Sprig,
        callers: u32,
    ) -> Result<(), Stuck> {
        let from = self.types.len() as u32;
        let base = source.builder.len();
        let parts = sprigs.parts(sprig);
        self.settle_each(source, sprigs.types(sprig))?;
        self.inserted.clear();
        let mut copied = 0;
        for (token, leaf) in sprigs.tokens(sprig) {
            source.builder.inner_nodes(parts[copied..leaf].iter().map(|part| part.node));
            copied = leaf + 1;
            let before = source.builder.len();
            if !source.writer.token(source.wording, source.builder, token, None) {
                return Err(Stuck::Token(token));
            }
            for _ in before + 1..source.builder.len() {
                self.widen(source, base, parts, leaf as u32);
            }
        }
        source.builder.inner_nodes(parts[copied..].iter().map(|part| part.node));
        self.used += sprig.tokens();
        let caller = &mut self.top_mut().common;
        caller.budget = caller.budget.saturating_sub(sprig.tokens());
        self.permit();
        self.last = Some(sprig.last);
        self.forbid(source.habits, source.habits.behind(sprig.last));
        self.take_over_open(source, sprigs, sprig, from, callers);
        Ok(())
    }

    /// Hidden text was put before a leaf of a sprig: everything above the leaf is larger by that.
    fn widen(&mut self, source: &mut Source<'_>, base: usize, parts: &[Part], leaf: u32) {
        let mut n = self.inserted.len();
        let mut at = parts[leaf as usize].parent;
        while at != NONE {
            while n > 0 && self.inserted[n - 1] > at {
                n -= 1;
            }
            source.builder.widen(base + at as usize + n);
            at = parts[at as usize].parent;
        }
        self.inserted.push(leaf);
    }

    /// What is open at the end of a sprig is open here.
    fn take_over_open(
        &mut self,
        source: &Source<'_>,
        sprigs: &Sprigs,
        sprig: Sprig,
        from: u32,
        callers: u32,
    ) {
        if !sprig.is_open() {
            return;
        }
        let base = self.calls.len() as u32;
        let outer = |inner: u32| if inner == Calls::NOBODY { callers } else { base + inner };
        for link in sprigs.links(sprig) {
            self.calls.push(link.follow, outer(link.below));
        }
        let checkpoint = self.checkpoints.len() as u32;
        let now = self.types.len() as u32;
        for lock in sprigs.locks(sprig) {
            let patience = source.habits.patience(lock.option);
            let lock = Lock {
                prediction: lock.prediction.with_delay(patience),
                from: from + lock.from,
                callers: outer(lock.callers),
                checkpoint,
                ..*lock
            };
            self.load += now - lock.from;
            self.locks.push(lock);
        }
        for pending in sprigs.pending(sprig) {
            self.pending.push(Pending { callers: outer(pending.callers), checkpoint, ..*pending });
            self.forbid(source.habits, pending.option as usize);
        }
    }

    /// Draws a subtree without texts, of which nothing is known but the call.
    fn sketch(&mut self, source: &mut Source<'_>, rule: RuleId, common: Common) -> Result<(), Stuck> {
        self.clear();
        self.started = true;
        self.reached = true;
        source.builder.truncate(0);
        self.call(source, rule, After::Nothing, common)?;
        self.walk(source, rule)
    }

    /// Hands over the questions that are open at the end of a sketch, with the calls that they name.
    pub(super) fn hand_over_open(
        &self,
        needed: &mut Vec<u32>,
        locks: &mut Vec<Lock>,
        pending: &mut Vec<Pending>,
        links: &mut Vec<Link>,
    ) {
        let open_locks = &self.locks[self.locks_from as usize..];
        let open_pending = &self.pending[self.pending_from as usize..];
        let callers = open_locks.iter().map(|lock| lock.callers);
        needed.clear();
        for callers in callers.chain(open_pending.iter().map(|pending| pending.callers)) {
            needed.extend(self.calls.chain(callers));
        }
        needed.sort_unstable();
        needed.dedup();
        let place = |callers: u32| needed.binary_search(&callers).map_or(Calls::NOBODY, |at| at as u32);
        let link = |at: &u32| self.calls.link(*at);
        links.extend(needed.iter().map(link).map(|link| Link { below: place(link.below), ..link }));
        locks.extend(open_locks.iter().map(|lock| Lock { callers: place(lock.callers), ..*lock }));
        let inner = |pending: &Pending| Pending { callers: place(pending.callers), ..*pending };
        pending.extend(open_pending.iter().map(inner));
    }
}

/// Draws the sprig of a slot.
#[inline(never)]
fn grow(source: &mut Source<'_>, context: Context, slot: Slot) {
    let Some(sprigs) = source.sprigs.take() else { return };
    let common = Common {
        height: source.bounds.depth.min(MOST_HEIGHT),
        budget: slot.size,
        before: 0,
        operator: context.operator,
        carries: false,
        callers: Calls::NOBODY,
        precedence: context.precedence,
        place: NOWHERE,
    };
    let is_drawn = (0..ATTEMPTS).any(|attempt| {
        let mut stream = sprigs.stream(context, slot, attempt);
        let nursery = &mut sprigs.nursery;
        let mut beside = Source {
            tables: source.tables,
            quick: source.quick,
            sure: source.sure,
            asks: source.asks,
            habits: source.habits,
            wording: source.wording,
            parser: &mut *source.parser,
            stream: &mut stream,
            writer: &mut *source.writer,
            builder: &mut nursery.builder,
            model: None,
            cooldown: None,
            goal: None,
            steer: None,
            script: None,
            sprigs: None,
            bounds: Bounds { target: slot.size, ..source.bounds },
        };
        nursery.drafter.stratum = Some(Sprigs::stratum(slot));
        let drafted = nursery.drafter.sketch(&mut beside, context.rule, common);
        drafted.is_ok() && (1..=MOST_TOKENS).contains(&nursery.drafter.tokens())
    });
    if is_drawn {
        sprigs.keep(slot);
    } else {
        sprigs.nursery.builder.truncate(0);
        sprigs.close(slot);
    }
    source.sprigs = Some(sprigs);
}
