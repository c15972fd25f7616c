grammar T;
s : a[1] ;
a : 'x' ;
