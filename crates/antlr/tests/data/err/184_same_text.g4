lexer grammar T;
A : 'ab' ;
B : 'ab' ;
