//! The literals of one program.
//!
//! Each literal class has a pool of `@count` distinct texts, drawn when the first node of the class is built; nodes
//! pick from it. So names recur within a program and differ between programs. Each class has its own random stream, so
//! the order in which pools are drawn has no effect.

use polysmith_attributes::{ClassId, ClassKind, Spec, Value};
use polysmith_random::{Draw, Purpose, Stream};

/// The pools of a program. One value is reused for many programs and keeps its allocations.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pools {
    streams: Vec<Option<Stream>>,
    pools: Vec<Vec<Value>>,
}

impl Pools {
    /// Clears the pools and starts another program.
    pub(crate) fn start(&mut self, spec: &Spec, draw: Draw) {
        let mut stream = draw.stream(Purpose::Pool);
        self.streams.clear();
        self.streams.extend(spec.classes.iter().map(|class| match class.kind {
            ClassKind::Literal(_) => Some(stream.fork()),
            _ => None,
        }));
        self.pools.resize(spec.classes.len(), Vec::new());
        self.pools.iter_mut().for_each(Vec::clear);
    }

    /// The texts of a literal class; empty for other classes.
    pub(crate) fn of(&mut self, spec: &Spec, class: ClassId) -> &[Value] {
        let at = class.index();
        if let (Some(mut stream), ClassKind::Literal(literal)) =
            (self.streams[at].take(), &spec.class(class).kind)
        {
            let texts = literal.regex.pool(literal.count, &mut stream);
            self.pools[at].extend(texts.iter().map(|text| Value::from(text.as_str())));
        }
        &self.pools[at]
    }

    /// The texts of a literal class whose pool has been drawn.
    pub(crate) fn known(&self, class: ClassId) -> &[Value] {
        &self.pools[class.index()]
    }
}
