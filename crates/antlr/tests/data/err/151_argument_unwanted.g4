lexer grammar T;
A : 'a' -> skip(1) ;
