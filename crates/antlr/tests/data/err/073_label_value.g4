grammar T;
a returns [int x] : x=A ;
A : 'a' ;
