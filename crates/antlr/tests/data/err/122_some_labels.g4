grammar T;
a : 'x' # One | 'y' ;
