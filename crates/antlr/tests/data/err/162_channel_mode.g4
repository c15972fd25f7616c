lexer grammar T;
channels { M }
A : 'a' ;
mode M;
B : 'b' ;
