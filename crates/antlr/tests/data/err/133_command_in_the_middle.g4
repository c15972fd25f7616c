lexer grammar T;
A : 'a' -> skip | 'b' ;
