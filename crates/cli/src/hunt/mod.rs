//! What the commands around campaigns share: options to a campaign, and what is told about it.

mod lines;
pub mod plan;
pub mod tell;

pub use lines::json_lines;
