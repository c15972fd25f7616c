lexer grammar T;
A : [ab] | [bc] ;
