lexer grammar T;
A : [abc
 ;
