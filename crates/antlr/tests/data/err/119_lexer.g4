lexer grammar T;
A : A 'x' | 'y' ;
