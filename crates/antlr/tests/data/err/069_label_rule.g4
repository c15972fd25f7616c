grammar T;
a : b=A b ;
b : A ;
A : 'a' ;
