//! The reader of LALA specifications, with all checks behind it.

use polysmith_source::Memory;
use std::path::Path;

/// Reads the bytes as a specification, in both dialects. What it finds does not matter, that it ends does.
pub fn lala(bytes: &[u8]) {
    for name in ["t.lala", "t.ls"] {
        polysmith_lala::read(&Memory::default().with(name, bytes), Path::new(name));
    }
}
