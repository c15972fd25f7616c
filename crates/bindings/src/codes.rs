//! The codes of problems with names, with their manual pages.

use polysmith_source::{Code, Explanation};

/// A name that is not defined.
pub const UNDEFINED: Code = Code::own('B', 1);
/// A name that is defined again.
pub const REPEATED: Code = Code::own('B', 2);
/// Something that lacks what it needs around it.
pub const MISPLACED: Code = Code::own('B', 3);

/// The manual pages of these codes.
pub const EXPLANATIONS: &[Explanation] = &[
    Explanation {
        code: UNDEFINED,
        title: "a name is used that is not defined",
        text: "No definition of this name can be seen from this place: there is none, or it belongs to another scope, \
               or it comes later in a language where names are defined before they are used. Only the first use of \
               the name is shown.\n\n\
               In a language whose programs use names of their surroundings (JavaScript in a browser) this is a \
               warning. The table `[names]` of the side file says what defines and uses a name; its `builtins` are \
               names that are always there.\n",
    },
    Explanation {
        code: REPEATED,
        title: "a name is defined again in the same scope",
        text: "The language allows one definition of this kind for a name in a scope. Rename one of the two, or delete \
               it.\n\nThe key `unique` in the table `[names]` of the side file says which definitions exclude each \
               other.\n",
    },
    Explanation {
        code: MISPLACED,
        title: "something lacks what it needs around it",
        text: "Some parts of a program mean something only inside of others: a `break` inside of a loop, a `return` \
               inside of a function. The list `need` in the table `[names]` of the side file says which.\n",
    },
];
