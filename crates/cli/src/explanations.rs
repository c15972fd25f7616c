//! The manual pages of all diagnostic codes. A crate that reports problems adds its list here.

use polysmith_source::Explanation;

const LISTS: &[&[Explanation]] = &[
    polysmith_parse::codes::EXPLANATIONS,
    polysmith_hooks::codes::EXPLANATIONS,
    polysmith_source::codes::EXPLANATIONS,
    polysmith_description::side_file::codes::EXPLANATIONS,
    polysmith_bindings::codes::EXPLANATIONS,
    polysmith_lala::EXPLANATIONS,
    polysmith_value::codes::EXPLANATIONS,
];

/// All manual pages: ANTLR's codes first.
pub fn explanations() -> impl Iterator<Item = &'static Explanation> {
    polysmith_antlr::explain::EXPLANATIONS.iter().chain(LISTS).copied().flatten()
}
