//! The texts that leaves point into: several buffers in one address space.
//!
//! A leaf stores an address and a length. The buffers of a tree follow each other in one byte vector, so buffer `k` owns
//! a range of addresses, and an address names both a buffer and an offset in it. One unused byte separates two buffers,
//! so that the end of one is not the start of the next. A tree over one text, which is the common case, has one buffer, no
//! list of starts, and addresses that are offsets in that text.

use crate::node::offset;
use std::ops::Range;

/// Names a buffer of one tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BufferId(u32);

impl BufferId {
    /// The first buffer of every tree: the input, for a parsed one.
    pub const MAIN: BufferId = BufferId(0);

    /// The buffer with this number, from 0.
    pub fn new(index: usize) -> BufferId {
        BufferId(u32::try_from(index).expect("a tree has fewer than 2^32 buffers"))
    }

    /// Its number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A part of a buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BufferSpan {
    /// The buffer.
    pub buffer: BufferId,
    /// Offsets in it.
    pub range: Range<usize>,
}

/// All buffers of a tree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Buffers {
    pub(crate) bytes: Vec<u8>,
    /// Where the buffers after the first one begin, ascending.
    starts: Vec<u32>,
}

impl Buffers {
    /// One buffer with this content.
    pub fn new(main: Vec<u8>) -> Buffers {
        Buffers { bytes: main, starts: Vec::new() }
    }

    /// Adds a buffer: a decompressed stream, a value turned into bytes.
    pub fn add(&mut self, bytes: &[u8]) -> BufferId {
        self.separate();
        self.bytes.extend_from_slice(bytes);
        BufferId::new(self.starts.len())
    }

    /// The number of buffers. Never 0.
    pub fn count(&self) -> usize {
        self.starts.len() + 1
    }

    /// The content of a buffer.
    pub fn get(&self, buffer: BufferId) -> &[u8] {
        let end = self.starts.get(buffer.index()).map_or(self.bytes.len(), |next| *next as usize - 1);
        &self.bytes[self.start(buffer)..end]
    }

    /// The address of an offset in a buffer, for [`crate::Preorder::leaf`].
    pub fn address(&self, buffer: BufferId, at: usize) -> usize {
        self.start(buffer) + at
    }

    /// The buffer that owns an address.
    pub(crate) fn owner(&self, address: usize) -> BufferId {
        BufferId::new(self.starts.partition_point(|start| *start as usize <= address))
    }

    pub(crate) fn span(&self, addresses: Range<usize>) -> BufferSpan {
        let buffer = self.owner(addresses.start);
        let start = self.start(buffer);
        BufferSpan { buffer, range: addresses.start - start..addresses.end - start }
    }

    /// Appends the buffers of another tree; returns how far its addresses move. Its main buffer becomes a buffer of its
    /// own if one of the two trees distinguishes buffers, else it is joined to the only one.
    pub(crate) fn append(&mut self, other: &Buffers) -> usize {
        if !self.starts.is_empty() || !other.starts.is_empty() {
            self.separate();
        }
        let shift = self.bytes.len();
        self.starts.extend(other.starts.iter().map(|start| offset(*start as usize + shift)));
        self.bytes.extend_from_slice(&other.bytes);
        shift
    }

    /// Ends the last buffer and begins another one.
    fn separate(&mut self) {
        self.bytes.push(0);
        self.starts.push(offset(self.bytes.len()));
    }

    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.starts.clear();
    }

    fn start(&self, buffer: BufferId) -> usize {
        buffer.index().checked_sub(1).map_or(0, |at| self.starts[at] as usize)
    }
}
