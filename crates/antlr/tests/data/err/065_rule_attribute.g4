grammar T;
a : b { $b.y } ;
b : 'x' ;
