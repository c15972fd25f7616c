grammar T;
a : 'x' # One ;
b : 'y' # One ;
