lexer grammar T;
A : F ;
fragment F : 'f' -> skip ;
