//! The binary `polysmith`.
fn main() {}
