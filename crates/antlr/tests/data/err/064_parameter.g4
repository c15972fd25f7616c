grammar T;
a : b[1] { $b.p } ;
b[int p] : 'x' ;
