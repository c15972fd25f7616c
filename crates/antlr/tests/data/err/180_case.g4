lexer grammar T;
options { caseInsensitive = true; }
A : [aA] ;
