//! Decisions: chooses a production, a literal or a generated value for a node.
//!
//! Choices are drawn by weight among those that the limits allow and no fail pattern excludes; the order of
//! declaration has no effect. Hoisted guards are tested here, before anything is built: a rejected choice is removed
//! and another is drawn, which gives the same distribution as building and failing. If no choice is left, the reasons
//! of all rejections together are the conflict.

use crate::answer::{Blame, BlamedPart};
use crate::arena::NodeId;
use crate::patterns::{Conflict, bit};
use crate::solve::Solver;
use crate::tables::{NONE, NodeKind, Ref, Rule};
use polysmith_attributes::{ClassId, ProductionId, Value};

impl Solver<'_> {
    /// Decides a node and continues with its plan.
    pub(crate) fn decide(&mut self, node: NodeId) -> Result<(), Conflict> {
        self.choose(node)?;
        self.start_plan(node);
        Ok(())
    }

    /// Chooses a production, a literal or a value for a node.
    pub(crate) fn choose(&mut self, node: NodeId) -> Result<(), Conflict> {
        self.counters.decisions += 1;
        let class = self.arena.node(node).class;
        match self.tables.classes[class as usize].kind {
            NodeKind::Tree => self.decide_production(node)?,
            NodeKind::Literal => {
                self.pools.of(&self.engine.spec, ClassId(class));
                self.decide_leaf(node, None)?;
            }
            NodeKind::Generator => self.decide_generated(node)?,
        }
        if let Some(tally) = &mut self.tally {
            tally.taken(self.arena.node(node).production);
        }
        if self.arena.node(node).path != 0 {
            self.patterns.attach(&mut self.arena, node);
        }
        Ok(())
    }

    fn decide_production(&mut self, id: NodeId) -> Result<(), Conflict> {
        let tables = self.tables;
        let node = self.arena.node(id);
        let (path, height, width) = (node.path, node.height, node.width);
        let taint = self.candidates.start(&self.weights, node.class, height, width);
        let mut why = None;
        if let Some(call) = self.calls.last().filter(|call| call.root == id) {
            self.patterns.drop_refused(call.refusals, &mut self.candidates, &mut why);
        }
        if path != 0 {
            self.drop_excluded(id, &mut why);
        }
        let mut first = self.prefer_end(id);
        if first.is_none() {
            let class = self.arena.node(id).class;
            first = self
                .shrink
                .next(class)
                .and_then(|kept| kept.find(NodeKind::Tree, self.candidates.open(), None));
        }
        while let Some(at) = first.take().or_else(|| self.draw_candidate()) {
            let production = self.candidates.production(at);
            if !self.refuses(id, production, &tables.productions[production as usize].before, &mut why) {
                self.arena.decide(id, production, production, tables, self.engine.limits.height);
                return Ok(());
            }
            self.candidates.remove(at);
            self.shrink.drop_replay();
        }
        let mut why = why.unwrap_or_else(|| Conflict::new(self.no_choice(id)));
        why.taint.add(taint);
        Err(self.without_choice(id, why))
    }

    /// Removes the candidates that fail patterns exclude.
    fn drop_excluded(&mut self, id: NodeId, why: &mut Option<Conflict>) {
        let own = self.calls.last().map_or(0, |call| call.patterns);
        let mut at = 0;
        while at < self.candidates.open().len() {
            match self.patterns.excludes(&self.arena, self.tables, id, self.candidates.production(at)) {
                None => at += 1,
                Some(pattern) => {
                    let blame = self.no_choice(id);
                    let why = why.get_or_insert_with(|| Conflict::new(blame));
                    self.patterns.explain(&self.arena, pattern, id, own, why);
                    self.candidates.remove(at);
                }
            }
        }
    }

    /// Draws a candidate by weight; above the limit of nodes, only among those that end soonest.
    fn draw_candidate(&mut self) -> Option<usize> {
        if self.arena.nodes.len() >= self.engine.limits.nodes {
            self.candidates.draw_end(&self.weights, &mut self.structure)
        } else {
            self.candidates.draw(&mut self.structure)
        }
    }

    /// Whether a guard of the search's root rejects a production, and why.
    fn refuses(&mut self, root: NodeId, production: u32, guards: &[u32], why: &mut Option<Conflict>) -> bool {
        for guard in guards {
            let mut read = 0;
            if self.is_true(root, production, *guard, &mut read) {
                continue;
            }
            self.counters.refused += 1;
            let blame = Blame { production: ProductionId(production), what: BlamedPart::Guard(*guard) };
            let why = why.get_or_insert_with(|| Conflict::new(blame));
            why.blame = blame;
            let rule = &self.tables.productions[production as usize].guards[*guard as usize];
            why.inherited |= self.inherited_among(root, rule, read);
            return true;
        }
        false
    }

    /// The bit set of the node's inherited attributes among the sources that were read.
    fn inherited_among(&self, node: NodeId, rule: &Rule, read: u64) -> u64 {
        let n_inherited = self.tables.classes[self.arena.node(node).class as usize].n_inherited;
        let sources = (0..).zip(self.tables.sources_of(rule));
        let own = sources.filter(|(at, source)| {
            read & bit(*at) != 0 && source.owner == Ref::THIS && u32::from(source.attribute) < n_inherited
        });
        own.fold(0, |set, (_, source)| set | bit(u32::from(source.attribute)))
    }

    /// Decides a literal (from its pool) or a generated value (from its list).
    fn decide_leaf(&mut self, id: NodeId, list: Option<&[Value]>) -> Result<(), Conflict> {
        let tables = self.tables;
        let node = self.arena.node(id);
        let class = &tables.classes[node.class as usize];
        let production = class.productions.start;
        let slot = (node.attributes + class.intrinsic) as usize;
        let (owner, of, guards) = if class.unit || node.parent == NONE {
            (id, production, &tables.productions[production as usize].own)
        } else {
            let of = self.arena.node(node.parent).production;
            (node.parent, of, &tables.productions[of as usize].children[node.child_no as usize].filters)
        };
        let (class_id, path) = (ClassId(node.class), node.path);
        let own = self.calls.last().map_or(0, |call| call.patterns);
        let n = list.map_or_else(|| self.pools.known(class_id).len(), <[Value]>::len);
        let mut why = None;
        let mut first = self.shrink.next(class_id.0).and_then(|kept| kept.find(class.kind, &[], list));
        // The remaining choices, after the first rejection.
        let mut left: Option<Vec<u32>> = None;
        let mut n_left = n;
        while n_left > 0 {
            let drawn = first.take().unwrap_or_else(|| self.structure.index(n_left));
            let choice = left.as_ref().map_or(drawn as u32, |left| left[drawn]);
            let value = list
                .map_or_else(|| &self.pools.known(class_id)[choice as usize], |list| &list[choice as usize]);
            let pattern = match (path, list) {
                (0, _) => None,
                (_, None) => self.patterns.excludes(&self.arena, tables, id, choice),
                (_, Some(_)) => {
                    let known = self.patterns.value(value);
                    known.and_then(|known| self.patterns.excludes(&self.arena, tables, id, known))
                }
            };
            self.arena.values[slot] = value.clone();
            if let Some(pattern) = pattern {
                let blame = self.no_choice(id);
                let why = why.get_or_insert_with(|| Conflict::new(blame));
                self.patterns.explain(&self.arena, pattern, id, own, why);
            } else if !self.refuses(owner, of, guards, &mut why) {
                self.arena.decide(id, production, choice, tables, self.engine.limits.height);
                return Ok(());
            }
            self.shrink.drop_replay();
            left.get_or_insert_with(|| (0..n as u32).collect()).swap_remove(drawn);
            n_left -= 1;
        }
        let why = why.unwrap_or_else(|| Conflict::new(self.no_choice(id)));
        Err(self.without_choice(id, why))
    }

    fn decide_generated(&mut self, id: NodeId) -> Result<(), Conflict> {
        let production = self.tables.classes[self.arena.node(id).class as usize].productions.start;
        let blame = Blame { production: ProductionId(production), what: BlamedPart::List };
        let mut read = 0;
        let list = self.generated(id, production, &mut read);
        let listed = match &list {
            Some(Value::List(list)) if !list.as_slice().is_empty() => {
                self.decide_leaf(id, Some(list.as_slice()))
            }
            _ => Err(Conflict::new(blame)),
        };
        let Err(mut conflict) = listed else { return Ok(()) };
        if let Some(rule) = &self.tables.productions[production as usize].generator {
            conflict.inherited |= self.inherited_among(id, rule, read);
        }
        Err(conflict)
    }

    /// Removes a node below the search's root from a conflict and adds its parent, because of which it exists.
    fn without_choice(&self, id: NodeId, mut conflict: Conflict) -> Conflict {
        if self.calls.last().is_some_and(|call| call.root != id) {
            conflict.tests.push(self.arena.node(id).parent);
        }
        conflict
    }
}
