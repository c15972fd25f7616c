lexer grammar T;
A : 'a' { $text } ;
