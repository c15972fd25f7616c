lexer grammar T;
A : 'a' ;
M : 'm' ;
mode M;
B : 'b' ;
