//! What a draft is drawn from.

use super::{Goal, SizeLimits};
use crate::cover::Steering;
use crate::decisions::one_token::OneTokenDecisions;
use crate::decisions::questions::QuestionTable;
use crate::decisions::statistics::DecisionStatistics;
use crate::draft::cooldown::Cooldown;
use crate::extend::Model;
use crate::generator::Generator;
use crate::lexical::writer::{LexicalTables, Writer};
use crate::tables::Tables;
use crate::tables::sums::WeightSums;
use crate::uniform::Script;
use polysmith_parse::Parser;
use polysmith_random::Stream;
use polysmith_tree::TreeBuilder;

/// Tables, streams, where tokens go, and who has a say.
pub(crate) struct DraftContext<'a> {
    pub(crate) tables: &'a Tables,
    pub(crate) sums: &'a WeightSums,
    pub(crate) one_token: &'a OneTokenDecisions,
    pub(crate) questions: &'a QuestionTable,
    pub(crate) statistics: &'a DecisionStatistics,
    pub(crate) lexical: &'a LexicalTables,
    /// Who is asked.
    pub(crate) parser: &'a mut Parser,
    pub(crate) stream: &'a mut Stream,
    pub(crate) writer: &'a mut Writer,
    pub(crate) builder: &'a mut TreeBuilder,
    pub(crate) model: Option<&'a mut (dyn Model + 'a)>,
    pub(crate) cooldown: Option<&'a mut Cooldown>,
    pub(crate) goal: Option<&'a Goal>,
    pub(crate) steer: Option<&'a mut Steering>,
    /// All decisions, made beforehand.
    pub(crate) script: Option<Script<'a>>,
    pub(crate) size_limits: SizeLimits,
}

impl<'a> DraftContext<'a> {
    /// A draft of a generator's grammar in which only chance has a say.
    pub(crate) fn new(
        generator: &'a Generator,
        parser: &'a mut Parser,
        stream: &'a mut Stream,
        writer: &'a mut Writer,
        builder: &'a mut TreeBuilder,
        size_limits: SizeLimits,
    ) -> DraftContext<'a> {
        DraftContext {
            tables: &generator.tables,
            sums: &generator.sums,
            one_token: &generator.one_token,
            questions: &generator.questions,
            statistics: &generator.statistics,
            lexical: &generator.lexical,
            parser,
            stream,
            writer,
            builder,
            model: None,
            cooldown: None,
            goal: None,
            steer: None,
            script: None,
            size_limits,
        }
    }

    /// Nobody but chance has a say in a choice of alternatives.
    #[inline]
    pub(super) fn is_free(&self) -> bool {
        self.model.is_none() && self.cooldown.is_none() && self.steer.is_none()
    }
}
