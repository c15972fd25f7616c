lexer grammar T;
A : [\p{L}-z] ;
