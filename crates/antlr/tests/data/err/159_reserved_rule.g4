lexer grammar T;
SKIP : 's' ;
