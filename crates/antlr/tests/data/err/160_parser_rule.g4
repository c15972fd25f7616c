grammar T;
a : A ;
A : b ;
b : 'x' ;
