lexer grammar T;
mode M;
A : 'a' ;
