lexer grammar T;
A : 'a' | 'b' | 'a' ;
