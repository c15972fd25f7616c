//! What a match does at its end, in order: commands, and actions that hooks run.

use polysmith_grammar::{AltId, CodeId};
use rustc_hash::FxHashMap;

/// One part of what a match does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum LexerAction {
    /// The commands of an alternative.
    Commands(AltId),
    /// An action that hooks cover.
    Code(CodeId),
}

/// Lists of actions, each kept once. A list is its last action and the list before it.
#[derive(Debug, Clone, Default)]
pub(crate) struct ActionLists {
    lists: Vec<(Option<u32>, LexerAction)>,
    ids: FxHashMap<(Option<u32>, LexerAction), u32>,
}

impl ActionLists {
    /// The list with one more action.
    pub(crate) fn after(&mut self, before: Option<u32>, action: LexerAction) -> u32 {
        let next = self.lists.len() as u32;
        let id = *self.ids.entry((before, action)).or_insert(next);
        if id == next {
            self.lists.push((before, action));
        }
        id
    }

    /// The actions of a list, in order.
    pub(crate) fn actions(&self, list: u32) -> Vec<LexerAction> {
        let mut actions = Vec::new();
        let mut next = Some(list);
        while let Some(at) = next {
            let (before, action) = self.lists[at as usize];
            actions.push(action);
            next = before;
        }
        actions.reverse();
        actions
    }
}
