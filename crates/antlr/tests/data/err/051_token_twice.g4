lexer grammar T;
A : 'a' ;
mode M;
A : 'b' ;
