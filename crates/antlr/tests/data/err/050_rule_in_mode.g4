lexer grammar T;
A : 'a' ;
mode M;
b : 'b' ;
