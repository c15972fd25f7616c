grammar T;
s : a[1] A ;
a[int A] : 'x' ;
A : 'a' ;
