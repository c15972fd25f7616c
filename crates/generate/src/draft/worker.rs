//! What one thread needs to make drafts.

use super::{DeadEnd, DraftContext, DraftMode, Drafter, Guide, SizeLimits};
use crate::compiled::Compiled;
use crate::decisions::statistics::DecisionStatistics;
use crate::lexical::writer::Writer;
use polysmith_parse::Parser;
use polysmith_random::{Draw, Purpose, Stream};
use polysmith_tree::TreeBuilder;
use std::sync::Arc;

/// The walk, the parser that it asks, and its output, reused from draft to draft.
#[derive(Debug)]
pub(crate) struct DraftWorker {
    pub(crate) drafter: Drafter,
    /// Asked while a draft grows. What it learns makes later answers faster, and changes none.
    pub(crate) parser: Parser,
    pub(crate) writer: Writer,
    /// The tree of the draft that was made last.
    pub(crate) builder: TreeBuilder,
}

/// What kind of draft to make.
pub(crate) struct DraftRequest<'a> {
    pub(crate) streams: DraftStreams,
    pub(crate) guide: Guide<'a>,
    pub(crate) mode: DraftMode,
    pub(crate) size_limits: SizeLimits,
}

/// The random numbers of a draft.
#[derive(Debug)]
pub(crate) struct DraftStreams {
    pub(crate) structure: Stream,
    pub(crate) text: Stream,
    pub(crate) layout: Stream,
}

impl DraftStreams {
    /// The streams of a draw, with choices from the stream of this purpose.
    pub(crate) fn new(draw: Draw, structure: Purpose) -> DraftStreams {
        DraftStreams {
            structure: draw.stream(structure),
            text: draw.stream(Purpose::Text),
            layout: draw.stream(Purpose::Layout),
        }
    }
}

impl DraftWorker {
    pub(crate) fn new(compiled: &Compiled, parser: Parser) -> DraftWorker {
        DraftWorker {
            drafter: Drafter::new(compiled.grammar.tokens().len()),
            parser,
            writer: Writer::new(Arc::clone(&compiled.lexical), compiled.automata.clone()),
            builder: TreeBuilder::new(),
        }
    }

    /// Makes one draft from the start rule. Its tree is in the builder, which is empty after an error.
    pub(crate) fn draft(
        &mut self,
        compiled: &Compiled,
        statistics: &DecisionStatistics,
        request: DraftRequest<'_>,
    ) -> Result<(), DeadEnd> {
        let DraftRequest { streams, mut guide, mode, size_limits } = request;
        let DraftStreams { mut structure, text, layout } = streams;
        self.writer.draw_from(text, layout);
        let mut context = DraftContext {
            compiled,
            statistics,
            parser: &mut self.parser,
            stream: &mut structure,
            writer: &mut self.writer,
            builder: &mut self.builder,
            guide: guide.reborrow(),
            mode,
            size_limits,
        };
        let drafted = self.drafter.draft(&mut context, compiled.start);
        if drafted.is_err() {
            self.builder.truncate(0);
        }
        drafted
    }
}
