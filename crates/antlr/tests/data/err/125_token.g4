grammar T;
a : A B ;
A : 'a' ;
