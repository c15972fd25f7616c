lexer grammar T;
A : 'a'* ;
