grammar T;
a returns [int A] : A ;
A : 'a' ;
