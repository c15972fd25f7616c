grammar T;
a : x=A x+=A ;
A : 'a' ;
