lexer grammar T;
A : 'a' ;
mode M;
fragment B : 'b' ;
