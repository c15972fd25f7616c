lexer grammar T;
A : 'ab' | 'ab' ;
