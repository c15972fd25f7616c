lexer grammar T;
A : 'a' -> jump ;
