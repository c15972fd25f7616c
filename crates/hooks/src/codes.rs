//! The codes of what is wrong with a script.

use polysmith_source::{Code, Explanation};

/// A call in the grammar does not fit the function.
pub const CALL: Code = Code::own('H', 1);
/// Code of a grammar that no function covers.
pub const NOT_COVERED: Code = Code::own('H', 2);

/// The manual pages of these codes.
pub const EXPLANATIONS: &[Explanation] = &[
    Explanation {
        code: CALL,
        title: "a call in the grammar does not fit the function of the script",
        text: "A function that a predicate calls takes the state and the arguments that are written in the grammar, and \
               returns a `Bool`. A function that an action calls returns the next state. `token` and `stream` take the \
               state and return the next one.\n",
    },
    Explanation {
        code: NOT_COVERED,
        title: "the script does not cover code of the grammar",
        text: "A predicate or an action calls a function that the script does not have, or is not a call. Such a \
               predicate counts as true and such an action does nothing: more texts may be accepted than by the real \
               parser, or fewer.\n",
    },
];
