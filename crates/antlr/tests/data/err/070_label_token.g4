grammar T;
a : A=B A ;
A : 'a' ;
B : 'b' ;
