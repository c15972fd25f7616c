grammar T;
a : A<x=y> ;
A : 'a' ;
