//! What a draft works with: tables, the parser, streams, output, and who makes the choices.

use super::cooldown::Cooldown;
use super::{Goal, SizeLimits};
use crate::compiled::Compiled;
use crate::cover::Steering;
use crate::decisions::statistics::DecisionStatistics;
use crate::extend::Model;
use crate::lexical::writer::Writer;
use crate::uniform::Script;
use polysmith_parse::Parser;
use polysmith_random::Stream;
use polysmith_tree::TreeBuilder;

/// Everything outside of the [`Drafter`](super::Drafter) that a draft uses. [`DraftWorker`](super::DraftWorker) builds it.
pub(crate) struct DraftContext<'a> {
    pub(super) compiled: &'a Compiled,
    pub(super) statistics: &'a DecisionStatistics,
    /// Answers predictions.
    pub(super) parser: &'a mut Parser,
    /// The random numbers of all choices.
    pub(super) stream: &'a mut Stream,
    pub(super) writer: &'a mut Writer,
    pub(super) builder: &'a mut TreeBuilder,
    pub(super) guide: Guide<'a>,
    pub(super) mode: DraftMode,
    pub(super) size_limits: SizeLimits,
}

/// Whether the parser is asked while a draft grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DraftMode {
    /// About every choice that one token does not settle, after some tokens.
    Checked,
    /// About the same choices, at once, and its answers are recorded.
    Observed,
    /// Never: the parser may build another tree for the text.
    Unchecked,
}

/// Who makes the choices.
pub(crate) enum Guide<'a> {
    /// Chance, by weights and budget.
    Random(RandomGuide<'a>),
    /// Goals that are not covered yet, and chance where they do not matter.
    Steered(&'a mut Steering),
    /// A list of decisions.
    Scripted(Script<'a>),
}

/// What changes the weights of random choices.
#[derive(Default)]
pub(crate) struct RandomGuide<'a> {
    /// The embedder's choices.
    pub(crate) model: Option<&'a mut (dyn Model + 'a)>,
    pub(crate) cooldown: Option<&'a mut Cooldown>,
    /// What the draft must contain.
    pub(crate) goal: Option<&'a Goal>,
}

impl<'a> Guide<'a> {
    /// The same guide for a shorter time.
    pub(super) fn reborrow(&mut self) -> Guide<'_> {
        match self {
            Guide::Random(RandomGuide { model, cooldown, goal }) => Guide::Random(RandomGuide {
                model: model.as_deref_mut().map(|model| model as &mut dyn Model),
                cooldown: cooldown.as_deref_mut(),
                goal: *goal,
            }),
            Guide::Steered(steering) => Guide::Steered(steering),
            Guide::Scripted(script) => Guide::Scripted(script.clone()),
        }
    }

    /// Whether weights and budget alone decide among alternatives.
    #[inline]
    pub(super) fn is_unbiased(&self) -> bool {
        matches!(self, Guide::Random(RandomGuide { model: None, cooldown: None, .. }))
    }

    #[inline]
    pub(super) fn is_scripted(&self) -> bool {
        matches!(self, Guide::Scripted(_))
    }

    #[inline]
    pub(super) fn goal(&self) -> Option<&'a Goal> {
        match self {
            Guide::Random(random) => random.goal,
            Guide::Steered(_) | Guide::Scripted(_) => None,
        }
    }

    #[inline]
    pub(super) fn model_mut(&mut self) -> Option<&mut (dyn Model + 'a)> {
        match self {
            Guide::Random(RandomGuide { model: Some(model), .. }) => Some(&mut **model),
            _ => None,
        }
    }

    pub(super) fn cooldown(&self) -> Option<&Cooldown> {
        match self {
            Guide::Random(random) => random.cooldown.as_deref(),
            Guide::Steered(_) | Guide::Scripted(_) => None,
        }
    }

    pub(super) fn cooldown_mut(&mut self) -> Option<&mut Cooldown> {
        match self {
            Guide::Random(random) => random.cooldown.as_deref_mut(),
            Guide::Steered(_) | Guide::Scripted(_) => None,
        }
    }

    #[inline]
    pub(super) fn steering(&self) -> Option<&Steering> {
        match self {
            Guide::Steered(steering) => Some(steering),
            Guide::Random(_) | Guide::Scripted(_) => None,
        }
    }

    #[inline]
    pub(super) fn steering_mut(&mut self) -> Option<&mut Steering> {
        match self {
            Guide::Steered(steering) => Some(steering),
            Guide::Random(_) | Guide::Scripted(_) => None,
        }
    }

    #[inline]
    pub(super) fn script_mut(&mut self) -> Option<&mut Script<'a>> {
        match self {
            Guide::Scripted(script) => Some(script),
            Guide::Random(_) | Guide::Steered(_) => None,
        }
    }
}
