grammar T;
a : b[1] ;
A : 'a' ;
b[int x] : A ;
