//! Whether a change keeps the text in the language, found out near the change.
//!
//! The rule around a change is parsed again by its token types: if its new tokens are a text of the rule, the whole is
//! a text of the language, since what is around it has not changed. If they are not, the next rules further out get
//! their say (a statement may become another kind of statement, which only the rule around it accepts).
//!
//! A rule of many tokens is parsed in short ([`Session::abbreviate`]): of lists that the change does not touch two
//! items stay, of lists that it touches the items beside it. Items of a list do not know of each other, so the short
//! text is in the language if and only if the long one is, and a cut in a list of a million items costs no more than
//! one in a list of ten. Where the rule around the change has errors, the whole text is parsed instead and must not
//! have more of them.

use std::ops::Range;

use polysmith_grammar::TokenType;

use super::cut::{Cut, Piece, cut_of};
use super::live::Live;
use super::nodes::{NONE, NodeKind};
use super::seams::Seams;
use super::session::Session;
use crate::text::Text;

/// Rules with more tokens than this are parsed in short.
const SHORT_TOKENS: u32 = 64;

/// Rules with more tokens than this are parsed in short or not at all.
const LONG_TOKENS: u32 = 2048;

/// Subtrees of no more tokens than this are not made shorter.
const SMALL_TOKENS: u32 = 8;

/// How many rules around a change are parsed, from the inside out, until one accepts it.
const TRIES: usize = 3;

impl Session<'_> {
    pub(super) fn is_in_language(&mut self, text: &Text, cuts: &[Cut], seams: &Seams) -> bool {
        if !seams.is_sure {
            return self.parses_whole(text, seams);
        }
        let mut proven = 0..0;
        for cut in cuts {
            if proven.start <= cut.range.start && cut.range.end <= proven.end {
                continue;
            }
            let mut node = self.node_around(cut, cuts);
            let mut tries = 0;
            loop {
                while self.nodes.get(node).rule.is_none() && self.nodes.get(node).parent != NONE {
                    node = self.nodes.get(node).parent;
                }
                let tokens = self.nodes.get(node).tokens.clone();
                if self.is_broken(&tokens) {
                    return self.parses_whole(text, seams);
                }
                match self.accepts(node, cuts) {
                    Some(true) => {
                        proven = tokens;
                        break;
                    }
                    Some(false) => {}
                    None => return self.parses_whole(text, seams),
                }
                tries += 1;
                node = self.nodes.get(node).parent;
                if tries == TRIES || node == NONE {
                    return false;
                }
            }
        }
        true
    }

    /// The smallest node that holds a cut and keeps something.
    fn node_around(&self, cut: &Cut, cuts: &[Cut]) -> u32 {
        let Some(first) = self.live.first_from(cut.range.start) else { return 0 };
        let mut node = self.nodes.leaf(first);
        loop {
            let here = self.nodes.get(node);
            let holds = here.tokens.start <= cut.range.start && cut.range.end <= here.tokens.end;
            let empties = || {
                cut.new.is_empty()
                    && cuts.len() == 1
                    && self.live.size(&here.tokens) == self.live.size(&cut.range)
            };
            if here.parent == NONE || holds && !empties() {
                return node;
            }
            node = here.parent;
        }
    }

    fn is_broken(&self, tokens: &Range<u32>) -> bool {
        let at = self.broken.partition_point(|token| *token < tokens.start);
        // An error after the last token may well be about it.
        self.broken.get(at).is_some_and(|token| *token <= tokens.end)
    }

    fn parses_whole(&mut self, text: &Text, seams: &Seams) -> bool {
        let part = text.parts()[self.file].range.clone();
        let mut new = Vec::with_capacity((part.end - part.start) as usize);
        for part in seams.edits.parts(part) {
            new.extend_from_slice(text.part(part));
        }
        self.language.recognizer.count_errors(&new).is_some_and(|errors| errors <= self.errors)
    }

    /// Whether the tokens of a node are a text of its rule after cuts. `None` if more than their types decides.
    fn accepts(&mut self, node: u32, cuts: &[Cut]) -> Option<bool> {
        let Some(rule) = self.nodes.get(node).rule else { return Some(true) };
        let size = self.size(node);
        if size > SHORT_TOKENS {
            let types = self.abbreviate(node, cuts);
            if self.language.recognizer.accepts(rule, &types)? {
                return Some(true);
            }
        }
        if size > LONG_TOKENS {
            return Some(false);
        }
        let mut types = Types { session: self, cuts, types: Vec::new() };
        types.push(&self.nodes.get(node).tokens);
        let types = types.types;
        self.language.recognizer.accepts(rule, &types)
    }

    /// The token types of a node after cuts, without what is far from them.
    fn abbreviate(&self, node: u32, cuts: &[Cut]) -> Vec<TokenType> {
        let mut types = Types { session: self, cuts, types: Vec::new() };
        let mut todo = vec![ProofPart::Node(node)];
        while let Some(part) = todo.pop() {
            match part {
                ProofPart::Tokens(range) => types.push(&range),
                ProofPart::Node(node) => {
                    let here = self.nodes.get(node);
                    let whole = self.size(node) <= SMALL_TOKENS
                        || here.first_child == NONE
                        || cut_of(cuts, here.tokens.start)
                            .is_some_and(|cut| cut.range.end >= here.tokens.end);
                    if whole {
                        types.push(&here.tokens);
                        continue;
                    }
                    let from = todo.len();
                    match here.kind {
                        NodeKind::List { min, .. } => self.few_items(node, min, cuts, &mut todo),
                        _ => self.all_parts(node, &mut todo),
                    }
                    todo[from..].reverse();
                }
            }
        }
        types.types
    }

    /// Children and the tokens between them.
    fn all_parts(&self, node: u32, todo: &mut Vec<ProofPart>) {
        let tokens = &self.nodes.get(node).tokens;
        let mut at = tokens.start;
        for child in self.children(node) {
            let own = &self.nodes.get(child).tokens;
            todo.extend([ProofPart::Tokens(at..own.start), ProofPart::Node(child)]);
            at = own.end;
        }
        todo.push(ProofPart::Tokens(at..tokens.end));
    }

    /// The items of a list that are beside a cut or have one inside, else the first ones.
    fn few_items(&self, list: u32, min: u32, cuts: &[Cut], todo: &mut Vec<ProofPart>) {
        let tokens = &self.nodes.get(list).tokens;
        let mut items: Vec<u32> = Vec::new();
        let first = cuts.partition_point(|cut| cut.range.end <= tokens.start);
        for cut in cuts[first..].iter().take_while(|cut| cut.range.start < tokens.end) {
            let inside = [self.live.first_from(cut.range.start), self.live.last_before(cut.range.end)];
            let inside = inside.into_iter().flatten().filter(|token| tokens.contains(token));
            items.extend(inside.filter_map(|token| self.item_of(list, token)));
            items.extend(self.item_beside(list, cuts, |live, at| live.last_before(at), cut.range.start));
            items.extend(self.item_beside(list, cuts, |live, at| live.first_from(at), cut.range.end));
        }
        items.retain(|item| !self.is_gone(*item, cuts));
        items.sort_unstable_by_key(|item| self.nodes.get(*item).tokens.start);
        items.dedup();
        // Two items show the separator: the list may have come to a place where another one is asked for.
        let mut at = tokens.start;
        while items.len() < min.max(2) as usize
            && let Some(item) = self.item_beside(list, cuts, |live, at| live.first_from(at), at)
        {
            at = self.nodes.get(item).tokens.end;
            if let Err(place) = items.binary_search_by_key(&self.nodes.get(item).tokens.start, |item| {
                self.nodes.get(*item).tokens.start
            }) {
                items.insert(place, item);
            }
        }
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                todo.push(ProofPart::Tokens(self.separator_before(list, *item, cuts)));
            }
            todo.push(ProofPart::Node(*item));
        }
    }

    /// The nearest item of a list that stays, before or after a place.
    fn item_beside(
        &self,
        list: u32,
        cuts: &[Cut],
        next: impl Fn(&Live, u32) -> Option<u32>,
        mut at: u32,
    ) -> Option<u32> {
        let tokens = &self.nodes.get(list).tokens;
        loop {
            let token = next(&self.live, at).filter(|token| tokens.contains(token))?;
            let is_before = token < at;
            if let Some(cut) = cut_of(cuts, token) {
                at = if is_before { cut.range.start } else { cut.range.end };
                continue;
            }
            if let Some(item) = self.item_of(list, token) {
                return Some(item);
            }
            at = if is_before { token } else { token + 1 };
        }
    }

    /// Whether nothing of a node stays and nothing comes for it.
    fn is_gone(&self, node: u32, cuts: &[Cut]) -> bool {
        let tokens = &self.nodes.get(node).tokens;
        let cut = self.live.first_from(tokens.start).and_then(|token| cut_of(cuts, token));
        cut.is_some_and(|cut| {
            cut.new.is_empty() && self.live.last_before(tokens.end).is_some_and(|last| last < cut.range.end)
        })
    }

    /// The item of a list that a token lies in; `None` for a separator.
    fn item_of(&self, list: u32, token: u32) -> Option<u32> {
        let mut node = self.nodes.leaf(token);
        while node != list {
            let parent = self.nodes.get(node).parent;
            if parent == list {
                return Some(node);
            }
            if parent == NONE {
                return None;
            }
            node = parent;
        }
        None
    }

    /// The tokens between an item and the one that stays before it.
    fn separator_before(&self, list: u32, item: u32, cuts: &[Cut]) -> Range<u32> {
        let end = self.nodes.get(item).tokens.start;
        let mut start = end;
        while let Some(token) = self.live.last_before(start) {
            if let Some(cut) = cut_of(cuts, token) {
                start = cut.range.start;
            } else if token < self.nodes.get(list).tokens.start || self.item_of(list, token).is_some() {
                break;
            } else {
                start = token;
            }
        }
        start..end
    }
}

enum ProofPart {
    Node(u32),
    Tokens(Range<u32>),
}

/// Collects the types of what is there after cuts.
struct Types<'s, 'a> {
    session: &'s Session<'a>,
    cuts: &'s [Cut],
    types: Vec<TokenType>,
}

impl Types<'_, '_> {
    /// The live tokens of a range; what a cut brings comes where it begins.
    fn push(&mut self, range: &Range<u32>) {
        let mut at = range.start;
        while let Some(token) = self.session.live.first_from(at).filter(|token| *token < range.end) {
            let Some(cut) = cut_of(self.cuts, token) else {
                self.types.push(self.session.token_type(token));
                at = token + 1;
                continue;
            };
            if self.session.live.first_from(cut.range.start) == Some(token) {
                for piece in &cut.new {
                    match piece {
                        Piece::Word(kind, _) => self.types.push(*kind),
                        Piece::Tokens(copied) => {
                            let copied = self.session.live.tokens(copied);
                            self.types.extend(copied.map(|token| self.session.token_type(token)));
                        }
                    }
                }
            }
            at = cut.range.end;
        }
    }
}
