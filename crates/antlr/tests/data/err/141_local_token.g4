grammar T;
a locals [int A] : A ;
A : 'a' ;
