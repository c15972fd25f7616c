//! The codes of LALA's diagnostics, each with its manual page.

use polysmith_source::{Code, Explanation};

macro_rules! codes {
    ($($name:ident = $number:literal, $title:literal, $text:literal;)*) => {
        $(#[doc = $title] pub(crate) const $name: Code = Code::own('L', $number);)*

        /// The manual pages in order of their codes.
        pub const EXPLANATIONS: &[Explanation] = &[
            $(Explanation { code: $name, title: $title, text: $text },)*
        ];
    };
}

// Below 100: syntax. From 100: names and parts. From 200: annotations. From 300: attributes and rules. From 400: the
// language as a whole.
codes! {
    SYNTAX = 1, "something else was expected here",
        "The message says what was expected and what was found. Parsing continues after it, so that one run reports all \
         errors. Calls are written `(f a b)`, an operator expression as an argument needs parentheses \
         of its own, and every rule ends with `;`.";
    UNTERMINATED = 2, "a string does not end",
        "A string ends with `\"`. It may go over several lines: a line break inside counts for nothing, `\\n` is how \
         one is meant.";
    ESCAPE = 3, "an escape means nothing here",
        "Templates know `\\n`, `\\+`, `\\-`, `\\t`, `\\\\`, `\\\"`, `\\$`, `\\#`, and `\\(${child : Class}\\)` for \
         parentheses that are printed only where precedences require them.";
    NESTING = 4, "an expression nests too deep",
        "Expressions, types and patterns may nest 128 levels deep, and local values may refer to each other 32 levels deep. \
         Give inner parts a name, or make them functions.";
    IF_ARITY = 5, "`if` takes three arguments",
        "Both `(if condition value other)` and `if condition then value else other` always have two values to choose \
         from.";
    ATTRIBUTE_TYPE = 6, "an attribute has no type, or a guard has one",
        "`inh` and `syn` attributes are declared with a type: `inh env : Env;`. A guard is always a condition: \
         `grd defined;`.";
    NO_CLASS = 101, "the specification has no class",
        "Programs start with the first class of the file, or of the first file that it imports.";
    NO_PRODUCTION = 102, "a class has no production",
        "A class needs at least one way to build its nodes. `empty(\"\") {}` is one that prints nothing.";
    DUPLICATE = 103, "two things have the same name",
        "Classes of a specification, productions and attributes of a class, children and local values of a production \
         each have their own names.";
    UNKNOWN_CLASS = 104, "no class has this name",
        "`${name : Class}` declares a child; its class must be declared in this file or in one that it imports.";
    UNKNOWN_NODE = 105, "a production has no such child",
        "A rule defines an attribute of `this` or of a child, by the name that the template gives it.";
    UNKNOWN_ATTRIBUTE = 106, "a class has no such attribute",
        "`child.name` reads or defines an attribute that the child's class declares. A literal class has `str`.";
    UNKNOWN_LOCAL = 107, "a production has no such local value",
        "`.name` is a value that `loc name = …;` declares in the same production.";
    UNKNOWN_MODULE = 108, "no module has this name",
        "`use X;` looks for `module X { … }` in the file, then for `X.lala` beside it, then in the built-in library.";
    IMPORT = 109, "an imported file cannot be read",
        "`import \"file.lala\";` looks beside the file that says it.";
    NOTHING_TO_CHANGE = 110, "there is nothing to extend, override or leave out",
        "`extend class`, `override class` and `without` change an earlier class, usually one from an imported \
         file. The texts of a literal class are given by one expression: override it as a whole.";
    GENERATOR_MIXED = 111, "a generator is not the only production of its class",
        "A class whose production lists values has that one production, and a generated node has no children.";
    GENERATED_OUTSIDE = 112, "`$` is used where there is no generated value",
        "`$` is the chosen value of a generator. Its rules and its template may read it, its own list may not.";
    LOCAL_CYCLE = 114, "a local value is defined by itself",
        "A local value is substituted wherever it is used, so it cannot refer to itself, not even through others.";
    MISPLACED = 115, "a module has types and functions only",
        "Classes belong into a specification, not into a module.";
    RESERVED_NAME = 116, "the name has a meaning already",
        "`this` is the node itself.";
    UNKNOWN_ANNOTATION = 200, "no annotation has this name",
        "Known are `@weight`, `@list`, `@unit`, `@count`, `@max_height`, `@max_alternatives`, `@hidden`, `@feature`, \
         `@precedence`, `@copy` and `@thread`.";
    ANNOTATION_PLACE = 201, "an annotation is in the wrong place",
        "Some belong before a class, some before a production, `@hidden`, `@copy` and `@thread` before either.";
    ANNOTATION_ARGUMENT = 202, "an annotation takes something else",
        "The message says what; the help shows an example.";
    ANNOTATION_REPEATED = 203, "an annotation is repeated",
        "Only the first one has an effect.";
    ANNOTATION_ATTRIBUTE = 204, "an annotation names an attribute that the class does not have",
        "`@copy(a)` and `@thread(in, out)` name attributes of the class that they annotate.";
    LIST_SHAPE = 205, "a `@list` class is no list",
        "A list has a production that ends it and one that goes on, with a child of its own class as its tail.";
    MAX_HEIGHT = 206, "`@max_height` is less than the least height",
        "A node of the class cannot be finished within the limit. The message says what it needs.";
    MISSING_RULE = 301, "an attribute has no rule",
        "A production defines every synthesized attribute and every guard of its class, and every inherited attribute \
         of each of its children. `@copy` adds rules that hand a value on, `@thread` those that pass one through a \
         list.";
    WRONG_SIDE = 302, "a rule defines an attribute that belongs to another production",
        "Inherited attributes of `this` come from the production above, synthesized ones of a child from the child's \
         own productions.";
    ILLEGAL_SOURCE = 303, "a rule reads what it may not",
        "A rule reads inherited attributes of `this` and synthesized ones of children. Guards cannot be read. A value \
         that two rules need is given a name with `loc`.";
    TWO_RULES = 304, "an attribute has two rules", "Each attribute is defined once in a production.";
    CYCLE = 305, "attributes depend on each other",
        "The chain shows which attribute needs which, with the rule of each step. In a class with guards (or `@unit`, \
         or a generator) everything that goes up depends on everything that comes down, because such a node is built \
         in one go. The check is made for all trees at once: a specification is refused if different subtrees could \
         close the circle together.";
    AMBIGUOUS_COPY = 306, "several children could be copied from",
        "`@copy` takes the last child that has the attribute. Write the rule to say which one is meant.";
    UNUSED_ATTRIBUTE = 307, "nothing reads an attribute",
        "No rule, guard, generator or print command reads it, so it and its rules can be left out.";
    UNUSED_LOCAL = 308, "nothing uses a local value", "It can be left out.";
    START_INHERITS = 309, "the start class has an inherited attribute",
        "The first node of a program has no parent. Put a class before it that sets the attribute.";
    PRINTS_ITSELF = 310, "a node prints itself",
        "`#{child}` prints a child once more. `#{this}` would print the node inside itself, without end.";
    NO_FINITE_TREE = 401, "a class has no finite tree",
        "Every production of the class leads to the class again. Productions with the weight 0 do not count.";
    UNREACHABLE = 402, "no program contains a class",
        "The class is not below the first class of the specification.";
    REGEX = 403, "a regular expression cannot be used",
        "`.lala` files have the usual syntax, without assertions such as `\\b`. `.ls` files have the small dialect of \
         the first implementation: `|`, `(…)`, `[…]`, and `{m,n}` after a bracket.";
    REGEX_NOTHING = 404, "no text matches a literal class", "Each node of the class needs a text.";
    REGEX_EMPTY = 405, "a literal may be the empty text",
        "That is allowed, but most often it is a repetition from 0 that should start at 1.";
    REGEX_BAR = 406, "`|` inside brackets",
        "In `[+|-]` the bar is one of the characters (and `|-|` a range). Brackets list characters without separators: `[-+]`.";
    NEVER_CHOSEN = 407, "nothing can be chosen",
        "All productions have the weight 0, or all need features that are disabled.";
}
