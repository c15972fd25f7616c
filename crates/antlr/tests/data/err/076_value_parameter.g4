grammar T;
s : a[1] ;
a[int x] returns [int x] : 'x' ;
