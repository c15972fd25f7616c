lexer grammar T;
A : 'a' -> type(B) ;
