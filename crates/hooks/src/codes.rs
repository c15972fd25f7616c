//! The codes of what is wrong with a script.

use polysmith_source::{Code, Explanation};

/// Code of a grammar that no function covers.
pub const NOT_COVERED: Code = Code::own('H', 2);

/// The manual pages of these codes.
pub const EXPLANATIONS: &[Explanation] = &[Explanation {
    code: NOT_COVERED,
    title: "the script does not cover code of the grammar",
    text: "A predicate or an action calls a function that the script does not have, or is not a call. Such a \
               predicate counts as true and such an action does nothing: more texts may be accepted than by the real \
               parser, or fewer.\n",
}];
