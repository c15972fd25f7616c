lexer grammar T;
A : 'a' -> mode(HIDDEN) ;
