grammar T;
channels { C }
a : A ;
A : 'a' ;
