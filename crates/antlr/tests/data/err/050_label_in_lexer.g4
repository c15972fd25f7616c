lexer grammar T;
A : x='a' ;
