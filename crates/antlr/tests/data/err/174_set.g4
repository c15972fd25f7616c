lexer grammar T;
A : [] ;
