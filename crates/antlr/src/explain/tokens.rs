//! Pages on tokens, modes, channels, commands and characters.

super::pages! {
    120 "a mode outside a lexer grammar",
        "Modes belong into `lexer grammar` files.";
        "grammar T;\ns : A ;\nA : 'x' ;\nmode M;\nB : 'y' ;";
        "Split the grammar into a lexer grammar and a parser grammar with `tokenVocab`.";
    125 "a token is used that nothing defines",
        "No token rule and no entry of `tokens` has this name; a type is made up for it, and nothing in a text will ever have it.";
        "grammar T;\ns : A B ;\nA : 'x' ;";
        "Define it, or list it under `tokens { B }` if code makes it.";
    133 "a lexer command that is not at the end",
        "Commands are written at the end of the last alternative of a token rule, outside of groups.";
        "lexer grammar T;\nA : ('x' -> skip) 'y' ;";
        "Move the command to the end of the rule.";
    145 "a mode has no rules",
        "A mode needs at least one token rule that is no fragment.";
        "lexer grammar T;\nA : 'x' ;\nmode M;\nfragment B : 'y' ;";
        "Add one, or leave the mode out.";
    146 "a token can be empty",
        "The lexer could take the empty token for ever without moving on.";
        "grammar T;\ns : A ;\nA : 'x'* ;";
        "Make it take at least one character: `'x'+`.";
    149 "a lexer command is not known",
        "There are `skip`, `more`, `popMode`, `mode(X)`, `pushMode(X)`, `type(X)` and `channel(X)`.";
        "lexer grammar T;\nA : 'x' -> hide ;";
        "Use one of these; `channel(HIDDEN)` hides a token.";
    150 "a lexer command needs an argument",
        "`mode`, `pushMode`, `type` and `channel` say what to switch to.";
        "lexer grammar T;\nA : 'x' -> type ;";
        "Write `type(B)`.";
    151 "a lexer command takes no argument",
        "`skip`, `more` and `popMode` have no argument.";
        "lexer grammar T;\nA : 'x' -> skip(B) ;";
        "Leave the argument out.";
    152 "a literal is not closed",
        "The line ends before the closing quote.";
        "grammar T;\ns : 'x ;\n";
        "Close it. A quote inside is written `\\'`.";
    156 "an escape is not known",
        "Literals and sets know `\\n`, `\\r`, `\\t`, `\\b`, `\\f`, `\\\\`, `\\'`, `\\uXXXX`, `\\u{X…}`; sets also `\\]`, `\\-`, `\\p{…}` and `\\P{…}`.";
        "grammar T;\ns : A ;\nA : '\\q' ;";
        "Write the character itself, or its number.";
    158 "an action or command in a fragment",
        "Fragments are parts of token rules; only those have actions and commands.";
        "grammar T;\ns : A ;\nA : B ;\nfragment B : 'x' -> skip ;";
        "Move it to the token rule.";
    159 "a rule has a reserved name",
        "`EOF`, `HIDDEN`, `SKIP`, `MORE`, `DEFAULT_MODE`, `DEFAULT_TOKEN_CHANNEL` and two more have a meaning of their own.";
        "lexer grammar T;\nSKIP : 'x' ;";
        "Choose another name.";
    160 "a token rule uses a parser rule",
        "Token rules are made of characters, fragments and other token rules.";
        "grammar T;\ns : A ;\nA : b ;\nb : 'x' ;";
        "Make it a fragment: `fragment B`.";
    161 "a channel is called like a token",
        "Both become constants of the same name.";
        "lexer grammar T;\nchannels { A }\nA : 'x' ;";
        "Rename one of them.";
    162 "a channel is called like a mode",
        "Both become constants of the same name.";
        "lexer grammar T;\nchannels { M }\nA : 'x' -> pushMode(M) ;\nmode M;\nB : 'y' ;";
        "Rename one of them.";
    163 "channels in a parser grammar",
        "Channels belong to the lexer.";
        "parser grammar T;\nchannels { C }\ns : EOF ;";
        "Declare them in the lexer grammar.";
    164 "channels in a combined grammar",
        "New channels can be declared in a `lexer grammar` only; a combined one has `HIDDEN`.";
        "grammar T;\nchannels { C }\ns : 'x' ;";
        "Use `channel(HIDDEN)`, or split the grammar.";
    170 "a mode is called like a token",
        "Both become constants of the same name.";
        "lexer grammar T;\nA : 'x' ;\nmode A;\nB : 'y' ;";
        "Rename one of them.";
    171 "`type` with a reserved name",
        "A token cannot be given this type.";
        "lexer grammar T;\nA : 'x' -> type(SKIP) ;";
        "Name a token.";
    172 "`channel` with a reserved name",
        "A channel cannot have this name.";
        "lexer grammar T;\nA : 'x' -> channel(SKIP) ;";
        "Name a channel: `HIDDEN`, or one of `channels { … }`.";
    173 "`mode` with a reserved name",
        "A mode cannot have this name.";
        "lexer grammar T;\nA : 'x' -> mode(SKIP) ;";
        "Name a mode: `DEFAULT_MODE`, or one that this grammar declares.";
    174 "an empty or backward set",
        "A literal or set without characters matches nothing, and a range goes from the smaller to the larger.";
        "grammar T;\ns : A ;\nA : [z-a] ;";
        "Write `[a-z]`.";
    175 "`type` names no token",
        "The token must be defined by a rule or under `tokens`.";
        "lexer grammar T;\nA : 'x' -> type(B) ;";
        "Declare it: `tokens { B }`.";
    176 "a command names no mode",
        "The mode must be declared in this grammar with `mode NAME;`.";
        "lexer grammar T;\nA : 'x' -> pushMode(M) ;";
        "Declare it, with at least one rule.";
    177 "`channel` names no channel",
        "There are `HIDDEN`, `DEFAULT_TOKEN_CHANNEL` and what `channels { … }` declares.";
        "lexer grammar T;\nA : 'x' -> channel(C) ;";
        "Declare it: `channels { C }`.";
    178 "a command is repeated",
        "Only the last one counts.";
        "lexer grammar T;\nchannels { C }\nA : 'x' -> channel(C), channel(HIDDEN) ;";
        "Leave one out.";
    179 "two commands that do not go together",
        "A token that is skipped, or that goes on with `more`, has no type and no channel.";
        "lexer grammar T;\nA : 'x' -> skip, channel(HIDDEN) ;";
        "Leave one out.";
    180 "a character occurs twice in a set",
        "It is harmless, but probably not what was meant.";
        "grammar T;\ns : A ;\nA : [aab] ;";
        "Leave it out once. In `[+-*]` the `-` means a range: write it last, or as `\\-`.";
    181 "a range in a parser rule",
        "Parser rules are made of tokens; ranges of characters belong into token rules.";
        "grammar T;\ns : 'a'..'z' ;";
        "Make it a token rule: `LETTER : 'a'..'z' ;`.";
    182 "a Unicode property as the end of a range",
        "A property is a set of characters, not one character.";
        "grammar T;\ns : A ;\nA : [\\p{Lu}-z] ;";
        "Write property and range side by side: `[\\p{Lu}a-z]`.";
    183 "a token rule inside `~(…)`",
        "Only characters and sets can be negated.";
        "grammar T;\ns : A ;\nA : ~(B) ;\nB : 'x' ;";
        "Write the characters: `~[x]`.";
    184 "a token that an earlier rule always takes",
        "Both rules match the same text, and of two equal matches the earlier rule wins.";
        "grammar T;\ns : A B ;\nA : 'x' ;\nB : 'x' ;";
        "Leave the later one out, or make the texts differ.";
    185 "a range that mixes upper and lower case",
        "Ignoring case, the range from a capital to a small letter has gaps or doubles, and takes the characters between `Z` and `a`.";
        "grammar T;\noptions { caseInsensitive = true; }\ns : A ;\nA : [A-z] ;";
        "Write `[a-z]`; case makes no difference here.";
    187 "`caseInsensitive` on a rule says what holds already",
        "The grammar's own option has the same value.";
        "grammar T;\noptions { caseInsensitive = true; }\ns : A ;\nA options { caseInsensitive = true; } : 'x' ;";
        "Leave it out.";
}
