lexer grammar T;
channels { }
A : 'a' ;
