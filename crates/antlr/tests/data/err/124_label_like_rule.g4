grammar T;
a : 'x' # B ;
b : 'y' ;
