//! Pages on files, sections, names, labels, arguments and attributes.

super::pages! {
    8 "the grammar is not called like its file",
        "ANTLR derives the names of what it writes from the file, so the two must be the same, upper and lower case included.";
        "grammar Other;\ns : 'x' ;";
        "Rename the file or the grammar.";
    50 "syntax error",
        "The text is not an ANTLR grammar at the marked place. What follows is read as well as possible, so later errors may come from this one.";
        "grammar T;\ns : 'x'\nt : 'y' ;";
        "Often a `;`, a `:` or a closing bracket is missing just before the mark.";
    51 "a rule is defined twice",
        "Parser rules, token rules and fragments share one name space, over all modes.";
        "grammar T;\ns : 'x' ;\ns : 'y' ;";
        "Rename one of them, or join them with `|`.";
    52 "a lexer rule in a parser grammar",
        "A name that starts with a capital letter is a token rule, and a `parser grammar` has none.";
        "parser grammar T;\ns : A ;\nA : 'x' ;";
        "Move the rule to the lexer grammar that `tokenVocab` names, or write `grammar T;` for both in one file.";
    53 "a parser rule in a lexer grammar",
        "A name that starts with a small letter is a parser rule, and a `lexer grammar` has none.";
        "lexer grammar T;\na : 'x' ;";
        "Write the name with a capital letter, or move the rule to the parser grammar.";
    54 "a section is repeated",
        "There is one `options`, one `import` and one `tokens` section per grammar.";
        "grammar T;\ntokens { A }\ntokens { B }\ns : A B ;";
        "Join the two.";
    56 "a rule is not defined",
        "The reference leads nowhere: neither this grammar nor an imported one has the rule.";
        "grammar T;\ns : exprr EOF ;\nexpr : 'x' ;";
        "Check the spelling, define the rule, or import the grammar that has it.";
    57 "`$x::y` names a rule that is not there",
        "`$rule::attribute` in an action reads an attribute of a rule that is being matched.";
        "grammar T;\ns : 'x' {$q::y;} ;";
        "Name a rule of this grammar.";
    60 "a name in `tokens` starts with a small letter",
        "Token names start with a capital letter.";
        "grammar T;\ntokens { a }\ns : 'x' ;";
        "Write `A`.";
    63 "an action uses an unknown attribute",
        "`$x` must be a label, a rule or token of the same alternative, an argument, a return value or a local.";
        "grammar T;\ns : 'x' {$y} ;";
        "Label the element (`y='x'`) or correct the name.";
    64 "an action reads an argument of another rule",
        "Arguments belong to the rule itself; its callers see only what it returns.";
        "grammar T;\ns : a[1] {$a.n} ;\na[int n] : 'x' ;";
        "Return the value: `a[int n] returns [int m]`.";
    65 "an action uses an unknown attribute of a rule",
        "A rule has the attributes `text`, `start`, `stop`, `ctx`, `parser` and what it returns.";
        "grammar T;\ns : a {$a.y} ;\na : 'x' ;";
        "Declare it: `a returns [int y]`.";
    66 "an action uses an unknown attribute of a token",
        "A token has `text`, `type`, `line`, `pos`, `index`, `channel` and `int`.";
        "grammar T;\ns : A {$A.y} ;\nA : 'x' ;";
        "Use one of these.";
    67 "an action uses a rule without saying what of it",
        "`$rule` alone has no value.";
        "grammar T;\ns : a {$a} ;\na : 'x' ;";
        "Write `$a.text` or `$a.ctx`.";
    69 "a label is called like a rule",
        "The generated code would have two things of one name.";
        "grammar T;\ns : a='x' ;\na : 'y' ;";
        "Choose another label.";
    70 "a label is called like a token",
        "The generated code would have two things of one name.";
        "grammar T;\ns : A='x' A ;\nA : 'y' ;";
        "Choose another label, best with a small letter.";
    72 "a label is called like an argument",
        "Both would be fields of the same context.";
        "grammar T;\ns[int i] : i='x' ;";
        "Rename one of them.";
    73 "a label is called like a return value",
        "Both would be fields of the same context.";
        "grammar T;\ns returns [int i] : i='x' ;";
        "Rename one of them.";
    74 "a label is called like a local",
        "Both would be fields of the same context.";
        "grammar T;\ns locals [int i] : i='x' ;";
        "Rename one of them.";
    75 "a label is used for two kinds of things",
        "One label is either one token, one rule, or a list of them (`+=`), the same everywhere in its rule.";
        "grammar T;\ns : x='a' x=t ;\nt : 'b' ;";
        "Use two labels.";
    76 "a return value is called like an argument",
        "Both would be fields of the same context.";
        "grammar T;\ns[int i] returns [int i] : 'x' ;";
        "Rename one of them.";
    79 "a rule with arguments is called without",
        "The rule declares arguments, so every call must give them.";
        "grammar T;\ns : a ;\na[int i] : 'x' ;";
        "Write `a[1]`.";
    80 "a rule without arguments is called with some",
        "The rule declares no arguments.";
        "grammar T;\ns : a[1] ;\na : 'x' ;";
        "Leave them out, or declare them: `a[int i]`.";
    83 "an option is not known",
        "It has no effect. Grammars know `tokenVocab`, `superClass`, `language`, `caseInsensitive` and a few more; rules and elements know less.";
        "grammar T;\noptions { k = 2; }\ns : 'x' ;";
        "Leave it out. `k`, `backtrack`, `output` and others are from older versions of ANTLR.";
    84 "an option has a value that means nothing",
        "`caseInsensitive` is `true` or `false`, `assoc` is `left` or `right`.";
        "grammar T;\noptions { caseInsensitive = maybe; }\ns : 'x' ;";
        "Write one of these values.";
    94 "a named action is given twice",
        "There is one `@header`, one `@members` and so on for each of parser and lexer.";
        "grammar T;\n@header {a}\n@header {b}\ns : 'x' ;";
        "Join them, or write `@parser::header` and `@lexer::header`.";
    99 "the grammar has no rules",
        "There is nothing to read with it.";
        "grammar T;";
        "Write a rule.";
    108 "a token of `tokens` has a type already",
        "A rule or the vocabulary defines it; the entry has no effect.";
        "grammar T;\ntokens { A }\ns : A ;\nA : 'x' ;";
        "Leave the entry out.";
    109 "an imported grammar has options",
        "The options of the importing grammar hold for everything; those of the imported one are ignored.";
        "parser grammar S;\noptions { tokenVocab = L; }\na : B ;";
        "Move them to the importing grammar.";
    110 "an imported grammar cannot be found",
        "Imports are looked for beside the grammar, then in the library folders.";
        "grammar T;\nimport Nowhere;\ns : 'x' ;";
        "Check the name, or add its folder to the library folders.";
    111 "a grammar of this kind cannot be imported here",
        "A lexer imports lexers, a parser imports parsers, a combined grammar imports both, and combined ones that have no lexer rules of their own to conflict.";
        "lexer grammar T;\nimport AParserGrammar;\nA : 'x' ;";
        "Import it where it fits.";
    113 "a combined grammar imports what ANTLR would write for it",
        "For a combined grammar `M` ANTLR makes `MLexer` and `MParser`, so a grammar of such a name cannot be imported into it.";
        "grammar T;\nimport TLexer;\ns : 'x' ;";
        "Rename one of them, or make `T` a parser grammar with `tokenVocab = TLexer`.";
    114 "the vocabulary cannot be found",
        "`tokenVocab` names a lexer grammar or a `.tokens` file beside the grammar or in a library folder.";
        "parser grammar T;\noptions { tokenVocab = Nowhere; }\ns : EOF ;";
        "Check the name, or name the lexer grammar yourself.";
    128 "an attribute is used in a lexer action",
        "Token rules have no attributes.";
        "lexer grammar T;\nA : 'x' {$y} ;";
        "Use the functions of the lexer instead, or move the action to a parser rule.";
    130 "a label on a group",
        "A label names one token or one rule, or a group of single tokens.";
        "grammar T;\ns : x=('a' 'b') ;";
        "Label the parts, or make the group a rule.";
    135 "a list label is assigned to",
        "A label with `+=` is a list; an action cannot assign to it.";
        "grammar T;\ns : x+='a' {$x = null;} ;";
        "Use a label with `=`, or change the list with its own functions.";
    136 "a return value is called like a rule",
        "The generated code would have two things of one name.";
        "grammar T;\ns returns [int a] : a ;\na : 'x' ;";
        "Rename the value.";
    137 "a return value is called like a token",
        "The generated code would have two things of one name.";
        "grammar T;\ns returns [int A] : A ;\nA : 'x' ;";
        "Rename the value.";
    138 "an argument is called like a rule",
        "The generated code would have two things of one name.";
        "grammar T;\ns[int a] : a ;\na : 'x' ;";
        "Rename the argument.";
    139 "an argument is called like a token",
        "The generated code would have two things of one name.";
        "grammar T;\ns[int A] : A ;\nA : 'x' ;";
        "Rename the argument.";
    140 "a local is called like a rule",
        "The generated code would have two things of one name.";
        "grammar T;\ns locals [int a] : a ;\na : 'x' ;";
        "Rename the local.";
    141 "a local is called like a token",
        "The generated code would have two things of one name.";
        "grammar T;\ns locals [int A] : A ;\nA : 'x' ;";
        "Rename the local.";
    142 "a local is called like an argument",
        "Both would be fields of the same context.";
        "grammar T;\ns[int i] locals [int i] : 'x' ;";
        "Rename one of them.";
    143 "a local is called like a return value",
        "Both would be fields of the same context.";
        "grammar T;\ns returns [int i] locals [int i] : 'x' ;";
        "Rename one of them.";
}
