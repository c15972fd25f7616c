//! Tuples, records and constructors with fields: a shape number and the fields, in one allocation.

use super::{TooDeep, Value, depth_of};
use std::sync::atomic::AtomicU64;
use triomphe::ThinArc;

/// A tuple, a record, or a constructor with its fields.
#[derive(Clone)]
pub struct Data(ThinArc<Head, Value>);

struct Head {
    shape: u32,
    depth: u32,
    /// The fingerprint, or 0 while it is not computed.
    hash: AtomicU64,
}

impl Data {
    /// Creates data from a shape number and fields.
    pub fn new(shape: u32, fields: &[Value]) -> Result<Data, TooDeep> {
        let depth = depth_of(fields)?;
        Ok(Data(ThinArc::from_header_and_iter(
            Head { shape, depth, hash: AtomicU64::new(0) },
            fields.iter().cloned(),
        )))
    }

    /// Like [`Data::new`], but moves the fields out of `fields`.
    pub(crate) fn take(shape: u32, fields: &mut [Value]) -> Result<Data, TooDeep> {
        let depth = depth_of(fields)?;
        let fields = fields.iter_mut().map(std::mem::take);
        Ok(Data(ThinArc::from_header_and_iter(Head { shape, depth, hash: AtomicU64::new(0) }, fields)))
    }

    /// Changes a field, in place if the record is not shared.
    pub(crate) fn set(&mut self, at: usize, value: Value) -> Result<(), TooDeep> {
        let depth = value.depth() + 1;
        if depth > super::MAX_VALUE_DEPTH {
            return Err(TooDeep);
        }
        if ThinArc::strong_count(&self.0) == 1 {
            self.0.with_arc_mut(|whole| {
                if let Some(whole) = triomphe::Arc::get_mut(whole) {
                    whole.slice_mut()[at] = value;
                    let head = whole.header_mut();
                    head.depth = head.depth.max(depth);
                    head.hash = AtomicU64::new(0);
                }
            });
            return Ok(());
        }
        let mut fields = self.fields().to_vec();
        fields[at] = value;
        *self = Data::take(self.shape(), &mut fields)?;
        Ok(())
    }

    /// The shape number: which record type or constructor it is an instance of.
    pub fn shape(&self) -> u32 {
        self.0.header.header.shape
    }

    /// The fields.
    pub fn fields(&self) -> &[Value] {
        &self.0.slice
    }

    pub(super) fn depth(&self) -> u32 {
        self.0.header.header.depth
    }

    pub(super) fn hash_cell(&self) -> &AtomicU64 {
        &self.0.header.header.hash
    }

    pub(super) fn same(&self, other: &Data) -> bool {
        std::ptr::eq(self.0.slice.as_ptr(), other.0.slice.as_ptr())
    }
}
