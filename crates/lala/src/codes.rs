//! The codes of LALA's diagnostics. What each means is in `explain.rs`.

use polysmith_source::Code;

macro_rules! codes {
    ($($name:ident = $number:literal,)+) => {
        $(pub(crate) const $name: Code = Code::own('L', $number);)+
    };
}

// Syntax.
codes! {
    SYNTAX = 1,
    UNTERMINATED = 2,
    ESCAPE = 3,
    NESTING = 4,
    IF_ARITY = 5,
    ATTRIBUTE_TYPE = 6,
}

// Names and parts.
codes! {
    NO_CLASS = 101,
    NO_PRODUCTION = 102,
    DUPLICATE = 103,
    UNKNOWN_CLASS = 104,
    UNKNOWN_NODE = 105,
    UNKNOWN_ATTRIBUTE = 106,
    UNKNOWN_LOCAL = 107,
    UNKNOWN_MODULE = 108,
    IMPORT = 109,
    NOTHING_TO_CHANGE = 110,
    GENERATOR_MIXED = 111,
    GENERATED_OUTSIDE = 112,
    LOCAL_CYCLE = 114,
    MISPLACED = 115,
    RESERVED_NAME = 116,
}

// Annotations.
codes! {
    UNKNOWN_ANNOTATION = 200,
    ANNOTATION_PLACE = 201,
    ANNOTATION_ARGUMENT = 202,
    ANNOTATION_REPEATED = 203,
    ANNOTATION_ATTRIBUTE = 204,
    LIST_SHAPE = 205,
    MAX_HEIGHT = 206,
}

// Attributes and rules.
codes! {
    MISSING_RULE = 301,
    WRONG_SIDE = 302,
    ILLEGAL_SOURCE = 303,
    TWO_RULES = 304,
    CYCLE = 305,
    AMBIGUOUS_COPY = 306,
    UNUSED_ATTRIBUTE = 307,
    UNUSED_LOCAL = 308,
    START_INHERITS = 309,
    PRINTS_ITSELF = 310,
}

// The language as a whole.
codes! {
    NO_FINITE_TREE = 401,
    UNREACHABLE = 402,
    REGEX = 403,
    REGEX_NOTHING = 404,
    REGEX_EMPTY = 405,
    REGEX_BAR = 406,
    NEVER_CHOSEN = 407,
}
