lexer grammar T;
A : 'a' -> channel(C) ;
