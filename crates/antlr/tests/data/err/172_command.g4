lexer grammar T;
A : 'a' -> channel(MORE) ;
