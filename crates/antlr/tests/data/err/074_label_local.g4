grammar T;
a locals [int x] : x=A ;
A : 'a' ;
