grammar T;
a : b { $b } ;
b : 'x' ;
