lexer grammar T;
A : [\p{Nonsense}] ;
