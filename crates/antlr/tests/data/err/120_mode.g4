grammar T;
a : A ;
A : 'a' ;
mode M;
B : 'b' ;
