lexer grammar T;
A : [A-z] ;
