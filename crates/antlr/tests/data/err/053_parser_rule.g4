lexer grammar T;
A : 'a' ;
a : 'x' ;
