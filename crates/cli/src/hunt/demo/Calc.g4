// The language of the calculator that `polysmith demo` tests.
grammar Calc;

program : expr (';' expr)* EOF ;

expr
    : '-' expr
    | expr ('*' | '/' | '%') expr
    | expr ('+' | '-') expr
    | 'gcd' '(' expr ',' expr ')'
    | '(' expr ')'
    | NUMBER
    ;

NUMBER : [0-9] ;
SPACE  : [ \n]+ -> skip ;
