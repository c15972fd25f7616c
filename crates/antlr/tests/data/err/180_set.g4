lexer grammar T;
A : [aa] ;
