lexer grammar T;
channels { SKIP }
A : 'a' ;
