//! The diagnostic codes of this crate, each with its manual page.

use polysmith_source::{Code, Explanation};

macro_rules! codes {
    ($($name:ident = $number:literal, $title:literal, $text:literal;)*) => {
        $(#[doc = $title] pub const $name: Code = Code::own('V', $number);)*

        /// The manual pages in order of their codes.
        pub const EXPLANATIONS: &[Explanation] = &[
            $(Explanation { code: $name, title: $title, text: $text },)*
        ];
    };
}

codes! {
    UNKNOWN_NAME = 1, "no variable, function or constructor has this name",
        "Names are looked for among local variables, then the functions and constructors of the module. What another \
         module declares is written `Module:name`, after `use Module;`.";
    UNKNOWN_MODULE = 2, "no module has this name",
        "`Module:name` needs `use Module;`, except for the core modules `List`, `Set`, `Map`, `Option`, `String`, \
         `Int`, `Random` and `Text`.";
    UNKNOWN_TYPE = 3, "no type has this name",
        "Types are the built-in ones (`Int`, `Bool`, `String`, `Node`, `List(T)`, `Set(T)`, `Map(K, V)`), those of the \
         module, and `Module:Type`. In functions, a capital letter alone is a type parameter: `fn first(xs : List(A)) : A?`.";
    TYPE_ARGUMENTS = 4, "wrong number of type arguments",
        "`List(Int)` has one, `Map(String, Int)` two; a declared type has as many as its declaration. Leave all of them \
         out to have them inferred, except in type declarations.";
    DUPLICATE = 5, "the name is declared twice",
        "Functions, types and constructors of a module each have their own names, and so have the fields of a record \
         and the parameters of a function.";
    MISMATCH = 6, "the types differ",
        "The marked expression has one type, and another one is expected; the second mark says why. A `T` is accepted where \
         a `T?` is expected, but not the other way round.";
    ARGUMENTS = 7, "wrong number of arguments",
        "`(f a b)` calls `f` with exactly the arguments it declares. A function that is given fewer does not become \
         another function: write `x -> (f a x)`.";
    NOT_A_FUNCTION = 8, "this is not a function",
        "Parentheses call: `(x y)` calls `x`. To group, write an operator or a single expression inside.";
    UNKNOWN_FIELD = 9, "the record has no such field",
        "Fields are those of the record's `type` declaration.";
    WHICH_RECORD = 10, "the record type is not known",
        "Several record types have such fields, or none. Annotate the parameter or the variable: `(s : Symbol) -> s.name`.";
    RECORD_FIELDS = 11, "the record literal does not match its type",
        "`{ a = 1, b = 2 }` gives every field of the type exactly once. To change some fields of a record: \
         `r with { a = 1 }`.";
    OPERANDS = 12, "wrong number of operands",
        "`and`, `or`, `+`, `-`, `*`, `/` and `%` take two operands or more, comparisons, `max` and `min` two, `not`, \
         `isNil`, `int` and `len` one.";
    NOT_COMPARABLE = 13, "functions cannot be compared",
        "`==`, `<`, keys of maps and items of sets need values without functions in them.";
    UNKNOWN_CONSTRUCTOR = 14, "no constructor has this name",
        "In a pattern, a name that starts with a capital letter is a constructor. Variables start with a small letter.";
    CONSTRUCTOR_FIELDS = 15, "wrong number of fields",
        "A pattern names all fields of a constructor; write `_` for one that does not matter.";
    NOT_EXHAUSTIVE = 16, "some values match no arm",
        "A `match` covers all values of its subject's type; `_ -> …` covers the rest. A `let` pattern must match every value.";
    UNREACHABLE = 17, "the arm is never reached",
        "The arms above it cover everything that it covers.";
    ENDLESS = 18, "the type would contain itself",
        "A value is used as itself and as something that contains it, as in `x == [x]`.";
    ALIAS_CYCLE = 19, "the type alias refers to itself",
        "`type A = B; type B = A;` names nothing. Records and variants may be recursive, aliases may not.";
    NATIVE = 20, "a built-in function outside the library",
        "`native fn` declares a function of the built-in library, with all its types. Other modules give a body.";
    TOO_DEEP = 21, "the text nests too deep",
        "Expressions, patterns and types may nest 256 levels. Give parts of them names.";
    OR_NAMES = 22, "the alternatives bind different names",
        "In `p | q`, both sides bind the same variables, so that the arm can use them.";
    NOT_ADDABLE = 23, "`+` needs integers or strings",
        "`+` adds integers and joins strings. `(String:of x)` is the text of any value, `(List:concat xs ys)` joins lists.";
    TYPE_TOO_BIG = 24, "the inferred type is too big",
        "Inference builds types that double with each step in rare cases. Annotate the functions involved.";
    NEVER_NIL = 26, "the value is never nil",
        "Only a value of an optional type `T?` can be `nil`. Declare it so if it may be, or drop the test.";
    MAYBE_NIL = 25, "the value may be nil",
        "A value of type `T?` has no fields: `match` it (`nil -> …; x -> …`), or give a default with `(Option:or x default)`.";
}
