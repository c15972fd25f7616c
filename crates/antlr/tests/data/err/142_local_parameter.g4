grammar T;
s : a[1] ;
a[int x] locals [int x] : 'x' ;
