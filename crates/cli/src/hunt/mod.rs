//! What the commands around campaigns share: options to a campaign, and what is told about it.

pub mod again;
pub mod config;
pub mod confined;
pub mod demo;
mod lines;
pub mod open;
pub mod plan;
pub mod presets;
pub mod report;
pub mod tell;

pub use lines::json_lines;
