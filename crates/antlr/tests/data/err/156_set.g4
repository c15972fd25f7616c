lexer grammar T;
A : [a\q] ;
