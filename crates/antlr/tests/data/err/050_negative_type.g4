lexer grammar T;
A : 'a' -> type(-1) ;
