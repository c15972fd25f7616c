grammar T;
s : a[1] ;
a[int s] : 'x' ;
