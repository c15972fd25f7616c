lexer grammar T;
