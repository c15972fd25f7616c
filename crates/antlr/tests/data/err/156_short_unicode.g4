lexer grammar T;
A : '\u12' ;
