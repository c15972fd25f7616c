//! The calls that are open, as the parser's prediction wants to see them.

use polysmith_parse::Callers;

/// The open calls at all moments of a draft: a tree of return states that only grows.
#[derive(Debug, Default)]
pub(super) struct CallTree {
    links: Vec<Link>,
}

#[derive(Debug, Clone, Copy)]
struct Link {
    /// The state of the parser's network after the call.
    follow: u32,
    below: u32,
    depth: u32,
}

impl CallTree {
    /// The start rule has no caller.
    pub(super) const ROOT: u32 = u32::MAX;

    pub(super) fn clear(&mut self) {
        self.links.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.links.len()
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.links.truncate(len);
    }

    #[inline]
    pub(super) fn push(&mut self, follow: u32, below: u32) -> u32 {
        let depth = if below == CallTree::ROOT { 1 } else { self.links[below as usize].depth + 1 };
        self.links.push(Link { follow, below, depth });
        self.links.len() as u32 - 1
    }

    /// The calls that were open at one moment.
    #[inline]
    pub(super) fn chain(&self, top: u32) -> CallChain<'_> {
        CallChain { links: &self.links, top }
    }
}

/// One way through a [`CallTree`] to its root.
pub(super) struct CallChain<'a> {
    links: &'a [Link],
    top: u32,
}

impl Callers for CallChain<'_> {
    fn depth(&self) -> usize {
        if self.top == CallTree::ROOT { 0 } else { self.links[self.top as usize].depth as usize }
    }

    fn follow(&self, up: usize) -> u32 {
        let mut at = self.top;
        for _ in 0..up {
            at = self.links[at as usize].below;
        }
        self.links[at as usize].follow
    }
}
