//! Enumerates every valid program of a small specification by brute force.
//!
//! First all trees of productions with all literals, by the rules of heights alone; then, for each, all values of its
//! generators; those that the reference evaluator accepts are kept. The rules of heights are implemented here a second
//! time, from their description: a production that cannot reach its class again is not limited and resets the limit
//! for its children; one that can costs a level; the tail of a list costs none.

use polysmith_attributes::{
    Chooser, ClassId, ClassKind, Derivation, Evaluator, Heights, Instance, Leaf, Machine, ProductionId,
    Selection, Spec, Value, ViolationKind,
};
use polysmith_random::{Draw, Purpose};

/// The maximum number of trees of a small specification, before guards are evaluated.
const MANY: usize = 200_000;

/// The limits at a node: levels of recursive productions, elements of a list.
#[derive(Debug, Clone, Copy)]
struct Room {
    height: Option<u32>,
    width: Option<u32>,
}

/// The result of the enumeration.
#[derive(Default)]
pub(crate) struct Found {
    /// The valid programs. A program that several choices lead to occurs several times.
    pub valid: Vec<Derivation>,
    /// Whether a rule, a guard or a list failed at run time in any tree.
    pub faults: bool,
}

/// Enumerates all programs.
pub(crate) fn programs(spec: &Spec, selection: &Selection, height: u32) -> Found {
    let heights = Heights::new(spec, selection);
    let shapes = Shapes { spec, selection, heights, limit: height };
    let start = spec.class(spec.start());
    let room = Room { height: start.max_height, width: start.list.and_then(|list| list.max) };
    let mut found = Found::default();
    let mut machine = Machine::default();
    for nodes in shapes.of_class(spec.start(), room) {
        every_choice(spec, &Derivation { nodes, ..Derivation::default() }, &mut machine, &mut found);
    }
    found
}

struct Shapes<'a> {
    spec: &'a Spec,
    selection: &'a Selection,
    heights: Heights,
    limit: u32,
}

impl Shapes<'_> {
    fn of_class(&self, class: ClassId, room: Room) -> Vec<Vec<Instance>> {
        let mut all = Vec::new();
        for id in self.spec.productions_of(class).filter(|id| self.fits(*id, room)) {
            for leaf in self.leaves(class) {
                let head = Instance { production: id, size: 1, leaf };
                all.extend(self.with_children(id, head, room));
            }
        }
        assert!(all.len() <= MANY, "`{}` has too many trees", self.spec.class(class).name);
        all
    }

    /// All ways to put children below a node.
    fn with_children(&self, id: ProductionId, head: Instance, room: Room) -> Vec<Vec<Instance>> {
        let mut partial = vec![vec![head]];
        for (number, child) in self.spec.production(id).children.iter().enumerate() {
            let below = self.of_class(child.class, self.below(id, number, room));
            let longer = |nodes: &Vec<Instance>| {
                let nodes = nodes.clone();
                below.iter().map(move |more| [&nodes[..], &more[..]].concat()).collect::<Vec<_>>()
            };
            partial = partial.iter().flat_map(longer).collect();
            assert!(partial.len() <= MANY, "`{}` has too many trees", self.spec.production_name(id));
        }
        for nodes in &mut partial {
            nodes[0].size = nodes.len() as u32;
        }
        partial
    }

    /// The texts of a literal; one open leaf for anything else.
    fn leaves(&self, class: ClassId) -> Vec<Leaf> {
        let ClassKind::Literal(literal) = &self.spec.class(class).kind else { return vec![Leaf::None] };
        let mut stream = Draw::new(0, 0).stream(Purpose::Pool);
        let texts = literal.regex.pool(1000, &mut stream);
        texts.iter().map(|text| Leaf::Text(Value::from(text.as_str()))).collect()
    }

    fn fits(&self, id: ProductionId, room: Room) -> bool {
        let production = self.spec.production(id);
        let least = self.heights.productions[id.index()];
        let list_is_full = production.tail.is_some() && room.width == Some(1);
        let too_high = production.recursive && room.height.is_some_and(|height| least > height);
        self.selection.weight(id) > 0 && !list_is_full && !too_high
    }

    fn below(&self, id: ProductionId, number: usize, room: Room) -> Room {
        let production = self.spec.production(id);
        let class = self.spec.class(production.children[number].class);
        let own_width = class.list.and_then(|list| list.max);
        let mut inner = if production.tail == Some(number) {
            Room { height: room.height, width: room.width.map(|width| width - 1) }
        } else if production.recursive {
            let height = room.height.map_or(self.limit, |height| height.saturating_sub(1));
            Room { height: Some(height), width: own_width }
        } else {
            Room { height: None, width: own_width }
        };
        if let Some(max) = class.max_height {
            inner.height = Some(inner.height.map_or(max, |height| height.min(max)));
        }
        inner
    }
}

/// Evaluates a tree once for every combination of generated values and keeps the valid ones.
fn every_choice(spec: &Spec, tree: &Derivation, machine: &mut Machine, found: &mut Found) {
    let mut odometer = Odometer::default();
    loop {
        let mut derivation = tree.clone();
        odometer.at = 0;
        odometer.stuck = false;
        let evaluation = Evaluator::new(spec, &mut derivation).run(machine, &mut odometer);
        let complete = derivation.nodes.iter().all(|node| {
            let kind = &spec.class(spec.production(node.production).class).kind;
            !matches!((kind, &node.leaf), (ClassKind::Generator, Leaf::None))
        });
        if evaluation.is_valid() && complete && !odometer.stuck {
            found.valid.push(derivation);
        }
        found.faults |= evaluation.violations.iter().any(|failure| {
            matches!(
                failure.kind,
                ViolationKind::EquationFailed(..)
                    | ViolationKind::GuardFailed(..)
                    | ViolationKind::ListFailed(_)
            )
        });
        if !odometer.advance() {
            return;
        }
    }
}

/// Counts through all choices: the chosen index and the number of values, in the order of the choices.
#[derive(Default)]
struct Odometer {
    digits: Vec<(usize, usize)>,
    at: usize,
    stuck: bool,
}

impl Odometer {
    fn advance(&mut self) -> bool {
        while let Some((digit, of)) = self.digits.pop() {
            if digit + 1 < of {
                self.digits.push((digit + 1, of));
                return true;
            }
        }
        false
    }
}

impl Chooser for Odometer {
    fn choose(&mut self, _node: usize, values: &[Value]) -> Option<usize> {
        if values.is_empty() {
            self.stuck = true;
            return None;
        }
        if self.at == self.digits.len() {
            self.digits.push((0, values.len()));
        }
        self.at += 1;
        Some(self.digits[self.at - 1].0)
    }
}
