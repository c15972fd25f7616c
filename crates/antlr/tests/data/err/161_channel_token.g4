lexer grammar T;
channels { A }
A : 'a' -> channel(A) ;
