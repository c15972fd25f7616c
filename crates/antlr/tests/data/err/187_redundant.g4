lexer grammar T;
options { caseInsensitive = true; }
A options { caseInsensitive = true; } : 'a' ;
