grammar T;
s : a ;
a[int x] : 'x' ;
