lexer grammar T;
A : F ;
fragment F : 'f' { x } ;
