lexer grammar T;
A : 'a' -> type(SKIP) ;
