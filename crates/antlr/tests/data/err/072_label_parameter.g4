grammar T;
s : a[1] ;
a[int x] : x=A ;
A : 'a' ;
