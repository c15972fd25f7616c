// The tokens of XML 1.0. What a character means depends on where it stands, so there is a mode for each place.
lexer grammar XMLLexer;

// Outside of tags.
COMMENT     : '<!--' .*? '-->' ;
CDATA       : '<![CDATA[' .*? ']]>' ;
DOCTYPE     : '<!DOCTYPE' ~[[<>]* ('[' ~[\]]* ']' [ \t\r\n]*)? '>' ;
DECLARATION : '<?xml' BLANK -> pushMode(INSIDE) ;
BEGIN       : '<?' NAME -> more, pushMode(INSTRUCTIONS) ;
OPEN_END    : '</' -> pushMode(INSIDE) ;
OPEN        : '<' -> pushMode(INSIDE) ;
REFERENCE   : '&' (NAME | '#' [0-9]+ | '#x' [0-9a-fA-F]+) ';' ;
SPACE       : BLANK+ ;
TEXT        : ~[<&]+ ;

fragment BLANK : [ \t\r\n] ;

// `<?name …?>`, one token with its begin.
mode INSTRUCTIONS;

INSTRUCTION : .*? '?>' -> popMode ;

mode INSIDE;

CLOSE             : '>' -> popMode ;
CLOSE_EMPTY       : '/>' -> popMode ;
CLOSE_DECLARATION : '?>' -> popMode ;
EQUALS            : '=' ;
STRING            : '"' (~["<&] | REFERENCE)* '"' | '\'' (~['<&] | REFERENCE)* '\'' ;
NAME              : NAME_START NAME_PART* ;
INSIDE_SPACE      : BLANK+ -> skip ;

fragment NAME_START : [:_\p{Letter}] ;
fragment NAME_PART  : NAME_START | [-.0-9\u00B7\p{Mark}\p{Number}] ;
