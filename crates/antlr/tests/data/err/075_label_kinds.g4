grammar T;
a : x=A x=b ;
b : A ;
A : 'a' ;
