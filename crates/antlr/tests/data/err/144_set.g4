lexer grammar T;
A : ~('ab' | 'c') ;
