lexer grammar T;
A : [z-a] ;
