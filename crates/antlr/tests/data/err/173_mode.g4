lexer grammar T;
A : 'a' ;
mode MORE;
B : 'b' ;
