parser grammar T;
a : A ;
A : 'a' ;
