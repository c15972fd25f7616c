lexer grammar T;
A : ~(B) ;
