// Arithmetic with variables: one left-recursive rule that carries all precedences.
grammar Arithmetic;

program : line* EOF ;

line
    : ID '=' expr ';'   # Assignment
    | expr ';'          # Result
    ;

// From the tightest binding to the loosest; `^` groups to the right, so that 2^3^2 is 2^(3^2).
expr
    : <assoc = right> expr '^' expr   # Power
    | op = ('-' | '+') expr           # Sign
    | expr op = ('*' | '/' | '%') expr # Product
    | expr op = ('+' | '-') expr      # Sum
    | ID '(' (expr (',' expr)*)? ')'  # Call
    | '(' expr ')'                    # Group
    | ID                              # Variable
    | NUMBER                          # Number
    ;

ID      : [a-zA-Z_] [a-zA-Z_0-9]* ;
NUMBER  : DIGITS ('.' DIGITS)? ([eE] [+-]? DIGITS)? ;
fragment DIGITS : [0-9]+ ;

COMMENT : '#' ~[\r\n]* -> channel(HIDDEN) ;
SPACE   : [ \t\r\n]+ -> skip ;
