lexer grammar T;
A : 'a' -> skip, skip ;
