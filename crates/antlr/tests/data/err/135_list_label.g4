grammar T;
a : xs+=A { $xs = 1; } ;
A : 'a' ;
