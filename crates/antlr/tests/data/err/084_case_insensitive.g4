lexer grammar T;
options { caseInsensitive = maybe; }
A : 'a' ;
