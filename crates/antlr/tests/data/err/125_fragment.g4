grammar T;
a : F ;
fragment F : 'f' ;
