grammar T;
a : [a-z] ;
