lexer grammar T;
A : 'a' -> channel(70000) ;
B : 'b' -> type(2000000) ;
C : 'c' -> mode(7), channel(1) ;
