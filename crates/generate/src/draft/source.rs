//! What a draft is drawn from.

use super::{Bounds, Goal};
use crate::asks::Asks;
use crate::cooldown::Cooldown;
use crate::cover::Steer;
use crate::engine::Generator;
use crate::habits::Habits;
use crate::quick::Quick;
use crate::sure::Sure;
use crate::tables::Tables;
use crate::traits::Model;
use crate::uniform::Script;
use crate::write::{Wording, Writer};
use polysmith_parse::Parser;
use polysmith_random::Stream;
use polysmith_tree::TreeBuilder;

/// Tables, streams, where tokens go, and who has a say.
pub(crate) struct Source<'a> {
    pub(crate) tables: &'a Tables,
    pub(crate) quick: &'a Quick,
    pub(crate) sure: &'a Sure,
    pub(crate) asks: &'a Asks,
    pub(crate) habits: &'a Habits,
    pub(crate) wording: &'a Wording,
    /// Who is asked.
    pub(crate) parser: &'a mut Parser,
    pub(crate) stream: &'a mut Stream,
    pub(crate) writer: &'a mut Writer,
    pub(crate) builder: &'a mut TreeBuilder,
    pub(crate) model: Option<&'a mut (dyn Model + 'a)>,
    pub(crate) cooldown: Option<&'a mut Cooldown>,
    pub(crate) goal: Option<&'a Goal>,
    pub(crate) steer: Option<&'a mut Steer>,
    /// All decisions, made beforehand.
    pub(crate) script: Option<Script<'a>>,
    pub(crate) bounds: Bounds,
}

impl<'a> Source<'a> {
    /// A draft of a generator's grammar in which only chance has a say.
    pub(crate) fn new(
        generator: &'a Generator,
        parser: &'a mut Parser,
        stream: &'a mut Stream,
        writer: &'a mut Writer,
        builder: &'a mut TreeBuilder,
        bounds: Bounds,
    ) -> Source<'a> {
        Source {
            tables: &generator.tables,
            quick: &generator.quick,
            sure: &generator.sure,
            asks: &generator.asks,
            habits: &generator.habits,
            wording: &generator.wording,
            parser,
            stream,
            writer,
            builder,
            model: None,
            cooldown: None,
            goal: None,
            steer: None,
            script: None,
            bounds,
        }
    }

    /// Nobody but chance has a say in a choice of alternatives.
    #[inline]
    pub(super) fn is_free(&self) -> bool {
        self.model.is_none() && self.cooldown.is_none() && self.steer.is_none()
    }
}
