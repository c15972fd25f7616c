//! Findings for people and for other programs: one file per form.

mod html;
mod junit;
mod markdown;
mod sarif;

pub use html::html;
pub use junit::junit;
pub use markdown::markdown;
pub use sarif::sarif;
