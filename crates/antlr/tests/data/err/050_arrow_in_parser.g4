grammar T;
a : 'x' -> skip ;
