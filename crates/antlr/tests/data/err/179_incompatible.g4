lexer grammar T;
A : 'a' -> skip, more ;
