lexer grammar T;
A : ~(B) ;
B : 'b' ;
