//! Diagnostics that every front end can report, whatever language it reads.

use crate::{Code, Explanation};

/// A file cannot be read.
pub const UNREADABLE: Code = Code::own('S', 1);
/// The bytes of a file are not text in the expected encoding.
pub const NOT_TEXT: Code = Code::own('S', 2);

/// The manual pages of these codes.
pub const EXPLANATIONS: &[Explanation] = &[
    Explanation {
        code: UNREADABLE,
        title: "a file cannot be read",
        text: "A file that is named on the command line, or that another file names, is missing, is a folder, or \
               may not be read by this user. The message carries the reason that the system gave.\n\n\
               Imports and vocabularies are looked for beside the file that names them, then in the library \
               folders.\n",
    },
    Explanation {
        code: NOT_TEXT,
        title: "a file is not text in the expected encoding",
        text: "Inputs and descriptions are read as UTF-8. The message names the offset of the first byte that \
               does not belong.\n\n\
               A file in another encoding can be converted (`iconv -f LATIN1 -t UTF-8`). An input to parse can also \
               be read as Latin-1, which accepts any bytes: each byte is then the code point of the same number.\n",
    },
];
