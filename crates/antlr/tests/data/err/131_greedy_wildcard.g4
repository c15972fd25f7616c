lexer grammar T;
A : '"' .* '"' ;
